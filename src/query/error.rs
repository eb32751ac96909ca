//! Why a copy could not be opened, and why a statement gave no result.

use crate::domain::Rule;
use std::time::Duration;

/// The frozen bytes could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The bytes are no SQLite database in rollback-journal mode.
    #[error("the snapshot's data can't be opened: {0}; run `casebook snapshot verify`")]
    NotADatabase(&'static str),
    /// The system refused memory or a memory file.
    #[error("no memory for a private copy of the snapshot: {0}; close other programs or open copies")]
    Memory(#[from] std::io::Error),
    /// SQLite refused.
    #[error("SQLite could not open the private copy: {0}; run `casebook snapshot verify`")]
    Sqlite(#[from] rusqlite::Error),
    /// The process of its own that was asked for is not there.
    #[error("no process could be started for the engine: {0}; run without --isolate")]
    Worker(String),
}

/// The limit that stopped a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitHit {
    /// The deadline.
    Time(Duration),
    /// The memory bound, in bytes.
    Memory(u64),
    /// The space for changes in the private copy, in bytes.
    Space(u64),
    /// The length of one value, in bytes.
    ValueLength(u64),
}

impl std::fmt::Display for LimitHit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Time(limit) => {
                write!(
                    f,
                    "the time limit of {:.1} s was reached; join on plain columns (LOWER() on both ",
                    limit.as_secs_f64()
                )?;
                f.write_str("sides can't use an index) or filter before joining")
            }
            Self::Memory(limit) => {
                write!(
                    f,
                    "the memory limit of {} MiB was reached; select fewer columns or filter earlier",
                    limit >> 20
                )
            }
            Self::Space(limit) => {
                write!(
                    f,
                    "the private copy has no room left ({} MiB for changes); drop what is not needed",
                    limit >> 20
                )
            }
            Self::ValueLength(limit) => {
                write!(
                    f,
                    "a value is longer than the limit of {limit} bytes; cut it with substr() or use fewer rows"
                )
            }
        }
    }
}

/// Why a statement gave no result. The message is written for the actor, human or agent: what, why, what to do.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The guard refused it before it ran.
    #[error("refused by rule {rule}: {detail}. {advice}", advice = .rule.advice())]
    Refused {
        /// The rule.
        rule: Rule,
        /// What in the statement it met.
        detail: String,
    },
    /// SQLite rejected it, or it failed while running.
    #[error("{message}")]
    Sql {
        /// SQLite's message.
        message: String,
        /// Byte offset in the statement that the message is about, where SQLite says one.
        offset: Option<usize>,
    },
    /// A limit stopped it. The copy can be used on.
    #[error("stopped after {elapsed:.1?} and {rows} rows: {limit}")]
    Limit {
        /// Which limit.
        limit: LimitHit,
        /// Rows that had been read by then.
        rows: u64,
        /// Time since the start of the call.
        elapsed: Duration,
    },
    /// It was cancelled. The copy can be used on.
    #[error("cancelled after {elapsed:.1?} and {rows} rows")]
    Interrupted {
        /// Rows that had been read by then.
        rows: u64,
        /// Time since the start of the call.
        elapsed: Duration,
    },
    /// The engine itself failed, in a process of its own. The reason says whether the copy can be used on.
    #[error("{reason}")]
    Engine {
        /// What happened, and what to do.
        reason: String,
    },
}

impl QueryError {
    /// The rule that refused the statement; [`Rule::SqlError`] where SQLite itself rejected it.
    pub const fn rule(&self) -> Option<Rule> {
        match self {
            Self::Refused { rule, .. } => Some(*rule),
            Self::Sql { .. } => Some(Rule::SqlError),
            Self::Limit { .. } | Self::Interrupted { .. } | Self::Engine { .. } => None,
        }
    }
}
