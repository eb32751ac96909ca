//! Operations on whole lines: indentation, comments, deleting.

use super::history::Run;
use super::motion::indentation;
use super::{EditBuffer, INDENT, Place};

/// What SQL calls a comment, as this puts it.
const COMMENT: &str = "-- ";

/// An edit within one line: `removed` bytes at `at` give way to `inserted`.
struct LineEdit {
    at: usize,
    removed: usize,
    inserted: &'static str,
}

impl LineEdit {
    /// Where a byte of the line is afterwards. What stands exactly where text is put in goes along, unless it `stays`.
    const fn moved(&self, byte: usize, stays: bool) -> usize {
        if byte < self.at || (stays && byte == self.at) {
            byte
        } else if byte < self.at + self.removed {
            self.at
        } else {
            byte - self.removed + self.inserted.len()
        }
    }
}

impl EditBuffer {
    pub(super) fn indent(&mut self) {
        if self.is_one_line {
            return;
        }
        if self.selection().is_some() {
            self.edit_lines(|line| {
                (!line.is_empty()).then_some(LineEdit { at: 0, removed: 0, inserted: INDENT })
            });
        } else {
            let stop = INDENT.len();
            let spaces = stop - self.column_of(self.cursor) % stop;
            self.change(self.cursor, self.cursor, &INDENT[..spaces], Run::Alone);
        }
    }

    pub(super) fn outdent(&mut self) {
        if self.is_one_line {
            return;
        }
        self.edit_lines(|line| {
            let spaces = line.bytes().take(INDENT.len()).take_while(|byte| *byte == b' ').count();
            let removed = if line.starts_with('\t') { 1 } else { spaces };
            (removed > 0).then_some(LineEdit { at: 0, removed, inserted: "" })
        });
    }

    pub(super) fn toggle_comment(&mut self) {
        if self.is_one_line {
            return;
        }
        let (first, last) = self.selected_lines();
        let lines = || self.lines[first..=last].iter().filter(|line| indentation(line) < line.len());
        let Some(column) = lines().map(|line| indentation(line)).min() else { return };
        if lines().all(|line| line[indentation(line)..].starts_with("--")) {
            self.edit_lines(|line| {
                let at = indentation(line);
                let rest = line.get(at..).filter(|rest| !rest.is_empty())?;
                let removed = if rest.starts_with(COMMENT) { COMMENT.len() } else { 2 };
                Some(LineEdit { at, removed, inserted: "" })
            });
        } else {
            self.edit_lines(|line| {
                let is_blank = indentation(line) == line.len();
                (!is_blank).then_some(LineEdit { at: column, removed: 0, inserted: COMMENT })
            });
        }
    }

    pub(super) fn delete_lines(&mut self) {
        let (first, last) = self.selected_lines();
        let column = self.column_of(self.cursor);
        let (from, to) = if last + 1 < self.lines.len() {
            (Place::new(first, 0), Place::new(last + 1, 0))
        } else if first > 0 {
            (self.line_end(first - 1), self.end())
        } else {
            (Place::START, self.end())
        };
        if self.change(from, to, "", Run::Alone) {
            self.mark_after_change(self.place_at_column(first, column), None);
        }
    }

    /// Edits each selected line as one step; cursor and selection go along with their text.
    fn edit_lines(&mut self, edit: impl Fn(&str) -> Option<LineEdit>) {
        let (first, last) = self.selected_lines();
        let edits: Vec<Option<LineEdit>> = self.lines[first..=last].iter().map(|line| edit(line)).collect();
        if edits.iter().all(Option::is_none) {
            return;
        }
        let mut text = String::new();
        for (line, edit) in self.lines[first..=last].iter().zip(&edits) {
            if let Some(LineEdit { at, removed, inserted }) = edit {
                text.push_str(&line[..*at]);
                text.push_str(inserted);
                text.push_str(&line[at + removed..]);
            } else {
                text.push_str(line);
            }
            text.push('\n');
        }
        text.pop();
        let stays = self.selection().is_some();
        let moved = |place: Place| {
            let edit = place.line.checked_sub(first).and_then(|index| edits.get(index)?.as_ref());
            Place::new(place.line, edit.map_or(place.byte, |edit| edit.moved(place.byte, stays)))
        };
        let (cursor, anchor) = (moved(self.cursor), self.anchor.map(moved));
        if self.change(Place::new(first, 0), self.line_end(last), &text, Run::Alone) {
            self.mark_after_change(cursor, anchor);
        }
    }
}
