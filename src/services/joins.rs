//! Which columns could join to a column: found by comparing values, since these tables declare no keys.
//!
//! Only for practice and free investigations: in a scored trial finding how tables join is the task. The values come from a copy
//! of its own, so that nothing of it is in the trial's record.

use super::{Snapshots, open_snapshot};
use crate::domain::{Revision, SchemaDocument, Value};
use crate::query::{Engine as _, Limits, SqliteEngine};
use crate::text::sql_words::as_name;
use crate::workbench::investigate::joins::JoinSuggestion;
use crate::workbench::reply::Reply;
use std::collections::HashSet;
use std::path::Path;

/// Fewer values in common say nothing.
const LEAST: usize = 2;
/// At most so many are given.
const MOST: usize = 40;

/// Suggests joins for a column of a table.
pub(super) fn suggest(
    snapshots: &Snapshots,
    data_folder: Option<&Path>,
    revision: Revision,
    table: &str,
    column: &str,
) -> Reply {
    let found = open_snapshot(snapshots, data_folder, revision).and_then(|snapshot| {
        let mut engine = snapshot.copy(0).map_err(|error| error.to_string())?;
        Ok(compare(&mut engine, &snapshot.manifest.schema_document(), table, column))
    });
    match found {
        Ok(joins) => Reply::Joins { table: table.to_owned(), column: column.to_owned(), joins },
        Err(reason) => Reply::Failed(reason),
    }
}

fn compare(
    engine: &mut SqliteEngine,
    schema: &SchemaDocument,
    table: &str,
    column: &str,
) -> Vec<JoinSuggestion> {
    let own = values(engine, 1, table, column);
    let mut joins = Vec::new();
    let others = schema.tables.iter().filter(|other| other.name != table);
    let columns = others.flat_map(|other| other.columns.iter().map(move |name| (&other.name, name)));
    for ((other, name), call) in columns.zip(2..) {
        let theirs = values(engine, call, other, name);
        let matched = own.intersection(&theirs).count();
        if matched >= LEAST.min(own.len().max(1)) && matched > 0 {
            joins.push(JoinSuggestion {
                table: other.clone(),
                column: name.clone(),
                matched: matched as u64,
                own: own.len() as u64,
                theirs: theirs.len() as u64,
            });
        }
    }
    // The best covers most of both sides; ties go by name.
    let worth =
        |join: &JoinSuggestion| join.matched * join.matched * 1_000_000 / (join.own * join.theirs).max(1);
    joins.sort_by(|one, two| {
        worth(two).cmp(&worth(one)).then_with(|| (&one.table, &one.column).cmp(&(&two.table, &two.column)))
    });
    joins.truncate(MOST);
    joins
}

/// The distinct values of a column, without case and space around. Numbers, short words and long documents join nothing.
fn values(engine: &mut SqliteEngine, call: u64, table: &str, column: &str) -> HashSet<String> {
    let sql = format!("SELECT DISTINCT lower(trim({})) FROM {}", as_name(column), as_name(table));
    let Ok(answer) = engine.run(call, &sql, &Limits::default()) else { return HashSet::new() };
    let text = |row: Vec<Value>| match row.into_iter().next() {
        Some(Value::Text(text)) if is_telling(&text) => Some(text),
        _ => None,
    };
    answer.result.rows.into_iter().filter_map(text).collect()
}

/// Whether a value can name something: not a flag, not a small number, not a document.
fn is_telling(text: &str) -> bool {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_moment =
        text.len() >= 10 && text.as_bytes().get(4) == Some(&b'-') && text.as_bytes().get(7) == Some(&b'-');
    let long_enough = if is_number { 6 } else { 5 };
    (long_enough..=256).contains(&text.len()) && !text.starts_with(['{', '[']) && !is_moment
}

#[cfg(test)]
mod tests {
    use super::{compare, is_telling};
    use crate::query::OpenSnapshot;
    use crate::snapshot::embedded;

    #[test]
    fn people_are_found_in_other_systems_by_their_addresses() {
        let small = embedded().into_iter().find(|it| it.manifest.name == "small").unwrap();
        let snapshot = OpenSnapshot::open(&small).unwrap();
        let mut engine = snapshot.copy(0).unwrap();
        let joins = compare(&mut engine, &snapshot.manifest.schema_document(), "hibob_employee", "email");
        let found: Vec<String> =
            joins.iter().take(8).map(|join| format!("{}.{}", join.table, join.column)).collect();
        for wanted in ["okta_user.email", "aws_identitystore_user.name", "googleworkspace_user.primary_email"]
        {
            assert!(found.iter().any(|it| it == wanted), "{wanted}: {found:?}");
        }
        assert!(
            joins
                .iter()
                .all(|join| join.matched <= join.own.min(join.theirs) && join.table != "hibob_employee")
        );
    }

    #[test]
    fn flags_moments_and_documents_join_nothing() {
        for (text, is) in
            [("active", true), ("1", false), ("12345", false), ("123456789012", true), ("yes", false)]
        {
            assert_eq!(is_telling(text), is, "{text}");
        }
        assert!(!is_telling("2026-06-30t10:00:00z") && !is_telling("{\"a\":1}"));
    }
}
