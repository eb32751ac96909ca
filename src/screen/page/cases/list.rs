//! The list: a line of column names, then a row for each task and snapshot that the filters leave.

use super::columns::{Column, Columns, names, platforms};
use crate::domain::Complexity;
use crate::screen::hit_map::{Hit, Surface};
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::{counted, number};
use crate::screen::part::key_names::key_names;
use crate::screen::part::matched::matched;
use crate::screen::part::pane::Pane;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::part::title_line::spin;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::cases::{Entry, Row, Status};
use crate::workbench::command::Invocation;
use crate::workbench::layout::{Area, cases};

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench) {
    let total = state.catalogue.as_ref().map_or(0, |catalogue| {
        catalogue.packs.iter().map(|pack| pack.tasks.len()).sum::<usize>() + catalogue.snapshots.len()
    });
    let listed = state.cases.rows.len();
    let count = match (&state.catalogue, listed == total) {
        (None, _) => String::new(),
        (_, true) => number(total as u64),
        (_, false) => format!("{} of {}", number(listed as u64), number(total as u64)),
    };
    let has_focus = state.overlays.is_empty();
    let inside = Pane { title: "Cases", aside: &count, has_focus, ..Pane::default() }.draw(canvas, area);
    let step = |by: i64| Some(Invocation::of("cases.move").with("by", by));
    canvas.hits().add(inside, Hit { wheel_up: step(-1), wheel_down: step(1), ..Hit::default() });
    border(canvas, state, area);
    if state.catalogue.is_none() {
        let words = format!("{} reading the packs", canvas.symbols().spinner[spin(state)]);
        let muted = canvas.style(Role::Muted);
        canvas.text(inside.x + 2, inside.y + 1, inside.width.saturating_sub(3), &words, muted);
    } else if listed == 0 {
        empty(canvas, inside, state, total);
    } else {
        rows(canvas, inside, state);
    }
}

/// Dragging the border between the list and the brief sets their sizes.
fn border(canvas: &mut Canvas<'_>, state: &Workbench, list: Area) {
    let areas = cases(state);
    let is_vertical = areas.brief.y == areas.list.y;
    let (border, shared) = if is_vertical {
        let border = Area { x: (list.x + list.width).saturating_sub(1), width: 2, ..list };
        (border, Area { width: list.width + areas.brief.width, ..list })
    } else {
        let border = Area { y: areas.brief.y, height: 1.min(areas.brief.height), ..list };
        (border, Area { height: list.height + areas.brief.height, ..list })
    };
    let surface = Surface::Border { pane: "list", shared, is_vertical, is_behind: false };
    canvas.hits().add(border, Hit { surface: Some(surface), ..Hit::default() });
}

/// Nothing is left: why, and what to press.
fn empty(canvas: &mut Canvas<'_>, inside: Area, state: &Workbench, total: usize) {
    let (text, muted, key) =
        (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::KeyHint));
    let room = inside.width.saturating_sub(3);
    let (x, y) = (inside.x + 2, inside.y + 1);
    if total == 0 {
        canvas.text(x, y, room, "There is no pack and no snapshot to work on.", text);
        canvas.text(x, y + 1, room, "casebook doctor says where they are looked for.", muted);
        return;
    }
    canvas.text(x, y, room, "No case has all of this.", text);
    let clear = if state.cases.is_finding { "find.leave" } else { "cases.clear" };
    let does = if state.cases.is_finding { " ends the search" } else { " clears filters and search" };
    if let Some(keys) = state.keymap.keys_of(state, clear).filter(|_| inside.height > 2) {
        let keys = key_names(&keys, canvas.symbols()).into_owned();
        let taken = canvas.pieces(x, y + 1, room, &[(&keys, key), (does, muted)]);
        canvas.hits().press(Area { x, y: y + 1, width: taken, height: 1 }, Invocation::of(clear));
    }
}

fn rows(canvas: &mut Canvas<'_>, inside: Area, state: &Workbench) {
    let columns = Columns::of(state, inside);
    head(canvas, inside, &columns);
    let list = Area { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
    let is_whole = state.cases.filters.is_empty() && state.cases.find.is_empty();
    let mut y = list.y;
    for (nth, row) in state.cases.rows.iter().enumerate().skip(state.cases.top) {
        // Snapshots come after all tasks where nothing is filtered.
        if is_whole && row.entry == Entry::Snapshot(0) && nth > 0 && y + 1 < list.y + list.height {
            let muted = canvas.style(Role::Heading);
            let words = "Snapshots, to investigate freely";
            canvas.text(columns.id.x, y, (list.x + list.width).saturating_sub(columns.id.x), words, muted);
            y += 1;
        }
        if y >= list.y + list.height {
            break;
        }
        let at = Area { y, height: 1, ..list };
        draw_row(canvas, at, &columns, state, row, nth);
        y += 1;
    }
    let shown = usize::from(list.height.saturating_sub(1));
    scrollbar(canvas, list, Scroll { total: state.cases.rows.len(), shown, top: state.cases.top });
}

fn head(canvas: &mut Canvas<'_>, inside: Area, columns: &Columns) {
    let style = canvas.style(Role::Muted);
    for (column, name) in [
        (columns.id, "id"),
        (columns.title, "title"),
        (columns.focus, "focus"),
        (columns.platforms, "platforms"),
        (columns.pack, "pack"),
    ] {
        canvas.text(column.x, inside.y, column.width, name, style);
    }
    let work = columns.level;
    canvas.text(
        work.x,
        inside.y,
        work.width.min((inside.x + inside.width).saturating_sub(work.x)),
        "work",
        style,
    );
}

fn draw_row(canvas: &mut Canvas<'_>, at: Area, columns: &Columns, state: &Workbench, row: &Row, nth: usize) {
    let Some((id, title)) = names(state, row.entry) else { return };
    let (sign, role) = status_sign(canvas, state.status_of(row.entry));
    let style = canvas.style(role);
    canvas.text(columns.status.x, at.y, columns.status.width, sign, style);
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    // Letters count characters of "id title".
    let before = u32::try_from(id.chars().count() + 1).unwrap_or(u32::MAX);
    let of_title: Vec<u32> = row.letters.iter().filter_map(|letter| letter.checked_sub(before)).collect();
    matched(canvas, (columns.id.x, at.y), columns.id.width, id, muted, &row.letters);
    match row.entry {
        Entry::Task(pack, task) => {
            matched(canvas, (columns.title.x, at.y), columns.title.width, title, text, &of_title);
            if let Some((pack, task)) = state.task_at(pack, task) {
                level(canvas, columns.level, at.y, task.complexity);
                for (column, words) in [
                    (columns.complexity, task.complexity.name()),
                    (columns.focus, task.focus.name()),
                    (columns.platforms, platforms(task).as_str()),
                    (columns.pack, pack.id.as_str()),
                ] {
                    canvas.text(column.x, at.y, column.width, words, muted);
                }
            }
        }
        Entry::Snapshot(snapshot) => {
            let room = (at.x + at.width).saturating_sub(columns.title.x + 1);
            let taken = matched(canvas, (columns.title.x, at.y), room, title, text, &of_title);
            if let Some(it) = state.snapshot_at(snapshot) {
                let size = format!(
                    ", {}, {}",
                    counted(it.tables, "table", "tables"),
                    counted(it.rows, "row", "rows")
                );
                canvas.text(columns.title.x + taken, at.y, room.saturating_sub(taken), &size, muted);
            }
        }
    }
    if nth == state.cases.chosen {
        canvas.choose(at, state.overlays.is_empty());
    }
    let step = |by: i64| Some(Invocation::of("cases.move").with("by", by));
    let hit = Hit {
        press: Some(Invocation::of("cases.select").with("index", nth)),
        again: Some(Invocation::of("cases.start")),
        wheel_up: step(-1),
        wheel_down: step(1),
        surface: None,
    };
    canvas.hits().add(at, hit);
}

/// Three levels that grow with the work; those above it are faint dots of the same column.
fn level(canvas: &mut Canvas<'_>, column: Column, y: u16, complexity: Complexity) {
    let levels = canvas.symbols().levels;
    let count = complexity as usize + 1;
    let signs = [levels[1], levels[3], levels[6]].iter().take(count).copied().collect::<String>();
    let role = if complexity == Complexity::Hard { Role::Text } else { Role::Muted };
    let style = canvas.style(role);
    canvas.text(column.x, y, column.width, &signs, style);
}

/// The sign of an own status, and its style. Nothing for what was never worked on.
pub(super) fn status_sign(canvas: &Canvas<'_>, status: Status) -> (&'static str, Role) {
    match status {
        Status::New => (" ", Role::Faint),
        Status::Open => (canvas.symbols().dot, Role::Accent),
        Status::Begun => (canvas.symbols().collapsed, Role::Warning),
        Status::Answered => (canvas.symbols().success, Role::Success),
    }
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, after, cases, sized};
    use crate::workbench::Workbench;

    #[test]
    fn a_press_chooses_a_row_and_another_opens_it() {
        let picture = Picture::of(&cases());
        let (row, line) = picture.find("V-AWS-02");
        let x = u16::try_from(line.find("V-AWS-02").unwrap()).unwrap();
        let hit = picture.drawn.hits.at(x, row).unwrap();
        let press = hit.press.as_ref().unwrap();
        assert_eq!(press.command, "cases.select");
        let index = usize::try_from(press.arguments["index"].as_u64().unwrap()).unwrap();
        let state = cases();
        let (_, task) = match state.cases.rows[index].entry {
            crate::workbench::cases::Entry::Task(pack, task) => state.task_at(pack, task).unwrap(),
            crate::workbench::cases::Entry::Snapshot(it) => panic!("{it}"),
        };
        assert_eq!(task.id, "V-AWS-02");
        assert_eq!(hit.again.as_ref().unwrap().command, "cases.start");
        assert_eq!(hit.wheel_down.as_ref().unwrap().command, "cases.move");
    }

    #[test]
    fn columns_stand_in_line_at_every_width() {
        for width in [60, 80, 109, 110, 120, 160, 200, 300] {
            let state = sized(cases(), width, 30);
            let picture = Picture::of(&state);
            let at = |text: &str| {
                let (_, line) = picture.find(text);
                line.split(text).next().unwrap().chars().count()
            };
            assert_eq!(at("V-AWS-03"), at("V-AWS-02"));
            let head = picture.lines.iter().find(|line| line.contains(" title ")).unwrap();
            let id = head.split("id ").next().unwrap().chars().count();
            assert_eq!(id, at("V-AWS-02"), "{width}");
        }
    }

    #[test]
    fn the_last_row_shows_with_the_heading_above() {
        for height in 16..40 {
            let state = after(sized(cases(), 80, height), &["G"]);
            let picture = Picture::of(&state);
            let name = &state.catalogue.as_ref().unwrap().snapshots.last().unwrap().name;
            assert!(
                picture.lines.iter().any(|line| line.contains('▌') && line.contains(name.as_str())),
                "{}",
                picture.text()
            );
        }
    }

    #[test]
    fn what_is_not_there_yet_and_what_is_not_left_are_said() {
        let text = Picture::of(&Workbench::default()).text();
        assert!(text.contains("reading the packs"), "{text}");
        let state = after(cases(), &["/", "z", "q", "z", "q", "enter"]);
        let picture = Picture::of(&state);
        let (row, line) = picture.find("x clears filters and search");
        let x = u16::try_from(line.find("clears").unwrap()).unwrap();
        assert_eq!(picture.pressed(x, row).unwrap().command, "cases.clear");
        assert!(picture.text().contains("0 of "));
    }
}
