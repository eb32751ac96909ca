//! Why evidence could not be written or read.

use std::io;
use std::path::{Path, PathBuf};

/// Why an archive can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file can't be written.
    #[error("can't write {path}: {source}; what was finished before is kept, `casebook run --resume` goes on from there", path = .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder of a new run can't be made.
    #[error("can't make the folder {path} for the run: {source}; choose another with --out", path = .path.display())]
    Create {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file can't be read.
    #[error("can't read {path}: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder is no archive.
    #[error("{path} is no evidence archive: {reason}", path = .path.display())]
    NotAnArchive {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The folder holds something already.
    #[error("{path} is not empty; choose another folder, or go on with what is in it by `casebook run --resume {path}`", path = .path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// The demo run is asked for in a build without vaults.
    #[error(
        "the demo run is not in this build (agent-host): it shows right answers, and this build holds none (docs/agents.md)"
    )]
    NoDemo,
    /// Somebody else writes it.
    #[error("another casebook is writing to {path}; wait for it, or stop it", path = .path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file of the archive is not what it should be.
    #[error("{path}{line}: {reason}; `casebook verify` lists everything that is wrong", path = .path.display(), line = .line.map_or_else(String::new, |line| format!(", line {line}")))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: Option<u64>,
        /// What is wrong.
        reason: String,
    },
    /// The archive was written by another version.
    #[error("{path} has format {found}; this casebook reads format {known}", path = .path.display(), known = super::RUN_FORMAT)]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
}

impl ArchiveError {
    /// An error of writing this file.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }

    /// An error of reading this file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_owned(), source }
    }

    /// Something is wrong in this file.
    pub(super) fn damaged(path: &Path, line: Option<u64>, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), line, reason: reason.into() }
    }
}
