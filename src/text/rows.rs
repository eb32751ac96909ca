//! Long text in rows of a fixed width, broken anywhere: which rows there are, and those of a window of it.
//!
//! For payloads of a megabyte: counting reads each line once, and only what is in the window is handed out. Text for people
//! is broken between words instead (`wrap`).

use super::visible::{needs_mark, visible};
use unicode_width::UnicodeWidthChar as _;

/// A text's lines with the rows that each takes.
pub struct Rows;

impl Rows {
    /// Each line of a text, with its rows.
    pub fn of(text: &str, cells: usize) -> impl Iterator<Item = (&str, usize)> {
        text.split('\n').map(move |line| (line, count(line, cells)))
    }
}

/// The rows that a line takes, at least one.
pub fn count(line: &str, cells: usize) -> usize {
    if line.is_ascii() { line.len().div_ceil(cells.max(1)).max(1) } else { breaks(line, cells).count() }
}

/// The rows of a line.
pub fn rows_of(line: &str, cells: usize) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = if line.is_ascii() {
        (0..count(line, cells)).map(|row| row * cells.max(1)).collect()
    } else {
        breaks(line, cells).collect()
    };
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([line.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| &line[start..end])
}

/// The rows of a text from `top` on, at most `height`.
pub fn window(text: &str, cells: usize, top: usize, height: usize) -> Vec<&str> {
    let (mut before, mut shown) = (0, Vec::new());
    for line in text.split('\n') {
        let rows = count(line, cells);
        if before + rows > top {
            let skipped = top.saturating_sub(before);
            shown.extend(rows_of(line, cells).skip(skipped).take(height - shown.len()));
            if shown.len() >= height {
                break;
            }
        }
        before += rows;
    }
    shown
}

/// Where the rows of a line begin.
fn breaks(line: &str, cells: usize) -> impl Iterator<Item = usize> {
    let mut used = 0;
    let later = line.char_indices().filter_map(move |(at, character)| {
        let size = cells_of(character);
        if used > 0 && size > 0 && used + size > cells.max(1) {
            used = size;
            return Some(at);
        }
        used += size;
        None
    });
    [0].into_iter().chain(later)
}

/// The cells of a character as it is shown; those that join others may take a cell more than they do.
fn cells_of(character: char) -> usize {
    if character.is_ascii() {
        1
    } else if needs_mark(character) {
        visible(character.encode_utf8(&mut [0; 4])).chars().count()
    } else if character == '\u{fe0f}' {
        1
    } else {
        character.width().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rows, count, rows_of, window};
    use crate::text::visible::visible;
    use crate::text::width::width;
    use proptest::prelude::*;

    #[test]
    fn rows_are_counted_without_being_made() {
        assert_eq!(count("", 5), 1);
        assert_eq!(count("abcdefghij", 5), 2);
        assert_eq!(count("名前名前", 5), 2);
        assert_eq!(rows_of("名前名前x", 5).collect::<Vec<_>>(), ["名前", "名前x"]);
        assert_eq!(window("ab\ncdefg\n\nh", 2, 1, 4), ["cd", "ef", "g", ""]);
        assert_eq!(Rows::of("ab\ncdefg\n", 2).map(|(_, rows)| rows).sum::<usize>(), 5);
    }

    proptest! {
        #[test]
        fn a_window_is_a_part_of_the_whole(text in "(\\PC|\n|名|\u{200b}|e\u{301}){0,60}", cells in 9_usize..30, top in 0_usize..9) {
            let total: usize = Rows::of(&text, cells).map(|(_, rows)| rows).sum();
            let all = window(&text, cells, 0, usize::MAX);
            prop_assert_eq!(all.len(), total);
            prop_assert!(all.iter().all(|row| width(&visible(row)) <= cells + 1), "{:?}", all);
            prop_assert_eq!(&all[top.min(total)..(top + 3).min(total)], window(&text, cells, top, 3));
        }
    }
}
