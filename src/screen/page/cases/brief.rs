//! The brief of what is chosen: the question, where it stands in the taxonomy, what was done about it, what Enter does.
//!
//! The question and what Enter does show first; in a low pane the rest gives way.

use super::columns::names;
use super::list::status_sign;
use crate::domain::trial::{Ending, Mode};
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::{counted, moment};
use crate::screen::part::key_names::{key_names, keys_of_page};
use crate::screen::part::pane::Pane;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::cases::{Entry, Status};
use crate::workbench::command::Invocation;
use crate::workbench::layout::Area;
use crate::workbench::reply::OwnTrial;

/// Pieces of text in a row.
type Pieces = Vec<(String, Role)>;

/// Cells of an attempt's sign, its ending and its moment.
const ATTEMPT: usize = 30;
/// A pane with fewer rows inside is low.
const LOW: u16 = 11;

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench) {
    let Some(entry) = state.cases.choice() else {
        Pane::default().draw(canvas, area);
        return;
    };
    let is_low = area.inside().height < LOW;
    let cells = usize::from(area.width.saturating_sub(4)).max(10);
    let (title, aside) = titles(state, entry, is_low);
    let taxonomy = taxonomy(state, entry).join(", ");
    // In a low pane the place in the taxonomy stands on the frame.
    let foot = if is_low { taxonomy.as_str() } else { "" };
    let inside = Pane { title: &title, aside: &aside, foot, has_focus: false }.draw(canvas, area);
    let inside = Area { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    let mut rows: Vec<Pieces> = Vec::new();
    let blank = |rows: &mut Vec<Pieces>| {
        if !is_low {
            rows.push(Vec::new());
        }
    };
    if !is_low {
        if let Some((_, title)) = names(state, entry) {
            rows.extend(wrapped(title, cells, Role::Strong));
        }
        rows.extend(wrapped(&taxonomy, cells, Role::Muted));
        blank(&mut rows);
    }
    rows.extend(matter(state, entry, cells));
    blank(&mut rows);
    let start = Invocation::of("cases.start");
    let keys = keys_of_page(state, &start).map(|keys| key_names(&keys, canvas.symbols()).into_owned());
    let does = enter(state, entry);
    let mut ending = ending(keys.as_deref(), &does, cells);
    if is_low {
        ending.truncate(1);
    }
    let kept = inside.height.saturating_sub(u16::try_from(ending.len()).unwrap_or(0));
    rows.extend(history(canvas, state, entry, cells));
    if is_low {
        rows.truncate(usize::from(kept));
    } else {
        rows.truncate(usize::from(kept.saturating_sub(1)));
    }
    for (pieces, y) in rows.iter().zip(inside.y..) {
        row(canvas, inside, y, pieces);
    }
    // What Enter does is the last thing in the pane, always at the same place.
    for (pieces, y) in ending.iter().zip(inside.y + kept..inside.y + inside.height) {
        row(canvas, inside, y, pieces);
        let at = Area { y, height: 1, ..inside };
        canvas.hits().press(at, Invocation::of("cases.start"));
    }
}

fn row(canvas: &mut Canvas<'_>, inside: Area, y: u16, pieces: &Pieces) {
    let styled: Vec<_> = pieces.iter().map(|(text, role)| (text.as_str(), canvas.style(*role))).collect();
    canvas.pieces(inside.x, y, inside.width, &styled);
}

fn wrapped(text: &str, cells: usize, role: Role) -> Vec<Pieces> {
    wrap_visible(text, cells).into_iter().map(|line| vec![(line, role)]).collect()
}

/// What stands on the frame.
fn titles(state: &Workbench, entry: Entry, is_low: bool) -> (String, String) {
    match entry {
        Entry::Task(pack, task) => state.task_at(pack, task).map_or_else(Default::default, |(pack, task)| {
            let title = if is_low { format!("{}  {}", task.id, task.title) } else { task.id.clone() };
            (title, pack.title.clone())
        }),
        Entry::Snapshot(snapshot) => state
            .snapshot_at(snapshot)
            .map_or_else(Default::default, |it| (it.name.clone(), "snapshot".to_owned())),
    }
}

/// Where it stands.
fn taxonomy(state: &Workbench, entry: Entry) -> Vec<String> {
    match entry {
        Entry::Task(pack, task) => state.task_at(pack, task).map_or_else(Vec::new, |(_, task)| {
            let mut all = vec![task.complexity.name().to_owned(), task.focus.name().to_owned()];
            all.extend(task.platforms.iter().map(|platform| platform.label().to_owned()));
            all
        }),
        Entry::Snapshot(snapshot) => state.snapshot_at(snapshot).map_or_else(Vec::new, |it| {
            vec![counted(it.tables, "table", "tables"), counted(it.rows, "row", "rows")]
        }),
    }
}

/// The question, or what a snapshot holds.
fn matter(state: &Workbench, entry: Entry, cells: usize) -> Vec<Pieces> {
    match entry {
        Entry::Task(pack, task) => {
            let Some((pack, task)) = state.task_at(pack, task) else { return Vec::new() };
            let mut rows = wrapped(&task.question, cells, Role::Text);
            if pack.practice {
                rows.push(Vec::new());
                let hints = counted(task.hints.len() as u64, "hint", "hints");
                let words = format!("Practice: {hints}, shown one after another.");
                rows.extend(wrapped(&words, cells, Role::Info));
            }
            rows
        }
        Entry::Snapshot(snapshot) => {
            let Some(it) = state.snapshot_at(snapshot) else { return Vec::new() };
            let today = format!("Its today is {}.", it.release_date);
            let mut rows = wrapped(&today, cells, Role::Text);
            rows.extend(wrapped(&format!("Revision {}", it.revision.short()), cells, Role::Muted));
            rows.push(Vec::new());
            let words = "A free investigation: no question, every statement recorded; what is found can become a task.";
            rows.extend(wrapped(words, cells, Role::Muted));
            rows
        }
    }
}

/// Own attempts, newest first.
fn history(canvas: &Canvas<'_>, state: &Workbench, entry: Entry, cells: usize) -> Vec<Pieces> {
    let own = state.own_of(entry);
    if own.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![vec![("Your attempts".to_owned(), Role::Heading)]];
    rows.extend(own.into_iter().map(|own| attempt(canvas, state, own, cells)));
    rows
}

fn attempt(canvas: &Canvas<'_>, state: &Workbench, own: &OwnTrial, cells: usize) -> Pieces {
    let status = match own.ending {
        Ending::Answered => Status::Answered,
        Ending::Interrupted => Status::Begun,
        _ => Status::New,
    };
    let (sign, role) = status_sign(canvas, status);
    let word = match own.ending {
        Ending::Interrupted => "begun",
        ending => ending.word(),
    };
    let snapshots = || state.catalogue.iter().flat_map(|it| &it.snapshots);
    let snapshot = snapshots().find(|it| it.revision == own.trial.revision).map(|it| it.name.clone());
    let mut pieces = vec![
        (format!("{sign} "), role),
        (format!("{word:<9} "), Role::Text),
        (format!("{}  ", moment(&own.started)), Role::Muted),
    ];
    // What has no room is left out whole.
    let mut room = cells.saturating_sub(ATTEMPT);
    let statements = format!("{:>15}", counted(own.queries, "statement", "statements"));
    for more in [mode(own.mode).to_owned(), statements, snapshot.unwrap_or_default()] {
        let taken = width(&visible(&more)) + 2;
        if taken > room {
            break;
        }
        room -= taken;
        pieces.push((more + "  ", Role::Muted));
    }
    pieces
}

const fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Scored => "scored  ",
        Mode::Practice => "practice",
    }
}

/// What Enter does with the entry: the same choices as `cases.start`.
fn enter(state: &Workbench, entry: Entry) -> String {
    if state.status_of(entry) == Status::Open {
        return "shows it: it is open".to_owned();
    }
    let begun = state.own_of(entry).into_iter().find(|own| own.ending == Ending::Interrupted);
    if let Some(own) = begun {
        return format!("goes on with your attempt of {}, {}", moment(&own.started), mode(own.mode).trim());
    }
    match entry {
        Entry::Snapshot(_) => "begins an investigation".to_owned(),
        Entry::Task(pack, task) => match state.task_at(pack, task) {
            None => "does nothing".to_owned(),
            Some((pack, _)) => match state.snapshot_for(pack) {
                Some(snapshot) => {
                    let how = if pack.practice { "practice" } else { "scored" };
                    format!("begins it on {}, {how}", snapshot.name)
                }
                None => "can't begin it: the pack has no snapshot here".to_owned(),
            },
        },
    }
}

/// The rows that say what Enter does, the key first.
fn ending(keys: Option<&str>, does: &str, cells: usize) -> Vec<Pieces> {
    let Some(keys) = keys else { return Vec::new() };
    let indent = keys.len() + 1;
    let lines = wrap_visible(does, cells.saturating_sub(indent).max(8));
    let line = |(nth, line): (usize, String)| {
        let head = if nth == 0 { format!("{keys} ") } else { " ".repeat(indent) };
        vec![(head, Role::KeyHint), (line, Role::Muted)]
    };
    lines.into_iter().take(2).enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, after, cases, own, sized};

    #[test]
    fn the_question_is_never_cut_at_the_usual_size() {
        let mut state = cases();
        for index in 0..state.cases.rows.len() {
            state.cases.chosen = index;
            let text = Picture::of(&state).text();
            let (question, entry) = match state.cases.rows[index].entry {
                crate::workbench::cases::Entry::Task(pack, task) => {
                    let task = state.task_at(pack, task).unwrap().1;
                    (task.question.clone(), task.id.clone())
                }
                crate::workbench::cases::Entry::Snapshot(_) => continue,
            };
            let last = question.split_whitespace().last().unwrap();
            assert!(text.contains(last), "{entry}: {last}\n{text}");
            assert!(text.contains("Enter begins it on small"), "{text}");
        }
    }

    #[test]
    fn what_was_begun_is_gone_on_with() {
        let mut state = sized(cases(), 120, 36);
        let (pack, task) = match state.cases.choice().unwrap() {
            crate::workbench::cases::Entry::Task(pack, task) => state.task_at(pack, task).unwrap(),
            crate::workbench::cases::Entry::Snapshot(it) => panic!("{it}"),
        };
        state.own = vec![own(&pack.id, &task.id)];
        let text = Picture::of(&after(state, &[])).text();
        assert!(text.contains("Enter goes on with your attempt"), "{text}");
        assert!(text.contains("2025-03-01 14:05"), "{text}");
        assert!(text.contains("Your attempts"), "{text}");
    }
}
