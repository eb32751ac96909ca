//! One typed cell of a result.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

// What JSON has no word for.
const REAL: &str = "real";
const BLOB: &str = "blob";
const INVALID_TEXT: &str = "invalid_text";

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

/// JSON form: numbers and text as JSON numbers and strings; what JSON has no word for as an object of one entry: infinities
/// `{"real": "Inf"}` and `{"real": "-Inf"}`, blobs `{"blob": "<hex>"}`, text that is not UTF-8 `{"invalid_text": "<hex>"}`. So
/// nothing is lost, and a text that says Inf is not an infinity.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let tagged = |serializer: S, tag: &str, text: String| {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(tag, &text)?;
            map.end()
        };
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Real(number) if number.is_finite() => serializer.serialize_f64(*number),
            Self::Real(number) => tagged(serializer, REAL, real_text(*number)),
            Self::Text(text) => serializer.serialize_str(text),
            Self::InvalidText(bytes) => tagged(serializer, INVALID_TEXT, hex::encode(bytes)),
            Self::Blob(bytes) => tagged(serializer, BLOB, hex::encode(bytes)),
        }
    }
}

/// The inverse of the JSON form.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Cell)
    }
}

struct Cell;

impl<'de> Visitor<'de> for Cell {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a cell: null, a number, a text, or an object that names a type")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        i64::try_from(number).map(Value::Integer).map_err(|_| E::custom("the integer has more than 64 bits"))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Real(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let Some((tag, text)) = map.next_entry::<String, String>()? else {
            return Err(A::Error::custom("an empty object is no cell"));
        };
        let bytes = || hex::decode(&text).map_err(|_| A::Error::custom("bytes must be in hex"));
        let value = match (tag.as_str(), text.as_str()) {
            (REAL, "Inf") => Value::Real(f64::INFINITY),
            (REAL, "-Inf") => Value::Real(f64::NEG_INFINITY),
            (BLOB, _) => Value::Blob(bytes()?),
            (INVALID_TEXT, _) => Value::InvalidText(bytes()?),
            _ => return Err(A::Error::custom("no cell has this type")),
        };
        match map.next_key::<String>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::custom("a cell has one type")),
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
            r#"[null,9223372036854775807,1.0,{"real":"-Inf"},"",{"invalid_text":"ff"},{"blob":"0001"}]"#
        );
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Value>>(&text).unwrap(), row);
        for wrong in
            [r#"[{"real":"NaN"}]"#, r#"[{"blob":"0g"}]"#, "[{}]", "[[]]", "[true]", "[18446744073709551615]"]
        {
            assert!(serde_json::from_str::<Vec<Value>>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_real_never_reads_as_an_integer() {
        assert_eq!(Value::Real(3.0).to_text(), "3.0");
        assert_eq!(Value::Real(0.1 + 0.2).to_text(), "0.30000000000000004");
        assert_eq!(Value::Real(f64::INFINITY).to_text(), "Inf");
    }
}
