//! Text broken into lines that fit a width.

use super::visible::visible;
use super::width::width;
use unicode_segmentation::UnicodeSegmentation as _;

/// The lines of a text, broken at white space so that none is wider than `cells`. Where a line is broken its white space
/// is left out; line breaks of the text stay. Wide characters may be parted anywhere, words too long for a line at any
/// grapheme, and a grapheme too wide for one at any character: only a character wider than `cells` is left over.
///
/// The text is shown as it is: what comes from outside goes through [`wrap_visible`].
pub fn wrap(text: &str, cells: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.lines() {
        wrap_line(line, cells, &mut lines);
    }
    lines
}

/// Like [`wrap`], for text from outside: all but its line breaks is made [`visible`].
pub fn wrap_visible(text: &str, cells: usize) -> Vec<String> {
    text.lines()
        .flat_map(|line| {
            let line = visible(line);
            let mut lines = Vec::new();
            wrap_line(&line, cells, &mut lines);
            lines.into_iter().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// Where a line may be broken: it ends at `end`, the next one begins at `next`.
#[derive(Clone, Copy)]
struct Break {
    end: usize,
    next: usize,
}

fn wrap_line<'t>(line: &'t str, cells: usize, lines: &mut Vec<&'t str>) {
    let (mut start, mut used) = (0, 0);
    let mut last: Option<Break> = None;
    let mut was_wide = false;
    for (at, piece) in line.grapheme_indices(true).flat_map(|(at, grapheme)| pieces(at, grapheme, cells)) {
        let size = width(piece);
        if is_blank(piece) {
            // Blanks that follow one another, and blanks at the end of a full line, are one break.
            let end = last.filter(|last| last.next == at && last.end < at).map_or(at, |last| last.end);
            last = Some(Break { end, next: at + piece.len() });
            used += size;
            was_wide = false;
            continue;
        }
        let is_wide = size > 1;
        if (is_wide || was_wide) && last.is_none_or(|last| last.next < at) {
            last = Some(Break { end: at, next: at });
        }
        was_wide = is_wide;
        if used + size > cells && at > start {
            let here = last.filter(|last| last.next > start).unwrap_or(Break { end: at, next: at });
            // Blanks alone, wider than the line, are no line.
            if here.end > start {
                lines.push(&line[start..here.end]);
            }
            start = here.next;
            used = width(&line[start..at]);
            last = None;
            if used + size > cells && at > start {
                lines.push(&line[start..at]);
                (start, used) = (at, 0);
            }
        }
        used += size;
    }
    match last {
        Some(last) if used > cells && last.next == line.len() => lines.push(&line[start..last.end]),
        _ => lines.push(&line[start..]),
    }
}

/// A grapheme, or its characters where it is wider than a line.
fn pieces(at: usize, grapheme: &str, cells: usize) -> impl Iterator<Item = (usize, &str)> {
    let cut = if width(grapheme) > cells { None } else { Some((at, grapheme)) };
    let characters = grapheme
        .char_indices()
        .filter(move |_| cut.is_none())
        .map(move |(from, character)| (at + from, &grapheme[from..from + character.len_utf8()]));
    cut.into_iter().chain(characters)
}

/// White space where a line may be broken.
fn is_blank(grapheme: &str) -> bool {
    let is_glue = |character| matches!(character, '\u{a0}' | '\u{2007}' | '\u{202f}');
    grapheme.chars().all(|character| character.is_whitespace() && !is_glue(character))
}

#[cfg(test)]
mod tests {
    use super::{wrap, wrap_visible};
    use crate::text::width::width;
    use proptest::prelude::*;

    #[test]
    fn lines_break_where_a_reader_expects_it() {
        for (text, cells, wanted) in [
            ("the quick brown fox", 10, &["the quick", "brown fox"][..]),
            ("the quick", 9, &["the quick"]),
            ("the   quick ", 5, &["the", "quick"]),
            ("  indented text", 10, &["  indented", "text"]),
            ("a\n\n b ", 9, &["a", "", " b "]),
            ("abcdefgh ij", 3, &["abc", "def", "gh", "ij"]),
            ("an abcdefgh", 5, &["an", "abcde", "fgh"]),
            ("名前は何ですか", 5, &["名前", "は何", "です", "か"]),
            ("see 名前", 6, &["see 名", "前"]),
            ("10\u{a0}km far", 5, &["10\u{a0}km", "far"]),
            ("", 5, &[]),
        ] {
            assert_eq!(wrap(text, cells), wanted, "{text:?} {cells}");
        }
    }

    #[test]
    fn text_from_outside_is_made_visible_first() {
        assert_eq!(wrap_visible("a\u{1b}[0m\r\nb\tc", 80), ["a␛[0m", "b␉c"]);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_only_blanks_are_lost(
            text in "(\\PC|[a-z]{1,9}| |\n|名|e\u{301}|👩\u{200d}👧|\u{1100}\u{1100}\u{1161}){0,40}", cells in 0_usize..20,
        ) {
            let lines = wrap(&text, cells);
            for line in &lines {
                prop_assert!(width(line) <= cells || line.chars().count() == 1, "{line:?}");
            }
            let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(solid(&lines.concat()), solid(&text));
            if cells >= 400 {
                prop_assert_eq!(lines.join("\n"), text.lines().collect::<Vec<_>>().join("\n"));
            }
        }

        #[test]
        fn a_text_that_fits_is_left_alone(text in "(\\PC| |\n){0,40}") {
            prop_assert_eq!(wrap(&text, 400), text.lines().collect::<Vec<_>>());
        }
    }
}
