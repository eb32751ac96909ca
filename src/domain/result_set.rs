//! The typed rows that one statement returned, up to the limits it ran under.

use crate::domain::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a statement returned. `rows` hold one value for each name in `columns`, in the order SQLite gave them.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultSet {
    /// Column names as SQLite reports them; duplicates are possible.
    pub columns: Vec<String>,
    /// Rows in the order returned.
    pub rows: Vec<Vec<Value>>,
    /// Rows that the statement changed in the private copy (0 for a pure read).
    pub changed_rows: u64,
    /// Why reading stopped before the end, if it did. `None` means the result is whole.
    pub cut: Option<Cut>,
}

/// The limit that ended a result early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The row limit; the number is the limit in rows.
    Rows(u64),
    /// The byte limit; the number is the limit in bytes.
    Bytes(u64),
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rows(limit) => write!(f, "stopped at the limit of {limit} rows"),
            Self::Bytes(limit) => write!(f, "stopped at the limit of {limit} bytes"),
        }
    }
}
