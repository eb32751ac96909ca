//! `--snapshot`: which frozen enterprise a command works on.

use super::failure::Failure;
use crate::query::{OpenSnapshot, SqliteEngine};
use crate::snapshot::{Snapshot, Store, data_folder, embedded};
use std::sync::Arc;

/// The choice of a snapshot.
#[derive(Debug, clap::Args)]
pub(super) struct SnapshotChoice {
    /// Snapshot by name, revision (or its first digits), or SHA-256 of its SQLite file [default: small]
    #[arg(long, value_name = "NAME", env = "CASEBOOK_SNAPSHOT")]
    snapshot: Option<String>,
}

impl SnapshotChoice {
    /// Opens the snapshot.
    pub(super) fn open(&self) -> Result<Snapshot, Failure> {
        match &self.snapshot {
            Some(asked) => store().find(asked).map_err(|error| Failure::input(&error)),
            None => embedded().into_iter().next().ok_or_else(|| {
                Failure::Input("no snapshot is built in; name one with --snapshot".to_owned())
            }),
        }
    }
}

/// A private copy of a snapshot's data, for the trial with this seed.
pub(super) fn private_copy(snapshot: &Snapshot, seed: u64) -> Result<SqliteEngine, Failure> {
    open(snapshot)?.copy(seed).map_err(|error| Failure::input(&error))
}

/// A snapshot with its data in memory, for any number of copies.
pub(super) fn open(snapshot: &Snapshot) -> Result<Arc<OpenSnapshot>, Failure> {
    OpenSnapshot::open(snapshot).map(Arc::new).map_err(|error| Failure::input(&error))
}

/// The store of this machine.
pub(super) fn store() -> Store {
    Store::new(data_folder(|name| std::env::var_os(name)).as_deref())
}
