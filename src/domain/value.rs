//! One typed cell of a result.

use serde::ser::{Serialize, Serializer};

/// A value as SQLite returned it. Types are kept: NULL, the empty text and the text `NULL` are three things.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A 64-bit integer.
    Integer(i64),
    /// A 64-bit float; may be infinite, never NaN (SQLite turns NaN into NULL).
    Real(f64),
    /// Text that is valid UTF-8.
    Text(String),
    /// A text value whose bytes are not UTF-8, kept as they are.
    InvalidText(Vec<u8>),
    /// A blob.
    Blob(Vec<u8>),
}

impl Value {
    /// What every value counts in a result's size budget, beside the length of its text or blob: holding it costs memory
    /// too, and a result may have millions of one letter.
    pub const OVERHEAD: usize = 16;

    /// The bytes this value takes in a result's size budget.
    pub fn size(&self) -> usize {
        Self::OVERHEAD
            + match self {
                Self::Null | Self::Integer(_) | Self::Real(_) => 0,
                Self::Text(text) => text.len(),
                Self::InvalidText(bytes) | Self::Blob(bytes) => bytes.len(),
            }
    }

    /// The value as plain text for tables and CSV: NULL is the empty text, blobs are `x'…'` in lower-case hex,
    /// reals are the shortest text that reads back as the same number.
    pub fn to_text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => real_text(*number),
            Self::Text(text) => text.clone(),
            Self::InvalidText(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Self::Blob(bytes) => format!("x'{}'", hex::encode(bytes)),
        }
    }

    /// Whether this is a number, which tables align to the right.
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Real(_))
    }
}

/// Shortest round-trip text of a real, with `.0` where it would read as an integer; `Inf` and `-Inf`.
fn real_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Inf".into() } else { "-Inf".into() };
    }
    format!("{number:?}")
}

/// JSON form: numbers and text as JSON numbers and strings; infinities as the strings `Inf` and `-Inf`; blobs as
/// `{"blob": "<hex>"}` and text that is not UTF-8 as `{"invalid_text": "<hex>"}`, so that nothing is lost.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let tagged = |serializer: S, tag: &str, bytes: &[u8]| {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(tag, &hex::encode(bytes))?;
            map.end()
        };
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Real(number) if number.is_finite() => serializer.serialize_f64(*number),
            Self::Real(number) => serializer.serialize_str(&real_text(*number)),
            Self::Text(text) => serializer.serialize_str(text),
            Self::InvalidText(bytes) => tagged(serializer, "invalid_text", bytes),
            Self::Blob(bytes) => tagged(serializer, "blob", bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn json_keeps_every_type_apart() {
        let row = vec![
            Value::Null,
            Value::Integer(i64::MAX),
            Value::Real(1.0),
            Value::Real(f64::NEG_INFINITY),
            Value::Text(String::new()),
            Value::InvalidText(vec![0xff]),
            Value::Blob(vec![0, 1]),
        ];
        assert_eq!(
            serde_json::to_string(&row).unwrap(),
            r#"[null,9223372036854775807,1.0,"-Inf","",{"invalid_text":"ff"},{"blob":"0001"}]"#
        );
    }

    #[test]
    fn a_real_never_reads_as_an_integer() {
        assert_eq!(Value::Real(3.0).to_text(), "3.0");
        assert_eq!(Value::Real(0.1 + 0.2).to_text(), "0.30000000000000004");
        assert_eq!(Value::Real(f64::INFINITY).to_text(), "Inf");
    }
}
