//! Statements run before, on any snapshot.

use serde::{Deserialize, Serialize};

/// A statement that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The statement.
    pub sql: String,
    /// The snapshot's name.
    pub snapshot: String,
    /// What it was run for: the task's id, or `investigation`.
    pub work: String,
    /// Rows it gave; absent where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
}

/// At most so many are held.
pub const MOST: usize = 5_000;
