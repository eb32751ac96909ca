//! A window over text that is longer than its area, and lines of coloured pieces in it.

use super::canvas::Canvas;
use crate::text::rows::rows_of;
use crate::workbench::layout::Area;
use ratatui::style::Style;

/// Rows of a text to be drawn: into which area, from which row on.
#[derive(Debug, Clone, Copy)]
pub(in crate::screen) struct Window {
    /// Where.
    pub(in crate::screen) area: Area,
    /// The first row.
    pub(in crate::screen) top: usize,
}

impl Window {
    /// The area of a row of the text, if it shows.
    pub(in crate::screen) fn row(&self, nth: usize) -> Option<Area> {
        let offset = u16::try_from(nth.checked_sub(self.top)?).ok()?;
        (offset < self.area.height).then(|| Area { y: self.area.y + offset, height: 1, ..self.area })
    }

    /// How many rows show.
    pub(in crate::screen) const fn height(&self) -> usize {
        self.area.height as usize
    }
}

/// Draws those of these lines that show; `rows` says how many rows a line takes, `draw` draws one from a row of the text on.
pub(in crate::screen) fn draw_lines<L>(
    window: Window,
    lines: &[L],
    rows: impl Fn(&L, usize) -> usize,
    mut draw: impl FnMut(&L, usize),
) {
    let cells = usize::from(window.area.width).max(1);
    let mut first = 0;
    for line in lines {
        let rows = rows(line, cells);
        if first >= window.top + window.height() {
            break;
        }
        if first + rows > window.top {
            draw(line, first);
        }
        first += rows;
    }
}

/// Draws a line in its pieces, over as many rows as it takes; its first row is the text's row `first`.
pub(in crate::screen) fn draw_pieces<C: Copy>(
    canvas: &mut Canvas<'_>,
    window: Window,
    line: &[(C, String)],
    first: usize,
    style: impl Fn(&Canvas<'_>, C) -> Style,
) {
    let text: String = line.iter().map(|(_, text)| text.as_str()).collect();
    // Bytes of the line that were drawn.
    let mut start = 0;
    for (row, nth) in rows_of(&text, usize::from(window.area.width)).zip(first..) {
        let end = start + row.len();
        if let Some(at) = window.row(nth) {
            let (mut x, mut from) = (at.x, 0);
            for (class, piece) in line {
                let to = from + piece.len();
                let (low, high) = (from.max(start), to.min(end));
                if low < high {
                    let style = style(canvas, *class);
                    x += canvas.text(x, at.y, (at.x + at.width).saturating_sub(x), &text[low..high], style);
                }
                from = to;
            }
        } else if nth > window.top + window.height() {
            break;
        }
        start = end;
    }
}
