//! A SQLite database as the source of an import.
//!
//! The file itself is never opened by SQLite and never changed: a copy is. A database in rollback-journal mode keeps its
//! exact bytes, so that the plain SHA-256 of the file finds it again; one in WAL mode, or with a journal beside it, is
//! brought to rest first.

use super::{Job, journal, wal};
use crate::snapshot::ImportError;
use crate::snapshot::package::MAX_DATABASE_BYTES;
use crate::snapshot::sqlite_file::{beside, damage, open};
use crate::text::visible::visible;
use std::fs;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Copies the database into the job's scratch folder, at rest, and checks that it is whole.
pub(super) fn prepare(
    job: &mut Job<'_>,
    wal: bool,
    page_size: u64,
    pages: Option<u64>,
) -> Result<PathBuf, ImportError> {
    let unreadable = |source| ImportError::Unreadable { path: job.path.to_owned(), source };
    let size = fs::metadata(job.path).map_err(unreadable)?.len();
    let (log, index) = (beside(job.path, "-wal"), beside(job.path, "-shm"));
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
    let frames = if has_log {
        let log_copy = beside(&copy, "-wal");
        copy_file(job, &log, &log_copy)?;
        Some(check_log(job, &log_copy, page_size)?)
    } else {
        None
    };
    if wal {
        check_index(job, &index, frames.as_ref())?;
    }
    if has_journal {
        let journal_copy = beside(&copy, "-journal");
        copy_file(job, &journal, &journal_copy)?;
        check_journal(job, &journal_copy, page_size)?;
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
    let surplus = |wanted: u64| {
        let more = size - wanted;
        job.refuse(format!(
            "{more} bytes follow the {wanted} that its header counts; cut them off, or copy it again"
        ))
    };
    match pages.map(|pages| pages.saturating_mul(page_size)) {
        Some(wanted) if size < wanted => Err(truncated(wanted)),
        Some(wanted) if !size.is_multiple_of(page_size) => Err(surplus(wanted)),
        None if !size.is_multiple_of(page_size) => Err(job.refuse(format!(
            "its {size} bytes are not a whole number of pages of {page_size}; copy it again"
        ))),
        _ => Ok(()),
    }
}

/// A log is brought in whole or not at all.
fn check_log(job: &mut Job<'_>, log: &Path, page_size: u64) -> Result<wal::Frames, ImportError> {
    let store = |source| ImportError::Store { path: log.to_owned(), source };
    let file = fs::File::open(log).map_err(store)?;
    let frames = wal::check(BufReader::new(file), page_size).map_err(store)?.map_err(|reason| {
        job.refuse(format!(
            "its write-ahead log (-wal) is damaged: {reason}, and rows would be lost; copy the database and its log \
             again while nobody writes, or run PRAGMA wal_checkpoint(TRUNCATE) at the source first"
        ))
    })?;
    if frames.unfinished > 0 {
        job.notes.push(format!(
            "its write-ahead log ends in a transaction that was not committed; its {} pages are left out",
            frames.unfinished
        ));
    }
    Ok(frames)
}

/// The log's index, where it was copied too, knows how many frames the log had.
fn check_index(job: &Job<'_>, index: &Path, frames: Option<&wal::Frames>) -> Result<(), ImportError> {
    let mut head = Vec::new();
    match fs::File::open(index) {
        Ok(file) => file.take(136).read_to_end(&mut head),
        Err(_) => return Ok(()),
    }
    .map_err(|source| ImportError::Unreadable { path: index.to_owned(), source })?;
    match wal::missing(&head, frames) {
        None => Ok(()),
        Some(missing) => Err(job.refuse(format!(
            "the index of its write-ahead log (-shm) counts {missing} frames that are not in the log (-wal); copy the \
             database and its log again, or run PRAGMA wal_checkpoint(TRUNCATE) at the source first"
        ))),
    }
}

/// A journal is played back whole or not at all.
fn check_journal(job: &Job<'_>, journal: &Path, page_size: u64) -> Result<(), ImportError> {
    let store = |source| ImportError::Store { path: journal.to_owned(), source };
    let mut file = fs::File::open(journal).map_err(store)?;
    let size = file.metadata().map_err(store)?.len();
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(size.saturating_sub(8))).map_err(store)?;
    file.read_to_end(&mut tail).map_err(store)?;
    if size > 28 && journal::has_super_journal(&tail) {
        return Err(job.refuse(
            "its journal is part of a transaction over several databases; open it once with sqlite3 where it lies, \
             then copy it again",
        ));
    }
    file.rewind().map_err(store)?;
    journal::check(&mut BufReader::new(file), page_size).map_err(store)?.map_err(|reason| {
        job.refuse(format!(
            "its rollback journal (-journal) is damaged: {reason}, and half a transaction would stay in the data; copy \
             the database and its journal again while nobody writes"
        ))
    })
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
