//! The answer in words as it is shown: its lines broken to a width, so that every place of the text has a cell.
//!
//! Unlike `text::wrap` nothing is left out: a row keeps the blanks that it was broken behind, since the cursor may stand
//! among them. Not here: editing, drawing.

use crate::text::edit_buffer::{EditBuffer, Place, cells_of};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// A row as it is shown: a piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseRow {
    /// The line.
    pub line: usize,
    /// The bytes of it.
    pub bytes: Range<usize>,
}

/// The rows of a text at a width, at least one a line.
pub fn rows(lines: &[String], cells: usize) -> Vec<ProseRow> {
    let mut rows = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        rows.extend(broken(line, cells.max(1)).into_iter().map(|bytes| ProseRow { line: number, bytes }));
    }
    rows
}

/// The row and the column, in cells, of a text's cursor.
pub fn cursor(text: &EditBuffer, rows: &[ProseRow]) -> (usize, usize) {
    let Place { line, byte } = text.cursor();
    // Where a row ends the next one begins: the cursor stands there, unless it is the line's last.
    let last = rows.partition_point(|row| row.line < line || (row.line == line && row.bytes.start <= byte));
    let row = last.saturating_sub(1);
    let Some(ProseRow { bytes, .. }) = rows.get(row) else { return (0, 0) };
    let before = text.lines().get(line).and_then(|it| it.get(bytes.start..byte)).unwrap_or_default();
    (row, before.graphemes(true).map(cells_of).sum())
}

/// The place at a row and column.
pub fn place(text: &EditBuffer, rows: &[ProseRow], row: usize, cell: usize) -> Place {
    let Some(ProseRow { line, bytes }) = rows.get(row.min(rows.len().saturating_sub(1))) else {
        return Place::START;
    };
    let piece = text.lines().get(*line).and_then(|it| it.get(bytes.clone())).unwrap_or_default();
    let (mut used, mut at) = (0, bytes.start);
    for grapheme in piece.graphemes(true) {
        used += cells_of(grapheme);
        // Behind its last grapheme a broken row is the next one's start.
        let is_last =
            at + grapheme.len() == bytes.end && rows.get(row + 1).is_some_and(|it| it.line == *line);
        if used > cell || is_last {
            break;
        }
        at += grapheme.len();
    }
    Place::new(*line, at)
}

/// A line broken behind blanks, or anywhere within a word that is too long. Blanks at the end of a row may stick out.
fn broken(line: &str, cells: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    // Behind the last blank of the row, and the cells up to there.
    let mut last: Option<(usize, usize)> = None;
    for (at, grapheme) in line.grapheme_indices(true) {
        let size = cells_of(grapheme);
        let is_blank = grapheme.chars().all(char::is_whitespace);
        if used + size > cells && !is_blank && at > start {
            let (end, width) = last.filter(|(end, _)| *end > start).unwrap_or((at, used));
            rows.push(start..end);
            (start, used, last) = (end, used - width, None);
            if used + size > cells && at > start {
                rows.push(start..at);
                (start, used) = (at, 0);
            }
        }
        used += size;
        if is_blank {
            last = Some((at + grapheme.len(), used));
        }
    }
    rows.push(start..line.len());
    rows
}

#[cfg(test)]
mod tests {
    use super::{cursor, place, rows};
    use crate::text::edit_buffer::{EditBuffer, EditOp, Motion, Place, cells_of};
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation as _;

    fn shown(text: &str, cells: usize) -> Vec<String> {
        let buffer = EditBuffer::from_text(text);
        rows(buffer.lines(), cells)
            .into_iter()
            .map(|row| buffer.lines()[row.line][row.bytes].to_owned())
            .collect()
    }

    #[test]
    fn rows_break_behind_blanks_and_lose_nothing() {
        assert_eq!(shown("the quick brown fox", 10), ["the quick ", "brown fox"]);
        assert_eq!(shown("abcdefgh ij", 3), ["abc", "def", "gh ", "ij"]);
        assert_eq!(shown("a\n\nb", 3), ["a", "", "b"]);
        assert_eq!(shown("", 3), [""]);
    }

    #[test]
    fn the_cursor_stands_on_the_row_that_begins_at_it() {
        let mut text = EditBuffer::from_text("the quick brown fox");
        let rows = rows(text.lines(), 10);
        for (byte, wanted) in [(0, (0, 0)), (9, (0, 9)), (10, (1, 0)), (19, (1, 9))] {
            text.apply(&EditOp::Move { motion: Motion::To(Place::new(0, byte)), select: false });
            assert_eq!(cursor(&text, &rows), wanted, "{byte}");
        }
        assert_eq!(place(&text, &rows, 0, 99), Place::new(0, 9));
        assert_eq!(place(&text, &rows, 1, 99), Place::new(0, 19));
        assert_eq!(place(&text, &rows, 9, 2), Place::new(0, 12));
    }

    proptest! {
        #[test]
        fn rows_fit_and_cover_the_text(text in "(\\PC|[a-z]{1,9}| |\n|名|e\u{301}){0,40}", cells in 1_usize..20) {
            let buffer = EditBuffer::from_text(&text);
            let all = rows(buffer.lines(), cells);
            let mut joined = vec![String::new(); buffer.lines().len()];
            for row in &all {
                let piece = &buffer.lines()[row.line][row.bytes.clone()];
                joined[row.line].push_str(piece);
                let solid: usize = piece.trim_end().graphemes(true).map(cells_of).sum();
                prop_assert!(solid <= cells || piece.trim_end().graphemes(true).count() == 1, "{piece:?}");
            }
            prop_assert_eq!(joined.join("\n"), buffer.text());
        }
    }
}
