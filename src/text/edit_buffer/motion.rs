//! Where the cursor goes.

use super::{EditBuffer, Place, boundary};
use unicode_segmentation::UnicodeSegmentation as _;

/// A way for the cursor to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// One grapheme back, over line ends too; with a selection, to its start.
    Left,
    /// One grapheme on, over line ends too; with a selection, to its end.
    Right,
    /// The line above, keeping the column; nowhere from the first.
    Up,
    /// The line below, keeping the column; nowhere from the last.
    Down,
    /// The start of the word, or of the one before.
    WordLeft,
    /// The end of the word, or of the next one.
    WordRight,
    /// The line's first character that is no blank; from there, its very start.
    LineStart,
    /// The line's end.
    LineEnd,
    /// The start of the text.
    TextStart,
    /// The end of the text.
    TextEnd,
    /// Up by so many lines, at most to the first.
    PageUp(usize),
    /// Down by so many lines, at most to the last.
    PageDown(usize),
    /// A place; brought inside the text and onto a grapheme boundary.
    To(Place),
}

impl Motion {
    /// Whether this motion goes by the column that an earlier one like it started from.
    pub(super) const fn keeps_column(self) -> bool {
        matches!(self, Self::Up | Self::Down | Self::PageUp(_) | Self::PageDown(_))
    }
}

impl EditBuffer {
    /// Moves the cursor; `select` keeps the place it came from as the other end of the selection.
    pub(super) fn go(&mut self, motion: Motion, select: bool) {
        self.history.close();
        let collapsed = match (motion, self.selection()) {
            (Motion::Left, Some((start, _))) if !select => Some(start),
            (Motion::Right, Some((_, end))) if !select => Some(end),
            _ => None,
        };
        let target = collapsed.unwrap_or_else(|| self.destination(motion));
        if select {
            self.anchor.get_or_insert(self.cursor);
        } else {
            self.anchor = None;
        }
        self.cursor = target;
    }

    fn destination(&mut self, motion: Motion) -> Place {
        let Place { line, .. } = self.cursor;
        match motion {
            Motion::Left => self.left_of(self.cursor),
            Motion::Right => self.right_of(self.cursor),
            Motion::Up => self.on_line(line.saturating_sub(1)),
            Motion::Down => self.on_line(line + 1),
            Motion::PageUp(lines) => self.on_line(line.saturating_sub(lines)),
            Motion::PageDown(lines) => self.on_line(line.saturating_add(lines)),
            Motion::WordLeft => self.word_left_of(self.cursor),
            Motion::WordRight => self.word_right_of(self.cursor),
            Motion::LineStart => {
                let first = indentation(&self.lines[line]);
                // A mark that combines with the last blank belongs to it.
                let first = boundary::snap(&self.lines[line], first);
                Place::new(line, if self.cursor.byte == first { 0 } else { first })
            }
            Motion::LineEnd => self.line_end(line),
            Motion::TextStart => Place::START,
            Motion::TextEnd => self.end(),
            Motion::To(place) => self.clamped(place),
        }
    }

    /// The place on another line under the column where going up and down began; the cursor's own where there is no
    /// other line.
    fn on_line(&mut self, line: usize) -> Place {
        let line = line.min(self.lines.len() - 1);
        if line == self.cursor.line {
            return self.cursor;
        }
        let column = self.preferred.unwrap_or_else(|| self.column_of(self.cursor));
        self.preferred = Some(column);
        self.place_at_column(line, column)
    }

    pub(super) fn left_of(&self, place: Place) -> Place {
        match (place.byte, place.line) {
            (0, 0) => place,
            (0, line) => self.line_end(line - 1),
            (byte, line) => Place::new(line, boundary::previous(&self.lines[line], byte)),
        }
    }

    pub(super) fn right_of(&self, place: Place) -> Place {
        let line = &self.lines[place.line];
        if place.byte < line.len() {
            Place::new(place.line, boundary::next(line, place.byte))
        } else if place.line + 1 < self.lines.len() {
            Place::new(place.line + 1, 0)
        } else {
            place
        }
    }

    pub(super) fn word_left_of(&self, place: Place) -> Place {
        if place.byte == 0 {
            return self.left_of(place);
        }
        let before = &self.lines[place.line][..place.byte];
        Place::new(place.line, place.byte - word(before.graphemes(true).rev()))
    }

    pub(super) fn word_right_of(&self, place: Place) -> Place {
        let after = &self.lines[place.line][place.byte..];
        if after.is_empty() {
            return self.right_of(place);
        }
        Place::new(place.line, place.byte + word(after.graphemes(true)))
    }
}

/// The bytes of the blanks that a line begins with.
pub(super) fn indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Blank,
    Word,
    Other,
}

fn sort(grapheme: &str) -> Sort {
    match grapheme.chars().next() {
        Some(first) if first.is_alphanumeric() || first == '_' => Sort::Word,
        Some(first) if !first.is_whitespace() => Sort::Other,
        _ => Sort::Blank,
    }
}

/// The bytes of blanks and then of one run of graphemes of the same sort.
fn word<'g>(graphemes: impl Iterator<Item = &'g str>) -> usize {
    let (mut bytes, mut run) = (0, Sort::Blank);
    for grapheme in graphemes {
        let sort = sort(grapheme);
        if run != Sort::Blank && sort != run {
            break;
        }
        run = sort;
        bytes += grapheme.len();
    }
    bytes
}
