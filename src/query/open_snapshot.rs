//! A snapshot with its data in memory, once, for any number of private copies.

use super::{Engine, EngineHost, Environment, FrozenDatabase, Limits, OpenError, SqliteEngine};
use crate::snapshot::{Manifest, PackageError, Snapshot};

/// Why a snapshot could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenSnapshotError {
    /// The package is not sound.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// Its bytes could not be sealed.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// A snapshot whose data has been checked and sealed.
#[derive(Debug)]
pub struct OpenSnapshot {
    /// Its manifest.
    pub manifest: Manifest,
    frozen: FrozenDatabase,
    schema: String,
}

impl OpenSnapshot {
    /// Reads, checks and seals the data of a snapshot.
    ///
    /// # Errors
    /// [`OpenSnapshotError`].
    pub fn open(snapshot: &Snapshot) -> Result<Self, OpenSnapshotError> {
        let frozen = FrozenDatabase::seal(&snapshot.data()?)?;
        let schema = snapshot.manifest.schema_document().to_string();
        Ok(Self { manifest: snapshot.manifest.clone(), frozen, schema })
    }

    /// A private copy for the trial with this seed.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn copy(&self, seed: u64) -> Result<SqliteEngine, OpenError> {
        SqliteEngine::open(&self.frozen, Environment { today: self.manifest.release_date, seed })
    }

    /// A private copy for the trial with this seed, in this process or in one of its own. `limits` are the widest that a
    /// statement of it will have.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn engine(
        &self,
        host: &EngineHost,
        seed: u64,
        limits: &Limits,
    ) -> Result<Box<dyn Engine>, OpenError> {
        host.open(&self.frozen, Environment { today: self.manifest.release_date, seed }, limits)
    }

    /// What `get_schema` shows.
    pub fn schema_text(&self) -> &str {
        &self.schema
    }
}
