//! The engine that runs statements with SQLite on a private copy.

use super::catalogue::{self, Schema};
use super::engine::{Answer, Checked, Engine, Interrupter};
use super::guard::{self, Observer};
use super::private_copy::{FrozenDatabase, HEADROOM, PrivateCopy, clock, memory};
use super::randomness::Randomness;
use super::stop::{Reason, Stop};
use super::{LimitHit, Limits, OpenError, QueryError, linear_functions, opcode_tables};
use crate::domain::{Cut, ResultSet, Rule, Value};
use crate::sql::Catalogue;
use jiff::civil::Date;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};
use std::sync::Arc;
use std::time::Instant;

/// Page cache of a copy, in KiB.
const CACHE_KIB: u32 = 64;

/// What a copy takes for given, beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Environment {
    /// The release date: every form of now is this date at midnight UTC.
    pub today: Date,
    /// The trial's seed, for `random()` and `randomblob()`.
    pub seed: u64,
}

/// SQLite on one private copy.
#[derive(Debug)]
pub struct SqliteEngine {
    copy: PrivateCopy,
    observer: Observer,
    stop: Stop,
    randomness: Randomness,
    schema: Option<Arc<Schema>>,
    has_small_cache: bool,
    wrote: bool,
}

impl SqliteEngine {
    /// Opens a private copy of frozen bytes.
    ///
    /// # Errors
    /// [`OpenError`] where memory is short or the bytes are no database.
    pub fn open(frozen: &FrozenDatabase, environment: Environment) -> Result<Self, OpenError> {
        memory::count_by_thread();
        let clock = clock::register(environment.today)?;
        // No SQLITE_OPEN_URI: a name is never read as a URI with options.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_MEMORY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags_and_vfs(":memory:", flags, clock.as_str())?;
        let mut copy = PrivateCopy::attach(connection, frozen)?;
        let connection = &mut copy.connection;
        // Pages are read in place instead of through a cache of their own; nothing is spilled to a file.
        let mapped = frozen.size() + HEADROOM;
        connection.execute_batch(&format!("PRAGMA mmap_size = {mapped}; PRAGMA temp_store = MEMORY"))?;
        for (setting, value) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        ] {
            connection.set_db_config(setting, value)?;
        }
        guard::apply_compile_limits(connection)?;
        linear_functions::install(connection)?;
        let randomness = Randomness::install(connection, environment.seed)?;
        let stop = Stop::install(connection)?;
        let observer = guard::watch(connection)?;
        Ok(Self { copy, observer, stop, randomness, schema: None, has_small_cache: false, wrote: false })
    }

    /// Whether a statement that could write was begun since [`Self::forget_writing`].
    pub(super) const fn wrote(&self) -> bool {
        self.wrote
    }

    /// Begins to look out for statements that write.
    pub(super) const fn forget_writing(&mut self) {
        self.wrote = false;
    }

    /// Whether the schema that was read last still holds.
    pub(super) const fn has_schema(&self) -> bool {
        self.schema.is_some()
    }

    /// The schema as it is now: read once, and again after a statement that may have changed it.
    fn schema(&mut self) -> Result<Arc<Schema>, QueryError> {
        if let Some(schema) = &self.schema {
            return Ok(Arc::clone(schema));
        }
        self.observer.reset();
        let schema = catalogue::read(&self.copy.connection).map_err(|error| sql_error(&error))?;
        Ok(Arc::clone(self.schema.insert(Arc::new(schema))))
    }

    /// Makes the page cache small, once. A statement that writes goes through it, and behind it is memory, not a disk. Not
    /// done when the copy is opened, because this pragma reads the schema, which is half the time of opening.
    fn shrink_cache(&mut self, call: &Call<'_>) -> Result<(), QueryError> {
        if !self.has_small_cache {
            let connection = &self.copy.connection;
            let pragma = format!("PRAGMA cache_size = -{CACHE_KIB}");
            let done = self.observer.unguarded(|| connection.execute_batch(&pragma));
            done.map_err(|error| self.failure(error, call))?;
            self.has_small_cache = true;
        }
        Ok(())
    }

    /// Compiles a statement under the guard.
    fn compile(&self, sql: &str, call: &Call<'_>) -> Result<Statement<'_>, QueryError> {
        guard::check_text(sql)?;
        self.observer.reset();
        let statement = self.copy.connection.prepare(sql).map_err(|error| self.failure(error, call))?;
        // VACUUM asks the authorizer only when it runs, and then as ATTACH. It is refused there too.
        if guard::first_word(sql) == "vacuum" {
            return Err(QueryError::Refused { rule: Rule::Vacuum, detail: "it is VACUUM".to_owned() });
        }
        if statement.parameter_count() > 0 {
            let message =
                "the statement has parameters, but nothing is bound to them; write the values themselves";
            return Err(QueryError::Sql { message: message.to_owned(), offset: None });
        }
        Ok(statement)
    }

    /// What an error of SQLite means to the actor.
    fn failure(&self, error: rusqlite::Error, call: &Call<'_>) -> QueryError {
        let (rows, elapsed) = (call.rows, call.started.elapsed());
        let limit = |limit| QueryError::Limit { limit, rows, elapsed };
        if let Some((rule, detail)) = self.observer.seen().refused.take() {
            return QueryError::Refused { rule, detail };
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => {
                return match self.stop.reason(call.limits) {
                    Reason::Limit(which) => limit(which),
                    Reason::Interrupted => QueryError::Interrupted { rows, elapsed },
                };
            }
            Some(ErrorCode::DiskFull) => return limit(LimitHit::Space(HEADROOM as u64)),
            Some(ErrorCode::TooBig) => return limit(LimitHit::ValueLength(guard::MAX_VALUE_BYTES)),
            Some(ErrorCode::OutOfMemory) => {
                return limit(match self.stop.reason(call.limits) {
                    Reason::Limit(which) => which,
                    Reason::Interrupted => LimitHit::Memory(call.limits.memory),
                });
            }
            _ => {}
        }
        match error {
            rusqlite::Error::MultipleStatement => QueryError::Refused {
                rule: Rule::SeveralStatements,
                detail: "the text holds more than one statement".to_owned(),
            },
            rusqlite::Error::SqlInputError { ref msg, .. }
            | rusqlite::Error::SqliteFailure(_, Some(ref msg)) => match guard::missing_function(msg) {
                Some((rule, detail)) => QueryError::Refused { rule, detail },
                None => sql_error(&error),
            },
            other => sql_error(&other),
        }
    }
}

impl Engine for SqliteEngine {
    fn run(&mut self, call: u64, sql: &str, limits: &Limits) -> Result<Answer, QueryError> {
        let mut state = Call { started: Instant::now(), limits, rows: 0 };
        let bounds = self.stop.begin(&self.copy.connection, state.started, limits);
        self.randomness.begin(call);
        let changes_before = self.copy.connection.total_changes();
        self.shrink_cache(&state)?;
        let mut statement = self.compile(sql, &state)?;
        let read_only = statement.readonly();
        bounds.compiled(read_only);
        let result = read_rows(&mut statement, &mut state);
        drop(statement);
        self.wrote |= !read_only;
        let mut result = result.map_err(|error| self.failure(error, &state))?;
        result.changed_rows = self.copy.connection.total_changes() - changes_before;
        if !read_only {
            self.schema = None;
        }
        Ok(Answer { result, elapsed: state.started.elapsed() })
    }

    fn check(&mut self, sql: &str) -> Result<Checked, QueryError> {
        let limits = Limits::default();
        let state = Call { started: Instant::now(), limits: &limits, rows: 0 };
        let _bounds = self.stop.begin(&self.copy.connection, state.started, &limits);
        let schema = self.schema()?;
        let read_only = self.compile(sql, &state)?.readonly();
        let mut tables_seen = std::mem::take(&mut self.observer.seen().tables);
        let program = guard::explained(sql).unwrap_or(sql);
        if let Ok(opened) = opcode_tables::opened(&self.copy.connection, program, &schema) {
            tables_seen.extend(opened);
        }
        tables_seen.retain(|table| schema.tables.contains(table));
        Ok(Checked { read_only, tables_seen })
    }

    fn catalogue(&mut self) -> Result<Arc<Catalogue>, QueryError> {
        let _bounds = self.stop.begin(&self.copy.connection, Instant::now(), &Limits::default());
        Ok(Arc::clone(&self.schema()?.catalogue))
    }

    fn interrupter(&self) -> Interrupter {
        Stop::interrupter(&self.copy.connection)
    }
}

/// One call under way.
struct Call<'l> {
    started: Instant,
    limits: &'l Limits,
    rows: u64,
}

/// Steps a statement to its end or to the row or byte limit.
fn read_rows(statement: &mut Statement<'_>, call: &mut Call<'_>) -> rusqlite::Result<ResultSet> {
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let width = columns.len();
    let mut result = ResultSet { columns, rows: Vec::new(), changed_rows: 0, cut: None };
    let mut room = call.limits.bytes;
    let mut rows = statement.query([])?;
    'rows: while let Some(row) = rows.next()? {
        if call.rows >= call.limits.rows {
            result.cut = Some(Cut::Rows(call.limits.rows));
            break;
        }
        let mut values = Vec::with_capacity(width);
        for index in 0..width {
            let value = row.get_ref(index)?;
            // Looked at before it is copied: one row may hold 512 values of 1 MiB.
            let Some(left) = room.checked_sub(size(value)) else {
                result.cut = Some(Cut::Bytes(call.limits.bytes));
                break 'rows;
            };
            room = left;
            values.push(typed(value));
        }
        result.rows.push(values);
        call.rows += 1;
    }
    Ok(result)
}

/// The bytes a value takes in the budget, as [`Value::size`] counts them.
const fn size(value: ValueRef<'_>) -> u64 {
    let length = match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        _ => 0,
    };
    (Value::OVERHEAD + length) as u64
}

fn typed(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::InvalidText(bytes.to_owned()),
        },
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_owned()),
    }
}

/// SQLite's own words, with the place in the statement where it gives one.
fn sql_error(error: &rusqlite::Error) -> QueryError {
    match error {
        rusqlite::Error::SqlInputError { msg, offset, .. } => {
            QueryError::Sql { message: msg.clone(), offset: usize::try_from(*offset).ok() }
        }
        rusqlite::Error::SqliteFailure(_, Some(message)) => {
            QueryError::Sql { message: message.clone(), offset: None }
        }
        other => QueryError::Sql { message: other.to_string(), offset: None },
    }
}

#[cfg(test)]
mod tests {
    use super::{Environment, FrozenDatabase, SqliteEngine};
    use rusqlite::config::DbConfig;

    /// Second lines of defence, which no statement can show while the authorizer stands before them.
    #[test]
    fn a_copy_is_opened_with_every_guard_set() {
        let frozen = FrozenDatabase::from_statements("CREATE TABLE t(x)").unwrap();
        let environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: 0 };
        let engine = SqliteEngine::open(&frozen, environment).unwrap();
        let is_set = |setting| engine.copy.connection.db_config(setting).unwrap();
        assert!(is_set(DbConfig::SQLITE_DBCONFIG_DEFENSIVE));
        for setting in [
            DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
            DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY,
            DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER,
            DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
        ] {
            assert!(!is_set(setting), "{setting:?}");
        }
    }
}
