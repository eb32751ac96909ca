//! A result in the one form that is hashed: a line with the column names, then a line a row.
//!
//! ```text
//! {"columns":["login","n"]}
//! ["a@b.example",1]
//! ```
//!
//! Values are JSON as [`Value`](crate::domain::Value) writes it: an integer has no point, a real has one (shortest text that
//! reads back the same), NULL is `null`, and what JSON has no word for is an object of one entry. Lines end with a line feed.
//! Limits that cut the result, and rows that were changed, are not part of it.

use crate::domain::{ResultSet, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

#[derive(Serialize)]
struct HeadRef<'a> {
    columns: &'a [String],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    columns: Vec<String>,
}

/// The canonical form of a result, and its hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanonicalResult {
    /// The lines.
    pub bytes: Vec<u8>,
    /// SHA-256 of the lines, in lower-case hex.
    pub sha256: String,
    /// SHA-256 of the same lines with those of the rows sorted by their bytes.
    pub unordered_sha256: String,
}

/// The canonical form of a result.
pub fn canonical_result(result: &ResultSet) -> CanonicalResult {
    let mut bytes = Vec::with_capacity(64 + result.rows.len() * 32);
    // Cells and names can all be written as JSON, and a Vec takes all that is written.
    let _ = serde_json::to_writer(&mut bytes, &HeadRef { columns: &result.columns });
    bytes.push(b'\n');
    let head = bytes.len();
    for row in &result.rows {
        let _ = serde_json::to_writer(&mut bytes, row);
        bytes.push(b'\n');
    }
    CanonicalResult::of_lines(bytes, head)
}

impl CanonicalResult {
    fn of_lines(bytes: Vec<u8>, head: usize) -> Self {
        let mut rows: Vec<&[u8]> = bytes[head..].split_inclusive(|byte| *byte == b'\n').collect();
        rows.sort_unstable();
        let mut unordered = Sha256::new();
        unordered.update(&bytes[..head]);
        for row in rows {
            unordered.update(row);
        }
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let unordered_sha256 = hex::encode(unordered.finalize());
        Self { bytes, sha256, unordered_sha256 }
    }
}

/// Reads the lines back.
///
/// # Errors
/// What is wrong, with its line.
pub fn parse_result(bytes: &[u8]) -> Result<(Vec<String>, Vec<Vec<Value>>), String> {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let head: Head = serde_json::from_slice(lines.next().unwrap_or_default())
        .map_err(|error| format!("line 1 has no column names: {error}"))?;
    let mut rows = Vec::new();
    let mut ended = false;
    for (nth, line) in lines.enumerate() {
        if ended {
            return Err(format!("line {} is empty", nth + 1));
        }
        if line.is_empty() {
            ended = true;
            continue;
        }
        let row: Vec<Value> =
            serde_json::from_slice(line).map_err(|error| format!("line {} is no row: {error}", nth + 2))?;
        if row.len() != head.columns.len() {
            return Err(format!("line {} has {} of {} cells", nth + 2, row.len(), head.columns.len()));
        }
        rows.push(row);
    }
    Ok((head.columns, rows))
}

#[cfg(test)]
mod tests {
    use super::{canonical_result, parse_result};
    use crate::domain::{ResultSet, Value};
    use proptest::prelude::*;

    fn result(rows: Vec<Vec<Value>>) -> ResultSet {
        ResultSet { columns: vec!["a".into(), "b \"x\"".into()], rows, changed_rows: 0, cut: None }
    }

    #[test]
    fn the_form_is_pinned() {
        let rows = vec![
            vec![Value::Text("b".into()), Value::Real(1.0)],
            vec![Value::Null, Value::Integer(1)],
            vec![Value::Real(f64::INFINITY), Value::Text("Inf".into())],
            vec![Value::Real(-0.0), Value::Real(0.1 + 0.2)],
            vec![Value::Blob(vec![1]), Value::InvalidText(vec![0xff])],
        ];
        let form = canonical_result(&result(rows));
        assert_eq!(
            String::from_utf8(form.bytes).unwrap(),
            "{\"columns\":[\"a\",\"b \\\"x\\\"\"]}\n[\"b\",1.0]\n[null,1]\n[{\"real\":\"Inf\"},\"Inf\"]\n[-0.0,0.30000000000000004]\n[{\"blob\":\"01\"},{\"invalid_text\":\"ff\"}]\n"
        );
        // As sha256sum has it.
        assert_eq!(form.unordered_sha256, "22170f8742ebad1e557b6424105fd8fb9e117c79e3880e518909e68a04e57315");
        assert_eq!(form.sha256, "0385e033cc16ba1da15524e6b9558d53d2c23c8bf956e1c03855572bebda8e1c");
    }

    #[test]
    fn order_counts_in_one_hash_only() {
        let (one, other) = (vec![Value::Integer(1), Value::Null], vec![Value::Integer(2), Value::Null]);
        let a = canonical_result(&result(vec![one.clone(), other.clone()]));
        let b = canonical_result(&result(vec![other, one]));
        assert_ne!(a.sha256, b.sha256);
        assert_eq!(a.unordered_sha256, b.unordered_sha256);
    }

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::Integer),
            any::<f64>().prop_filter("SQLite has no NaN", |it| !it.is_nan()).prop_map(Value::Real),
            any::<String>().prop_map(Value::Text),
            any::<Vec<u8>>().prop_map(Value::Blob),
        ]
    }

    proptest! {
        #[test]
        fn what_is_read_back_is_what_was_written(rows in proptest::collection::vec(proptest::collection::vec(value(), 2), 0..6)) {
            let result = result(rows);
            let (columns, rows) = parse_result(&canonical_result(&result).bytes).unwrap();
            prop_assert_eq!(columns, result.columns);
            prop_assert_eq!(rows, result.rows);
        }
    }
}
