//! The pane with a result: a window over its rows and columns, so that a frame costs what shows and not what there is.

mod columns;

use super::canvas::Canvas;
use super::figures::{counted, number, took};
use super::key_hint::key_in;
use super::pane::Pane;
use super::scrollbar::{Scroll, scrollbar};
use crate::domain::{Cut, Value};
use crate::screen::hit_map::Hit;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::focus::Focus;
use crate::workbench::investigate::Workspace;
use crate::workbench::investigate::answer::AnswerForm;
use crate::workbench::investigate::cell_text::written;
use crate::workbench::investigate::grid::Grid;
use crate::workbench::layout::{Area, GridParts, grid_parts};
use columns::{Columns, ShownColumn};
use ratatui::style::Style;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    if area.is_empty() {
        return;
    }
    let has_focus = state.has_focus(Focus::Grid);
    let Some(grid) = space.grid() else {
        let inner = Pane { title: "Result", has_focus, ..Pane::default() }.draw(canvas, area);
        canvas.hits().press(area, Invocation::of("focus.grid"));
        none_yet(canvas, inner, state, space);
        return;
    };
    let title = match (space.grids.len(), grid.is_preview) {
        (1, false) => "Result".to_owned(),
        (1, true) => "Preview".to_owned(),
        (all, false) => format!("Result {} of {all}", space.shown + 1),
        (all, true) => format!("Result {} of {all}, preview", space.shown + 1),
    };
    let room = usize::from(area.width).saturating_sub(width(&title) + 10);
    let aside = aside(grid, room);
    let foot = position(grid);
    Pane { title: &title, aside: &aside, foot: &foot, has_focus }.draw(canvas, area);
    let wheel = |to: &str| Some(Invocation::of("grid.move").with("to", to).with("by", 3));
    let press = Some(Invocation::of("focus.grid"));
    let hit = Hit { press, wheel_up: wheel("up"), wheel_down: wheel("down"), ..Hit::default() };
    canvas.hits().add(area, hit.clone());
    if space.grids.len() > 1 {
        let taken = u16::try_from(title.len() + 2).unwrap_or(0).min(area.width.saturating_sub(4));
        let name = Area { x: area.x + 2, y: area.y, width: taken, height: 1 };
        canvas.hits().press(name, Invocation::of("grid.next_result"));
    }
    filtered(canvas, area, grid, foot.len());
    let parts = grid_parts(area);
    if grid.result.columns.is_empty() {
        changed(canvas, area.inside(), grid);
        return;
    }
    let columns = columns::columns(grid, parts.cells);
    head(canvas, &parts, grid, &columns);
    if grid.order.is_empty() {
        no_rows(canvas, parts.rows, state, grid);
        return;
    }
    let height = usize::from(parts.rows.height);
    for (y, place) in (parts.rows.y..).zip(grid.top..grid.order.len().min(grid.top + height)) {
        let line = Area { y, height: 1, ..parts.rows };
        row(canvas, line, grid, &columns, place, &space.answer, has_focus);
        for shown in &columns.shown {
            let at = Area { x: line.x + shown.start, width: shown.width, ..line };
            let select = Invocation::of("grid.select").with("row", place).with("column", shown.place);
            let again = Some(Invocation::of("grid.cell"));
            canvas.hits().add(at, Hit { press: Some(select), again, ..hit.clone() });
        }
        let marks = Area { width: columns.shown.first().map_or(0, |it| it.start).min(line.width), ..line };
        let select = Some(Invocation::of("grid.select").with("row", place));
        let again = Some(Invocation::of("answer.mark"));
        canvas.hits().add(marks, Hit { press: select, again, ..hit.clone() });
    }
    scrollbar(canvas, parts.rows, Scroll { total: grid.order.len(), shown: height, top: grid.top });
}

/// How many rows there are, whether that is all of them, and how long it took; as much of it as fits.
fn aside(grid: &Grid, room: usize) -> String {
    let (shown, all) = (grid.order.len() as u64, grid.result.rows.len() as u64);
    let rows = if grid.filter.is_empty() {
        counted(all, "row", "rows")
    } else {
        format!("{} of {}", number(shown), counted(all, "row", "rows"))
    };
    let (short, long) = match grid.result.cut {
        None => (rows.clone(), rows.clone()),
        Some(cut) => {
            let why = match cut {
                Cut::Rows(_) => "the limit".to_owned(),
                Cut::Bytes(bytes) => format!("the limit of {} MiB", bytes >> 20),
            };
            (format!("first {rows}"), format!("first {rows}: cut by {why}"))
        }
    };
    let time = took(grid.elapsed);
    let sorted = if grid.arranging.is_some() { "ordering, " } else { "" };
    let forms = [format!("{sorted}{long}, {time}"), format!("{sorted}{long}"), short.clone()];
    forms.into_iter().find(|it| width(it) <= room).unwrap_or(short)
}

/// Where the cursor stands.
fn position(grid: &Grid) -> String {
    let Some(column) = grid.current().filter(|_| !grid.order.is_empty()) else { return String::new() };
    let all = number(grid.order.len() as u64);
    let mut name: String = visible(&column.name).chars().take(32).collect();
    if column.name.chars().count() > 32 {
        name.push('…');
    }
    let hidden = grid.columns.iter().filter(|column| column.is_hidden).count() as u64;
    let hidden =
        if hidden > 0 { format!(", {} hidden", counted(hidden, "column", "columns")) } else { String::new() };
    format!("{} of {all}, {name}{hidden}", number(grid.row as u64 + 1))
}

/// On the lower line of the frame: what rows must have, and how many were changed.
fn filtered(canvas: &mut Canvas<'_>, area: Area, grid: &Grid, foot: usize) {
    let (x, y) = (area.x + 2, area.y + area.height - 1);
    let foot = u16::try_from(foot).unwrap_or(u16::MAX).saturating_add(7);
    let room = area.width.saturating_sub(foot);
    if room < 8 {
        return;
    }
    let mut taken = 0;
    if !grid.filter.is_empty() {
        let (key, accent) = (canvas.style(Role::KeyHint), canvas.style(Role::Accent));
        taken = canvas.pieces(x, y, room, &[(" /", key), (&grid.filter, accent), (" ", accent)]);
    }
    if grid.result.changed_rows > 0 && !grid.result.columns.is_empty() && room > taken + 8 {
        let style = canvas.style(Role::Warning);
        let words = format!(" {} changed ", counted(grid.result.changed_rows, "row", "rows"));
        canvas.text(x + taken, y, room - taken, &words, style);
    }
}

/// The names of the columns, with signs for sorting, for what names a subject, and for columns beyond the edges.
fn head(canvas: &mut Canvas<'_>, parts: &GridParts, grid: &Grid, columns: &Columns<'_>) {
    let area = parts.head;
    let (heading, accent) = (canvas.style(Role::Heading), canvas.style(Role::Accent));
    for shown in &columns.shown {
        let ShownColumn { column, start, width: room, .. } = *shown;
        let x = area.x + start;
        let name = visible(&column.name);
        let cells = u16::try_from(width(&name)).unwrap_or(u16::MAX).min(room);
        let at = if column.is_numeric { x + room - cells } else { x };
        canvas.text(at, area.y, room, &name, heading);
        if column.index == grid.naming() {
            // Rows are marked by it: the sign is the one that marked rows have.
            let style = canvas.style(Role::Marked);
            let sign = canvas.symbols().marked;
            canvas.text(at - 1, area.y, 1, sign, style);
        }
        if let Some((_, is_down)) = grid.sort.filter(|(index, _)| *index == column.index) {
            let sign = if is_down { canvas.symbols().descending } else { canvas.symbols().ascending };
            // Behind the name, where need be in the gap, so that sorting moves nothing.
            canvas.text(at + cells, area.y, 1, sign, accent);
        }
        let hit = Area { x, width: room, ..area };
        canvas.hits().press(hit, Invocation::of("grid.sort").with("column", column.name.as_str()));
    }
    if let Some(at) = columns.frozen_end {
        let border = canvas.style(Role::Border);
        let sign = canvas.symbols().line.vertical;
        canvas.text(area.x + at, area.y, 1, sign, border);
    }
    if columns.more.0 {
        let sign = canvas.symbols().arrow_left;
        canvas.text(area.x, area.y, 1, sign, accent);
    }
    if columns.more.1 && area.width > 0 {
        let sign = canvas.symbols().arrow_right;
        // On the frame, so that it hides nothing.
        canvas.text(area.x + area.width, area.y, 1, sign, accent);
    }
}

fn row(
    canvas: &mut Canvas<'_>,
    line: Area,
    grid: &Grid,
    columns: &Columns<'_>,
    place: usize,
    answer: &AnswerForm,
    has_focus: bool,
) {
    let Some(values) = grid.row_at(place) else { return };
    let is_current = place == grid.row;
    let is_marked = grid.subject_at(place).is_some_and(|subject| answer.has(&subject));
    if is_current && has_focus {
        let style = canvas.style(Role::CursorLine);
        canvas.tint(line, style);
    }
    let marked = canvas.style(Role::Marked);
    if is_marked {
        let sign = canvas.symbols().marked;
        canvas.text(line.x, line.y, 1, sign, marked);
    }
    let gutter = u16::try_from(grid.gutter()).unwrap_or(u16::MAX).min(line.width);
    let style = canvas.style(if is_current && has_focus { Role::Strong } else { Role::LineNumber });
    let room = gutter.saturating_sub(2);
    canvas.text_right(line.x + room, line.y, room, &(place + 1).to_string(), style);
    for shown in &columns.shown {
        let value = values.get(shown.column.index).unwrap_or(&Value::Null);
        let over = (is_marked && shown.column.index == grid.naming()).then_some(marked);
        let at = Area { x: line.x + shown.start, width: shown.width, ..line };
        one(canvas, at, value, over);
        if is_current && shown.place == grid.column {
            let role = if has_focus { Role::Selection } else { Role::SelectionUnfocused };
            let style = canvas.style(role);
            canvas.tint(at, style);
        }
    }
    if let Some(at) = columns.frozen_end {
        let border = canvas.style(Role::Border);
        let sign = canvas.symbols().line.vertical;
        canvas.text(line.x + at, line.y, 1, sign, border);
    }
}

/// One value in its cell.
pub(in crate::screen) fn one(canvas: &mut Canvas<'_>, area: Area, value: &Value, over: Option<Style>) {
    let role = match value {
        Value::Null => Role::NullValue,
        Value::Integer(_) | Value::Real(_) => Role::NumberValue,
        Value::Text(text) if text.is_empty() => Role::EmptyValue,
        Value::Text(_) => Role::TextValue,
        Value::Blob(_) | Value::InvalidText(_) => Role::BlobValue,
    };
    let style = over.unwrap_or_else(|| canvas.style(role));
    // More can't show, however narrow the characters; zero-width ones are marked, and so have a width.
    let text = written(value, usize::from(area.width) * 4 + 32);
    if value.is_number() {
        canvas.text_right(area.x + area.width, area.y, area.width, &text, style);
    } else {
        canvas.text(area.x, area.y, area.width, &text, style);
    }
}

/// Lines of quiet words in the middle of a pane.
pub(in crate::screen) fn words(canvas: &mut Canvas<'_>, area: Area, lines: &[String]) {
    let room = area.width.saturating_sub(4);
    let wrapped: Vec<(usize, String)> = lines
        .iter()
        .enumerate()
        .flat_map(|(nth, line)| {
            wrap_visible(line, usize::from(room).max(1)).into_iter().map(move |line| (nth, line))
        })
        .collect();
    let top = area.height.saturating_sub(u16::try_from(wrapped.len()).unwrap_or(u16::MAX)) / 2;
    for (y, (nth, line)) in (area.y + top..area.y + area.height).zip(&wrapped) {
        let style = canvas.style(if *nth == 0 { Role::Muted } else { Role::Faint });
        let cells = u16::try_from(width(line)).unwrap_or(u16::MAX).min(room);
        canvas.text(area.x + (area.width - cells) / 2, y, room, line, style);
    }
}

fn none_yet(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    if space.running.is_some() {
        words(canvas, area, &["The statement is running.".to_owned()]);
        return;
    }
    if space.is_over() {
        words(canvas, area, &["The case is answered; nothing runs any more.".to_owned()]);
        return;
    }
    let key = |context: &str, command: &str| key_in(state, context, &Invocation::of(command));
    let mut lines = vec!["No result yet.".to_owned()];
    if let Some(key) = key("investigate", "query.run") {
        lines.push(format!("{key} runs the statement at the cursor."));
    }
    if let Some(key) = key("schema", "schema.preview") {
        lines.push(format!("{key} in the schema shows the first rows of a table."));
    }
    words(canvas, area, &lines);
}

/// A statement without columns.
fn changed(canvas: &mut Canvas<'_>, area: Area, grid: &Grid) {
    let done = match grid.result.changed_rows {
        0 => "Done; the statement gives no rows.".to_owned(),
        rows => format!("Done; {} changed.", counted(rows, "row", "rows")),
    };
    let lines = [done, "Changes stay in the private copy of this case.".to_owned()];
    words(canvas, area, if grid.result.changed_rows > 0 { &lines } else { &lines[..1] });
}

fn no_rows(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, grid: &Grid) {
    let mut lines = vec!["No rows.".to_owned()];
    if !grid.filter.is_empty() {
        lines = vec![format!("No row has “{}”.", grid.filter)];
        if let Some(key) = key_in(state, "grid", &Invocation::of("grid.show_all")) {
            lines.push(format!("{key} shows all rows again."));
        }
    }
    words(canvas, area, &lines);
}
