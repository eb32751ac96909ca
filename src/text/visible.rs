//! Untrusted text made safe to show: everything that could steer a terminal or hide from the eye becomes a mark.
//!
//! Data of a tenant, traces and model answers pass here before any screen or terminal sees them. Copying gives the
//! real value; this is for looking only. Right-to-left scripts stay as they are, in logical order.

use std::borrow::Cow;
use std::fmt::Write as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The text with control characters as their pictures (`␛`, `␊`) and all else that is invisible as `‹U+202E›`.
///
/// Marked are: C0, DEL and C1 controls; format characters (bidi overrides and isolates, zero-width characters, tags,
/// soft hyphen); line and paragraph separators; unassigned and private-use characters; the blank letters that look
/// like nothing. The result is on one line, and marking it again changes nothing.
pub fn visible(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(needs_mark) else { return Cow::Borrowed(text) };
    let mut marked = String::with_capacity(text.len() + 16);
    marked.push_str(&text[..first]);
    for character in text[first..].chars() {
        if !needs_mark(character) {
            marked.push(character);
        } else if let Some(picture) = picture(character) {
            marked.push(picture);
        } else {
            // Writing to a String can't fail.
            let _ = write!(marked, "‹U+{:04X}›", u32::from(character));
        }
    }
    Cow::Owned(marked)
}

/// Whether a character must not reach a terminal as it is.
pub(super) fn needs_mark(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    // Letters by category that are drawn as nothing: Hangul and half-width fillers, the Khmer inherent vowels.
    if matches!(character, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{17b4}' | '\u{17b5}') {
        return true;
    }
    matches!(
        character.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned
    )
}

/// The picture of an ASCII control character.
fn picture(character: char) -> Option<char> {
    match u32::from(character) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code),
        0x7f => Some('\u{2421}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{needs_mark, visible};
    use proptest::prelude::*;
    use std::borrow::Cow;

    #[test]
    fn what_steers_or_hides_is_marked() {
        for (text, wanted) in [
            ("plain äöü 名前 שלום e\u{301} 👍", "plain äöü 名前 שלום e\u{301} 👍"),
            ("\u{1b}[2J", "␛[2J"),
            ("a\r\n\tb\0\u{7f}", "a␍␊␉b␀␡"),
            ("\u{9b}31m", "‹U+009B›31m"),
            ("abc\u{202e}fed", "abc‹U+202E›fed"),
            ("a\u{200b}b\u{feff}c\u{ad}d\u{2066}", "a‹U+200B›b‹U+FEFF›c‹U+00AD›d‹U+2066›"),
            ("\u{2028}\u{e0041}\u{e000}\u{378}\u{3164}", "‹U+2028›‹U+E0041›‹U+E000›‹U+0378›‹U+3164›"),
        ] {
            assert_eq!(visible(text), wanted);
        }
    }

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(visible("clean"), Cow::Borrowed("clean")));
    }

    proptest! {
        #[test]
        fn nothing_dangerous_is_left(text in any::<String>()) {
            let marked = visible(&text).into_owned();
            prop_assert!(!marked.chars().any(needs_mark));
            prop_assert_eq!(visible(&marked), marked.as_str());
        }
    }
}
