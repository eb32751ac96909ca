//! Where the statements of a trial run: in this process, or in a worker that can be killed.

use super::IsolatedEngine;
use crate::query::{Engine, Environment, FrozenDatabase, Limits, OpenError, SqliteEngine};
use std::path::PathBuf;

/// The choice. It changes no result: only what happens to a statement that does not let itself be stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum EngineHost {
    /// In the process that asks.
    #[default]
    InProcess,
    /// In a process of its own.
    Isolated(Worker),
}

/// How a worker is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// A casebook binary of this very version.
    pub program: PathBuf,
}

impl Default for Worker {
    /// This program again: the file it was started from, even if another one lies there by now.
    fn default() -> Self {
        Self { program: PathBuf::from("/proc/self/exe") }
    }
}

impl EngineHost {
    /// A worker of this program, or this process.
    pub fn isolated(isolate: bool) -> Self {
        if isolate { Self::Isolated(Worker::default()) } else { Self::InProcess }
    }

    /// Whether it is a worker.
    pub const fn is_isolated(&self) -> bool {
        matches!(self, Self::Isolated(_))
    }

    /// Opens a private copy. `limits` are the widest that a statement will have: a worker's memory follows from them.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(
        &self,
        frozen: &FrozenDatabase,
        environment: Environment,
        limits: &Limits,
    ) -> Result<Box<dyn Engine>, OpenError> {
        Ok(match self {
            Self::InProcess => Box::new(SqliteEngine::open(frozen, environment)?),
            Self::Isolated(worker) => Box::new(IsolatedEngine::open(worker, frozen, environment, limits)?),
        })
    }
}
