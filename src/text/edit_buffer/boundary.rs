//! Grapheme boundaries of one line.

use unicode_segmentation::GraphemeCursor;

/// The boundary after `byte`, or the line's end.
pub(super) fn next(line: &str, byte: usize) -> usize {
    // With the whole line at hand the cursor lacks no context, so it can't fail.
    let found = GraphemeCursor::new(byte, line.len(), true).next_boundary(line, 0);
    found.ok().flatten().unwrap_or(line.len())
}

/// The boundary before `byte`, or 0.
pub(super) fn previous(line: &str, byte: usize) -> usize {
    let found = GraphemeCursor::new(byte, line.len(), true).prev_boundary(line, 0);
    found.ok().flatten().unwrap_or(0)
}

/// `byte` itself where it is a boundary, else the next one; within a character, as its start; beyond the line, its end.
pub(super) fn snap(line: &str, byte: usize) -> usize {
    if byte >= line.len() {
        return line.len();
    }
    let byte = line.floor_char_boundary(byte);
    if GraphemeCursor::new(byte, line.len(), true).is_boundary(line, 0).unwrap_or(true) {
        byte
    } else {
        next(line, byte)
    }
}

#[cfg(test)]
mod tests {
    use super::{next, previous, snap};

    #[test]
    fn a_flag_and_a_family_are_one_step() {
        let line = "a🇩🇪👩\u{200d}👩\u{200d}👧e\u{301}";
        let mut stops = vec![0];
        while *stops.last().unwrap() < line.len() {
            stops.push(next(line, *stops.last().unwrap()));
        }
        assert_eq!(stops, [0, 1, 9, 27, 30]);
        assert_eq!(previous(line, 27), 9);
        assert_eq!((snap(line, 2), snap(line, 5), snap(line, 9), snap(line, 99)), (1, 9, 9, 30));
    }
}
