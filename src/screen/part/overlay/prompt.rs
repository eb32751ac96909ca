//! A question for a text: what is asked, what it is good for, the input.

use super::{boxed, line, style};
use crate::screen::part::canvas::Canvas;
use crate::screen::part::input::input;
use crate::screen::part::pane::Pane;
use crate::screen::theme::Role;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::layout::{Area, middle, screen};
use crate::workbench::overlay::Prompt;

/// How wide it is, where there is room.
const WIDTH: u16 = 72;
/// The hint has at most so many lines.
const HINT: usize = 4;

pub(super) fn draw(canvas: &mut Canvas<'_>, state: &Workbench, prompt: &Prompt, is_top: bool) {
    let width = WIDTH.min(screen(state).page.width.saturating_sub(4));
    let mut hint = wrap_visible(&prompt.hint, usize::from(width.saturating_sub(4)));
    hint.truncate(HINT);
    let lines = u16::try_from(hint.len()).unwrap_or(0);
    // The frame, the hint, a blank line, the input, a blank line.
    let area = middle(state, width, lines + 5);
    let pane = Pane { title: &prompt.title, has_focus: is_top, ..Pane::default() };
    let inside = boxed(canvas, area, pane);
    let (muted, accent, text) =
        (style(canvas, Role::Muted), style(canvas, Role::Accent), style(canvas, Role::Text));
    for (text, nth) in hint.iter().zip(0..) {
        let at = line(inside, nth);
        if at.height > 0 {
            canvas.text(at.x, at.y, at.width, text, muted);
        }
    }
    let at = line(inside, lines + 1);
    if at.height == 0 {
        return;
    }
    let sign = canvas.symbols().collapsed;
    canvas.text(at.x, at.y, at.width.min(1), sign, accent);
    let field = Area { x: at.x + 2, width: at.width.saturating_sub(2), ..at };
    input(canvas, field, &prompt.input, text, is_top);
}
