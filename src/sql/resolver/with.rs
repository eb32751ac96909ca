//! Common table expressions: which one a name means, and what its columns carry.
//!
//! A CTE is expanded anew at each use, so that two uses are two sets of instances; one that nobody uses does not
//! count, as SQLite never looks at it. A recursive one is walked until its columns carry nothing new.

use super::Resolver;
use crate::sql::name::fold;
use crate::sql::origin::{BaseColumn, merge};
use crate::sql::scope::{Column, Scope, Source};
use sqlite3_parser::ast::{CommonTableExpr, With};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A recursive CTE has as many rounds to settle as a chain of columns may need to shift by one each round.
const ROUNDS: usize = 12;

/// The WITH clauses in force at one place, innermost first.
pub(super) type Withs<'a> = Option<Rc<WithFrame<'a>>>;

/// One WITH clause.
pub(super) struct WithFrame<'a> {
    tables: &'a [CommonTableExpr<'a>],
    outer: Withs<'a>,
    /// The CTEs being expanded right now, with the columns that a mention of themselves sees.
    open: RefCell<HashMap<usize, OpenTable>>,
}

struct OpenTable {
    source: Source,
    used: bool,
}

/// The WITH clauses in force inside a query that may bring its own.
pub(super) fn extended<'a>(outer: &Withs<'a>, with: Option<&'a With<'a>>) -> Withs<'a> {
    match with {
        None => outer.clone(),
        Some(with) => Some(Rc::new(WithFrame {
            tables: with.ctes,
            outer: outer.clone(),
            open: RefCell::new(HashMap::new()),
        })),
    }
}

impl<'a> Resolver<'a> {
    /// The columns behind `name` if it is a CTE in force here.
    pub(super) fn common_table(
        &mut self,
        name: &str,
        withs: &Withs<'a>,
        outer: Option<&Scope<'a, '_>>,
    ) -> Option<Source> {
        let mut next = withs.as_ref();
        while let Some(frame) = next {
            if let Some(index) = frame.tables.iter().position(|table| fold(table.tbl_name.0) == name) {
                let frame = Rc::clone(frame);
                return Some(self.expand(&frame, index, outer));
            }
            next = frame.outer.as_ref();
        }
        None
    }

    fn expand(&mut self, frame: &Rc<WithFrame<'a>>, index: usize, outer: Option<&Scope<'a, '_>>) -> Source {
        if let Some(open) = frame.open.borrow_mut().get_mut(&index) {
            open.used = true;
            return open.source.clone();
        }
        let table = &frame.tables[index];
        let withs = Some(Rc::clone(frame));
        let mut source = Source::Open;
        let mut settled = BTreeSet::new();
        for _ in 0..ROUNDS {
            frame.open.borrow_mut().insert(index, OpenTable { source, used: false });
            let mut columns = self.query(table.select, &withs, outer);
            rename(
                &mut columns,
                table.columns.iter().flat_map(|names| names.iter().map(|name| name.col_name.0)),
            );
            let used = frame.open.borrow_mut().remove(&index).is_some_and(|open| open.used);
            let carried = base_columns(&columns);
            source = Source::Columns(columns);
            if !used || carried == settled {
                return source;
            }
            settled = carried;
        }
        self.missed += 1;
        source
    }
}

/// Gives columns the names of a column list, as far as it goes.
pub(super) fn rename<'n>(columns: &mut [Column], names: impl Iterator<Item = &'n str>) {
    for (column, name) in columns.iter_mut().zip(names) {
        column.name = fold(name).into_owned();
    }
}

/// Which base columns each column carries, whatever the instance.
fn base_columns(columns: &[Column]) -> BTreeSet<(usize, BaseColumn)> {
    columns
        .iter()
        .enumerate()
        .flat_map(|(index, column)| column.origins.iter().map(move |origin| (index, origin.column)))
        .collect()
}

/// Adds to each column what the other query's column at its place carries (UNION).
pub(super) fn unite(columns: &mut [Column], others: &[Column]) {
    for (column, other) in columns.iter_mut().zip(others) {
        merge(&mut column.origins, &other.origins);
    }
}
