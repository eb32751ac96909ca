//! The line at the bottom: what was told last, else keys that wait for more, else what can be done here by which keys.

use super::canvas::Canvas;
use super::hints::{Hint, always, hints};
use super::key_names::key_names;
use crate::screen::theme::Role;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::keys::shown;
use crate::workbench::layout::Area;
use crate::workbench::notice::{Gravity, Notice};

/// A notice takes at most so many lines.
const NOTICE: usize = 4;
/// Cells between two hints.
const GAP: u16 = 2;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench) {
    let line = Area { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if !state.pending.is_empty() {
        pending(canvas, line, state);
    } else if let Some(notice) = state.notices.shown() {
        told(canvas, line, state, notice);
    } else {
        offered(canvas, line, state);
    }
}

/// The sign of a gravity, and its style.
pub(in crate::screen) fn sign(canvas: &Canvas<'_>, gravity: Gravity) -> (&'static str, Role) {
    match gravity {
        Gravity::Info => (canvas.symbols().info, Role::Info),
        Gravity::Warning => (canvas.symbols().warning, Role::Warning),
        Gravity::Error => (canvas.symbols().failure, Role::NoticeError),
    }
}

/// A notice; one that is longer than the line lies over the lines above, too.
fn told(canvas: &mut Canvas<'_>, line: Area, state: &Workbench, notice: &Notice) {
    let gives = Invocation::of("notices.open");
    let all = state.keymap.keys_of(state, "notices.open").filter(|_| state.overlays.is_empty());
    let all = all.map(|keys| Hint { keys, label: "all".to_owned(), gives });
    let room = line.width - all.iter().map(|hint| cells(canvas, hint) + GAP).sum::<u16>().min(line.width);
    let (sign, role) = sign(canvas, notice.gravity);
    let words = if notice.gravity == Gravity::Info { Role::Notice } else { role };
    let width = room.saturating_sub(2);
    let mut lines = wrap_visible(&notice.text, usize::from(width).max(10));
    if lines.len() > NOTICE {
        let rest = lines.split_off(NOTICE - 1).join(" ");
        lines.push(rest);
    }
    let above = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(0).min(line.y);
    let area = Area { y: line.y - above, height: above + 1, ..line };
    if above > 0 {
        let ground = canvas.style(Role::Overlay);
        let strip = Area { x: line.x.saturating_sub(1), width: line.width + 2, height: above + 1, ..area };
        canvas.fill(strip, ground);
        canvas.hits().cover(strip);
    }
    let (sign_style, words) = (canvas.style(role), canvas.style(words));
    canvas.text(area.x, area.y, room, sign, sign_style);
    for (text, y) in lines.iter().zip(area.y..=line.y) {
        canvas.text(line.x + 2, y, width, text, words);
    }
    canvas.hits().press(Area { width: room, ..area }, Invocation::of("notices.open"));
    from_the_right(canvas, line, all.as_slice());
}

fn pending(canvas: &mut Canvas<'_>, line: Area, state: &Workbench) {
    let keys = shown(&state.pending);
    let (key, muted) = (canvas.style(Role::KeyHint), canvas.style(Role::Muted));
    let keys = key_names(&keys, canvas.symbols());
    let more = "  then one of the keys above; any other ends it";
    canvas.pieces(line.x, line.y, line.width, &[(&keys, key), (more, muted)]);
}

fn offered(canvas: &mut Canvas<'_>, line: Area, state: &Workbench) {
    let room = line.width.saturating_sub(from_the_right(canvas, line, &always(state)) + GAP);
    let mut x = line.x;
    for hint in hints(state) {
        let width = cells(canvas, &hint);
        if x + width > line.x + room {
            continue;
        }
        one(canvas, x, line.y, &hint);
        x += width + GAP;
    }
}

/// Draws hints so that the last ends the line; gives the cells that they took, with a gap before them.
fn from_the_right(canvas: &mut Canvas<'_>, line: Area, hints: &[Hint]) -> u16 {
    let width: u16 = hints.iter().map(|hint| cells(canvas, hint) + GAP).sum();
    if width > line.width {
        return 0;
    }
    let mut x = line.x + line.width - width + GAP;
    for hint in hints {
        one(canvas, x, line.y, hint);
        x += cells(canvas, hint) + GAP;
    }
    width
}

fn cells(canvas: &Canvas<'_>, hint: &Hint) -> u16 {
    let width = |text: &str| crate::text::width::width(text);
    u16::try_from(width(&key_names(&hint.keys, canvas.symbols())) + 1 + width(&hint.label))
        .unwrap_or(u16::MAX)
}

fn one(canvas: &mut Canvas<'_>, x: u16, y: u16, hint: &Hint) {
    let (key, label) = (canvas.style(Role::KeyHint), canvas.style(Role::Muted));
    let keys = key_names(&hint.keys, canvas.symbols());
    let width = canvas.pieces(x, y, u16::MAX, &[(&keys, key), (" ", label), (&hint.label, label)]);
    canvas.hits().press(Area { x, y, width, height: 1 }, hint.gives.clone());
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, cases};

    #[test]
    fn hints_end_with_the_palette_and_help_and_can_be_pressed() {
        let state = cases();
        let picture = Picture::of(&state);
        let line = picture.lines.last().unwrap();
        assert!(line.starts_with(" Enter open"), "{line}");
        assert!(line.trim_end().ends_with(": commands  ? help"), "{line}");
        let y = state.size.height - 1;
        let x = u16::try_from(line.find("? help").unwrap()).unwrap();
        assert_eq!(picture.pressed(x, y).unwrap().command, "help.open");
        assert_eq!(picture.pressed(2, y).unwrap().command, "cases.start");
    }

    #[test]
    fn a_notice_takes_the_line_and_leads_to_all() {
        let mut state = cases();
        state.notices.add(crate::workbench::notice::Gravity::Warning, "something\u{1b}[31m odd", state.now);
        let picture = Picture::of(&state);
        let line = picture.lines.last().unwrap();
        assert!(line.starts_with(" ! something␛[31m odd"), "{line}");
        assert!(line.trim_end().ends_with("g n all"), "{line}");
        assert_eq!(picture.pressed(5, state.size.height - 1).unwrap().command, "notices.open");
    }
}
