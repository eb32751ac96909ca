//! The whole analysis of a statement: the guard's verdict, what the parse tree says, and SQLite's own view as a check.

use super::{Engine, QueryError};
use crate::domain::{Analysis, StatementAnalysis, StatementKind};
use crate::sql::{self, cross_check};

/// Takes a statement through the guard and analyses what it reads.
///
/// # Errors
/// [`QueryError`] where the guard or SQLite refuses it. A statement that SQLite accepts always has an analysis: if the
/// parse tree can't be read, the tables are those that SQLite reports and the analysis is partial.
pub fn analyze(engine: &mut dyn Engine, sql: &str) -> Result<StatementAnalysis, QueryError> {
    let checked = engine.check(sql)?;
    let catalogue = engine.catalogue()?;
    let mut analysis = sql::analyze(sql, &catalogue).unwrap_or_else(|_| StatementAnalysis {
        analysis: Analysis::Partial,
        ..StatementAnalysis::empty(if checked.read_only {
            StatementKind::Select
        } else {
            StatementKind::Definition
        })
    });
    cross_check(&mut analysis, &checked.tables_seen);
    Ok(analysis)
}
