//! Verification: recomputes everything that a package claims.

use super::package::{DATA_FILE, MANIFEST_FILE};
use super::{PackageError, Snapshot, Source, sqlite_file};
use crate::text::visible::visible;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// One thing that is wrong with a package.
#[derive(Debug)]
pub struct Problem {
    /// The file of the package, or the name of one that should not be there.
    pub file: String,
    /// What is wrong with it.
    pub error: PackageError,
}

impl PartialEq for Problem {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file && self.error.to_string() == other.error.to_string()
    }
}

/// Everything that is wrong with the package in a folder; empty where it is sound.
pub fn verify_folder(folder: &Path) -> Vec<Problem> {
    let mut problems = strangers(folder);
    match Snapshot::open(folder) {
        Ok(snapshot) => problems.extend(verify(&snapshot)),
        Err(error) => problems.push(Problem { file: MANIFEST_FILE.to_owned(), error }),
    }
    problems
}

/// Everything that is wrong with an opened package: its data against the manifest, byte for byte, then the tables, rows
/// and columns inside against those that the manifest lists.
pub fn verify(snapshot: &Snapshot) -> Vec<Problem> {
    let found = snapshot.data().and_then(|data| check_tables(snapshot, &data));
    found.err().map(|error| Problem { file: DATA_FILE.to_owned(), error }).into_iter().collect()
}

/// Whether a folder holds the files of a package and nothing else.
pub(super) fn only_package_files(folder: &Path) -> bool {
    strangers(folder).is_empty()
}

/// Files that are no part of a package.
fn strangers(folder: &Path) -> Vec<Problem> {
    let Ok(names) = fs::read_dir(folder) else { return Vec::new() };
    names
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != MANIFEST_FILE && name != DATA_FILE)
        .map(|name| Problem { file: visible(&name).into_owned(), error: PackageError::Stranger })
        .collect()
}

fn check_tables(snapshot: &Snapshot, data: &[u8]) -> Result<(), PackageError> {
    let unusable =
        |reason: String| PackageError::Compression(format!("the database inside is unusable: {reason}"));
    // SQLite wants a file. It goes to the system's temporary folder, since a package's own may not be writable.
    let mut file = tempfile::NamedTempFile::new().map_err(|error| unusable(error.to_string()))?;
    file.write_all(data).map_err(|error| unusable(error.to_string()))?;
    let open = || {
        let connection = sqlite_file::open(file.path(), false)?;
        Ok((sqlite_file::damage(&connection)?, sqlite_file::contents(&connection, &mut |_| true)?))
    };
    let (damage, contents) = open().map_err(|error: rusqlite::Error| unusable(error.to_string()))?;
    if let Some(damage) = damage {
        return Err(unusable(visible(&damage).into_owned()));
    }
    let found = contents.unwrap_or_default().tables;
    let listed = &snapshot.manifest.tables;
    let differs = |what, found: String, wanted: String| {
        Err(PackageError::Digest { file: DATA_FILE, what, found, wanted })
    };
    if found.len() != listed.len() {
        return differs("the number of tables", found.len().to_string(), listed.len().to_string());
    }
    for (found, listed) in found.iter().zip(listed) {
        let shown = |name: &str| visible(name).into_owned();
        if found.name != listed.name {
            return differs("the name of a table", shown(&found.name), shown(&listed.name));
        }
        if found.rows != listed.rows {
            let label = |rows: u64| format!("{rows} in {}", shown(&listed.name));
            return differs("the number of rows", label(found.rows), label(listed.rows));
        }
        if found.columns != listed.columns {
            return differs(
                "the columns of a table",
                shown(&found.columns.join(", ")),
                shown(&listed.columns.join(", ")),
            );
        }
    }
    Ok(())
}

impl Snapshot {
    /// Verifies the package where it lies.
    pub fn problems(&self) -> Vec<Problem> {
        match &self.source {
            Source::Embedded(_) => verify(self),
            Source::Folder(folder) => verify_folder(folder),
        }
    }
}
