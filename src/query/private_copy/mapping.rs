//! The memory behind a private copy, and SQLite's work on it.
//!
//! Invariants: the mapping lives longer than the connection that uses it; SQLite never frees or moves it; the frozen
//! file is only ever mapped privately.
#![allow(unsafe_code)] // one of the three modules that may; each block is argued

use super::{FrozenDatabase, HEADROOM};
use crate::query::OpenError;
use rusqlite::{Connection, ffi};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::io;
use std::ptr;

/// A connection to a private copy. Fields drop in order: the connection closes before its memory goes.
#[derive(Debug)]
pub(in crate::query) struct PrivateCopy {
    pub(in crate::query) connection: Connection,
    _mapping: Mapping,
}

/// A range of memory: the frozen bytes mapped privately at its front, room to grow behind them.
#[derive(Debug)]
struct Mapping {
    start: *mut c_void,
    length: usize,
}

// SAFETY: a Mapping is an address range owned by nobody else; any thread may unmap it. It is not shared (no Sync):
// only the connection beside it reads and writes it, on whichever thread owns both.
unsafe impl Send for Mapping {}

impl Mapping {
    fn of(frozen: &FrozenDatabase) -> io::Result<Self> {
        let size = frozen.size();
        let length = size
            .checked_add(HEADROOM)
            .ok_or_else(|| io::Error::new(io::ErrorKind::OutOfMemory, "the snapshot is too large to map"))?;
        // SAFETY: a null hint lets the kernel choose a range that overlaps nothing we have.
        let start = unsafe {
            mmap_anonymous(
                ptr::null_mut(),
                length,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        let mapping = Self { start, length };
        // SAFETY: FIXED replaces the front of the range just reserved, which this value owns and nobody has used yet;
        // `size` is at most `length`. The file is sealed against shrinking, so no later access can fault (SIGBUS).
        // PRIVATE keeps every write in this process; the seal refuses shared writable maps besides.
        unsafe {
            mmap(
                start,
                size,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE,
                frozen.file(),
                0,
            )
        }?;
        Ok(mapping)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range was mapped by `of` and is unmapped once; the connection that used it is closed, since
        // `PrivateCopy` drops it first. A failure could only leak the range.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

impl PrivateCopy {
    /// Maps the frozen bytes and makes them the main database of `connection`, which must be a fresh in-memory one.
    pub(in crate::query) fn attach(
        connection: Connection,
        frozen: &FrozenDatabase,
    ) -> Result<Self, OpenError> {
        let mapping = Mapping::of(frozen)?;
        let too_large =
            |_| io::Error::new(io::ErrorKind::OutOfMemory, "the snapshot is too large for SQLite");
        let size = i64::try_from(frozen.size()).map_err(too_large)?;
        let length = i64::try_from(mapping.length).map_err(too_large)?;
        // SAFETY: the handle belongs to the open connection, and nothing else uses it during the call. The schema name
        // is a C string literal. The memory is `length` bytes, of which the first `size` are the database, readable and
        // writable, page-aligned, and it outlives the connection (field order). Flags 0: without RESIZEABLE and
        // FREEONCLOSE SQLite neither reallocates nor frees it; at `length` it reports SQLITE_FULL.
        let code = unsafe {
            ffi::sqlite3_deserialize(
                connection.handle(),
                c"main".as_ptr(),
                mapping.start.cast(),
                size,
                length,
                0,
            )
        };
        if code != ffi::SQLITE_OK {
            return Err(OpenError::Sqlite(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)));
        }
        Ok(Self { connection, _mapping: mapping })
    }
}
