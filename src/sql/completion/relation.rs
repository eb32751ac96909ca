//! The tables that a piece of a statement names: FROM lists, INTO, UPDATE, and the tables of WITH.

use super::reading::Reading;
use std::ops::Range;

/// A table in a FROM list, or the target of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation<'t> {
    pub(super) source: Source,
    /// The name it has in the statement, as it is written there: its alias, else its own.
    pub(super) called: Option<&'t str>,
    /// Whether that is an alias.
    pub(super) is_alias: bool,
}

/// Where a table's rows come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// A name, folded.
    Named(String),
    /// The query between two brackets.
    Query(usize, usize),
}

/// A table that WITH defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cte<'t> {
    /// Its name as it is written.
    pub(super) name: &'t str,
    /// The brackets of its list of columns.
    pub(super) columns: Option<(usize, usize)>,
    /// The brackets of its query.
    pub(super) body: Option<(usize, usize)>,
}

/// Words that end a FROM list.
const AFTER_FROM: &[&str] = &[
    "WHERE",
    "GROUP",
    "HAVING",
    "WINDOW",
    "ORDER",
    "LIMIT",
    "SET",
    "RETURNING",
    "VALUES",
    "SELECT",
    "DEFAULT",
];

/// The tables that a range of tokens names, those within queries of its own left out.
pub(super) fn relations<'t>(reading: &Reading<'t>, range: Range<usize>) -> Vec<Relation<'t>> {
    let mut found = Vec::new();
    let (mut is_list, mut expects) = (false, false);
    let mut next = range.start;
    while next < range.end.min(reading.len()) {
        let number = next;
        next += 1;
        match reading.end_of(number) {
            Some(end) if expects && reading.opens_query(number) => {
                let (alias, after) = alias(reading, end + 1, range.end);
                let source = Source::Query(number, end);
                found.push(Relation { source, called: alias, is_alias: alias.is_some() });
                expects = false;
                next = after;
            }
            // Brackets around a part of the list: it goes on inside.
            Some(_) if expects => {}
            Some(end) => next = end + 1,
            None if opens_list(reading, number) => (is_list, expects) = (true, true),
            None if is_target(reading, number) => (is_list, expects) = (false, true),
            None if reading.is_any(number, AFTER_FROM) => (is_list, expects) = (false, false),
            None if reading.raw(number) == "," => expects = is_list,
            None if expects && reading.is_name(number) => {
                let (relation, after) = named(reading, number, range.end);
                found.push(relation);
                expects = false;
                next = after;
            }
            // UPDATE OR IGNORE t.
            None if expects && reading.is(number, "OR") => next += 1,
            None => {}
        }
    }
    found
}

/// Whether a FROM list, or a part of it, begins behind a token.
pub(super) fn opens_list(reading: &Reading<'_>, number: usize) -> bool {
    let is_distinct =
        || number > 1 && reading.is(number - 1, "DISTINCT") && reading.is_any(number - 2, &["IS", "NOT"]);
    reading.is(number, "JOIN") || (reading.is(number, "FROM") && !is_distinct())
}

/// Whether the table that a statement writes follows a token.
pub(super) fn is_target(reading: &Reading<'_>, number: usize) -> bool {
    reading.is(number, "INTO")
        || (reading.is(number, "UPDATE") && !(number > 0 && reading.is_any(number - 1, &["DO", "ON"])))
}

/// The table whose name begins at a token, and the number of the token behind it and its alias.
fn named<'t>(reading: &Reading<'t>, start: usize, limit: usize) -> (Relation<'t>, usize) {
    let mut last = start;
    while last + 2 < limit && reading.raw(last + 1) == "." && reading.is_name(last + 2) {
        last += 2;
    }
    // A table-valued function has arguments.
    let behind = reading.end_of(last + 1).unwrap_or(last);
    let (alias, end) = alias(reading, behind + 1, limit);
    let source = Source::Named(reading.folded(last).into_owned());
    let called = Some(alias.unwrap_or_else(|| reading.raw(last)));
    (Relation { source, called, is_alias: alias.is_some() }, end)
}

/// The alias that stands at a token, if one does, and the number of the token behind it.
fn alias<'t>(reading: &Reading<'t>, number: usize, limit: usize) -> (Option<&'t str>, usize) {
    let name = if reading.is(number, "AS") { number + 1 } else { number };
    // The cursor may stand where the alias would: what follows it is another word then.
    let is_cut = number == reading.at && name == number;
    if name < limit && !is_cut && reading.is_name(name) {
        (Some(reading.raw(name)), name + 1)
    } else {
        (None, number)
    }
}

/// The tables that a WITH at the head of a range defines.
pub(super) fn ctes<'t>(reading: &Reading<'t>, range: Range<usize>) -> Vec<Cte<'t>> {
    let mut found = Vec::new();
    let mut next = range.start;
    while next < range.end && reading.is_any(next, &["EXPLAIN", "QUERY", "PLAN"]) {
        next += 1;
    }
    if !reading.is(next, "WITH") {
        return found;
    }
    next += 1;
    if reading.is(next, "RECURSIVE") {
        next += 1;
    }
    while next < range.end && reading.is_name(next) {
        let mut cte = Cte { name: reading.raw(next), columns: None, body: None };
        next += 1;
        if let Some(end) = reading.end_of(next) {
            cte.columns = Some((next, end));
            next = end + 1;
        }
        while reading.is_any(next, &["AS", "NOT", "MATERIALIZED"]) {
            next += 1;
        }
        if let Some(end) = reading.end_of(next) {
            cte.body = Some((next, end));
            next = end + 1;
        }
        found.push(cte);
        if reading.raw(next) != "," {
            break;
        }
        next += 1;
    }
    found
}
