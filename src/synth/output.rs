//! Where the vendors' rows go: first into a scratch database as they come, then in their order into the snapshot's file.
//!
//! Memory stays bounded whatever the size: rows are never held, and SQLite sorts them on disk.

use super::GenerateError;
use super::derivation::Witness;
use super::schema::{Table, TableSchema, tables};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};
use std::path::Path;

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Null,
    Integer(i64),
    Text(String),
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Cell {
    fn from(it: bool) -> Self {
        Self::Integer(i64::from(it))
    }
}

/// JSON in its canonical form: sorted keys, no spaces.
impl From<serde_json::Value> for Cell {
    fn from(value: serde_json::Value) -> Self {
        if value.is_null() { Self::Null } else { Self::Text(value.to_string()) }
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(it: Option<T>) -> Self {
        it.map_or(Self::Null, Into::into)
    }
}

/// A row of cells.
macro_rules! row {
    ($($cell:expr),+ $(,)?) => { &[$($crate::synth::output::Cell::from($cell)),+] };
}
pub(super) use row;

/// A condition that was planted, and whom it hits.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Condition {
    /// Its name, such as `leaver-live-in-okta`.
    pub condition: &'static str,
    /// Addresses, ids or names of those it hits, in the order of their planting.
    pub subjects: Vec<String>,
}

/// What a report of the work so far is given, and whether to go on.
pub(super) type Watch<'w> = &'w mut dyn FnMut(&str, u64) -> bool;

/// How many rows pass between two looks at whether to go on.
const LOOK_EVERY: u64 = 2048;

/// The rows as they come.
pub(super) struct Output<'o> {
    scratch: &'o Connection,
    statements: Vec<String>,
    rows: u64,
    step: &'static str,
    watch: Watch<'o>,
    conditions: Vec<Condition>,
    witness: Option<Witness>,
}

fn quoted(columns: &[&str]) -> String {
    columns.iter().map(|column| format!("\"{column}\"")).collect::<Vec<_>>().join(", ")
}

fn create(schema: &TableSchema) -> String {
    format!("CREATE TABLE {} ({})", schema.name, schema.columns.join(", "))
}

impl<'o> Output<'o> {
    /// Over an empty scratch database.
    pub(super) fn new(scratch: &'o Connection, watch: Watch<'o>) -> Result<Self, GenerateError> {
        scratch.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
             CREATE TABLE identity (person, source, subject);",
        )?;
        for schema in tables() {
            scratch.execute_batch(&create(schema))?;
        }
        scratch.execute_batch("BEGIN")?;
        scratch.set_prepared_statement_cache_capacity(48);
        let insert = |schema: &TableSchema| {
            let marks = vec!["?"; schema.columns.len()].join(",");
            format!("INSERT INTO {} VALUES ({marks})", schema.name)
        };
        let statements = tables().map(insert).collect();
        Ok(Self { scratch, statements, rows: 0, step: "", watch, conditions: Vec::new(), witness: None })
    }

    /// Keeps the rows in memory, too.
    pub(super) fn with_witness(scratch: &'o Connection, watch: Watch<'o>) -> Result<Self, GenerateError> {
        Ok(Self { witness: Some(Witness::default()), ..Self::new(scratch, watch)? })
    }

    /// The rows that were kept; none without [`Output::with_witness`].
    pub(super) fn into_witness(self) -> Witness {
        self.witness.unwrap_or_default()
    }

    /// What is being made now.
    pub(super) const fn step(&mut self, step: &'static str) {
        self.step = step;
    }

    /// One row.
    pub(super) fn row(&mut self, table: Table, cells: &[Cell]) -> Result<(), GenerateError> {
        debug_assert_eq!(cells.len(), table.schema().columns.len(), "{}", table.schema().name);
        self.scratch.prepare_cached(&self.statements[table as usize])?.execute(params_from_iter(cells))?;
        if let Some(witness) = &mut self.witness {
            witness.row(table, cells);
        }
        self.rows += 1;
        if self.rows.is_multiple_of(LOOK_EVERY) && !(self.watch)(self.step, self.rows) {
            return Err(GenerateError::Cancelled);
        }
        Ok(())
    }

    /// That a person is known in a table under this key.
    pub(super) fn identity(&mut self, person: u32, table: Table, key: &str) -> Result<(), GenerateError> {
        self.scratch.prepare_cached("INSERT INTO identity VALUES (?, ?, ?)")?.execute((
            person,
            table.schema().name,
            key,
        ))?;
        if let Some(witness) = &mut self.witness {
            witness.identity(person, table, key);
        }
        Ok(())
    }

    /// That a condition was planted on a subject.
    pub(super) fn plant(&mut self, condition: &'static str, subject: impl Into<String>) {
        let subject = subject.into();
        match self.conditions.iter_mut().find(|it| it.condition == condition) {
            Some(found) if found.subjects.last() == Some(&subject) => {}
            Some(found) => found.subjects.push(subject),
            None => self.conditions.push(Condition { condition, subjects: vec![subject] }),
        }
    }

    /// Writes the snapshot's file: all tables, rows in order, nothing else. Gives the conditions, and the rows of each
    /// table in its order.
    pub(super) fn finish(self, target: &Path) -> Result<(Vec<Condition>, Vec<u64>), GenerateError> {
        self.scratch.execute_batch("COMMIT")?;
        let path = target.to_str().ok_or_else(|| GenerateError::Path(target.to_owned()))?;
        self.scratch.execute("ATTACH ? AS snapshot", [path])?;
        self.scratch.execute_batch(
            "PRAGMA snapshot.page_size = 4096; PRAGMA snapshot.journal_mode = OFF; PRAGMA snapshot.synchronous = OFF;
             PRAGMA snapshot.cache_size = -65536; BEGIN",
        )?;
        let mut rows = Vec::new();
        let mut done = 0;
        for schema in tables() {
            if !(self.watch)("sorting", done) {
                return Err(GenerateError::Cancelled);
            }
            self.scratch.execute_batch(&create(schema).replacen(
                "CREATE TABLE ",
                "CREATE TABLE snapshot.",
                1,
            ))?;
            let columns = quoted(schema.columns);
            let moved = self.scratch.execute(
                &format!(
                    "INSERT INTO snapshot.{name} SELECT {columns} FROM main.{name} ORDER BY {order}",
                    name = schema.name,
                    order = quoted(schema.order)
                ),
                [],
            )? as u64;
            rows.push(moved);
            done += moved;
        }
        self.scratch.execute_batch("COMMIT; DETACH snapshot")?;
        Ok((self.conditions, rows))
    }
}

/// Opens the scratch database again.
pub(super) fn open_scratch(path: &Path) -> Result<Connection, GenerateError> {
    Ok(Connection::open(path)?)
}

/// Who is known in which table under which key, person by person.
pub(super) fn identities(
    scratch: &Connection,
    each: &mut dyn FnMut(u32, &str, &str),
) -> Result<(), GenerateError> {
    let mut statement =
        scratch.prepare("SELECT person, source, subject FROM identity ORDER BY person, rowid")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (table, subject): (String, String) = (row.get(1)?, row.get(2)?);
        each(row.get(0)?, &table, &subject);
    }
    Ok(())
}
