//! Counting a column.

use super::arrange::compare;
use crate::domain::{ResultSet, Value};
use crate::workbench::investigate::statistics::ColumnStatistics;
use std::cmp::Ordering;
use std::collections::HashMap;

/// So many frequent values are given.
const FREQUENT: usize = 12;
/// Numbers are parted into so many ranges.
const RANGES: usize = 10;

/// Counts a column over some rows.
pub(super) fn count(result: &ResultSet, rows: &[u32], column: usize) -> ColumnStatistics {
    let mut counted = ColumnStatistics { rows: rows.len() as u64, ..ColumnStatistics::default() };
    let mut values: HashMap<String, u64> = HashMap::new();
    let (mut least, mut greatest): (Option<&Value>, Option<&Value>) = (None, None);
    let mut sum = 0.0;
    for value in rows.iter().filter_map(|row| result.rows.get(*row as usize)?.get(column)) {
        match value {
            Value::Null => {
                counted.nulls += 1;
                continue;
            }
            Value::Integer(number) => {
                counted.numbers += 1;
                #[allow(clippy::cast_precision_loss)] // a mean is one of reals
                let number = *number as f64;
                sum += number;
            }
            Value::Real(number) => {
                counted.numbers += 1;
                sum += number;
            }
            Value::Text(text) => {
                counted.texts += 1;
                counted.empty += u64::from(text.is_empty());
                let length = text.chars().count() as u64;
                let (shortest, longest) = counted.lengths.unwrap_or((length, length));
                counted.lengths = Some((shortest.min(length), longest.max(length)));
            }
            Value::InvalidText(_) | Value::Blob(_) => counted.blobs += 1,
        }
        if least.is_none_or(|least| compare(value, least) == Ordering::Less) {
            least = Some(value);
        }
        if greatest.is_none_or(|greatest| compare(value, greatest) == Ordering::Greater) {
            greatest = Some(value);
        }
        *values.entry(value.to_text()).or_default() += 1;
    }
    counted.distinct = values.len() as u64;
    counted.least = least.map(Value::to_text);
    counted.greatest = greatest.map(Value::to_text);
    #[allow(clippy::cast_precision_loss)]
    let numbers = counted.numbers as f64;
    counted.mean = (counted.numbers > 0).then_some(sum / numbers);
    let are_numbers = counted.numbers > 0 && counted.texts + counted.blobs == 0;
    if are_numbers && counted.distinct > FREQUENT as u64 {
        let numbers = rows.iter().filter_map(|row| as_number(result.rows.get(*row as usize)?.get(column)?));
        counted.frequent = ranges(&numbers.collect::<Vec<f64>>());
        counted.are_ranges = true;
        return counted;
    }
    let mut frequent: Vec<(String, u64)> = values.into_iter().collect();
    frequent.sort_by(|(one, a), (other, b)| b.cmp(a).then_with(|| one.cmp(other)));
    frequent.truncate(FREQUENT);
    counted.frequent = frequent;
    counted
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        #[allow(clippy::cast_precision_loss)] // a range is one of reals
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) if number.is_finite() => Some(*number),
        _ => None,
    }
}

/// Ranges of equal width over numbers, with how many are in each. The greatest number belongs to the last.
fn ranges(numbers: &[f64]) -> Vec<(String, u64)> {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    #[allow(clippy::cast_precision_loss)] // a handful
    let width = (greatest - least) / RANGES as f64;
    if !width.is_finite() || width <= 0.0 {
        return Vec::new();
    }
    let mut counts = [0_u64; RANGES];
    for number in numbers {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // between 0 and the number of ranges
        let place = ((number - least) / width) as usize;
        counts[place.min(RANGES - 1)] += 1;
    }
    let edge = |place: usize| {
        #[allow(clippy::cast_precision_loss)] // a handful
        let edge = least + width * place as f64;
        if width >= 10.0 { format!("{edge:.0}") } else { format!("{edge:.2}") }
    };
    counts
        .iter()
        .enumerate()
        .map(|(place, count)| (format!("{} to {}", edge(place), edge(place + 1)), *count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::count;
    use crate::domain::{ResultSet, Value};

    #[test]
    fn every_kind_is_counted_apart() {
        let values = [
            Value::Null,
            Value::Integer(2),
            Value::Real(3.0),
            Value::Text(String::new()),
            Value::Text("abc".into()),
            Value::Text("abc".into()),
            Value::Blob(vec![1]),
        ];
        let rows: Vec<Vec<Value>> = values.into_iter().map(|value| vec![value]).collect();
        let result = ResultSet { columns: vec!["a".into()], rows, changed_rows: 0, cut: None };
        let counted = count(&result, &[0, 1, 2, 3, 4, 5, 6], 0);
        assert_eq!(
            (counted.rows, counted.nulls, counted.numbers, counted.texts, counted.blobs),
            (7, 1, 2, 3, 1)
        );
        assert_eq!(
            (counted.empty, counted.distinct, counted.mean, counted.lengths),
            (1, 5, Some(2.5), Some((0, 3)))
        );
        assert_eq!(counted.frequent[0], ("abc".to_owned(), 2));
        assert_eq!((counted.least.as_deref(), counted.greatest.as_deref()), (Some("2"), Some("x'01'")));
        assert_eq!(count(&result, &[0], 0).mean, None);
    }

    #[test]
    fn many_numbers_are_counted_by_ranges() {
        let rows: Vec<Vec<Value>> = (0..=100).map(|number| vec![Value::Integer(number)]).collect();
        let result = ResultSet { columns: vec!["a".into()], rows, changed_rows: 0, cut: None };
        let all: Vec<u32> = (0..=100).collect();
        let counted = count(&result, &all, 0);
        assert!(counted.are_ranges);
        assert_eq!(counted.frequent[0], ("0 to 10".to_owned(), 10));
        assert_eq!(counted.frequent[9], ("90 to 100".to_owned(), 11));
        assert!(!count(&result, &all[..5], 0).are_ranges);
    }
}
