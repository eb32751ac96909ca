//! What keys that wait for another may be gone on with: a small popup above the status line.

use super::canvas::Canvas;
use super::key_names::key_names;
use super::pane::Pane;
use crate::screen::theme::Role;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::{Invocation, find};
use crate::workbench::keys::{Binding, shown};
use crate::workbench::layout::{self, Area};

/// More lines than this make a second column where there is room.
const COLUMN: usize = 8;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, state: &Workbench) {
    if state.pending.is_empty() {
        return;
    }
    let lines = continuations(canvas, state);
    let cells = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
    let keys = lines.iter().map(|line| cells(&line.keys)).max().unwrap_or(0);
    let titles = lines.iter().map(|line| cells(line.title)).max().unwrap_or(0);
    let column = keys + 2 + titles;
    let page = layout::screen(state).page;
    let columns = if lines.len() > COLUMN && page.width > 2 * column + 8 { 2 } else { 1 };
    let rows = lines.len().div_ceil(columns);
    let (Ok(height), Ok(columns)) = (u16::try_from(rows), u16::try_from(columns)) else { return };
    let (height, width) = ((height + 2).min(page.height), (columns * (column + 3) + 1).min(page.width));
    if lines.is_empty() {
        return;
    }
    let frame = Area { x: page.x, y: page.y + page.height - height, width, height };
    let ground = canvas.style(Role::Overlay);
    canvas.fill(frame, ground);
    canvas.hits().cover(frame);
    let title = key_names(&shown(&state.pending), canvas.symbols()).into_owned();
    let inside = Pane { title: &title, has_focus: true, ..Pane::default() }.draw(canvas, frame);
    for (nth, line) in lines.iter().enumerate() {
        let (Ok(at), Ok(row)) = (u16::try_from(nth / rows), u16::try_from(nth % rows)) else { continue };
        if row >= inside.height {
            continue;
        }
        let (x, y) = (inside.x + 1 + at * (column + 3), inside.y + row);
        let (key, text) = (canvas.style(Role::KeyHint), canvas.style(Role::Text));
        let room = (inside.x + inside.width).saturating_sub(x);
        canvas.text(x, y, keys.min(room), &line.keys, key);
        canvas.text(x + keys + 2, y, titles.min(room.saturating_sub(keys + 2)), line.title, text);
        canvas.hits().press(Area { x, y, width: column.min(room), height: 1 }, line.gives.clone());
    }
}

/// A line of the popup.
struct Line {
    keys: String,
    title: &'static str,
    gives: Invocation,
}

/// What is offered, each once.
fn continuations(canvas: &Canvas<'_>, state: &Workbench) -> Vec<Line> {
    let rest = |binding: &Binding| {
        let keys = shown(&binding.keys[state.pending.len()..]);
        key_names(&keys, canvas.symbols()).into_owned()
    };
    let line = |binding: &Binding| {
        let command = find(&binding.gives.command).filter(|command| command.is_offered(state))?;
        Some(Line { keys: rest(binding), title: command.title, gives: binding.gives.clone() })
    };
    let mut lines: Vec<Line> =
        state.keymap.continuations(state, &state.pending).into_iter().filter_map(line).collect();
    lines.sort_by(|one, other| one.keys.cmp(&other.keys));
    lines
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, cases};
    use crate::workbench::keys::Chord;

    #[test]
    fn keys_that_wait_show_what_they_wait_for() {
        let mut state = cases();
        state.pending = Chord::sequence("g").unwrap();
        let picture = Picture::of(&state);
        let (row, line) = picture.find("Go to Cases");
        assert!(line.contains("c  Go to Cases"), "{line}");
        let x = u16::try_from(line.chars().position(|it| it == 'c').unwrap()).unwrap();
        assert_eq!(picture.pressed(x, row).unwrap().command, "page.cases");
        assert!(!picture.text().contains("Go to Investigate"), "nothing is open");
    }
}
