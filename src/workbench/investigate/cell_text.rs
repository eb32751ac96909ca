//! How a value of a result is written in a cell. Types are told apart by their writing, not by colour alone.
//!
//! NULL is `NULL`, the empty text `''`, a blob `x'…'`, a text that is not UTF-8 `!'…'` with its stray bytes as `\xNN`. A text
//! that would read as one of these, or that begins or ends with a blank, stands in quotes; copying gives the real value.
//! It is here and not in `screen`, because columns are as wide as what is written in them.

use crate::domain::Value;

/// What is written for a value, not made safe yet; of a long value the beginning, at most about `most` characters.
pub fn written(value: &Value, most: usize) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(_) | Value::Real(_) => value.to_text(),
        Value::Text(text) => {
            let head = head(text, most);
            let end = if head.len() < text.len() { "…" } else { "" };
            if needs_quotes(text) { format!("'{head}{end}'") } else { format!("{head}{end}") }
        }
        Value::Blob(bytes) => {
            let head = &bytes[..bytes.len().min(most)];
            let end = if head.len() < bytes.len() { "…" } else { "" };
            format!("x'{}{end}'", hex::encode(head))
        }
        Value::InvalidText(bytes) => {
            let head = &bytes[..bytes.len().min(most)];
            let end = if head.len() < bytes.len() { "…" } else { "" };
            format!("!'{}{end}'", escaped(head))
        }
    }
}

/// At most so many characters.
fn head(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// Whether a text would read as something else, or hides a blank at an end.
fn needs_quotes(text: &str) -> bool {
    let has_mark = text.starts_with('\'')
        || ["x'", "X'", "!'"].iter().any(|mark| text.starts_with(mark))
        || text.starts_with(char::is_whitespace)
        || text.ends_with(char::is_whitespace);
    has_mark || text == "NULL" || text.is_empty()
}

/// Text with its stray bytes as `\xNN`.
fn escaped(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a String can't fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::written;
    use crate::domain::Value;

    #[test]
    fn no_two_sorts_of_value_look_alike() {
        let text = |text: &str| Value::Text(text.to_owned());
        let values = [
            (Value::Null, "NULL"),
            (text("NULL"), "'NULL'"),
            (text(""), "''"),
            (text("''"), "''''"),
            (text("null"), "null"),
            (Value::Blob(vec![1, 255]), "x'01ff'"),
            (text("x'01ff'"), "'x'01ff''"),
            (Value::InvalidText(b"caf\xe9".to_vec()), "!'caf\\xE9'"),
            (text("!'caf"), "'!'caf'"),
            (text("a "), "'a '"),
            (Value::Integer(-7), "-7"),
            (Value::Real(1.0), "1.0"),
        ];
        for (value, wanted) in values {
            assert_eq!(written(&value, 40), wanted);
        }
    }

    #[test]
    fn a_huge_value_is_cut_before_it_is_looked_at() {
        for value in [
            Value::Text("名".repeat(1 << 20)),
            Value::Blob(vec![0; 1 << 20]),
            Value::InvalidText(vec![255; 1 << 20]),
        ] {
            assert!(written(&value, 200).len() < 1_000);
        }
    }
}
