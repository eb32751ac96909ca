//! The walk over a statement's parse tree that finds its tables and joins.
//!
//! One file an idea: `statement` (what is read and written at the top), `select` (queries and set operations), `from`
//! (FROM items, ON, USING, NATURAL), `with` (common table expressions), `view`, `expression` (what a value carries),
//! `predicate` (which comparisons are joins), `carrying` (which functions pass a value on).
//!
//! Invariant: work and depth are bounded. A statement built to explode (views or CTEs that double at each level) ends
//! as a partial analysis, not as a stall.

mod carrying;
mod expression;
mod from;
mod predicate;
mod select;
mod statement;
mod view;
mod with;

use super::catalogue::Catalogue;
use super::origin::{BaseColumn, Instance, Origin, Origins, ROWID};
use super::statement_kind;
use crate::domain::{Analysis, ColumnName, JoinEdge, StatementAnalysis};
use sqlite3_parser::Bump;
use sqlite3_parser::ast::{Cmd, Stmt};
use std::collections::HashSet;

/// FROM items and origin pairs that one analysis may look at.
const WORK_LIMIT: usize = 100_000;
/// Levels of expressions (one each) and queries ([`QUERY_LEVELS`] each) that may nest, parentheses not counted.
/// SQLite allows 200 levels of expression. Small enough for a thread of 2 MiB.
const DEPTH_LIMIT: usize = 400;
/// What a nested query adds to the depth: its frames are larger than those of an expression.
const QUERY_LEVELS: usize = 5;

/// Analyses one parsed statement.
pub(super) fn analyze_command(command: &Cmd<'_>, catalogue: &Catalogue, bump: &Bump) -> StatementAnalysis {
    let (explain, statement) = match command {
        Cmd::Explain(statement) | Cmd::ExplainQueryPlan(statement) => (true, statement),
        Cmd::Stmt(statement) => (false, statement),
    };
    let mut resolver = Resolver {
        catalogue,
        bump,
        tables: HashSet::new(),
        views: HashSet::new(),
        writes: HashSet::new(),
        joins: HashSet::new(),
        soft_joins: HashSet::new(),
        open_views: Vec::new(),
        instances: 0,
        work: 0,
        depth: 0,
        missed: 0,
    };
    resolver.statement(statement);
    resolver.finish(statement, explain)
}

type Edge = (BaseColumn, BaseColumn);

/// The state of one walk. `'a` is the life of the parse tree and of the catalogue.
struct Resolver<'a> {
    catalogue: &'a Catalogue,
    bump: &'a Bump,
    tables: HashSet<u32>,
    views: HashSet<u32>,
    writes: HashSet<u32>,
    joins: HashSet<Edge>,
    soft_joins: HashSet<Edge>,
    /// Views being expanded, to stop at a view that reads itself.
    open_views: Vec<usize>,
    instances: Instance,
    work: usize,
    depth: usize,
    /// Names that resolved to nothing, and places where a limit stopped the walk. Any makes the analysis partial.
    missed: usize,
}

impl Resolver<'_> {
    const fn fresh_instance(&mut self) -> Instance {
        self.instances += 1;
        self.instances
    }

    /// Counts work; false when the limit is reached.
    const fn spend(&mut self, amount: usize) -> bool {
        self.work = self.work.saturating_add(amount);
        if self.work > WORK_LIMIT {
            self.missed += 1;
            return false;
        }
        true
    }

    /// Runs one level deeper; says `None` where that would be too deep.
    fn deeper<T>(&mut self, levels: usize, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth + levels > DEPTH_LIMIT {
            self.missed += 1;
            return None;
        }
        self.depth += levels;
        let result = inner(self);
        self.depth -= levels;
        Some(result)
    }

    /// Records the joins between two sides: the cross product over different instances.
    fn join(&mut self, one: &[Origin], other: &[Origin]) {
        if self.spend(one.len() * other.len()) {
            let edges = edges(one, other);
            self.joins.extend(edges);
        }
    }

    /// Records soft joins between two sides.
    fn soft_join(&mut self, one: &[Origin], other: &[Origin]) {
        if self.spend(one.len() * other.len()) {
            let edges = edges(one, other);
            self.soft_joins.extend(edges);
        }
    }

    /// Joins two lists of columns by position.
    fn join_by_position(&mut self, one: &[Origins], other: &[Origins]) {
        for (left, right) in one.iter().zip(other) {
            self.join(left, right);
        }
    }

    fn finish(self, statement: &Stmt<'_>, explain: bool) -> StatementAnalysis {
        let name = |number: &u32| self.catalogue.relation(*number as usize).name.clone();
        let column = |(table, column): BaseColumn| {
            let relation = self.catalogue.relation(table as usize);
            let column =
                if column == ROWID { "rowid" } else { relation.columns[usize::from(column)].as_str() };
            ColumnName { table: relation.name.clone(), column: column.to_owned() }
        };
        let edge = |(one, other): &Edge| JoinEdge::new(column(*one), column(*other));
        let mut analysis = StatementAnalysis::empty(statement_kind::of(statement));
        analysis.explain = explain;
        analysis.tables = self.tables.iter().map(name).collect();
        analysis.views = self.views.iter().map(name).collect();
        analysis.writes = self.writes.iter().map(name).collect();
        analysis.joins = self.joins.iter().map(edge).collect();
        analysis.soft_joins = self.soft_joins.iter().map(edge).collect();
        if self.missed > 0 {
            analysis.analysis = Analysis::Partial;
        }
        analysis
    }
}

/// The cross product of two sides over different instances, each pair in one order.
fn edges(one: &[Origin], other: &[Origin]) -> impl Iterator<Item = Edge> {
    one.iter().flat_map(move |left| {
        other
            .iter()
            .filter(move |right| right.instance != left.instance)
            .map(move |right| (left.column.min(right.column), left.column.max(right.column)))
    })
}
