//! What one statement reads: its kind, base tables, join edges with lineage, soft joins. And what helps to write one:
//! completion, layout, the functions there are.
//!
//! It parses with SQLite's own grammar (`sqlite3-parser`) and resolves names against a [`Catalogue`], because
//! neither SQLite's authorizer nor its opcodes report every table (a table reached only through USING, a LEFT JOIN
//! that the optimiser drops). The conventions are in `docs/analysis.md`.
//!
//! Not here: any database. Whether a statement may run is the guard's business (`query`); this room only reads.
//! Invariant: the same text and catalogue give the same analysis, whatever happened before.

mod catalogue;
pub mod completion;
#[cfg(test)]
mod convention_tests;
pub mod format;
pub mod functions;
mod name;
mod origin;
mod resolver;
mod scope;
pub mod statement_at;
mod statement_kind;
mod table_function;

pub use catalogue::{Catalogue, Relation};

use crate::domain::{Analysis, StatementAnalysis};
use crate::text::sql_lexer;
use fallible_iterator::FallibleIterator as _;
use sqlite3_parser::Bump;
use sqlite3_parser::ast::Cmd;
use sqlite3_parser::lexer::sql::Parser;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Parentheses and CASE may nest this deep in a statement. SQLite's own parser takes about as many.
pub const MAX_NESTING: usize = 1_000;

/// Why a statement could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is no statement in the text, or more than one.
    #[error("expected one statement, found {0}")]
    NotOneStatement(usize),
    /// The grammar does not accept it.
    #[error("the statement could not be parsed: {0}")]
    Syntax(String),
    /// It nests deeper than [`MAX_NESTING`].
    #[error("the statement nests {0} levels deep; the limit is {MAX_NESTING}")]
    TooDeep(usize),
}

/// Analyses one statement against the tables and views of `catalogue`.
///
/// # Errors
/// [`Unreadable`] where the text is not one statement of SQLite's grammar. A statement that parses always gives an
/// analysis; what could not be resolved marks it [`Analysis::Partial`].
pub fn analyze(sql: &str, catalogue: &Catalogue) -> Result<StatementAnalysis, Unreadable> {
    let depth = sql_lexer::nesting(sql);
    if depth > MAX_NESTING {
        return Err(Unreadable::TooDeep(depth));
    }
    let bump = Bump::new();
    // The parser crate has asserting branches of its own; text that reaches one is unreadable, not a crash.
    let parsed = catch_unwind(AssertUnwindSafe(|| one_statement(&bump, sql)));
    let command = match parsed {
        Ok(result) => result?,
        Err(_) => return Err(Unreadable::Syntax("the parser gave up".into())),
    };
    Ok(resolver::analyze_command(&command, catalogue, &bump))
}

/// Completes an analysis with the tables that SQLite itself reported (authorizer and opcodes).
///
/// Where SQLite saw a table that the resolver did not, or the statement was unreadable, the union counts and the
/// analysis is marked partial: never a silent zero.
pub fn cross_check(analysis: &mut StatementAnalysis, seen_by_sqlite: &BTreeSet<String>) {
    if !seen_by_sqlite.is_subset(&analysis.tables) {
        analysis.tables.extend(seen_by_sqlite.iter().cloned());
        analysis.analysis = Analysis::Partial;
    }
}

/// Parses exactly one statement.
fn one_statement<'b>(bump: &'b Bump, sql: &str) -> Result<Cmd<'b>, Unreadable> {
    let text = bump.alloc_str(sql);
    let mut parser = Parser::new(bump, text.as_bytes());
    let syntax = |error: &dyn std::fmt::Display| Unreadable::Syntax(error.to_string());
    let Some(first) = parser.next().map_err(|error| syntax(&error))? else {
        return Err(Unreadable::NotOneStatement(0));
    };
    match parser.next() {
        Ok(None) => Ok(first),
        Ok(Some(_)) | Err(_) => Err(Unreadable::NotOneStatement(2)),
    }
}
