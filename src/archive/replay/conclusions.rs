//! What becomes of an answer when its statements give other rows.

use super::report::Conclusions;
use crate::domain::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The values of one column of one call, then and now, under their folded spelling.
#[derive(Debug, Default)]
pub struct Column {
    pub(super) event: u64,
    pub(super) name: String,
    then: BTreeMap<String, String>,
    now: BTreeMap<String, String>,
}

impl Column {
    pub(super) fn new(
        event: u64,
        name: &str,
        then: impl Iterator<Item = String>,
        now: impl Iterator<Item = String>,
    ) -> Self {
        let folded =
            |values: &mut dyn Iterator<Item = String>| values.map(|value| (fold(&value), value)).collect();
        let (mut then, mut now) = (then, now);
        Self { event, name: name.to_owned(), then: folded(&mut then), now: folded(&mut now) }
    }
}

/// A column of rows as texts.
pub(super) fn texts(rows: &[Vec<Value>], at: usize) -> impl Iterator<Item = String> + '_ {
    rows.iter().filter_map(move |row| row.get(at)).filter(|value| **value != Value::Null).map(Value::to_text)
}

/// The change of the subjects, by the last column that shows most of them. `None` where no column shows any.
pub(super) fn conclusions(subjects: &[String], columns: &[Column]) -> Option<Conclusions> {
    let named: BTreeSet<String> = subjects.iter().map(|subject| fold(subject)).collect();
    let shown = |column: &Column| named.iter().filter(|subject| column.then.contains_key(*subject)).count();
    let best = columns.iter().filter(|column| shown(column) > 0).max_by_key(|column| {
        // Of two that show as many, the one with fewer others is nearer to the answer; then the later one.
        (shown(column), std::cmp::Reverse(column.then.len()), column.event)
    })?;
    let missing = |from: &BTreeMap<String, String>, there: &BTreeMap<String, String>| -> Vec<String> {
        from.iter()
            .filter(|(folded, _)| !there.contains_key(*folded))
            .map(|(_, value)| value.clone())
            .collect()
    };
    let gone =
        missing(&best.then, &best.now).into_iter().filter(|value| named.contains(&fold(value))).collect();
    Some(Conclusions {
        event: best.event,
        column: best.name.clone(),
        gone,
        new: missing(&best.now, &best.then),
    })
}

fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{Column, conclusions};

    fn column(event: u64, then: &[&str], now: &[&str]) -> Column {
        let texts = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>().into_iter();
        Column::new(event, "login", texts(then), texts(now))
    }

    #[test]
    fn subjects_are_followed_in_the_column_nearest_to_the_answer() {
        let columns = [
            column(3, &["a", "b", "c", "d"], &["a", "b", "c", "d"]),
            column(7, &["A", "b"], &["b", "e"]),
            column(9, &["x"], &["y"]),
        ];
        let found = conclusions(&["a".to_owned(), "B".to_owned()], &columns).unwrap();
        assert_eq!((found.event, found.gone, found.new), (7, vec!["A".to_owned()], vec!["e".to_owned()]));
        assert_eq!(conclusions(&["z".to_owned()], &columns), None);
    }
}
