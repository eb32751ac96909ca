//! Replaying the calls of an imported trial: what was kept of a result is text, compared as cells; errors by what SQLite says.

use super::compare::{first_cell, not_replayable};
use super::foreign_table::{self, ForeignTable};
use crate::domain::replay::{Difference, NotReplayableReason, ReplayVerdict};
use crate::domain::{ResultSet, TableDescription, Value};
use crate::query::QueryError;

/// A result of another harness, and one of now. `cut` says that its recorder kept a part of it.
pub(super) fn result(archived: &str, cut: bool, now: Result<&ResultSet, &QueryError>) -> ReplayVerdict {
    let now = match now {
        Ok(now) => now,
        // Some formats can't tell an error from a result: then the words are the error.
        Err(error) if is_same_error(archived, error) => return ReplayVerdict::SameError,
        Err(error @ QueryError::Refused { .. }) => return refused(error),
        Err(error @ (QueryError::Limit { .. } | QueryError::Interrupted { .. })) => {
            return not_replayable(
                NotReplayableReason::Limit,
                format!("it gave a result there; now it is {error}"),
            );
        }
        Err(error) => {
            return ReplayVerdict::Differs(Difference::Outcome {
                archived: beginning(archived),
                now: format!("error '{error}'"),
            });
        }
    };
    let Some(table) = foreign_table::read(archived, cut) else {
        let reason = "what the trace kept of the result can't be read as a table";
        return not_replayable(NotReplayableReason::NotATable, reason);
    };
    compare(&table, now)
}

fn compare(table: &ForeignTable, now: &ResultSet) -> ReplayVerdict {
    let (columns, rows_now) = in_order_of(table, now);
    if let Some(archived) = &table.columns
        && *archived != columns
    {
        return ReplayVerdict::Differs(Difference::Columns {
            archived: archived.clone(),
            now: now.columns.clone(),
        });
    }
    if table.rows.iter().any(|row| row.len() != columns.len()) {
        let archived = format!("rows of {} cells", table.rows.first().map_or(0, Vec::len));
        let now = format!("rows of {}", columns.len());
        return ReplayVerdict::Differs(Difference::Outcome { archived, now });
    }
    if !table.whole {
        let shown = &rows_now[..table.rows.len().min(rows_now.len())];
        return match differing(table, &columns, shown) {
            Some(difference) => ReplayVerdict::Differs(difference),
            None => ReplayVerdict::Prefix,
        };
    }
    let Some(difference) = differing(table, &columns, &rows_now) else { return ReplayVerdict::Match };
    if table.rows.len() == rows_now.len() && sorted(&table.rows, true) == sorted(&rows_now, true) {
        return ReplayVerdict::MatchReordered;
    }
    ReplayVerdict::Differs(difference)
}

/// Columns and rows of now in the order of the trace's columns: objects in JSON have none of their own.
fn in_order_of(table: &ForeignTable, now: &ResultSet) -> (Vec<String>, Vec<Vec<Value>>) {
    if let Some(wanted) = &table.columns
        && *wanted != now.columns
        && wanted.len() == now.columns.len()
    {
        let places: Option<Vec<usize>> =
            wanted.iter().map(|name| now.columns.iter().position(|column| column == name)).collect();
        if let Some(places) = places {
            let row = |row: &Vec<Value>| places.iter().filter_map(|at| row.get(*at).cloned()).collect();
            return (wanted.clone(), now.rows.iter().map(row).collect());
        }
    }
    (now.columns.clone(), now.rows.clone())
}

/// The first differing cell. Numbers are compared as numbers; where the text has no types, cells as texts.
fn differing(table: &ForeignTable, columns: &[String], now: &[Vec<Value>]) -> Option<Difference> {
    let plain = |rows: &[Vec<Value>]| -> Vec<Vec<Value>> {
        rows.iter().map(|row| row.iter().map(|value| normal(value, table.typed)).collect()).collect()
    };
    let (archived, current) = (plain(&table.rows), plain(now));
    match first_cell(columns, &archived, &current)? {
        // The cells as they are, not as they were compared.
        Difference::Cell { row, column, archived_rows, rows_now, .. } => {
            let at = usize::try_from(row).unwrap_or(1) - 1;
            let place = columns.iter().position(|name| *name == column).unwrap_or(0);
            let of = |rows: &[Vec<Value>]| rows.get(at).and_then(|row| row.get(place)).cloned();
            Some(Difference::Cell {
                row,
                column,
                archived: of(&table.rows),
                now: of(now),
                archived_rows,
                rows_now,
            })
        }
        other => Some(other),
    }
}

fn sorted(rows: &[Vec<Value>], typed: bool) -> Vec<String> {
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| format!("{:?}", row.iter().map(|value| normal(value, typed)).collect::<Vec<_>>()))
        .collect();
    lines.sort();
    lines
}

/// A cell as it is compared: 1.0 and 1 are one number in JSON of another program; bytes are the text they were shown as.
fn normal(value: &Value, typed: bool) -> Value {
    #[allow(clippy::cast_precision_loss)] // exact where it matters: both sides go the same way
    match value {
        Value::Null if !typed => Value::Text(String::new()),
        Value::Null => Value::Null,
        Value::Integer(number) if typed => {
            if number.unsigned_abs() < 1 << 53 {
                Value::Real(*number as f64)
            } else {
                Value::Integer(*number)
            }
        }
        Value::Real(number) if typed => Value::Real(if *number == 0.0 { 0.0 } else { *number }),
        Value::Integer(_) | Value::Real(_) => {
            let text = value.to_text();
            Value::Text(text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned))
        }
        Value::Text(text) if !typed => {
            let bare = matches!(text.as_str(), "NULL" | "None" | "null");
            Value::Text(if bare { String::new() } else { text.strip_suffix(".0").unwrap_or(text).to_owned() })
        }
        other => Value::Text(other.to_text()),
    }
}

/// An error of another harness, and what came now.
pub(super) fn error(archived: &str, now: Result<&ResultSet, &QueryError>) -> ReplayVerdict {
    match now {
        Err(error) if is_same_error(archived, error) => ReplayVerdict::SameError,
        Err(error @ QueryError::Refused { .. }) => refused(error),
        Err(error) => ReplayVerdict::Differs(Difference::Outcome {
            archived: format!("error '{}'", beginning(archived)),
            now: format!("error '{error}'"),
        }),
        Ok(now) => ReplayVerdict::Differs(Difference::Outcome {
            archived: format!("error '{}'", beginning(archived)),
            now: format!("{} rows", now.rows.len()),
        }),
    }
}

/// The other harness had no such guard.
fn refused(error: &QueryError) -> ReplayVerdict {
    not_replayable(NotReplayableReason::Refused, format!("it ran there, but here it is {error}"))
}

/// Whether SQLite's message stands in the words of the other harness.
fn is_same_error(archived: &str, now: &QueryError) -> bool {
    match now {
        QueryError::Sql { message, .. } => archived.to_lowercase().contains(&message.to_lowercase()),
        _ => false,
    }
}

fn beginning(text: &str) -> String {
    text.chars().take(200).collect()
}

/// A schema as another harness shows it, and the tables of the snapshot.
pub(super) fn schema(archived: &str, ours: &str, tables: &[TableDescription]) -> ReplayVerdict {
    if archived.trim() == ours.trim() {
        return ReplayVerdict::Match;
    }
    let Some(then) = tables_in(archived) else {
        let reason = "what the trace kept of the schema is in no form that can be compared";
        return not_replayable(NotReplayableReason::NotATable, reason);
    };
    let now: Vec<Table> = tables
        .iter()
        .map(|table| Table {
            name: table.name.clone(),
            columns: table.columns.clone(),
            rows: Some(table.rows),
        })
        .collect();
    for (nth, table) in then.iter().enumerate() {
        let same = now.iter().find(|other| other.name == table.name);
        let is_same = same.is_some_and(|other| {
            other.columns == table.columns && (table.rows.is_none() || other.rows == table.rows)
        });
        if !is_same {
            return ReplayVerdict::Differs(Difference::Line {
                line: nth as u64 + 1,
                archived: table.to_string(),
                now: same.map_or_else(|| "(no such table)".to_owned(), Table::to_string),
            });
        }
    }
    match now.iter().find(|table| then.iter().all(|other| other.name != table.name)) {
        Some(more) => ReplayVerdict::Differs(Difference::Line {
            line: then.len() as u64 + 1,
            archived: "(no line)".to_owned(),
            now: more.to_string(),
        }),
        None => ReplayVerdict::Match,
    }
}

/// A table of a schema.
struct Table {
    name: String,
    columns: Vec<String>,
    rows: Option<u64>,
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({})", self.name, self.columns.join(", "))?;
        self.rows.map_or(Ok(()), |rows| write!(f, " rows={rows}"))
    }
}

/// Lines `table(column, column) rows=3`; the count may be missing, on all of them.
fn tables_in(text: &str) -> Option<Vec<Table>> {
    let line = |line: &str| {
        let (name, rest) = line.trim().split_once('(')?;
        let (columns, rest) = rest.split_once(')')?;
        let rows = match rest.trim() {
            "" => None,
            count => Some(count.trim_start_matches("rows").trim_start_matches(['=', ':', ' ']).parse().ok()?),
        };
        let columns = columns.split(',').map(|column| column.trim().to_owned()).collect();
        (!name.is_empty() && !name.contains(' ')).then(|| Table { name: name.to_owned(), columns, rows })
    };
    let tables: Option<Vec<Table>> = text.lines().filter(|it| !it.trim().is_empty()).map(line).collect();
    tables.filter(|tables| !tables.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{error, result, schema};
    use crate::domain::{ResultSet, TableDescription, Value};
    use crate::query::QueryError;

    fn now(rows: Vec<Vec<Value>>) -> ResultSet {
        ResultSet { columns: vec!["n".into(), "t".into()], rows, changed_rows: 0, cut: None }
    }

    fn row(n: i64, t: &str) -> Vec<Value> {
        vec![Value::Integer(n), Value::Text(t.to_owned())]
    }

    #[test]
    fn results_are_compared_as_cells() {
        let both = now(vec![row(1, "a"), row(2, "b")]);
        let both = Ok::<_, &QueryError>(&both);
        let verdict = |text: &str| result(text, false, both).word();
        assert_eq!(verdict(r#"{"columns":["n","t"],"rows":[[1.0,"a"],[2,"b"]]}"#), "match");
        assert_eq!(verdict(r#"[{"t":"a","n":1},{"t":"b","n":2}]"#), "match");
        assert_eq!(verdict("n\tt\n1\ta\n2\tb\n(2 rows)"), "match");
        assert_eq!(verdict("n\tt\n1\ta\n(2 rows; the first 1 are shown: aggregate)"), "prefix");
        assert_eq!(verdict(r#"{"columns":["n","t"],"rows":[[2,"b"],[1,"a"]]}"#), "match_reordered");
        assert_eq!(verdict(r#"{"columns":["n","t"],"rows":[[1,"a"]]}"#), "differs");
        assert_eq!(verdict(r#"{"columns":["n","t"],"rows":[["1","a"],[2,"b"]]}"#), "differs");
        assert_eq!(verdict(r#"{"columns":["n","u"],"rows":[]}"#), "differs");
        assert_eq!(verdict("two rows"), "not_replayable");
        let cut = format!(
            "<START_TOOL_OUTPUT>\n{{\"columns\":[\"n\",\"t\"],\"rows\":[[1,\"x\"],[2{}",
            "x".repeat(60)
        );
        assert_eq!(result(&cut, true, both).word(), "differs");
    }

    #[test]
    fn errors_are_the_same_where_sqlite_says_the_same() {
        let failed = QueryError::Sql { message: "no such table: x".to_owned(), offset: None };
        let failed = || Err(&failed);
        assert_eq!(error("sqlite error: no such table: x", failed()).word(), "same_error");
        assert_eq!(result("OperationalError: no such table: x", false, failed()).word(), "same_error");
        assert_eq!(error("no such table: y", failed()).word(), "differs");
        assert_eq!(error("no such table: x", Ok(&now(Vec::new()))).word(), "differs");
    }

    #[test]
    fn schemas_are_compared_table_by_table() {
        let table = TableDescription {
            name: "t".into(),
            description: String::new(),
            rows: 3,
            columns: vec!["a".into(), "b".into()],
        };
        let verdict = |text: &str| schema(text, "ours", std::slice::from_ref(&table)).word();
        assert_eq!(verdict("t(a, b) rows=3"), "match");
        assert_eq!(verdict("t(a, b)"), "match");
        assert_eq!(verdict("ours\n"), "match");
        assert_eq!(verdict("t(a, b) rows=2"), "differs");
        assert_eq!(verdict("t(a) rows=3"), "differs");
        assert_eq!(verdict("t(a, b) rows=3\nu(a) rows=1"), "differs");
        assert_eq!(verdict("CREATE TABLE t (a, b);"), "not_replayable");
    }
}
