//! What can be wrong with a package, an import and a look into the store. Each message names the thing, the reason and the
//! next step.

use std::io;
use std::path::{Path, PathBuf};

/// A package can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The system refused a file.
    #[error("{action} '{}': {source}", path.display())]
    File {
        /// What was tried, such as "can't read".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The manifest is not one.
    #[error("manifest.json is not a snapshot manifest: {0}; get the package again from its source")]
    Manifest(String),
    /// The manifest is of another version of the format.
    #[error(
        "the package has format {found}; this casebook reads format {supported}: use a casebook of its time"
    )]
    Format {
        /// The version found.
        found: u64,
        /// The version this program reads.
        supported: u32,
    },
    /// A file lies in the package that is no part of it.
    #[error("it is no part of a snapshot package; remove it, or get the package again from its source")]
    Stranger,
    /// A digest does not fit.
    #[error(
        "{file}: {what} is {found}, but the manifest says {wanted}; get the package again from its source"
    )]
    Digest {
        /// The file of the package.
        file: &'static str,
        /// Which figure.
        what: &'static str,
        /// The figure as it is.
        found: String,
        /// The figure as it should be.
        wanted: String,
    },
    /// The compressed data can't be unpacked.
    #[error("data.sqlite.zst can't be unpacked: {0}; get the package again from its source")]
    Compression(String),
}

impl PackageError {
    /// The error of a system call on a file.
    pub(super) fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { action, path: path.to_owned(), source }
    }
}

/// An import was refused. Nothing of it is left in the store.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is nothing at the path, or it can't be read.
    #[error("can't read '{}': {source}", path.display())]
    Unreadable {
        /// The path given.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is neither a package, an archive of one, a SQLite database nor a folder of CSV files.
    #[error("'{}' is {what}; import takes a package folder, a tar or zip of one, a SQLite database or a folder of CSV files", path.display())]
    NotImportable {
        /// The path given.
        path: PathBuf,
        /// What it seems to be.
        what: String,
    },
    /// The SQLite database can't be used as it is.
    #[error("'{}' can't be imported: {reason}", path.display())]
    Database {
        /// The path given.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
    /// A CSV file is malformed.
    #[error("'{}', line {line}: {reason}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What is wrong and what to do.
        reason: String,
    },
    /// An archive holds something that a package does not.
    #[error("the archive '{}' is refused: {reason}", path.display())]
    Archive {
        /// The path given.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A fact is missing or malformed that only the user can give.
    #[error("{0}")]
    Facts(String),
    /// The package itself is wrong.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The store can't be written.
    #[error("can't write to the store '{}': {source}; free some space or set CASEBOOK_DATA_DIR", path.display())]
    Store {
        /// The store's folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The user stopped it.
    #[error("the import was cancelled; nothing was stored")]
    Cancelled,
}

/// A snapshot was not found, or not one alone.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No snapshot has this name or address.
    #[error("there is no snapshot '{0}'; `casebook snapshot list` shows what there is")]
    NotFound(String),
    /// Several have it.
    #[error("'{asked}' could be any of: {candidates}; give more of the revision")]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// The revisions and names that fit.
        candidates: String,
    },
    /// The store's folder can't be read.
    #[error("can't read the store '{}': {source}", path.display())]
    Unreadable {
        /// The store's folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The package found is damaged.
    #[error(transparent)]
    Package(#[from] PackageError),
}
