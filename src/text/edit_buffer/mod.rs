//! The text of an editor or of a one-line input, with its cursor, selection and undo.
//!
//! Every change is a plain [`EditOp`] given to [`EditBuffer::apply`]; nothing else changes a buffer. Not here: keys,
//! scrolling, colours, the clipboard.
//!
//! Invariants: there is at least one line; no line holds a line end; cursor and selection stand on grapheme boundaries.

mod boundary;
mod changed_lines;
mod column;
mod edit;
mod history;
mod line_edit;
mod motion;
mod place;
mod selection;
#[cfg(test)]
mod tests;

pub use changed_lines::ChangedLines;
pub use column::cells_of;
pub use edit::{EditOp, INDENT};
pub use motion::Motion;
pub use place::Place;

use changed_lines::ChangeLog;
use history::{History, Marks};
use std::borrow::Cow;

/// A text with a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditBuffer {
    lines: Vec<String>,
    cursor: Place,
    /// The fixed end of the selection; the cursor is the other.
    anchor: Option<Place>,
    /// The column that going up and down tries to keep, in cells.
    preferred: Option<usize>,
    is_one_line: bool,
    history: History,
    revision: u64,
    log: ChangeLog,
}

impl Default for EditBuffer {
    fn default() -> Self {
        Self::from_text("")
    }
}

impl EditBuffer {
    /// A buffer of many lines with this text; CRLF and CR count as line ends. The cursor is at the start.
    pub fn from_text(text: &str) -> Self {
        Self::new(text, false)
    }

    /// A buffer that stays on one line: line ends become spaces. The cursor is at the end.
    pub fn one_line(text: &str) -> Self {
        let mut buffer = Self::new(text, true);
        buffer.cursor = buffer.end();
        buffer
    }

    fn new(text: &str, is_one_line: bool) -> Self {
        let text = normalised(text, is_one_line);
        Self {
            lines: text.split('\n').map(str::to_owned).collect(),
            cursor: Place::START,
            anchor: None,
            preferred: None,
            is_one_line,
            history: History::default(),
            revision: 0,
            log: ChangeLog::default(),
        }
    }

    /// The whole text, lines joined by line feeds.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The lines, at least one, without line ends.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.lines.len() == 1 && self.lines[0].is_empty()
    }

    /// Whether this is an input of one line.
    pub const fn is_one_line(&self) -> bool {
        self.is_one_line
    }

    /// Where the cursor is.
    pub const fn cursor(&self) -> Place {
        self.cursor
    }

    /// A number that grows with each change of the text, undo and redo included. It starts at 0.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The lines that changed after `revision`; `None` where none did.
    pub fn changed_since(&self, revision: u64) -> Option<ChangedLines> {
        self.log.since(revision)
    }

    /// Carries out an operation. Says whether text, cursor or selection are different from before.
    pub fn apply(&mut self, op: &EditOp) -> bool {
        let before = (self.revision, self.marks());
        if !matches!(op, EditOp::Move { motion, .. } if motion.keeps_column()) {
            self.preferred = None;
        }
        self.carry_out(op);
        before != (self.revision, self.marks())
    }

    const fn marks(&self) -> Marks {
        Marks { cursor: self.cursor, anchor: self.anchor }
    }

    /// Replaces what lies between two places and gives it back. The text comes without CR.
    fn splice(&mut self, from: Place, to: Place, text: &str) -> String {
        self.revision += 1;
        self.log.push(self.revision, from.line, self.lines.len() - 1 - to.line);
        if from.line == to.line && !text.contains('\n') {
            let line = &mut self.lines[from.line];
            let removed = line[from.byte..to.byte].to_owned();
            line.replace_range(from.byte..to.byte, text);
            return removed;
        }
        let removed = self.between(from, to);
        let tail = self.lines[to.line][to.byte..].to_owned();
        let mut head = std::mem::take(&mut self.lines[from.line]);
        head.truncate(from.byte);
        let mut pieces = text.split('\n');
        head.push_str(pieces.next().unwrap_or_default());
        let mut lines = vec![head];
        lines.extend(pieces.map(str::to_owned));
        if let Some(last) = lines.last_mut() {
            last.push_str(&tail);
        }
        self.lines.splice(from.line..=to.line, lines);
        removed
    }

    /// The text between two places.
    fn between(&self, from: Place, to: Place) -> String {
        if from.line == to.line {
            return self.lines[from.line][from.byte..to.byte].to_owned();
        }
        let mut text = self.lines[from.line][from.byte..].to_owned();
        for line in &self.lines[from.line + 1..to.line] {
            text.push('\n');
            text.push_str(line);
        }
        text.push('\n');
        text.push_str(&self.lines[to.line][..to.byte]);
        text
    }
}

/// Text with LF as its only line end, or with none where it must stay on one line.
fn normalised(text: &str, is_one_line: bool) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    if text.contains('\r') {
        text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    if is_one_line && text.contains('\n') {
        text = Cow::Owned(text.replace('\n', " "));
    }
    text
}
