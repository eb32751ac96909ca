//! The tables in sight of the cursor, the innermost query's first, and their columns.

use super::output;
use super::reading::{Item, Reading};
use super::relation::{Cte, Relation, Source, ctes, opens_list, relations};
use crate::domain::SchemaDocument;
use crate::sql::name::fold;
use crate::sql::table_function;
use std::cell::Cell;
use std::ops::Range;

/// Queries looked into for their columns, at most, so that tables that name one another can't take for ever.
const MOST_QUERIES: usize = 200;
/// Columns of one query, at most.
const MOST_COLUMNS: usize = 4_000;

/// What is in sight at the cursor.
pub(super) struct Scope<'t> {
    /// Tables in sight.
    pub(super) tables: Vec<InSight<'t>>,
    /// Tables of WITH, the innermost first.
    pub(super) ctes: Vec<&'t str>,
}

/// A table in sight.
pub(super) struct InSight<'t> {
    /// The name it has in the statement, as it is written.
    pub(super) called: Option<&'t str>,
    /// Whether that is an alias.
    pub(super) is_alias: bool,
    /// Its own name; empty for a query.
    pub(super) table: String,
    pub(super) columns: Columns<'t>,
    /// Whether it belongs to a query around the cursor's.
    pub(super) is_outer: bool,
}

/// Names of columns.
pub(super) enum Columns<'t> {
    /// Of a table.
    Known(&'t [String]),
    /// Read from a query.
    Read(Vec<String>),
}

impl Columns<'_> {
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Known(names) => names,
            Self::Read(names) => names,
        }
    }
}

impl<'t> Scope<'t> {
    pub(super) fn at_cursor(reading: &Reading<'t>, schema: &'t SchemaDocument) -> Self {
        let queries: Vec<(usize, usize)> =
            reading.around_cursor().filter(|(open, _)| reading.opens_query(*open)).collect();
        let mut lookup = Lookup { reading, schema, ctes: Vec::new(), left: Cell::new(MOST_QUERIES) };
        let blocks =
            queries.iter().map(|(open, end)| open + 1..*end).chain(std::iter::once(0..reading.len()));
        let blocks: Vec<Range<usize>> = blocks.collect();
        for block in &blocks {
            lookup.ctes.extend(ctes(reading, block.clone()));
        }
        let mut tables = Vec::new();
        let mut place = reading.at;
        for (level, block) in blocks.into_iter().enumerate() {
            // A query in a FROM list, or of a table of WITH, does not see the tables beside it.
            let sees = level == 0 || !stands_for_a_table(reading, place);
            if sees {
                for relation in relations(reading, core_at(reading, &block, place)) {
                    tables.push(lookup.in_sight(relation, level > 0));
                }
            }
            place = block.start.saturating_sub(1);
        }
        Self { tables, ctes: lookup.ctes.iter().map(|cte| cte.name).collect() }
    }

    /// The tables that a qualifier means, as it is written.
    pub(super) fn called(&self, qualifier: &str) -> Option<&InSight<'t>> {
        let wanted = fold(qualifier);
        self.tables.iter().find(|table| table.called.is_some_and(|called| fold(called) == wanted))
    }
}

/// What names mean.
pub(super) struct Lookup<'r, 't> {
    pub(super) reading: &'r Reading<'t>,
    pub(super) schema: &'t SchemaDocument,
    ctes: Vec<Cte<'t>>,
    /// Queries that may still be looked into.
    left: Cell<usize>,
}

impl<'t> Lookup<'_, 't> {
    fn in_sight(&self, relation: Relation<'t>, is_outer: bool) -> InSight<'t> {
        let columns = self.columns(&relation.source);
        let table = match relation.source {
            Source::Named(name) => name,
            Source::Query(..) => String::new(),
        };
        InSight { called: relation.called, is_alias: relation.is_alias, table, columns, is_outer }
    }

    /// The columns of a source; none where they can't be known.
    pub(super) fn columns(&self, source: &Source) -> Columns<'t> {
        match source {
            Source::Query(open, end) => Columns::Read(self.query(*open + 1..*end)),
            Source::Named(name) => {
                if let Some(cte) = self.ctes.iter().find(|cte| fold(cte.name) == **name) {
                    return Columns::Read(self.cte(cte));
                }
                let table = self.schema.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name));
                match (table, table_function::built_in(name)) {
                    (Some(table), _) => Columns::Known(&table.columns),
                    (None, Some(built_in)) => {
                        Columns::Read(built_in.columns.iter().map(|name| (*name).to_owned()).collect())
                    }
                    (None, None) => Columns::Read(Vec::new()),
                }
            }
        }
    }

    fn cte(&self, cte: &Cte<'t>) -> Vec<String> {
        match (cte.columns, cte.body) {
            (Some((open, end)), _) => self
                .reading
                .items(open + 1..end)
                .filter_map(|item| match item {
                    Item::Token(number) if self.reading.is_name(number) => {
                        Some(output::spelled(self.reading.raw(number)))
                    }
                    _ => None,
                })
                .collect(),
            (None, Some((open, end))) => self.query(open + 1..end),
            (None, None) => Vec::new(),
        }
    }

    /// The columns that a query gives.
    fn query(&self, block: Range<usize>) -> Vec<String> {
        let Some(left) = self.left.get().checked_sub(1) else { return Vec::new() };
        self.left.set(left);
        let core = core_at(self.reading, &block, block.start);
        let mut columns = output::columns(self, core);
        columns.truncate(MOST_COLUMNS);
        columns
    }
}

/// The part of a block between UNION and its like that holds a place.
fn core_at(reading: &Reading<'_>, block: &Range<usize>, place: usize) -> Range<usize> {
    let mut core = block.clone();
    for item in reading.items(block.clone()) {
        match item {
            Item::Token(number) if reading.is_any(number, &["UNION", "INTERSECT", "EXCEPT"]) => {
                if number < place {
                    core.start = number + 1;
                } else {
                    core.end = number;
                    break;
                }
            }
            _ => {}
        }
    }
    core
}

/// Whether a bracket opens a table: in a FROM list, or the query of a table of WITH.
pub(super) fn stands_for_a_table(reading: &Reading<'_>, open: usize) -> bool {
    let Some(before) = open.checked_sub(1) else { return false };
    match reading.raw(before) {
        "," => is_in_list(reading, before),
        // Brackets around a table are nothing by themselves.
        "(" if !reading.opens_query(before) => is_in_list(reading, open),
        _ => opens_list(reading, before) || reading.is_any(before, &["AS", "MATERIALIZED"]),
    }
}

/// Whether what stands before a token, back to the query's start, is a FROM list.
pub(super) fn is_in_list(reading: &Reading<'_>, token: usize) -> bool {
    let mut number = token;
    while let Some(before) = number.checked_sub(1) {
        if opens_list(reading, before) {
            return true;
        }
        if let Some(open) = reading.start_of(before) {
            number = open;
            continue;
        }
        if reading.raw(before) == "(" {
            // In brackets in a FROM list, if a table may stand there; else among arguments or in a query.
            let is_list = before > 0
                && (opens_list(reading, before - 1) || matches!(reading.raw(before - 1), "," | "("));
            if reading.opens_query(before) || !is_list {
                return false;
            }
        }
        if reading.is_any(
            before,
            &[
                "SELECT",
                "WHERE",
                "BY",
                "HAVING",
                "LIMIT",
                "SET",
                "VALUES",
                "RETURNING",
                "WITH",
                "RECURSIVE",
                "INTO",
                "UPDATE",
                "WINDOW",
                "UNION",
                "INTERSECT",
                "EXCEPT",
            ],
        ) {
            return false;
        }
        number = before;
    }
    false
}
