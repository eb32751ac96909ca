//! Databases and copies for tests.

use casebook::domain::{ResultSet, Value};
use casebook::query::{Engine as _, Environment, FrozenDatabase, Limits, QueryError, SqliteEngine};
use rusqlite::Connection;
use std::time::Duration;

/// The release date of the tests.
pub(crate) const TODAY: jiff::civil::Date = jiff::civil::date(2026, 6, 30);

/// The bytes of a database that these statements make.
pub(crate) fn database(sql: &str) -> Vec<u8> {
    casebook::query::count_memory_by_statement();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.sqlite");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    std::fs::read(path).unwrap()
}

/// A frozen database that these statements make.
pub(crate) fn frozen(sql: &str) -> FrozenDatabase {
    FrozenDatabase::seal(&database(sql)).unwrap()
}

/// A private copy for the trial with this seed.
pub(crate) fn open(frozen: &FrozenDatabase, seed: u64) -> SqliteEngine {
    SqliteEngine::open(frozen, Environment { today: TODAY, seed }).unwrap()
}

/// A private copy of a database that these statements make.
pub(crate) fn copy_of(sql: &str) -> SqliteEngine {
    open(&frozen(sql), 1)
}

/// Runs a statement as call 1 under the usual limits.
pub(crate) fn run(engine: &mut SqliteEngine, sql: &str) -> Result<ResultSet, QueryError> {
    engine.run(1, sql, &Limits::default()).map(|answer| answer.result)
}

/// The first value of the first row.
pub(crate) fn value(engine: &mut SqliteEngine, sql: &str) -> Value {
    run(engine, sql).unwrap_or_else(|error| panic!("{sql}: {error}")).rows[0][0].clone()
}

/// Limits with a short deadline, so that what is bounded by time ends soon.
pub(crate) fn short() -> Limits {
    Limits { deadline: Duration::from_millis(300), ..Limits::default() }
}
