//! CSV by RFC 4180, with NULL and the empty text apart.
//!
//! Written here because the `csv` crate quotes by records, not by fields. The one thing lost: a row of a single NULL is
//! an empty line, which some readers skip.

use crate::domain::Value;

const LINE_END: &str = "\r\n";

pub(super) fn names(columns: &[String]) -> String {
    joined(columns.iter().map(|name| text(name)))
}

pub(super) fn row(values: &[Value]) -> String {
    joined(
        values.iter().map(|value| if *value == Value::Null { String::new() } else { text(&value.to_text()) }),
    )
}

fn joined(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + LINE_END
}

fn text(text: &str) -> String {
    if text.is_empty() || text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
