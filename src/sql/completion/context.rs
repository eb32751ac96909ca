//! What kind of thing belongs at the cursor, by the tokens before it.

use super::reading::Reading;
use super::relation::{is_target, opens_list};
use super::scope::{is_in_list, stands_for_a_table};
use crate::text::sql_lexer::TokenKind;

/// What belongs at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A new name, or nothing that could be known.
    Nothing,
    /// The first word of a statement.
    Statement,
    /// A table; `reads` says whether one of WITH and a query will do.
    Table { reads: bool },
    /// A column of the table that the token with this number names.
    ColumnOf(usize),
    /// A column without its table: in USING, in the column list of INSERT, after SET.
    BareColumn {
        /// Only of the first table.
        of_first: bool,
    },
    /// A type, in CAST.
    Type,
    /// A value begins.
    Value,
    /// A value has ended, or a phrase goes on.
    Continuation,
}

/// Keywords that end a value or stand where another keyword follows.
const CONTINUED: &[&str] = &[
    "NULL",
    "END",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "ASC",
    "DESC",
    "NULLS",
    "FIRST",
    "LAST",
    "ISNULL",
    "NOTNULL",
    "LEFT",
    "RIGHT",
    "FULL",
    "INNER",
    "OUTER",
    "CROSS",
    "NATURAL",
    "GROUP",
    "ORDER",
    "PARTITION",
    "INSERT",
    "DELETE",
    "CREATE",
    "DROP",
    "ALTER",
    "DO",
    "CONFLICT",
    "NOTHING",
    "ROWS",
    "RANGE",
    "GROUPS",
    "UNBOUNDED",
    "PRECEDING",
    "FOLLOWING",
    "MATERIALIZED",
    "IF",
    "DEFAULT",
    "TEMP",
    "TEMPORARY",
];

pub(super) fn wanted(reading: &Reading<'_>) -> Wanted {
    let Some(last) = reading.at.checked_sub(1) else { return Wanted::Statement };
    let before = last.checked_sub(1);
    if reading.raw(last) == "." {
        return match before {
            Some(table) if matches!(reading.kind(table), Some(TokenKind::Word | TokenKind::QuotedName)) => {
                Wanted::ColumnOf(table)
            }
            _ => Wanted::Nothing,
        };
    }
    if opens_list(reading, last) {
        return Wanted::Table { reads: true };
    }
    if is_target(reading, last) || reading.is(last, "TABLE") {
        return Wanted::Table { reads: false };
    }
    if reading.is(last, "EXPLAIN") || (reading.is(last, "PLAN") && last == 2 && reading.is(0, "EXPLAIN")) {
        return Wanted::Statement;
    }
    match reading.raw(last) {
        "," if is_in_list(reading, last) => return Wanted::Table { reads: true },
        "(" if stands_for_a_table(reading, last) && !is_behind_as(reading, last) => {
            return Wanted::Table { reads: true };
        }
        _ => {}
    }
    if let Some(open) = reading.open_bracket() {
        if let Some(of_first) = column_list(reading, open) {
            return Wanted::BareColumn { of_first };
        }
        if reading.is(last, "AS") && open > 0 && reading.is(open - 1, "CAST") {
            return Wanted::Type;
        }
    }
    if reading.is_any(last, &["AS", "WITH", "RECURSIVE", "WINDOW", "PRAGMA", "COLLATE"]) {
        return Wanted::Nothing;
    }
    if reading.is(last, "SET") {
        return Wanted::BareColumn { of_first: true };
    }
    if has_ended(reading, last) { Wanted::Continuation } else { Wanted::Value }
}

/// Whether a value, a table or a phrase ends with a token, so that a keyword or an operator follows.
fn has_ended(reading: &Reading<'_>, number: usize) -> bool {
    let before = number.checked_sub(1);
    match reading.kind(number) {
        Some(TokenKind::Word) if reading.is_any(number, CONTINUED) => true,
        // NOT IN, NOT LIKE; elsewhere it begins a value.
        Some(TokenKind::Word) if reading.is(number, "NOT") => {
            before.is_some_and(|before| !reading.is(before, "NOT") && has_ended(reading, before))
        }
        Some(TokenKind::Word | TokenKind::QuotedName) => reading.is_name(number),
        Some(
            TokenKind::Close | TokenKind::String | TokenKind::Blob | TokenKind::Number | TokenKind::Parameter,
        ) => true,
        // A star is all columns, unless it multiplies.
        Some(_) if reading.raw(number) == "*" => !before.is_some_and(|before| is_factor(reading, before)),
        Some(_) | None => false,
    }
}

fn is_behind_as(reading: &Reading<'_>, open: usize) -> bool {
    open > 0 && reading.is_any(open - 1, &["AS", "MATERIALIZED"])
}

/// Whether a star behind a token multiplies what ends there.
fn is_factor(reading: &Reading<'_>, number: usize) -> bool {
    reading.is_name(number)
        || matches!(
            reading.kind(number),
            Some(TokenKind::Close | TokenKind::Number | TokenKind::Parameter | TokenKind::String)
        )
}

/// Whether a bracket opens a list of columns: of USING, or, as only the first table's, of INSERT.
fn column_list(reading: &Reading<'_>, open: usize) -> Option<bool> {
    let is = |back: usize, word: &str| open.checked_sub(back).is_some_and(|number| reading.is(number, word));
    let is_named = open > 0 && reading.is_name(open - 1);
    if is(1, "USING") {
        return Some(false);
    }
    (is_named && (is(2, "INTO") || (is(2, ".") && is(4, "INTO")))).then_some(true)
}
