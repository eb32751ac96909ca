//! A SQLite database as the source of an import.
//!
//! The file itself is never opened by SQLite and never changed: a copy is. A database in rollback-journal mode keeps its
//! exact bytes, so that the plain SHA-256 of the file finds it again; one in WAL mode, or with a journal beside it, is
//! brought to rest first.

use super::Job;
use crate::snapshot::ImportError;
use crate::snapshot::package::MAX_DATABASE_BYTES;
use crate::snapshot::sqlite_file::{beside, damage, open};
use crate::text::visible::visible;
use std::fs;
use std::path::{Path, PathBuf};

/// Copies the database into the job's scratch folder, at rest, and checks that it is whole.
pub(super) fn prepare(
    job: &Job<'_>,
    wal: bool,
    page_size: u64,
    pages: Option<u64>,
) -> Result<PathBuf, ImportError> {
    let unreadable = |source| ImportError::Unreadable { path: job.path.to_owned(), source };
    let size = fs::metadata(job.path).map_err(unreadable)?.len();
    let log = beside(job.path, "-wal");
    let journal = beside(job.path, "-journal");
    let has_content = |path: &Path| fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0);
    let (has_log, has_journal) = (has_content(&log), has_content(&journal));
    check_size(job, size, page_size, pages.filter(|_| !has_log && !has_journal))?;
    if has_log && !wal {
        return Err(job.refuse(
            "a write-ahead log (-wal) lies beside it, but the database is not in WAL mode: the two do not belong together; \
             move the log away or copy both again",
        ));
    }
    let copy = job.scratch.join("database.sqlite");
    copy_file(job, job.path, &copy)?;
    if has_log {
        copy_file(job, &log, &beside(&copy, "-wal"))?;
    }
    if has_journal {
        copy_file(job, &journal, &beside(&copy, "-journal"))?;
    }
    if wal || has_journal {
        come_to_rest(&copy).map_err(|error| {
            job.refuse(format!(
                "its log can't be brought in: {error}; run PRAGMA \
            wal_checkpoint(TRUNCATE) and PRAGMA journal_mode = DELETE on it first"
            ))
        })?;
    }
    let connection =
        open(&copy, false).map_err(|error| job.refuse(format!("SQLite can't open it: {error}")))?;
    match damage(&connection) {
        Ok(None) => Ok(copy),
        Ok(Some(finding)) => Err(job.refuse(format!("it is damaged: {}", visible(&finding)))),
        Err(error) => Err(job.refuse(format!("it is damaged or encrypted: {error}"))),
    }
}

/// A database is a whole number of pages, as many as its header counts.
fn check_size(job: &Job<'_>, size: u64, page_size: u64, pages: Option<u64>) -> Result<(), ImportError> {
    if size > MAX_DATABASE_BYTES {
        return Err(job.refuse(format!("it has {size} bytes; the limit is {} GiB", MAX_DATABASE_BYTES >> 30)));
    }
    if !(512..=65_536).contains(&page_size) || !page_size.is_power_of_two() {
        return Err(job.refuse(format!("its header is damaged: a page of {page_size} bytes")));
    }
    let truncated = |wanted: u64| {
        job.refuse(format!("it is truncated: {size} bytes, but its header counts {wanted}; copy it again"))
    };
    match pages.map(|pages| pages.saturating_mul(page_size)) {
        Some(wanted) if size < wanted => Err(truncated(wanted)),
        _ if !size.is_multiple_of(page_size) => Err(truncated((size / page_size + 1) * page_size)),
        _ => Ok(()),
    }
}

fn copy_file(job: &Job<'_>, from: &Path, to: &Path) -> Result<(), ImportError> {
    let mut source =
        fs::File::open(from).map_err(|source| ImportError::Unreadable { path: from.to_owned(), source })?;
    let store = |source| ImportError::Store { path: job.scratch.to_owned(), source };
    let mut target = fs::File::create(to).map_err(store)?;
    std::io::copy(&mut source, &mut target).map_err(store)?;
    Ok(())
}

/// Plays the log or journal into the copy and leaves it in rollback-journal mode, alone.
fn come_to_rest(copy: &Path) -> rusqlite::Result<()> {
    let connection = open(copy, true)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let mode: String = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode != "delete" {
        return Err(rusqlite::Error::InvalidParameterName(format!("its journal mode stays {mode}")));
    }
    // Read something, so that a hot journal is rolled back now.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)
}
