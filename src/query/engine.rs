//! The seam between a trial and whatever runs its statements.

use super::{Limits, QueryError};
use crate::domain::ResultSet;
use crate::sql::Catalogue;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What runs statements on one private copy.
pub trait Engine: Send + std::fmt::Debug {
    /// Runs one statement. `call` is its number within the trial: with the trial's seed it fixes `random()`, so the
    /// same call on the same revision gives the same result for ever.
    ///
    /// # Errors
    /// [`QueryError`]; the copy can be used on after any of them.
    fn run(&mut self, call: u64, sql: &str, limits: &Limits) -> Result<Answer, QueryError>;

    /// Takes a statement through the guard without running it.
    ///
    /// # Errors
    /// As [`Engine::run`], except for what only running shows.
    fn check(&mut self, sql: &str) -> Result<Checked, QueryError>;

    /// The tables and views of the copy as it is now.
    ///
    /// # Errors
    /// [`QueryError::Sql`] where the schema can't be read.
    fn catalogue(&mut self) -> Result<Arc<Catalogue>, QueryError>;

    /// A handle by which another thread stops the running statement.
    fn interrupter(&self) -> Interrupter;

    /// What happened to the engine since this was asked last that a record of the trial should have: it was killed, its copy
    /// was made again.
    fn take_notices(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What a statement gave, and how long it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Columns and rows.
    pub result: ResultSet,
    /// Wall time of the call.
    pub elapsed: Duration,
}

/// A statement that passed the guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Whether it leaves the copy as it is.
    pub read_only: bool,
    /// Base tables that SQLite itself says it touches: those its authorizer reports, and those whose pages the compiled
    /// program opens. Lower case; catalogue tables are left out. Neither source is complete alone.
    pub tables_seen: BTreeSet<String>,
}

/// Stops the running statement of an engine, from any thread, as often as wanted.
#[derive(Clone)]
pub struct Interrupter(Arc<dyn Fn() + Send + Sync>);

impl Interrupter {
    /// A handle that calls `stop`.
    pub fn new(stop: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(stop))
    }

    /// Stops the statement that is running, if one is; else does nothing.
    pub fn interrupt(&self) {
        (self.0)();
    }
}

impl std::fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Interrupter")
    }
}
