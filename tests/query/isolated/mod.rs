//! The engine in a process of its own: the same as in this one, and it can be killed.

mod killed;
mod locked_in;
mod same;
mod strange_workers;

use crate::support::{TODAY, frozen};
use casebook::domain::ResultSet;
use casebook::query::{Engine, Environment, FrozenDatabase, IsolatedEngine, Limits, QueryError, Worker};
use std::path::PathBuf;
use std::time::Duration;

/// The program under test as a worker.
fn worker() -> Worker {
    Worker { program: PathBuf::from(env!("CARGO_BIN_EXE_casebook")) }
}

/// An engine in a process of its own, for the trial with this seed.
fn isolated(frozen: &FrozenDatabase, seed: u64) -> IsolatedEngine {
    let environment = Environment { today: TODAY, seed };
    IsolatedEngine::open(&worker(), frozen, environment, &Limits::default()).unwrap()
}

fn isolated_copy_of(sql: &str) -> IsolatedEngine {
    isolated(&frozen(sql), 1)
}

fn run(engine: &mut dyn Engine, call: u64, sql: &str) -> Result<ResultSet, QueryError> {
    engine.run(call, sql, &Limits::default()).map(|answer| answer.result)
}

/// The first value of the first row, as text.
fn value(engine: &mut dyn Engine, sql: &str) -> String {
    run(engine, 99, sql).unwrap_or_else(|error| panic!("{sql}: {error}")).rows[0][0].to_text()
}

/// A statement that SQLite can't stop for seconds: one call of a function that neither looks for an interrupt nor allocates.
fn unstoppable() -> String {
    format!("SELECT hex(zeroblob(500000)) LIKE '%0{}1'", "_".repeat(990))
}

/// Limits with a deadline that an unstoppable statement passes.
fn short() -> Limits {
    Limits { deadline: Duration::from_millis(200), ..Limits::default() }
}
