//! Which keys arrive and what they do, the last at the bottom.

use super::{boxed, line, style};
use crate::screen::part::canvas::Canvas;
use crate::screen::part::pane::Pane;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::command::find;
use crate::workbench::layout::{middle, screen};
use crate::workbench::overlay::KeyInspector;

/// How large it is, where there is room.
const SIZE: (u16, u16) = (64, 18);
/// Cells of the keys.
const KEYS: u16 = 20;

pub(super) fn draw(canvas: &mut Canvas<'_>, state: &Workbench, keys: &KeyInspector, is_top: bool) {
    let page = screen(state).page;
    let area =
        middle(state, SIZE.0.min(page.width.saturating_sub(4)), SIZE.1.min(page.height.saturating_sub(2)));
    let frame = Pane { title: "Key inspector", has_focus: is_top, ..Pane::default() };
    let inside = boxed(canvas, area, frame);
    let (muted, text, key) =
        (style(canvas, Role::Muted), style(canvas, Role::Text), style(canvas, Role::KeyHint));
    let head = "Press keys to see what arrives. Esc twice closes this.";
    canvas.text(inside.x, inside.y, inside.width, head, muted);
    let rows = usize::from(inside.height.saturating_sub(2));
    let first = keys.seen.len().saturating_sub(rows);
    for ((pressed, does), nth) in keys.seen[first..].iter().zip(2..) {
        let at = line(inside, nth);
        if at.height == 0 {
            break;
        }
        canvas.text(at.x, at.y, KEYS.min(at.width), pressed, key);
        let (words, style) = match find(does) {
            Some(command) => (format!("{}  ({does})", command.title), text),
            None => (does.clone(), muted),
        };
        let x = at.x + KEYS + 2;
        canvas.text(x, at.y, at.width.saturating_sub(KEYS + 2), &words, style);
    }
}
