//! A store and sources for tests.

use casebook::snapshot::{Facts, ImportError, ImportOutcome, Store, import};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::TempDir;

/// A folder for one test: a store in it, and room for sources.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) store: Store,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(Some(&folder.path().join("data")));
        Self { folder, store }
    }

    /// A path in the test's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A database that these statements make.
    pub(crate) fn database(&self, name: &str, sql: &str) -> PathBuf {
        let path = self.path(name);
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(sql).unwrap();
        connection.close().unwrap();
        path
    }

    /// A file with these bytes.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Imports with the usual facts.
    pub(crate) fn import(&self, path: &Path) -> Result<ImportOutcome, ImportError> {
        import(&self.store, path, &facts(), SystemTime::now(), &mut |_| true)
    }

    /// Imports, expects a refusal, and checks that the store holds nothing afterwards.
    pub(crate) fn refused(&self, path: &Path) -> String {
        let error = match self.import(path) {
            Ok(outcome) => panic!("{} was imported: {outcome:?}", path.display()),
            Err(error) => error.to_string(),
        };
        assert_eq!(self.stored(), Vec::<String>::new(), "left in the store after: {error}");
        error
    }

    /// Whatever lies in the store's folder, under any name.
    pub(crate) fn stored(&self) -> Vec<String> {
        let Ok(names) = std::fs::read_dir(self.store.folder().unwrap()) else { return Vec::new() };
        names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }
}

/// What a user would say of a bare database.
pub(crate) fn facts() -> Facts {
    Facts { release_date: Some(jiff::civil::date(2026, 6, 30)), ..Facts::default() }
}

/// The folder of the hand-made package.
pub(crate) fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/packages/sample")
}
