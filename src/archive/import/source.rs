//! The file of an import: read by ranges, so that a large one is opened without reading all of it.

use super::error::{ImportError, in_part};
use super::json::{Parsed, parse};
use super::limits::{MAX_DOCUMENT, MAX_TREE};
use crate::archive::whole_file::read_regular;
use crate::domain::foreign::SourceFile;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes read at once where a whole file is gone through.
const CHUNK: usize = 1 << 20;

/// A file that is open.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    pub(super) name: String,
    pub(super) bytes: u64,
    file: Mutex<File>,
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        let failed = ImportError::read(path);
        // A link that the user names is the user's own; what it leads to must be a file.
        let real = std::fs::canonicalize(path).map_err(&failed)?;
        let file = read_regular(&real).map_err(&failed)?;
        let bytes = file.metadata().map_err(&failed)?.len();
        let name =
            path.file_name().map_or_else(|| "trace".to_owned(), |it| it.to_string_lossy().into_owned());
        Ok(Self { path: real, name, bytes, file: Mutex::new(file) })
    }

    /// What is said of the file.
    pub(super) fn record(&self) -> SourceFile {
        SourceFile { name: self.name.clone(), bytes: self.bytes }
    }

    /// The bytes of a range. One that is cut by the file's end is an error.
    pub(super) fn range(&self, range: Range<u64>) -> Result<Vec<u8>, ImportError> {
        let failed = ImportError::read(&self.path);
        let length = range.end.saturating_sub(range.start);
        if length > MAX_DOCUMENT {
            return Err(self.too_large(None, &format!("a part of {} MiB", length >> 20)));
        }
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.start)).map_err(&failed)?;
        file.read_exact(&mut bytes).map_err(&failed)?;
        Ok(bytes)
    }

    /// Calls `each` with all bytes in order.
    pub(super) fn through(&self, from: u64, mut each: impl FnMut(&[u8]) -> bool) -> Result<(), ImportError> {
        let failed = ImportError::read(&self.path);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(from)).map_err(&failed)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(read) => {
                    if !each(&chunk[..read]) {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// SHA-256 of the whole file, in lower-case hex.
    pub(super) fn sha256(&self) -> Result<String, ImportError> {
        let mut digest = Sha256::new();
        self.through(0, |bytes| {
            digest.update(bytes);
            true
        })?;
        Ok(hex::encode(digest.finalize()))
    }

    /// A range as JSON; `part` is what messages call it.
    pub(super) fn json(&self, range: Range<u64>, part: Option<&str>) -> Result<Parsed, ImportError> {
        let length = range.end.saturating_sub(range.start);
        if length > MAX_DOCUMENT {
            return Err(self.too_large(part, &format!("a JSON document of {} MiB", length >> 20)));
        }
        self.parse(&self.range(range)?, part)
    }

    /// Bytes of this file as JSON.
    pub(super) fn parse(&self, bytes: &[u8], part: Option<&str>) -> Result<Parsed, ImportError> {
        parse(bytes).map_err(|error| {
            let (name, place) = (self.name.clone(), in_part(part));
            if error.too_large {
                let limit = format!("{} MiB", MAX_TREE >> 20);
                return ImportError::TooLarge {
                    name,
                    place,
                    what: "what its JSON takes in memory".to_owned(),
                    limit,
                };
            }
            ImportError::Json { name, place, line: error.line, column: error.column, reason: error.reason }
        })
    }

    pub(super) fn too_large(&self, part: Option<&str>, what: &str) -> ImportError {
        ImportError::TooLarge {
            name: self.name.clone(),
            place: in_part(part),
            what: what.to_owned(),
            limit: format!("{} MiB", MAX_DOCUMENT >> 20),
        }
    }

    pub(super) fn unknown(&self, reason: impl Into<String>) -> ImportError {
        ImportError::UnknownFormat { name: self.name.clone(), reason: reason.into() }
    }

    pub(super) fn zip_error(&self, reason: impl Into<String>) -> ImportError {
        ImportError::Zip { name: self.name.clone(), reason: reason.into() }
    }
}
