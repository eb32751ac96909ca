//! One line of a text of which only some columns show: which bytes those are, and which cell each of them has.
//!
//! A line of plain ASCII has a cell a byte, so that even a very long one costs only what shows.

use crate::text::edit_buffer::cells_of;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// The columns of a line that show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window<'t> {
    line: &'t str,
    is_ascii: bool,
    /// The bytes that show.
    pub(super) bytes: Range<usize>,
    /// The cell, from the left edge, at which they begin: not 0 where half of a wide character is cut off.
    pub(super) start: usize,
    /// The cells there are.
    cells: usize,
    /// Whether the line goes on.
    pub(super) goes_on: bool,
}

impl<'t> Window<'t> {
    /// The `cells` columns of a line from the column `left` on.
    pub(super) fn new(line: &'t str, left: usize, cells: usize) -> Self {
        if line.is_ascii() {
            let start = left.min(line.len());
            let end = start.saturating_add(cells).min(line.len());
            return Self {
                line,
                is_ascii: true,
                bytes: start..end,
                start: 0,
                cells,
                goes_on: end < line.len(),
            };
        }
        let mut column = 0;
        let mut window =
            Self { line, is_ascii: false, bytes: line.len()..line.len(), start: 0, cells, goes_on: false };
        let mut has_begun = false;
        for (byte, grapheme) in line.grapheme_indices(true) {
            let size = cells_of(grapheme);
            if column >= left && !has_begun {
                has_begun = true;
                window.bytes.start = byte;
                window.start = column - left;
            }
            if column + size > left.saturating_add(cells) {
                window.goes_on = true;
                window.bytes.end = byte.max(window.bytes.start.min(byte));
                break;
            }
            column += size;
        }
        if !has_begun || window.bytes.end < window.bytes.start {
            window.bytes.start = window.bytes.end;
        }
        window
    }

    /// The text that shows.
    #[cfg(test)]
    pub(super) fn text(&self) -> &'t str {
        self.line.get(self.bytes.clone()).unwrap_or_default()
    }

    /// Whether every byte is a cell.
    pub(super) const fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// The cell, from the left edge, of a byte of the line; bytes before and behind are at the edges.
    pub(super) fn cell_of(&self, byte: usize) -> usize {
        if byte <= self.bytes.start {
            return if byte < self.bytes.start { 0 } else { self.start };
        }
        let shown = self.line.get(self.bytes.start..byte.min(self.bytes.end)).unwrap_or_default();
        let cells: usize =
            if self.is_ascii { shown.len() } else { shown.graphemes(true).map(cells_of).sum() };
        if byte > self.bytes.end { self.cells } else { (self.start + cells).min(self.cells) }
    }

    /// The cells of a range of bytes, as far as they show.
    pub(super) fn cells_of(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let cells = self.cell_of(bytes.start)..self.cell_of(bytes.end);
        (bytes.end > self.bytes.start && bytes.start < self.bytes.end && !cells.is_empty()).then_some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::Window;
    use proptest::prelude::*;

    #[test]
    fn a_window_shows_whole_characters() {
        let window = Window::new("SELECT 1", 2, 4);
        assert_eq!((window.text(), window.start, window.goes_on), ("LECT", 0, true));
        assert_eq!((window.cell_of(0), window.cell_of(3), window.cell_of(8)), (0, 1, 4));
        let window = Window::new("名前です", 1, 4);
        assert_eq!((window.text(), window.start, window.goes_on), ("前", 1, true));
        assert_eq!(window.cells_of(&(3..6)), Some(1..3));
        assert_eq!(window.cells_of(&(0..3)), None);
        let window = Window::new("名前", 9, 4);
        assert_eq!((window.text(), window.goes_on), ("", false));
        assert_eq!(Window::new("é", 0, 0).text(), "");
    }

    proptest! {
        #[test]
        fn what_shows_fits(line in "(\\PC|[a-z]{1,5}|名|\u{202e}|\t){0,20}", left in 0_usize..30, cells in 0_usize..20) {
            let window = Window::new(&line, left, cells);
            let end = window.cell_of(window.bytes.end);
            prop_assert!(end <= cells.max(window.start), "{window:?}");
            prop_assert!(line.get(window.bytes.clone()).is_some());
        }
    }
}
