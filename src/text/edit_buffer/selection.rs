//! What is selected.

use super::{EditBuffer, Place};

impl EditBuffer {
    /// Start and end of the selection; `None` where nothing is selected.
    pub fn selection(&self) -> Option<(Place, Place)> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.cursor)?;
        Some((anchor.min(self.cursor), anchor.max(self.cursor)))
    }

    /// The selected text; empty where nothing is selected.
    pub fn selected_text(&self) -> String {
        self.selection().map(|(start, end)| self.between(start, end)).unwrap_or_default()
    }

    pub(super) fn select_all(&mut self) {
        self.history.close();
        self.anchor = Some(Place::START);
        self.cursor = self.end();
    }

    /// The first and last line that the selection touches, or the cursor's. A last line that is selected up to its
    /// start only does not count.
    pub(super) fn selected_lines(&self) -> (usize, usize) {
        match self.selection() {
            None => (self.cursor.line, self.cursor.line),
            Some((start, end)) if end.byte == 0 => (start.line, start.line.max(end.line - 1)),
            Some((start, end)) => (start.line, end.line),
        }
    }
}
