//! JSON for people's terminals as well as programs: what could steer a terminal or hide is spelled as an escape.
//!
//! The value that a reader parses is the same; only its spelling differs.

use super::visible::needs_mark;
use serde::Serialize;
use std::fmt::Write as _;

/// The value as JSON on one line, without a line end.
///
/// # Errors
/// What `serde_json` says of a value that JSON can't hold.
pub fn compact(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string(value)?))
}

/// The value as indented JSON with a line end.
///
/// # Errors
/// What `serde_json` says of a value that JSON can't hold.
pub fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string_pretty(value)?) + "\n")
}

/// JSON text with every invisible character spelled as an escape. Outside of strings JSON holds none but line ends.
pub fn escaped(json: String) -> String {
    let hides = |character: char| character != '\n' && needs_mark(character);
    let Some(first) = json.find(hides) else { return json };
    let mut text = String::with_capacity(json.len() + 16);
    text.push_str(&json[..first]);
    for character in json[first..].chars() {
        if hides(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String can't fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{compact, pretty};
    use crate::text::visible::visible;
    use proptest::prelude::*;

    #[test]
    fn what_steers_or_hides_is_escaped() {
        let text = "a\u{202e}b\u{9b}31m\u{7f}\u{1b}\n\u{e0041}é名";
        assert_eq!(compact(&text).unwrap(), r#""a\u202eb\u009b31m\u007f\u001b\n\udb40\udc41é名""#);
        assert_eq!(pretty(&["a", "\u{feff}"]).unwrap(), "[\n  \"a\",\n  \"\\ufeff\"\n]\n");
    }

    proptest! {
        #[test]
        fn the_value_stays_and_nothing_dangerous_is_left(text in any::<String>()) {
            let json = compact(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            prop_assert_eq!(visible(&json), json.as_str());
        }
    }
}
