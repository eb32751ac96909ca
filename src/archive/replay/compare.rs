//! An archived outcome against one of now.

use crate::archive::canonical_result::{CanonicalResult, parse_result};
use crate::archive::{ArchiveError, Blobs};
use crate::domain::replay::{Difference, NotReplayable, NotReplayableReason, ReplayVerdict};
use crate::domain::trace::{ResultRecord, ToolError};
use crate::domain::{ResultSet, Value};
use crate::query::QueryError;

/// A verdict that says why not.
pub(super) fn not_replayable(why: NotReplayableReason, reason: impl Into<String>) -> ReplayVerdict {
    ReplayVerdict::NotReplayable(NotReplayable { why, reason: reason.into() })
}

/// A result of the archive, and a result of now.
pub(super) fn results(
    blobs: &Blobs,
    archived: &ResultRecord,
    now: &ResultSet,
    canonical: &CanonicalResult,
) -> Result<ReplayVerdict, ArchiveError> {
    if archived.changed_rows != now.changed_rows {
        let difference = Difference::ChangedRows { archived: archived.changed_rows, now: now.changed_rows };
        return Ok(ReplayVerdict::Differs(difference));
    }
    if let (None, Some(cut)) = (archived.truncated, now.cut) {
        let archived = format!("all {} rows", archived.rows);
        return Ok(ReplayVerdict::Differs(Difference::Outcome {
            archived,
            now: format!("{cut}, more to come"),
        }));
    }
    if archived.sha256 == canonical.sha256 {
        return Ok(if archived.truncated.is_some() { ReplayVerdict::Prefix } else { ReplayVerdict::Match });
    }
    // The first rows in another order need not be the same rows.
    if archived.unordered_sha256 == canonical.unordered_sha256 && archived.truncated.is_none() {
        return Ok(ReplayVerdict::MatchReordered);
    }
    let (columns, rows) = parse_result(&blobs.get(&archived.sha256)?)
        .map_err(|reason| ArchiveError::damaged(&blobs.path(&archived.sha256), None, reason))?;
    if columns != now.columns {
        return Ok(ReplayVerdict::Differs(Difference::Columns {
            archived: columns,
            now: now.columns.clone(),
        }));
    }
    if archived.truncated.is_some() && now.rows.starts_with(&rows) {
        return Ok(ReplayVerdict::Prefix);
    }
    Ok(match first_cell(&columns, &rows, &now.rows) {
        Some(cell) => ReplayVerdict::Differs(cell),
        // The rows are the same after all: only their spelling was another.
        None => ReplayVerdict::Match,
    })
}

/// The first cell in which two lists of rows differ.
pub(super) fn first_cell(
    columns: &[String],
    archived: &[Vec<Value>],
    now: &[Vec<Value>],
) -> Option<Difference> {
    let longest = archived.len().max(now.len());
    (0..longest).find_map(|row| {
        let (one, other) = (archived.get(row), now.get(row));
        let column = (0..columns.len()).find(|column| {
            let cell = |row: Option<&Vec<Value>>| row.and_then(|row| row.get(*column)).cloned();
            !is_same(cell(one).as_ref(), cell(other).as_ref())
        });
        // A row without columns differs by being there.
        let column = column.or_else(|| (one.is_none() != other.is_none()).then_some(0))?;
        let cell = |row: Option<&Vec<Value>>| row.and_then(|row| row.get(column)).cloned();
        Some(Difference::Cell {
            row: row as u64 + 1,
            column: columns.get(column).cloned().unwrap_or_default(),
            archived: cell(one),
            now: cell(other),
            archived_rows: archived.len() as u64,
            rows_now: now.len() as u64,
        })
    })
}

/// Equal as they are written: 0.0 and -0.0 are two things, and so they are in the hash.
fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Real(one)), Some(Value::Real(other))) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    }
}

/// A text of the archive, and one of now.
pub(super) fn texts(archived: &str, now: &str) -> ReplayVerdict {
    if archived == now {
        return ReplayVerdict::Match;
    }
    let (mut one, mut other) = (archived.split('\n'), now.split('\n'));
    let mut line = 1;
    loop {
        match (one.next(), other.next()) {
            (None, None) => return ReplayVerdict::Match,
            (one, other) if one == other => line += 1,
            (one, other) => {
                let words = |line: Option<&str>| line.unwrap_or("(no line)").to_owned();
                return ReplayVerdict::Differs(Difference::Line {
                    line,
                    archived: words(one),
                    now: words(other),
                });
            }
        }
    }
}

/// An error of the archive, and one of now.
pub(super) fn errors(archived: &ToolError, text: &str, now: &QueryError) -> ReplayVerdict {
    if archived.rule == now.rule() && text == now.to_string() {
        return ReplayVerdict::SameError;
    }
    ReplayVerdict::Differs(Difference::Outcome {
        archived: format!("error '{text}'"),
        now: format!("error '{now}'"),
    })
}

#[cfg(test)]
mod tests {
    use super::{first_cell, texts};
    use crate::domain::Value;
    use crate::domain::replay::{Difference, ReplayVerdict};

    #[test]
    fn the_first_differing_cell_is_named() {
        let columns = ["a".to_owned(), "b".to_owned()];
        let row = |a, b| vec![Value::Integer(a), Value::Real(b)];
        let cell = |one: &[Vec<Value>], other: &[Vec<Value>]| match first_cell(&columns, one, other) {
            Some(Difference::Cell { row, column, .. }) => Some((row, column)),
            _ => None,
        };
        assert_eq!(cell(&[row(1, 1.0)], &[row(1, 1.0)]), None);
        assert_eq!(cell(&[row(1, 0.0)], &[row(1, -0.0)]), Some((1, "b".to_owned())));
        assert_eq!(cell(&[row(1, 1.0)], &[row(1, 1.0), row(2, 1.0)]), Some((2, "a".to_owned())));
        assert_eq!(cell(&[row(1, 1.0), row(3, 1.0)], &[row(1, 1.0), row(2, 2.0)]), Some((2, "a".to_owned())));
    }

    #[test]
    fn texts_differ_at_a_line() {
        assert_eq!(texts("a\nb", "a\nb"), ReplayVerdict::Match);
        let ReplayVerdict::Differs(Difference::Line { line, now, .. }) = texts("a\nb", "a") else { panic!() };
        assert_eq!((line, now.as_str()), (2, "(no line)"));
    }
}
