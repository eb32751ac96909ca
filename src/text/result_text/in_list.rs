//! An SQL list of the values of a column.

use crate::domain::Value;
use std::collections::HashSet;
use std::io::{self, Write};

pub(super) fn write<'r>(rows: impl Iterator<Item = &'r [Value]>, out: &mut dyn Write) -> io::Result<()> {
    let mut seen = HashSet::new();
    out.write_all(b"(")?;
    for literal in rows.filter_map(|row| literal(row.first()?)) {
        if seen.contains(&literal) {
            continue;
        }
        if !seen.is_empty() {
            out.write_all(b", ")?;
        }
        out.write_all(literal.as_bytes())?;
        seen.insert(literal);
    }
    out.write_all(b")")
}

/// A value as SQL writes it; none for NULL.
fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        // No statement may hold a NUL.
        Value::Text(text) if text.contains('\0') => as_cast(text.as_bytes()),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::InvalidText(bytes) => as_cast(bytes),
        Value::Real(number) if number.is_infinite() => {
            if *number > 0.0 { "9e999" } else { "-9e999" }.to_owned()
        }
        Value::Integer(_) | Value::Real(_) | Value::Blob(_) => value.to_text(),
    })
}

fn as_cast(bytes: &[u8]) -> String {
    format!("CAST(x'{}' AS TEXT)", hex::encode(bytes))
}
