//! The operations on a text.

use super::history::Run;
use super::motion::indentation;
use super::{EditBuffer, Motion, Place, normalised};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// One level of indentation.
pub const INDENT: &str = "  ";

/// One operation, as plain data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditOp {
    /// Puts a text in the place of the selection. CRLF and CR become LF; in an input of one line, spaces. One grapheme
    /// counts as typed, more as pasted, which undo keeps apart.
    Insert(String),
    /// Breaks the line, and begins the new one with the old one's indentation.
    Newline,
    /// Erases the selection, or the grapheme before the cursor.
    Backspace,
    /// Erases the selection, or the grapheme after the cursor.
    Delete,
    /// Erases the selection, or back to the start of a word.
    DeleteWordBack,
    /// Erases the selection, or up to the end of a word.
    DeleteWordForward,
    /// Erases the selection, or the rest of the line; at its end, the line end.
    DeleteToLineEnd,
    /// Erases the selection, or the line up to the cursor; at its start, the line end before.
    DeleteToLineStart,
    /// Erases the lines that the selection touches, or the cursor's.
    DeleteLine,
    /// Moves the selected lines in by [`INDENT`]; without a selection, puts spaces up to the next stop at the cursor.
    Indent,
    /// Moves the selected lines, or the cursor's, out by up to [`INDENT`] or one tab.
    Outdent,
    /// Puts `-- ` before the selected lines, or the cursor's; takes it away where all of them have it. Empty lines
    /// stay as they are.
    ToggleComment,
    /// Takes the last step back.
    Undo,
    /// Takes the last undo back.
    Redo,
    /// Selects the whole text; the cursor goes to its end.
    SelectAll,
    /// Moves the cursor.
    Move {
        /// Where to.
        motion: Motion,
        /// Whether what lies between is selected, or added to what is.
        select: bool,
    },
    /// Replaces a byte range of [`EditBuffer::text`], made larger to character boundaries, and puts the cursor behind
    /// the new text. What accepting a completion, formatting and replaying need.
    Replace {
        /// The range; its ends may lie beyond the text.
        range: Range<usize>,
        /// The new text.
        text: String,
    },
}

impl EditBuffer {
    pub(super) fn carry_out(&mut self, op: &EditOp) {
        match op {
            EditOp::Insert(text) => self.insert(text),
            EditOp::Newline => self.newline(),
            EditOp::Backspace => self.erase(self.left_of(self.cursor), Run::ErasingBack),
            EditOp::Delete => self.erase(self.right_of(self.cursor), Run::ErasingForward),
            EditOp::DeleteWordBack => self.erase(self.word_left_of(self.cursor), Run::Alone),
            EditOp::DeleteWordForward => self.erase(self.word_right_of(self.cursor), Run::Alone),
            EditOp::DeleteToLineEnd => {
                let end = self.line_end(self.cursor.line);
                let end = if end == self.cursor { self.right_of(end) } else { end };
                self.erase(end, Run::Alone);
            }
            EditOp::DeleteToLineStart => {
                let Place { line, byte } = self.cursor;
                let start = if byte == 0 { self.left_of(self.cursor) } else { Place::new(line, 0) };
                self.erase(start, Run::Alone);
            }
            EditOp::DeleteLine => self.delete_lines(),
            EditOp::Indent => self.indent(),
            EditOp::Outdent => self.outdent(),
            EditOp::ToggleComment => self.toggle_comment(),
            EditOp::Undo => self.undo(),
            EditOp::Redo => self.redo(),
            EditOp::SelectAll => self.select_all(),
            EditOp::Move { motion, select } => self.go(*motion, *select),
            EditOp::Replace { range, text } => self.replace(range, text),
        }
    }

    fn insert(&mut self, text: &str) {
        let text = normalised(text, self.is_one_line);
        // A grapheme may be as long as a text; one like that was not typed, and counting on would take its time.
        let is_typed = text.len() <= 64 && !text.contains('\n') && text.graphemes(true).nth(1).is_none();
        let (from, to) = self.selection().unwrap_or((self.cursor, self.cursor));
        self.change(from, to, &text, if is_typed { Run::Typing } else { Run::Alone });
    }

    fn newline(&mut self) {
        if self.is_one_line {
            return;
        }
        let (from, to) = self.selection().unwrap_or((self.cursor, self.cursor));
        let line = &self.lines[from.line];
        let text = format!("\n{}", &line[..indentation(line).min(from.byte)]);
        self.change(from, to, &text, Run::Alone);
    }

    /// Erases the selection, or without one what lies between the cursor and `other`.
    fn erase(&mut self, other: Place, run: Run) {
        let around = (self.cursor.min(other), self.cursor.max(other), run);
        let (from, to, run) = self.selection().map_or(around, |(start, end)| (start, end, Run::Alone));
        self.change(from, to, "", run);
    }

    fn replace(&mut self, range: &Range<usize>, text: &str) {
        let from = self.exact_place_of(range.start);
        let mut to = self.exact_place_of(range.end.max(range.start));
        if self.offset_of_exact(to) < range.end {
            // The end was within a character: take all of it.
            to.byte = next_character(&self.lines[to.line], to.byte);
        }
        let text = normalised(text, self.is_one_line);
        if from != to && self.between(from, to) == *text {
            self.cursor = self.clamped(to);
            self.anchor = None;
            return;
        }
        self.change(from, to, &text, Run::Alone);
    }

    fn offset_of_exact(&self, place: Place) -> usize {
        self.offset_of(Place::new(place.line, 0)) + place.byte
    }
}

/// The character boundary after a byte, or the line's end.
fn next_character(line: &str, byte: usize) -> usize {
    line[byte..].chars().next().map_or(byte, |character| byte + character.len_utf8())
}
