//! Columns: how many cells stand before a place.

use super::{EditBuffer, Place};
use crate::text::visible::visible;
use crate::text::width::width;
use unicode_segmentation::UnicodeSegmentation as _;

/// The cells of one grapheme as an editor shows it: control characters and what is invisible by their marks
/// ([`visible`]).
pub fn cells_of(grapheme: &str) -> usize {
    if grapheme.len() == 1 { 1 } else { width(&visible(grapheme)) }
}

/// The cells of a piece of a line that begins and ends between graphemes.
fn cells(piece: &str) -> usize {
    if piece.is_ascii() { piece.len() } else { pieces(piece).map(|(_, cells)| cells).sum() }
}

/// The graphemes of a line as their start and cells.
fn pieces(line: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let mut characters = line.get(start..)?.chars();
        let first = characters.next()?;
        if let Some(cells) = cells_alone(first)
            && characters.next().is_none_or(|next| cells_alone(next).is_some())
        {
            at += first.len_utf8();
            return Some((start, cells));
        }
        let grapheme = line[start..].graphemes(true).next()?;
        at += grapheme.len();
        Some((start, cells_of(grapheme)))
    })
}

/// The cells of a character of the plainest kind, two of which never join into one grapheme. They are most of any text,
/// and asking Unicode's tables for each would make a long line slow.
const fn cells_alone(character: char) -> Option<usize> {
    match character {
        '\0'..='\x7f' | '\u{c0}'..='\u{24f}' | '\u{400}'..='\u{481}' | '\u{5d0}'..='\u{5ea}' => Some(1),
        '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => Some(2),
        _ => None,
    }
}

impl EditBuffer {
    /// Cells before a place in its line, each grapheme as [`cells_of`] counts it.
    pub fn column_of(&self, place: Place) -> usize {
        let place = self.clamped(place);
        cells(&self.lines[place.line][..place.byte])
    }

    /// The last place of a line with at most `cells` cells before it; a line beyond the last is the last.
    pub fn place_at_column(&self, line: usize, cells: usize) -> Place {
        let number = line.min(self.lines.len() - 1);
        let mut used = 0;
        for (byte, width) in pieces(&self.lines[number]) {
            used += width;
            if used > cells {
                return Place::new(number, byte);
            }
        }
        self.line_end(number)
    }
}

#[cfg(test)]
mod tests {
    use super::{cells, cells_alone, cells_of};
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation as _;

    #[test]
    fn plain_characters_are_as_wide_as_unicode_says() {
        let plain = || (0..0x1_0000).filter_map(char::from_u32).filter(|character| *character != '\r');
        for character in plain() {
            if let Some(cells) = cells_alone(character) {
                assert_eq!(cells, cells_of(&character.to_string()), "{character:?}");
            }
        }
        let text: String = plain().filter(|character| cells_alone(*character).is_some()).collect();
        assert_eq!(text.graphemes(true).count(), text.chars().count());
    }

    proptest! {
        #[test]
        fn cells_are_those_of_all_graphemes(text in "([ -~]|[À-ɏа-я一-龥가-힣]|\u{301}|\u{600}|\u{11a8}|🇩|\\PC){0,30}") {
            prop_assert_eq!(cells(&text), text.graphemes(true).map(cells_of).sum::<usize>());
        }
    }
}
