//! How many terminal cells a text takes, and cutting it to fit.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Terminal cells that the text takes, by grapheme.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(unicode_width::UnicodeWidthStr::width).sum()
}

/// The text cut to at most `cells` cells, at a grapheme boundary, with `…` at the end where something was cut.
pub fn fit(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(1) else { return String::new() };
    let (mut used, mut kept) = (0, String::new());
    for grapheme in text.graphemes(true) {
        let cells = grapheme.width();
        if used + cells > room {
            break;
        }
        used += cells;
        kept.push_str(grapheme);
    }
    kept.push('…');
    kept
}

/// The text with spaces added to fill `cells` cells, on its left where `right` says that it is aligned right.
pub fn pad(text: &str, cells: usize, right: bool) -> String {
    let spaces = " ".repeat(cells.saturating_sub(width(text)));
    if right { spaces + text } else { text.to_owned() + &spaces }
}

#[cfg(test)]
mod tests {
    use super::{fit, pad, width};
    use proptest::prelude::*;

    #[test]
    fn wide_and_joined_characters_count_as_they_are_drawn() {
        assert_eq!(width("abc"), 3);
        assert_eq!(width("名前"), 4);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(fit("名前です", 5), "名前…");
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 1), "…");
        assert_eq!(fit("abcd", 0), "");
        assert_eq!(pad("名", 4, true), "  名");
    }

    proptest! {
        #[test]
        fn a_fitted_text_fits(text in "\\PC*", cells in 0_usize..40) {
            prop_assert!(width(&fit(&text, cells)) <= cells);
        }
    }
}
