//! Rows of two results beside each other: the same rows together, changed rows with what they were, the rest alone.
//!
//! Rows that are equal belong together wherever they stand. Of the others those with the same first value do, then those at the
//! same place among what is left over. Columns are compared by name.

use crate::domain::{ResultSet, Value};
use crate::workbench::replay::comparison::RowPair;
use std::collections::{HashMap, VecDeque};

pub(super) fn pairs(archived: &ResultSet, now: &ResultSet, is_foreign: bool) -> Vec<RowPair> {
    let key = if is_foreign { shown_key } else { typed_key };
    let columns: Vec<(usize, usize)> = matching_columns(&archived.columns, &now.columns);
    let is_same_shape = archived.columns.len() == now.columns.len() && columns.len() == now.columns.len();
    let count = |rows: &[Vec<Value>]| u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let mut partner: Vec<Option<u32>> = vec![None; archived.rows.len()];
    let mut is_taken = vec![false; now.rows.len()];
    let mut pair_by = |key_archived: &dyn Fn(&[Value]) -> Option<String>,
                       key_now: &dyn Fn(&[Value]) -> Option<String>| {
        let mut waiting: HashMap<String, VecDeque<u32>> = HashMap::new();
        for row in (0..count(&now.rows)).filter(|row| !is_taken[*row as usize]) {
            if let Some(key) = key_now(&now.rows[row as usize]) {
                waiting.entry(key).or_default().push_back(row);
            }
        }
        for (row, values) in archived.rows.iter().enumerate() {
            if partner[row].is_some() {
                continue;
            }
            let found = key_archived(values).and_then(|key| waiting.get_mut(&key)?.pop_front());
            if let Some(other) = found {
                partner[row] = Some(other);
                is_taken[other as usize] = true;
            }
        }
    };
    if is_same_shape {
        let whole = |values: &[Value], of: &dyn Fn(&(usize, usize)) -> usize| {
            let cells = columns.iter().map(|pair| values.get(of(pair)));
            cells.map(|value| value.map_or_else(String::new, key)).collect::<Vec<_>>().join("\u{1f}")
        };
        pair_by(&|row| Some(whole(row, &|pair| pair.0)), &|row| Some(whole(row, &|pair| pair.1)));
    }
    if let Some((one, other)) = columns.first().copied() {
        pair_by(&|row| row.get(one).map(key), &|row| row.get(other).map(key));
    }
    // What is left over is paired by its place.
    let mut rest: VecDeque<u32> = (0..count(&now.rows)).filter(|row| !is_taken[*row as usize]).collect();
    if !columns.is_empty() {
        for other in partner.iter_mut().filter(|it| it.is_none()) {
            *other = rest.pop_front();
        }
    }
    in_order(archived, now, &columns, &partner, rest, key)
}

/// Pairs in the order of the archive; what came now alone stands behind the row that it follows.
fn in_order(
    archived: &ResultSet,
    now: &ResultSet,
    columns: &[(usize, usize)],
    partner: &[Option<u32>],
    mut rest: VecDeque<u32>,
    key: fn(&Value) -> String,
) -> Vec<RowPair> {
    let alone = |row: u32| RowPair { archived: None, now: Some(row), differing: Vec::new() };
    let mut pairs = Vec::with_capacity(partner.len() + rest.len());
    for (row, other) in (0..).zip(partner) {
        while let (Some(first), Some(other)) = (rest.front().copied(), other) {
            if first > *other {
                break;
            }
            pairs.push(alone(first));
            rest.pop_front();
        }
        let differing = other.map_or_else(Vec::new, |other| {
            let (one, two) = (&archived.rows[row as usize], &now.rows[other as usize]);
            let mut differing: Vec<u16> = (0..archived.columns.len())
                .filter(|at| columns.iter().all(|(one, _)| one != at))
                .filter_map(|at| u16::try_from(at).ok())
                .collect();
            for (a, b) in columns {
                if one.get(*a).map(key) != two.get(*b).map(key) {
                    differing.extend(u16::try_from(*a));
                }
            }
            differing
        });
        pairs.push(RowPair { archived: Some(row), now: *other, differing });
    }
    pairs.extend(rest.into_iter().map(alone));
    pairs
}

/// Columns of the same name, each used once, in the order of the first list.
fn matching_columns(one: &[String], other: &[String]) -> Vec<(usize, usize)> {
    let mut is_used = vec![false; other.len()];
    one.iter()
        .enumerate()
        .filter_map(|(at, name)| {
            let found = other.iter().enumerate().position(|(nth, it)| !is_used[nth] && it == name)?;
            is_used[found] = true;
            Some((at, found))
        })
        .collect()
}

/// A value as another program may have written it down: without its type.
fn shown_key(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) if matches!(text.as_str(), "NULL" | "None" | "null") => String::new(),
        other => {
            let text = other.to_text();
            text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
        }
    }
}

/// A value with its type, so that 1 and '1' are two.
fn typed_key(value: &Value) -> String {
    match value {
        Value::Null => "n".to_owned(),
        Value::Integer(number) => format!("i{number}"),
        Value::Real(number) => format!("r{}", number.to_bits()),
        Value::Text(text) => format!("t{text}"),
        other => format!("b{}", other.to_text()),
    }
}

#[cfg(test)]
mod tests {
    use super::pairs;
    use crate::domain::{ResultSet, Value};

    fn result(columns: &[&str], rows: &[&[&str]]) -> ResultSet {
        ResultSet {
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            rows: rows
                .iter()
                .map(|row| row.iter().map(|text| Value::Text((*text).to_owned())).collect())
                .collect(),
            changed_rows: 0,
            cut: None,
        }
    }

    fn shape(one: &ResultSet, other: &ResultSet) -> Vec<(Option<u32>, Option<u32>, Vec<u16>)> {
        pairs(one, other, false).into_iter().map(|it| (it.archived, it.now, it.differing)).collect()
    }

    #[test]
    fn the_same_rows_belong_together_wherever_they_stand() {
        let one = result(&["a", "b"], &[&["1", "x"], &["2", "y"], &["2", "y"]]);
        let other = result(&["a", "b"], &[&["2", "y"], &["1", "x"], &["2", "y"]]);
        let none: Vec<u16> = Vec::new();
        assert_eq!(
            shape(&one, &other),
            [(Some(0), Some(1), none.clone()), (Some(1), Some(0), none.clone()), (Some(2), Some(2), none)]
        );
    }

    #[test]
    fn changed_gone_and_new_rows_are_told_apart() {
        let one = result(&["a", "b"], &[&["1", "x"], &["2", "y"], &["3", "z"]]);
        let other = result(&["a", "b"], &[&["1", "x"], &["2", "Y"], &["4", "q"], &["5", "q"]]);
        let none: Vec<u16> = Vec::new();
        assert_eq!(
            shape(&one, &other),
            [
                (Some(0), Some(0), none.clone()),
                (Some(1), Some(1), vec![1]),
                (Some(2), Some(2), vec![0, 1]),
                (None, Some(3), none.clone()),
            ]
        );
        let fewer = result(&["a", "b"], &[&["3", "z"]]);
        assert_eq!(
            shape(&one, &fewer),
            [(Some(0), None, none.clone()), (Some(1), None, none.clone()), (Some(2), Some(0), none)]
        );
    }

    #[test]
    fn what_another_program_wrote_down_has_no_types() {
        let mut one = result(&["n"], &[&["1"], &["2.0"], &["NULL"], &["x"]]);
        let mut other = one.clone();
        other.rows = [Value::Integer(1), Value::Real(2.0), Value::Null, Value::Text("y".to_owned())]
            .map(|it| vec![it])
            .into();
        let differing = |one: &ResultSet, other: &ResultSet, is_foreign| {
            pairs(one, other, is_foreign).iter().filter(|pair| !pair.is_same()).count()
        };
        assert_eq!(differing(&one, &other, true), 1);
        assert_eq!(differing(&one, &other, false), 4);
        one.rows.truncate(1);
        assert_eq!(pairs(&one, &other, true).len(), 4);
    }

    #[test]
    fn columns_are_compared_by_name() {
        let one = result(&["a", "b"], &[&["1", "x"]]);
        let other = result(&["b", "c"], &[&["x", "q"]]);
        assert_eq!(shape(&one, &other), [(Some(0), Some(0), vec![0])]);
        assert_eq!(
            shape(&one, &result(&["c"], &[&["1"]])),
            [(Some(0), None, vec![]), (None, Some(0), vec![])]
        );
    }
}
