//! Import: from whatever is at a path to a package in the store, whole or not at all.
//!
//! Everything is prepared in a folder of its own inside the store and checked there; the last step is one rename. On any
//! error that folder goes, so nothing is left. One file a kind of source: `archive`, `database`, `csv_folder`.

mod archive;
mod csv_folder;
mod database;
mod journal;
mod wal;

use super::manifest::check_name;
use super::package::{create_package, write_manifest};
use super::sqlite_file::{self, FileKind, beside};
use super::store::Store;
use super::{
    DATA_FILE, ImportError, MANIFEST_FILE, Manifest, Origin, PackageError, Problem, Snapshot, embedded,
    verify_folder,
};
use crate::domain::Revision;
use crate::text::visible::visible;
use jiff::civil::Date;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How the folders of imports under way begin.
pub(super) const STAGING: &str = ".import-";

/// What only the user knows of a bare database or a folder of CSV files. A package brings its own facts; only its name
/// may be changed.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Short name; without it, the package's own or one made from the file's name.
    pub name: Option<String>,
    /// Name of the organisation; without it, the short name.
    pub organisation: Option<String>,
    /// The environment's today. It can't be guessed: every "older than 90 days" depends on it.
    pub release_date: Option<Date>,
    /// The company's own e-mail domains.
    pub company_domains: Vec<String>,
    /// A sentence a table.
    pub descriptions: BTreeMap<String, String>,
}

/// A step of an import under way: what is done, how far (bytes or 0), of how much (bytes or 0).
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// What is being done, such as "compressing".
    pub step: &'p str,
    /// Bytes done.
    pub done: u64,
    /// Bytes in all; 0 where not known.
    pub total: u64,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOutcome {
    /// The package in the store.
    pub snapshot: Snapshot,
    /// The same data was there before; nothing was written.
    pub already_there: bool,
    /// What the user should know of the data, such as triggers that will not run.
    pub notes: Vec<String>,
}

/// Imports what is at `path` into the store. `progress` hears of each step and stops the import by answering false.
///
/// # Errors
/// [`ImportError`]; nothing of the import is left in the store then.
pub fn import(
    store: &Store,
    path: &Path,
    facts: &Facts,
    now: SystemTime,
    progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Result<ImportOutcome, ImportError> {
    let Some(folder) = store.folder() else {
        let reason = "there is no folder for data: set CASEBOOK_DATA_DIR or HOME";
        return Err(ImportError::Facts(reason.to_owned()));
    };
    let in_store = |source| ImportError::Store { path: folder.to_owned(), source };
    let kind = what_is_at(path)?;
    fs::create_dir_all(folder).map_err(in_store)?;
    Store::remove_stale_imports(folder, now);
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(folder).map_err(in_store)?;
    let package = staging.path().join("package");
    fs::create_dir(&package).map_err(in_store)?;
    let mut job =
        Job { path, facts, scratch: staging.path(), package: &package, notes: Vec::new(), progress };
    let made = match kind {
        Found::Folder => job.take_package(),
        Found::CsvFolder => csv_folder::read(&mut job).and_then(|database| job.build(&database)),
        Found::File(FileKind::Sqlite { wal, page_size, pages }) => {
            database::prepare(&mut job, wal, page_size, pages).and_then(|database| job.build(&database))
        }
        Found::File(kind) => archive::unpack(&job, &kind).and_then(|()| job.check_package()),
    };
    let notes = std::mem::take(&mut job.notes);
    let manifest = made.map_err(|error| store_is_full(error, folder))?;
    let already_there = put(folder, &package, manifest.revision).map_err(in_store)?;
    let snapshot = Snapshot::open(&folder.join(manifest.revision.to_string()))?;
    Ok(ImportOutcome { snapshot, already_there, notes })
}

/// A write that failed in the staging folder failed in the store.
fn store_is_full(error: ImportError, folder: &Path) -> ImportError {
    match error {
        ImportError::Package(PackageError::File { action: "can't write", source, .. }) => {
            ImportError::Store { path: folder.to_owned(), source }
        }
        other => other,
    }
}

enum Found {
    Folder,
    CsvFolder,
    File(FileKind),
}

fn what_is_at(path: &Path) -> Result<Found, ImportError> {
    let unreadable = |source| ImportError::Unreadable { path: path.to_owned(), source };
    let not_importable =
        |what: &str| ImportError::NotImportable { path: path.to_owned(), what: what.to_owned() };
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound && beside(path, "-wal").exists() => {
            let what = "missing, though its write-ahead log (-wal) is there: copy the database too";
            return Err(not_importable(what));
        }
        Err(error) => return Err(unreadable(error)),
    };
    if metadata.is_dir() {
        if path.join(MANIFEST_FILE).exists() || path.join(DATA_FILE).exists() {
            return Ok(Found::Folder);
        }
        let mut names = fs::read_dir(path).map_err(unreadable)?.flatten().map(|entry| entry.path());
        let is_csv =
            |path: PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        return if names.any(is_csv) {
            Ok(Found::CsvFolder)
        } else {
            Err(not_importable("a folder of something else"))
        };
    }
    if !metadata.is_file() {
        return Err(not_importable("no regular file"));
    }
    match sqlite_file::kind(path).map_err(unreadable)? {
        FileKind::Other(what) => Err(not_importable(what)),
        FileKind::WriteAheadLog => {
            Err(not_importable("the write-ahead log of a database; import the database it belongs to"))
        }
        kind => Ok(Found::File(kind)),
    }
}

/// One import under way.
struct Job<'j> {
    path: &'j Path,
    facts: &'j Facts,
    /// A folder for anything temporary.
    scratch: &'j Path,
    /// The folder that becomes the package.
    package: &'j Path,
    notes: Vec<String>,
    progress: &'j mut dyn FnMut(Progress<'_>) -> bool,
}

impl Job<'_> {
    fn step(&mut self, step: &str, done: u64, total: u64) -> Result<(), ImportError> {
        if (self.progress)(Progress { step, done, total }) { Ok(()) } else { Err(ImportError::Cancelled) }
    }

    fn refuse(&self, reason: impl Into<String>) -> ImportError {
        ImportError::Database { path: self.path.to_owned(), reason: reason.into() }
    }

    /// Takes over a package folder: copies its two files, then checks the copy.
    fn take_package(&mut self) -> Result<Manifest, ImportError> {
        let source = Snapshot::open(self.path)?;
        let total = source.manifest.compressed.bytes;
        self.step("copying", 0, total)?;
        let data = source.compressed()?;
        let target = self.package.join(DATA_FILE);
        let write = fs::write(&target, data).and_then(|()| File::open(&target)?.sync_all());
        write.map_err(|error| PackageError::file("can't write", &target, error))?;
        write_manifest(self.package, &source.manifest)?;
        self.check_package()
    }

    /// Checks the package in place and gives its manifest.
    fn check_package(&mut self) -> Result<Manifest, ImportError> {
        self.step("checking", 0, 0)?;
        let mut manifest = Snapshot::open(self.package)?.manifest;
        if let Some(Problem { error, .. }) = verify_folder(self.package).into_iter().next() {
            return Err(error.into());
        }
        // The name is no part of the revision, so a package may go by another one here.
        if let Some(name) = self.facts.name.as_ref().filter(|name| **name != manifest.name) {
            check_name(name).map_err(ImportError::Facts)?;
            manifest.name.clone_from(name);
            manifest = manifest.sealed();
            write_manifest(self.package, &manifest)?;
        }
        let taken = |other: &Snapshot| {
            other.manifest.name == manifest.name && other.manifest.revision != manifest.revision
        };
        if embedded().iter().any(taken) {
            return Err(ImportError::Facts(format!(
                "the name '{}' is that of a built-in snapshot with other data; give another with --name",
                manifest.name
            )));
        }
        Ok(manifest)
    }

    /// Makes a package of a prepared database file.
    fn build(&mut self, database: &Path) -> Result<Manifest, ImportError> {
        let contents = self.contents(database)?;
        let name = self.name()?;
        let Some(release_date) = self.facts.release_date else {
            let reason = "the release date of the data is not known: every \"older than 90 days\" depends on it; give it \
                          with --release-date YYYY-MM-DD (the day the export was made)";
            return Err(ImportError::Facts(reason.to_owned()));
        };
        let mut tables = contents;
        for table in &mut tables {
            if let Some(description) = self.facts.descriptions.get(&table.name) {
                table.description.clone_from(description);
            }
        }
        if let Some(unknown) =
            self.facts.descriptions.keys().find(|name| !tables.iter().any(|table| table.name == **name))
        {
            let shown = visible(unknown);
            return Err(ImportError::Facts(format!(
                "the descriptions name a table '{shown}' that is not in the data"
            )));
        }
        let total = fs::metadata(database).map_or(0, |metadata| metadata.len());
        let mut cancelled = false;
        let progress = &mut *self.progress;
        let draft = Manifest {
            organisation: self.facts.organisation.clone().unwrap_or_else(|| name.clone()),
            company_domains: self.facts.company_domains.clone(),
            notes: self.notes.clone(),
            ..Manifest::draft(name, Origin::Imported, release_date, tables)
        };
        let written = create_package(self.package, database, draft, &mut |done| {
            if progress(Progress { step: "compressing", done, total }) {
                return Ok(());
            }
            cancelled = true;
            Err(io::Error::other("cancelled"))
        });
        if cancelled {
            return Err(ImportError::Cancelled);
        }
        written?;
        self.check_package()
    }

    /// Tables of the prepared database; refuses what can't be queried later.
    fn contents(&mut self, database: &Path) -> Result<Vec<crate::domain::TableDescription>, ImportError> {
        self.step("counting rows", 0, 0)?;
        let mut cancelled = false;
        let progress = &mut *self.progress;
        let contents = sqlite_file::open(database, false).and_then(|connection| {
            sqlite_file::contents(&connection, &mut |table| {
                cancelled =
                    !progress(Progress { step: &format!("counting {}", visible(table)), done: 0, total: 0 });
                !cancelled
            })
        });
        if cancelled {
            return Err(ImportError::Cancelled);
        }
        let contents = contents.map_err(|error| self.refuse(format!("its tables can't be read: {error}")))?;
        let contents = contents.unwrap_or_default();
        if !contents.virtual_tables.is_empty() {
            let names = contents.virtual_tables.join(", ");
            let names = visible(&names);
            return Err(self.refuse(format!(
                "it has virtual tables ({names}), which a private copy can't read; copy them into ordinary tables first \
                 (CREATE TABLE x AS SELECT * FROM y)"
            )));
        }
        if contents.tables.is_empty() {
            return Err(self.refuse(
                "it has no tables; if they were written in WAL mode, copy the '-wal' file together with the database, or \
                 run PRAGMA wal_checkpoint(TRUNCATE) first",
            ));
        }
        if !contents.triggers.is_empty() {
            let names = contents.triggers.join(", ");
            self.notes.push(format!("triggers are kept but never run: {}", visible(&names)));
        }
        Ok(contents.tables)
    }

    /// The short name: the one given, else one made of the file's name.
    fn name(&self) -> Result<String, ImportError> {
        if let Some(name) = &self.facts.name {
            check_name(name).map_err(ImportError::Facts)?;
            return Ok(name.clone());
        }
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let name: String = stem
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' })
            .take(64)
            .collect();
        let name = name.trim_matches(['.', '-']).to_owned();
        check_name(&name).map_err(|_| {
            ImportError::Facts("no name can be made of the file's name; give one with --name".to_owned())
        })?;
        Ok(name)
    }
}

/// Moves a finished package to its place; true if the same data was there already.
fn put(folder: &Path, package: &Path, revision: Revision) -> io::Result<bool> {
    let target = folder.join(revision.to_string());
    if target.exists() {
        if verify_folder(&target).is_empty() {
            return Ok(true);
        }
        // A damaged copy of the same data: the sound one takes its place.
        fs::remove_dir_all(&target)?;
    }
    File::open(package)?.sync_all()?;
    fs::rename(package, &target)?;
    File::open(folder)?.sync_all()?;
    Ok(false)
}
