//! The store: packages by revision under the data folder, and the embedded ones in the same list.
//!
//! `snapshots/<revision>/` holds one package. Names that begin with a dot are imports under way. Anything else is left
//! alone and not listed.

use super::{PackageError, Snapshot, StoreError, embedded};
use crate::domain::Revision;
use crate::text::visible::visible;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A revision's prefix must have this many digits to name it.
const SHORTEST_PREFIX: usize = 4;
/// An import that has not touched its folder for this long is dead.
const STALE: Duration = Duration::from_hours(24);

/// A package of the list.
#[derive(Debug)]
pub struct Entry {
    /// What the folder or the binary calls it.
    pub revision: Revision,
    /// The package, or why it can't be opened.
    pub snapshot: Result<Snapshot, PackageError>,
}

/// The packages of one machine.
#[derive(Debug, Clone)]
pub struct Store {
    folder: Option<PathBuf>,
}

impl Store {
    /// The store under a data folder; with `None`, the embedded packages alone.
    pub fn new(data_folder: Option<&Path>) -> Self {
        Self { folder: data_folder.map(|folder| folder.join("snapshots")) }
    }

    /// The folder that holds the packages.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// All packages: embedded first, then by name and revision.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where the store exists and can't be read. A broken package is an entry, no error.
    pub fn list(&self) -> Result<Vec<Entry>, StoreError> {
        let mut entries: Vec<Entry> = embedded()
            .into_iter()
            .map(|snapshot| Entry { revision: snapshot.manifest.revision, snapshot: Ok(snapshot) })
            .collect();
        let Some(folder) = &self.folder else { return Ok(entries) };
        let unreadable = |source| StoreError::Unreadable { path: folder.clone(), source };
        let names = match fs::read_dir(folder) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(entries),
            Err(error) => return Err(unreadable(error)),
        };
        let mut stored = Vec::new();
        for name in names {
            let name = name.map_err(unreadable)?.file_name();
            let Some(revision) = name.to_str().and_then(|name| name.parse::<Revision>().ok()) else {
                continue;
            };
            stored.push(Entry { revision, snapshot: open_as(&folder.join(&name), revision) });
        }
        let name =
            |entry: &Entry| entry.snapshot.as_ref().map(|it| it.manifest.name.clone()).unwrap_or_default();
        stored.sort_by_key(|entry| (name(entry), entry.revision));
        entries.extend(stored);
        Ok(entries)
    }

    /// Finds one package by name, revision, the first digits of a revision (at least 4), or the SHA-256 of its SQLite
    /// file. The name of a built-in package means that one, whatever the store holds.
    ///
    /// # Errors
    /// [`StoreError`]: none, several, or a broken one.
    pub fn find(&self, asked: &str) -> Result<Snapshot, StoreError> {
        if let Some(built_in) = embedded().into_iter().find(|snapshot| snapshot.manifest.name == asked) {
            return Ok(built_in);
        }
        let is_prefix = asked.len() >= SHORTEST_PREFIX && asked.bytes().all(|byte| byte.is_ascii_hexdigit());
        let lower = asked.to_ascii_lowercase();
        let fits = |entry: &Entry| {
            (is_prefix && entry.revision.to_string().starts_with(&lower))
                || entry.snapshot.as_ref().is_ok_and(|snapshot| {
                    snapshot.manifest.name == asked || snapshot.manifest.sqlite.sha256 == lower
                })
        };
        let mut found: Vec<Entry> = self.list()?.into_iter().filter(fits).collect();
        // The same revision may be embedded and stored: they are the same bytes.
        found.dedup_by_key(|entry| entry.revision);
        match found.len() {
            0 => Err(StoreError::NotFound(visible(&asked.chars().take(80).collect::<String>()).into_owned())),
            1 => Ok(found.remove(0).snapshot?),
            _ => {
                let candidate = |entry: &Entry| {
                    let name = entry.snapshot.as_ref().map_or("(broken)", |it| it.manifest.name.as_str());
                    format!("{} {name}", entry.revision.short())
                };
                Err(StoreError::Ambiguous {
                    asked: asked.to_owned(),
                    candidates: found.iter().map(candidate).collect::<Vec<_>>().join(", "),
                })
            }
        }
    }

    /// Removes what killed imports left, if it is old enough to be nobody's. `now` is the wall clock.
    pub(super) fn remove_stale_imports(folder: &Path, now: SystemTime) {
        let Ok(names) = fs::read_dir(folder) else { return };
        for entry in names.flatten() {
            let is_import =
                entry.file_name().to_str().is_some_and(|name| name.starts_with(super::import::STAGING));
            let age = entry
                .metadata()
                .and_then(|it| it.modified())
                .ok()
                .and_then(|time| now.duration_since(time).ok());
            if is_import && age.is_some_and(|age| age > STALE) {
                // Best effort: what can't be removed is not listed either.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Opens a stored package, which must be what its folder says.
fn open_as(folder: &Path, revision: Revision) -> Result<Snapshot, PackageError> {
    let snapshot = Snapshot::open(folder)?;
    if snapshot.manifest.revision == revision {
        return Ok(snapshot);
    }
    Err(PackageError::Digest {
        file: super::MANIFEST_FILE,
        what: "the revision",
        found: snapshot.manifest.revision.to_string(),
        wanted: format!("{revision} (the folder's name)"),
    })
}
