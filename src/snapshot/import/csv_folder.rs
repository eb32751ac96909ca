//! A folder of CSV files as the source of an import: one table a file, named like it.
//!
//! The first line names the columns. A column holds integers if every value in it is one, else reals if every value is
//! a number, else text; an empty field is NULL. So each column has one storage class, as the snapshot format wants.

use super::Job;
use crate::snapshot::{ImportError, sqlite_file};
use crate::text::visible::visible;
use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use rusqlite::{Connection, params_from_iter, types::Value};
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The storage class of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Integer,
    Real,
    Text,
}

/// Makes a database of the folder's files in the job's scratch folder.
pub(super) fn read(job: &mut Job<'_>) -> Result<PathBuf, ImportError> {
    let unreadable = |source| ImportError::Unreadable { path: job.path.to_owned(), source };
    let mut files: Vec<PathBuf> = std::fs::read_dir(job.path)
        .map_err(unreadable)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")))
        .collect();
    files.sort();
    let database = job.scratch.join("database.sqlite");
    let store = |error: rusqlite::Error| ImportError::Store {
        path: job.scratch.to_owned(),
        source: std::io::Error::other(error.to_string()),
    };
    let mut connection = Connection::open(&database).map_err(store)?;
    connection
        .execute_batch("PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        .map_err(store)?;
    let mut tables = HashSet::new();
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.to_ascii_lowercase().starts_with("sqlite_") || !tables.insert(name.to_ascii_lowercase()) {
            return Err(fault(
                file,
                1,
                "its name can't be a table's here (taken, or reserved by SQLite); rename the file",
            ));
        }
        job.step(&format!("reading {}", visible(&name)), 0, 0)?;
        let (columns, classes) = classify(file)?;
        fill(&mut connection, file, &name, &columns, &classes).map_err(|error| match error {
            Fill::Csv(error) => error,
            Fill::Sqlite(error) => store(error),
        })?;
    }
    connection.execute_batch("VACUUM").map_err(store)?;
    connection.close().map_err(|(_, error)| store(error))?;
    let check = sqlite_file::open(&database, false).and_then(|connection| sqlite_file::damage(&connection));
    match check {
        Ok(None) => Ok(database),
        Ok(Some(finding)) => Err(job.refuse(finding)),
        Err(error) => Err(store(error)),
    }
}

fn fault(file: &Path, line: u64, reason: impl Into<String>) -> ImportError {
    ImportError::Csv { path: file.to_owned(), line, reason: reason.into() }
}

fn open(file: &Path) -> Result<Reader<File>, ImportError> {
    ReaderBuilder::new().from_path(file).map_err(|error| csv_fault(file, &error))
}

/// What a malformed file is told.
fn csv_fault(file: &Path, error: &csv::Error) -> ImportError {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        ErrorKind::Io(source) => ImportError::Unreadable {
            path: file.to_owned(),
            source: std::io::Error::new(source.kind(), source.to_string()),
        },
        ErrorKind::Utf8 { .. } => fault(file, line, "it is not UTF-8; convert the file to UTF-8"),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            fault(file, line, format!("it has {len} fields, but the first line has {expected_len}"))
        }
        _ => fault(file, line, error.to_string()),
    }
}

/// Column names, and the storage class that fits all values of each.
fn classify(file: &Path) -> Result<(Vec<String>, Vec<Class>), ImportError> {
    let mut reader = open(file)?;
    let header = reader.headers().map_err(|error| csv_fault(file, &error))?;
    let columns: Vec<String> =
        header.iter().map(|name| name.trim_start_matches('\u{feff}').trim().to_owned()).collect();
    let mut seen = HashSet::new();
    for name in &columns {
        if name.is_empty() {
            return Err(fault(file, 1, "a column has no name"));
        }
        if !seen.insert(name.to_ascii_lowercase()) {
            return Err(fault(file, 1, format!("the column '{}' is there twice", visible(name))));
        }
    }
    if columns.is_empty() {
        return Err(fault(file, 1, "it has no header line that names the columns"));
    }
    let mut classes = vec![Class::Integer; columns.len()];
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| csv_fault(file, &error))? {
        for (class, text) in classes.iter_mut().zip(&record) {
            *class = (*class).max(class_of(text));
        }
    }
    Ok((columns, classes))
}

/// The narrowest class that holds a field. Numbers count only in the form they are written in again: `007` is text.
fn class_of(text: &str) -> Class {
    if text.is_empty() || text.parse::<i64>().is_ok_and(|number| number.to_string() == text) {
        return Class::Integer;
    }
    let digits = text.trim_start_matches('-');
    let is_written_plainly =
        digits.starts_with("0.") || digits.starts_with(|first: char| ('1'..='9').contains(&first));
    let is_number = is_written_plainly
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        && text.parse::<f64>().is_ok_and(f64::is_finite);
    if is_number { Class::Real } else { Class::Text }
}

enum Fill {
    Csv(ImportError),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Fill {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn fill(
    connection: &mut Connection,
    file: &Path,
    table: &str,
    columns: &[String],
    classes: &[Class],
) -> Result<(), Fill> {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let list = columns.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    let places = vec!["?"; columns.len()].join(", ");
    let transaction = connection.transaction()?;
    transaction.execute_batch(&format!("CREATE TABLE {}({list})", quoted(table)))?;
    {
        let mut insert = transaction.prepare(&format!("INSERT INTO {} VALUES ({places})", quoted(table)))?;
        let mut reader = open(file).map_err(Fill::Csv)?;
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| Fill::Csv(csv_fault(file, &error)))? {
            insert.execute(params_from_iter(
                record.iter().zip(classes).map(|(text, class)| value(text, *class)),
            ))?;
        }
    }
    transaction.commit()?;
    Ok(())
}

fn value(text: &str, class: Class) -> Value {
    match class {
        _ if text.is_empty() => Value::Null,
        Class::Integer => text.parse().map_or(Value::Null, Value::Integer),
        Class::Real => text.parse().map_or(Value::Null, Value::Real),
        Class::Text => Value::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, class_of};

    #[test]
    fn a_number_is_one_only_if_it_reads_back_the_same() {
        for (text, class) in [
            ("", Class::Integer),
            ("42", Class::Integer),
            ("-1", Class::Integer),
            ("007", Class::Text),
            ("+1", Class::Text),
            ("9223372036854775808", Class::Real),
            ("1.5", Class::Real),
            ("-0.5e-3", Class::Real),
            ("00.5", Class::Text),
            ("1e999", Class::Text),
            ("inf", Class::Text),
            ("true", Class::Text),
        ] {
            assert_eq!(class_of(text), class, "{text}");
        }
    }
}
