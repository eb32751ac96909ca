//! A pane: a frame with a title, quiet, and clear about which one has the keys.

use super::canvas::Canvas;
use crate::screen::theme::Role;
use crate::workbench::layout::Area;

/// What stands on a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::screen) struct Pane<'t> {
    /// At the top, on the left.
    pub(in crate::screen) title: &'t str,
    /// At the top, on the right.
    pub(in crate::screen) aside: &'t str,
    /// At the bottom, on the right.
    pub(in crate::screen) foot: &'t str,
    /// Whether it has the keys.
    pub(in crate::screen) has_focus: bool,
}

impl Pane<'_> {
    /// Draws the frame; gives what is inside.
    pub(in crate::screen) fn draw(self, canvas: &mut Canvas<'_>, area: Area) -> Area {
        if area.width < 2 || area.height < 2 {
            return Area { width: 0, height: 0, ..area };
        }
        let set = if self.has_focus { canvas.symbols().focus_border } else { canvas.symbols().border };
        let style = canvas.style(if self.has_focus { Role::FocusBorder } else { Role::Border });
        let (right, bottom) = (area.x + area.width - 1, area.y + area.height - 1);
        for x in area.x + 1..right {
            canvas.text(x, area.y, 1, set.horizontal_top, style);
            canvas.text(x, bottom, 1, set.horizontal_bottom, style);
        }
        for y in area.y + 1..bottom {
            canvas.text(area.x, y, 1, set.vertical_left, style);
            canvas.text(right, y, 1, set.vertical_right, style);
        }
        canvas.text(area.x, area.y, 1, set.top_left, style);
        canvas.text(right, area.y, 1, set.top_right, style);
        canvas.text(area.x, bottom, 1, set.bottom_left, style);
        canvas.text(right, bottom, 1, set.bottom_right, style);
        let room = area.width.saturating_sub(4);
        let role = if self.has_focus { Role::Title } else { Role::Muted };
        let mut taken = 0;
        if !self.title.is_empty() && room > 2 {
            let style = canvas.style(role);
            taken = canvas.text(area.x + 2, area.y, room, &format!(" {} ", self.title), style);
        }
        if !self.aside.is_empty() && room > taken + 4 {
            let style = canvas.style(Role::Muted);
            canvas.text_right(right - 1, area.y, room - taken - 1, &format!(" {} ", self.aside), style);
        }
        if !self.foot.is_empty() && room > 2 {
            let style = canvas.style(Role::Muted);
            canvas.text_right(right - 1, bottom, room, &format!(" {} ", self.foot), style);
        }
        area.inside()
    }
}
