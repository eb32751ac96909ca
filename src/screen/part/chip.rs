//! A chip: a small label with a ground of its own, such as a filter.

use super::canvas::Canvas;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::command::Invocation;
use crate::workbench::layout::Area;

/// A chip.
#[derive(Debug, Clone)]
pub(in crate::screen) struct Chip {
    /// The key that gives what it gives; empty where it is not shown.
    pub(in crate::screen) key: String,
    /// What it says.
    pub(in crate::screen) text: String,
    /// Whether it is on.
    pub(in crate::screen) is_active: bool,
    /// What a press gives.
    pub(in crate::screen) gives: Option<Invocation>,
}

impl Chip {
    /// The cells that it takes.
    pub(in crate::screen) fn width(&self) -> u16 {
        let key = if self.key.is_empty() { 0 } else { width(&self.key) + 1 };
        u16::try_from(key + width(&visible(&self.text)) + 2).unwrap_or(u16::MAX)
    }

    /// Draws it, at most `room` cells wide; gives the cells that it took.
    pub(in crate::screen) fn draw(&self, canvas: &mut Canvas<'_>, x: u16, y: u16, room: u16) -> u16 {
        let taken = self.width().min(room);
        if taken < 3 {
            return 0;
        }
        let area = Area { x, y, width: taken, height: 1 };
        let ground = canvas.style(if self.is_active { Role::ChipActive } else { Role::Chip });
        canvas.tint(area, ground);
        let mut at = x + 1;
        let end = x + taken - 1;
        if !self.key.is_empty() {
            let style = if self.is_active { ground } else { ground.patch(canvas.style(Role::KeyHint)) };
            at += canvas.text(at, y, end.saturating_sub(at), &self.key, style) + 1;
        }
        canvas.text(at, y, end.saturating_sub(at), &self.text, ground);
        if let Some(gives) = &self.gives {
            canvas.hits().press(area, gives.clone());
        }
        taken
    }
}
