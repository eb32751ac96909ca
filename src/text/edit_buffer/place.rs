//! Places in a text, and their byte offsets.

use super::{EditBuffer, boundary};

/// A place between two graphemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// Line, from 0.
    pub line: usize,
    /// Byte within the line.
    pub byte: usize,
}

impl Place {
    /// The start of a text.
    pub const START: Self = Self { line: 0, byte: 0 };

    /// A place from its line and byte.
    pub const fn new(line: usize, byte: usize) -> Self {
        Self { line, byte }
    }

    /// Where a text ends that begins here.
    pub(super) fn after(self, text: &str) -> Self {
        match text.rfind('\n') {
            None => Self::new(self.line, self.byte + text.len()),
            Some(last) => {
                let lines = text.bytes().filter(|byte| *byte == b'\n').count();
                Self::new(self.line + lines, text.len() - last - 1)
            }
        }
    }
}

impl EditBuffer {
    /// The byte offset of a place in [`EditBuffer::text`]; a place outside is brought inside first.
    pub fn offset_of(&self, place: Place) -> usize {
        let place = self.clamped(place);
        self.lines[..place.line].iter().map(|line| line.len() + 1).sum::<usize>() + place.byte
    }

    /// The place of a byte offset in [`EditBuffer::text`]: the next grapheme boundary, the end where it is beyond.
    pub fn place_of(&self, offset: usize) -> Place {
        self.clamped(self.exact_place_of(offset))
    }

    /// The place of an offset, at least on a character boundary.
    pub(super) fn exact_place_of(&self, offset: usize) -> Place {
        let mut rest = offset;
        for (number, line) in self.lines.iter().enumerate() {
            if rest <= line.len() {
                return Place::new(number, line.floor_char_boundary(rest));
            }
            rest -= line.len() + 1;
        }
        self.end()
    }

    /// The place itself if it is one, else the nearest: the last line, the next grapheme boundary.
    pub(super) fn clamped(&self, place: Place) -> Place {
        match self.lines.get(place.line) {
            Some(line) => Place::new(place.line, boundary::snap(line, place.byte)),
            None => self.end(),
        }
    }

    /// The end of the text.
    pub(super) fn end(&self) -> Place {
        let last = self.lines.len() - 1;
        Place::new(last, self.lines[last].len())
    }

    /// The end of a line.
    pub(super) fn line_end(&self, line: usize) -> Place {
        Place::new(line, self.lines[line].len())
    }
}
