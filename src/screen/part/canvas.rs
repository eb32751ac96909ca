//! Drawing on the buffer: text that is cut to fit and made safe, in the styles of the theme; what can be clicked.
//!
//! Everything that is drawn goes through here, so that untrusted text never reaches a cell as it is.

use crate::screen::hit_map::HitMap;
use crate::screen::theme::{Role, Symbols, Theme};
use crate::screen::view::Drawn;
use crate::text::visible::visible;
use crate::workbench::layout::Area;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The buffer with the theme, and what the picture gives beside its cells.
pub(in crate::screen) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    /// The theme.
    pub(in crate::screen) theme: &'a Theme,
    drawn: Drawn,
}

impl<'a> Canvas<'a> {
    pub(in crate::screen) fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Self {
        Self { buffer, theme, drawn: Drawn::default() }
    }

    pub(in crate::screen) fn finish(self) -> Drawn {
        self.drawn
    }

    /// The signs to draw with.
    pub(in crate::screen) const fn symbols(&self) -> &'a Symbols {
        &self.theme.symbols
    }

    /// The style of a meaning.
    pub(in crate::screen) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// What the mouse gives where.
    pub(in crate::screen) const fn hits(&mut self) -> &mut HitMap {
        &mut self.drawn.hits
    }

    /// Shows the terminal's cursor.
    pub(in crate::screen) const fn place_cursor(&mut self, x: u16, y: u16) {
        self.drawn.cursor = Some((x, y));
    }

    /// Hides the terminal's cursor: something lies over what showed it.
    pub(in crate::screen) const fn hide_cursor(&mut self) {
        self.drawn.cursor = None;
    }

    /// The whole buffer.
    pub(in crate::screen) const fn whole(&self) -> Area {
        let area = self.buffer.area;
        Area { x: area.x, y: area.y, width: area.width, height: area.height }
    }

    /// Fills everything with the theme's ground.
    pub(in crate::screen) fn fill_background(&mut self) {
        let area = self.buffer.area;
        self.buffer.set_style(area, self.theme.background);
    }

    /// Clears an area and gives it a style.
    pub(in crate::screen) fn fill(&mut self, area: Area, style: Style) {
        let area = self.rect(area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(self.theme.background.patch(style));
                }
            }
        }
    }

    /// Lays a style over an area, leaving its text.
    pub(in crate::screen) fn tint(&mut self, area: Area, style: Style) {
        let area = self.rect(area);
        self.buffer.set_style(area, style);
    }

    /// Lays the ground of what is chosen over a row; `has_keys` says whether its area has the keys.
    pub(in crate::screen) fn choose(&mut self, area: Area, has_keys: bool) {
        let ground = self.style(if has_keys { Role::Selection } else { Role::SelectionUnfocused });
        // Dim text on a ground in reverse can't be read.
        self.tint(area, ground.remove_modifier(Modifier::DIM));
        let mark = self.symbols().selected;
        let accent = ground.patch(self.style(Role::Accent));
        self.text(area.x, area.y, 1, mark, accent);
    }

    /// Writes a text from a cell on, at most `width` cells; gives the cells that it took. Cut text ends in an ellipsis.
    pub(in crate::screen) fn text(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let (taken, is_cut) = self.write(x, y, width, text, style);
        if is_cut && width > 0 {
            let mark = self.symbols().ellipsis;
            let room = u16::try_from(mark.width()).unwrap_or(1).min(width);
            // What stands under the mark may be half of a wide character.
            let (kept, _) = self.write(x, y, width - room, text, style);
            self.write(x + kept, y, room, mark, style);
            for gap in x + kept + room..x + width {
                self.write(gap, y, 1, " ", style);
            }
            return width;
        }
        taken
    }

    /// Writes a text so that it ends before a cell.
    pub(in crate::screen) fn text_right(
        &mut self,
        end: u16,
        y: u16,
        width: u16,
        text: &str,
        style: Style,
    ) -> u16 {
        let cells = u16::try_from(crate::text::width::width(&visible(text))).unwrap_or(u16::MAX).min(width);
        self.text(end.saturating_sub(cells), y, cells, text, style);
        cells
    }

    /// Writes pieces one after the other; gives the cells that they took.
    pub(in crate::screen) fn pieces(&mut self, x: u16, y: u16, width: u16, pieces: &[(&str, Style)]) -> u16 {
        let mut taken = 0;
        for (text, style) in pieces {
            if taken >= width {
                break;
            }
            taken += self.text(x + taken, y, width - taken, text, *style);
        }
        taken
    }

    /// Writes graphemes until the width is full: the cells taken, and whether something was left.
    fn write(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> (u16, bool) {
        let area = self.buffer.area;
        if y >= area.bottom() || x >= area.right() {
            return (0, !text.is_empty());
        }
        let width = width.min(area.right() - x);
        let safe = visible(text);
        let mut taken = 0_u16;
        for grapheme in safe.graphemes(true) {
            let cells = u16::try_from(grapheme.width()).unwrap_or(u16::MAX);
            if cells == 0 {
                continue;
            }
            if taken + cells > width {
                return (taken, true);
            }
            if let Some(cell) = self.buffer.cell_mut((x + taken, y)) {
                // Terminals don't agree on how wide the variation selector makes a sign: it is left out.
                let plain = grapheme.replace('\u{fe0f}', "");
                cell.set_symbol(&plain).set_style(style);
            }
            for more in 1..cells {
                if let Some(cell) = self.buffer.cell_mut((x + taken + more, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
            taken += cells;
        }
        (taken, false)
    }

    fn rect(&self, area: Area) -> Rect {
        Rect::new(area.x, area.y, area.width, area.height).intersection(self.buffer.area)
    }
}
