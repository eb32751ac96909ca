//! The pane with the answer: verdict, subjects, facts, words, the button. Read only once it was given.

use super::canvas::Canvas;
use super::figures::counted;
use super::key_hint::{key_in, keys};
use super::pane::Pane;
use super::scrollbar::{Scroll, scrollbar};
use crate::domain::trial::Verdict;
use crate::screen::hit_map::Hit;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::focus::Focus;
use crate::workbench::investigate::Workspace;
use crate::workbench::investigate::answer::{AnswerForm, Line};
use crate::workbench::investigate::prose;
use crate::workbench::layout::{AnswerParts, Area, answer_parts};

/// The verdicts: their names as arguments, and as they are shown.
const VERDICTS: [(Verdict, &str, &str); 3] = [
    (Verdict::Yes, "yes", "yes"),
    (Verdict::No, "no", "no"),
    (Verdict::NotApplicable, "not_applicable", "n/a"),
];
/// Columns of the label before the verdicts.
const LABEL: u16 = 9;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    if area.is_empty() {
        return;
    }
    let has_focus = state.has_focus(Focus::Answer);
    let title = if space.task.is_some() { "Answer" } else { "Findings" };
    let aside = match (space.is_over(), has_focus && space.answer.is_writing) {
        (true, _) => format!("{} answered", canvas.symbols().success),
        (false, true) => "writing".to_owned(),
        (false, false) => String::new(),
    };
    Pane { title, aside: &aside, has_focus, ..Pane::default() }.draw(canvas, area);
    canvas.hits().press(area, Invocation::of("focus.answer"));
    let parts = answer_parts(area);
    let form = &space.answer;
    lines(canvas, &parts, state, space, has_focus);
    scrollbar(
        canvas,
        parts.form,
        Scroll { total: form.listed(), shown: usize::from(parts.form.height), top: form.top },
    );
    words(canvas, &parts, state, space, has_focus);
    submit(canvas, parts.submit, state, space, has_focus);
}

/// What the mouse gives on a line of the form.
fn hit(form: &AnswerForm, line: Line) -> Hit {
    let wheel = |by: i32| Some(Invocation::of("answer.move").with("by", by));
    Hit {
        press: Some(Invocation::of("answer.select").with("index", form.place_of(line))),
        again: Some(Invocation::of("answer.edit")),
        wheel_up: wheel(-1),
        wheel_down: wheel(1),
        surface: None,
    }
}

/// Verdict, subjects and facts.
fn lines(
    canvas: &mut Canvas<'_>,
    parts: &AnswerParts,
    state: &Workbench,
    space: &Workspace,
    has_focus: bool,
) {
    let form = &space.answer;
    let area = parts.form;
    // Where everything fits, the groups stand apart.
    let is_airy = form.listed() + 2 <= usize::from(area.height);
    let mut y = area.y;
    for place in form.top..form.listed() {
        let line = form.line_at(place);
        if is_airy && matches!(line, Line::Subjects | Line::Facts) {
            y += 1;
        }
        if y >= area.y + area.height {
            break;
        }
        let row = Area { y, height: 1, ..area };
        canvas.hits().add(row, hit(form, line));
        match line {
            Line::Verdict => verdict(canvas, row, state, space, has_focus),
            Line::Subjects => {
                let twice = form.duplicates().len() as u64;
                let count = form.subjects.len() as u64;
                let aside = if twice > 0 { format!("{count}, {twice} twice") } else { count.to_string() };
                let add = (has_focus && !space.is_over()).then(|| keys(state, "answer.add")).flatten();
                let role = if twice > 0 { Role::Warning } else { Role::Muted };
                head(canvas, row, "Subjects", (&aside, role), add.as_deref());
                if is_airy && count == 0 && !space.is_over() {
                    // The empty line below has room for how to get some.
                    let faint = canvas.style(Role::Faint);
                    let key = key_in(state, "grid", &Invocation::of("answer.mark")).unwrap_or_default();
                    let words = format!("{key} in the result marks a row");
                    canvas.text(row.x + 2, y + 1, row.width.saturating_sub(2), &words, faint);
                }
            }
            Line::Subject(place) => subject(canvas, row, form, place),
            Line::Facts => {
                let add = (has_focus && !space.is_over()).then(|| keys(state, "answer.fact")).flatten();
                let aside = form.facts.len().to_string();
                head(canvas, row, "Facts", (&aside, Role::Muted), add.as_deref());
            }
            Line::Fact(place) => {
                let (muted, text) = (canvas.style(Role::Muted), canvas.style(Role::Text));
                let (name, value) = &form.facts[place];
                canvas.pieces(
                    row.x + 2,
                    y,
                    row.width.saturating_sub(2),
                    &[(name, muted), (" = ", muted), (value, text)],
                );
            }
            Line::Prose | Line::Submit => {}
        }
        chosen(canvas, row, form, line, has_focus);
        y += 1;
    }
}

/// Lays the selection over the chosen line.
fn chosen(canvas: &mut Canvas<'_>, row: Area, form: &AnswerForm, line: Line, has_focus: bool) {
    if has_focus && !form.is_writing && form.line() == line {
        let style = canvas.style(Role::Selection);
        canvas.tint(row, style);
    }
}

/// The head of a group: its name, how many there are, the key that adds one.
fn head(canvas: &mut Canvas<'_>, row: Area, name: &str, (aside, role): (&str, Role), add: Option<&str>) {
    let (heading, style) = (canvas.style(Role::Heading), canvas.style(role));
    let taken = canvas.pieces(row.x, row.y, row.width, &[(name, heading), ("  ", heading), (aside, style)]);
    if let Some(key) = add {
        let (hint, muted) = (canvas.style(Role::KeyHint), canvas.style(Role::Faint));
        let words = " adds";
        let cells = u16::try_from(key.len() + words.len()).unwrap_or(0) + 1;
        if taken + cells + 1 < row.width {
            canvas.pieces(row.x + row.width - cells, row.y, cells, &[(key, hint), (words, muted)]);
        }
    }
}

fn verdict(canvas: &mut Canvas<'_>, row: Area, state: &Workbench, space: &Workspace, has_focus: bool) {
    let heading = canvas.style(Role::Heading);
    canvas.text(row.x, row.y, LABEL.min(row.width), "Verdict", heading);
    let end = row.x + row.width;
    let mut x = row.x + LABEL;
    for (verdict, name, shown) in VERDICTS {
        let is_on = space.answer.verdict == Some(verdict);
        let sign = if is_on { canvas.symbols().radio_on } else { canvas.symbols().radio_off };
        let role = match (is_on, space.is_over()) {
            (true, _) => Role::Accent,
            (false, false) => Role::Text,
            (false, true) => Role::Faint,
        };
        let style = canvas.style(role);
        let gives = Invocation::of("answer.verdict").with("verdict", name);
        let start = x;
        x += canvas.text(x, row.y, end.saturating_sub(x), &format!("{sign} {shown}"), style);
        let key = key_in(state, "answer", &gives).filter(|_| has_focus && !space.is_over());
        // Where the key is the first letter, the word says it.
        if let Some(key) = key {
            if shown.starts_with(&key) {
                let hint = canvas.style(Role::KeyHint);
                canvas.text(start + 2, row.y, 1, &key, hint);
            } else {
                let hint = canvas.style(Role::KeyHint);
                x += canvas.text(x, row.y, end.saturating_sub(x), &format!(" {key}"), hint);
            }
        }
        if !space.is_over() {
            canvas.hits().press(Area { x: start, width: x - start, ..row }, gives);
        }
        x += 2;
    }
}

fn subject(canvas: &mut Canvas<'_>, row: Area, form: &AnswerForm, place: usize) {
    let is_twice = form.duplicates().contains(&place);
    let marked = canvas.style(Role::Marked);
    let sign = canvas.symbols().marked;
    canvas.text(row.x, row.y, 1, sign, marked);
    let style = canvas.style(if is_twice { Role::Muted } else { Role::Text });
    let room = row.width.saturating_sub(if is_twice { 10 } else { 2 });
    canvas.text(row.x + 2, row.y, room, &form.subjects[place], style);
    if is_twice {
        let warning = canvas.style(Role::Warning);
        let words = format!("{} twice", canvas.symbols().warning);
        canvas.text_right(row.x + row.width, row.y, 7, &words, warning);
    }
}

/// The answer in words.
fn words(
    canvas: &mut Canvas<'_>,
    parts: &AnswerParts,
    state: &Workbench,
    space: &Workspace,
    has_focus: bool,
) {
    let form = &space.answer;
    let (row, area) = (parts.prose_head, parts.prose);
    if row.is_empty() {
        return;
    }
    let quiet = canvas.style(Role::Border);
    let line = canvas.symbols().line;
    for x in row.x..row.x + row.width {
        canvas.text(x, row.y, 1, line.horizontal, quiet);
    }
    let border = canvas.style(if has_focus { Role::FocusBorder } else { Role::Border });
    canvas.text(row.x - 1, row.y, 1, line.vertical_right, border);
    canvas.text(row.x + row.width, row.y, 1, line.vertical_left, border);
    let heading = canvas.style(Role::Heading);
    let taken = canvas.text(row.x + 1, row.y, row.width.saturating_sub(2), " In words ", heading);
    canvas.hits().add(row, hit(form, Line::Prose));
    canvas.hits().add(area, Hit { again: Some(Invocation::of("answer.write")), ..hit(form, Line::Prose) });
    chosen(canvas, Area { x: row.x + 1, width: taken, ..row }, form, Line::Prose, has_focus);
    let is_writing = has_focus && form.is_writing && !space.is_over();
    let rows = prose::rows(form.prose.lines(), usize::from(area.width));
    let height = usize::from(area.height);
    let text = canvas.style(Role::Text);
    for (y, row) in (area.y..).zip(rows.iter().skip(form.prose_top).take(height)) {
        let piece = form.prose.lines().get(row.line).and_then(|line| line.get(row.bytes.clone()));
        canvas.text(area.x, y, area.width, piece.unwrap_or_default().trim_end(), text);
    }
    if form.prose.is_empty() && !is_writing {
        let faint = canvas.style(Role::Faint);
        let hint = match key_in(state, "answer", &Invocation::of("answer.write")) {
            Some(key) if has_focus && !space.is_over() => format!("{key} writes it"),
            _ => "nothing written".to_owned(),
        };
        canvas.text(area.x, area.y, area.width, &hint, faint);
    }
    scrollbar(canvas, area, Scroll { total: rows.len(), shown: height, top: form.prose_top });
    let (row, cell) = prose::cursor(&form.prose, &rows);
    if is_writing && let Some(y) = row.checked_sub(form.prose_top).filter(|y| *y < height) {
        let x = u16::try_from(cell).unwrap_or(u16::MAX).min(area.width.saturating_sub(1));
        canvas.place_cursor(area.x + x, area.y + u16::try_from(y).unwrap_or(0));
    }
}

/// The button, or what else becomes of what was found.
fn submit(canvas: &mut Canvas<'_>, row: Area, state: &Workbench, space: &Workspace, has_focus: bool) {
    if row.is_empty() {
        return;
    }
    let form = &space.answer;
    let (faint, hint) = (canvas.style(Role::Faint), canvas.style(Role::KeyHint));
    if space.is_over() {
        let style = canvas.style(Role::Success);
        let sign = canvas.symbols().success;
        canvas.pieces(
            row.x,
            row.y,
            row.width,
            &[(sign, style), (" recorded; nothing can be changed", faint)],
        );
        return;
    }
    if space.task.is_none() {
        let key = key_in(state, "investigate", &Invocation::of("trial.save_task"));
        if let Some(key) = key {
            canvas.pieces(row.x, row.y, row.width, &[(&key, hint), (" makes a task of this", faint)]);
        }
        canvas.hits().add(row, Hit { again: None, ..hit(form, Line::Submit) });
        return;
    }
    let is_chosen = has_focus && !form.is_writing && form.line() == Line::Submit;
    let style = canvas.style(if is_chosen { Role::ChipActive } else { Role::Chip });
    let taken = canvas.text(row.x, row.y, row.width, "  Submit  ", style);
    let key = key_in(state, "investigate", &Invocation::of("answer.submit")).unwrap_or_default();
    canvas.text(row.x + taken + 1, row.y, row.width.saturating_sub(taken + 1), &key, hint);
    let press = Some(Invocation::of("answer.submit"));
    let button = Area { width: taken, ..row };
    canvas.hits().add(row, hit(form, Line::Submit));
    canvas.hits().add(button, Hit { press, ..hit(form, Line::Submit) });
    let summary = counted(form.subjects.len() as u64, "subject", "subjects");
    let room = row.width.saturating_sub(taken + 6);
    if !form.subjects.is_empty() && usize::from(room) > summary.len() {
        canvas.text_right(row.x + row.width - 1, row.y, room, &summary, faint);
    }
}
