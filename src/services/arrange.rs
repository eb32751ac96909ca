//! Rows in another order, and only those that have a text.

use crate::domain::{ResultSet, Value};
use crate::workbench::effect::Arrangement;
use std::cmp::Ordering;

/// The rows that are left, in order. Values compare as in SQLite: NULL, numbers, texts, blobs. Rows that compare the same keep
/// their order.
pub(super) fn order(arrangement: &Arrangement) -> Vec<u32> {
    let Arrangement { result, sort, filter, columns } = arrangement;
    let count = u32::try_from(result.rows.len()).unwrap_or(u32::MAX);
    let needle = filter.to_lowercase();
    let mut rows: Vec<u32> =
        (0..count).filter(|row| needle.is_empty() || has(result, *row, columns, &needle)).collect();
    if let Some((column, greatest_first)) = *sort {
        let value = |row: &u32| {
            result.rows.get(*row as usize).and_then(|row| row.get(column)).unwrap_or(&Value::Null)
        };
        rows.sort_by(|one, other| {
            let order = compare(value(one), value(other));
            if greatest_first { order.reverse() } else { order }
        });
    }
    rows
}

fn has(result: &ResultSet, row: u32, columns: &[usize], needle: &str) -> bool {
    let Some(row) = result.rows.get(row as usize) else { return false };
    columns.iter().filter_map(|column| row.get(*column)).any(|value| match value {
        Value::Text(text) if text.is_ascii() => {
            // No copy for what most cells are.
            text.len() >= needle.len()
                && text
                    .as_bytes()
                    .windows(needle.len())
                    .any(|part| part.eq_ignore_ascii_case(needle.as_bytes()))
        }
        Value::Null => false,
        other => other.to_text().to_lowercase().contains(needle),
    })
}

/// SQLite's order of values.
pub(super) fn compare(one: &Value, other: &Value) -> Ordering {
    const fn class(value: &Value) -> u8 {
        match value {
            Value::Null => 0,
            Value::Integer(_) | Value::Real(_) => 1,
            Value::Text(_) | Value::InvalidText(_) => 2,
            Value::Blob(_) => 3,
        }
    }
    #[allow(clippy::cast_precision_loss)] // beyond 2^53 the nearest real decides, and then nothing does
    let number = |value: &Value| match value {
        Value::Integer(number) => *number as f64,
        Value::Real(number) => *number,
        _ => 0.0,
    };
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
        (Value::Integer(_) | Value::Real(_), Value::Integer(_) | Value::Real(_)) => {
            number(one).total_cmp(&number(other))
        }
        (Value::Null, Value::Null) => Ordering::Equal,
        _ => class(one).cmp(&class(other)).then_with(|| bytes(one).cmp(bytes(other))),
    }
}

fn bytes(value: &Value) -> &[u8] {
    match value {
        Value::Text(text) => text.as_bytes(),
        Value::InvalidText(bytes) | Value::Blob(bytes) => bytes,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::order;
    use crate::domain::{ResultSet, Value};
    use crate::workbench::effect::Arrangement;
    use std::sync::Arc;

    fn arrangement(sort: Option<(usize, bool)>, filter: &str) -> Arrangement {
        let values = [
            Value::Text("b".into()),
            Value::Null,
            Value::Integer(10),
            Value::Real(2.5),
            Value::Blob(vec![0]),
            Value::Text("Ärger".into()),
            Value::Integer(10),
        ];
        let rows = values.into_iter().map(|value| vec![value, Value::Text("X-ray".into())]).collect();
        let result = ResultSet { columns: vec!["a".into(), "b".into()], rows, changed_rows: 0, cut: None };
        Arrangement { result: Arc::new(result), sort, filter: filter.into(), columns: vec![0] }
    }

    #[test]
    fn values_stand_in_the_order_of_sqlite() {
        assert_eq!(order(&arrangement(None, "")), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(order(&arrangement(Some((0, false)), "")), [1, 3, 2, 6, 0, 5, 4]);
        assert_eq!(order(&arrangement(Some((0, true)), "")), [4, 5, 0, 2, 6, 3, 1]);
    }

    #[test]
    fn a_filter_looks_at_visible_columns_and_ignores_case() {
        assert_eq!(order(&arrangement(None, "ärg")), [5]);
        assert_eq!(order(&arrangement(None, "B")), [0]);
        assert_eq!(order(&arrangement(None, "x-ray")), [] as [u32; 0]);
        assert_eq!(order(&arrangement(None, "10")), [2, 6]);
    }
}
