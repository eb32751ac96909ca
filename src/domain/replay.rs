//! What comes of repeating the statements of a trial.

use super::Value;
use schemars::JsonSchema;
use serde::Serialize;

/// The verdict on one call.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum ReplayVerdict {
    /// The same bytes.
    Match,
    /// The same rows in another order.
    MatchReordered,
    /// The archive holds the beginning only, and that is the same.
    Prefix,
    /// The same error.
    SameError,
    /// Something else.
    Differs(Difference),
    /// It can't be repeated.
    NotReplayable(NotReplayable),
}

impl ReplayVerdict {
    /// The verdict in one word, as it is written.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::MatchReordered => "match_reordered",
            Self::Prefix => "prefix",
            Self::SameError => "same_error",
            Self::Differs(_) => "differs",
            Self::NotReplayable(_) => "not_replayable",
        }
    }
}

/// Why a call can't be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotReplayable {
    /// In a word.
    pub why: NotReplayableReason,
    /// In a sentence.
    pub reason: String,
}

/// Why a call can't be repeated, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotReplayableReason {
    /// The archive has no result for it.
    NoArchivedResult,
    /// A limit stopped it, and how far it came depends on the machine.
    Limit,
    /// Somebody cancelled it.
    Cancelled,
    /// The tool is not ours.
    UnknownTool,
    /// A secret was taken out of its arguments.
    SecretRemoved,
    /// In a foreign trace: it writes, or somebody there refused it; what that harness did with it is not known.
    Write,
    /// In a foreign trace: what was kept can't be read as a table.
    NotATable,
    /// In a foreign trace: the guard here refuses the statement, that of the other harness let it through.
    Refused,
}

/// Where two outcomes first differ.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "where", rename_all = "snake_case")]
pub enum Difference {
    /// A cell.
    Cell {
        /// Row, from 1.
        row: u64,
        /// Column name.
        column: String,
        /// What the archive has; absent where it has no such row.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<serde_json::Value>")]
        archived: Option<Value>,
        /// What came now; absent where no such row came.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<serde_json::Value>")]
        now: Option<Value>,
        /// Rows of the archive.
        archived_rows: u64,
        /// Rows now.
        rows_now: u64,
    },
    /// The columns.
    Columns {
        /// Of the archive.
        archived: Vec<String>,
        /// Now.
        now: Vec<String>,
    },
    /// The number of changed rows.
    ChangedRows {
        /// Of the archive.
        archived: u64,
        /// Now.
        now: u64,
    },
    /// A text, at its first differing line.
    Line {
        /// Line, from 1.
        line: u64,
        /// Of the archive.
        archived: String,
        /// Now.
        now: String,
    },
    /// One was an error, or another one.
    Outcome {
        /// Of the archive.
        archived: String,
        /// Now.
        now: String,
    },
}

/// Characters of a value that a sentence quotes.
const QUOTED: usize = 40;

/// The beginning of a text, if it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl std::fmt::Display for Difference {
    /// A sentence; long values are cut in it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cell = |value: &Option<Value>| match value {
            None => "no row".to_owned(),
            Some(Value::Null) => "NULL".to_owned(),
            Some(Value::Text(text)) => format!("'{}'", quoted(text)),
            Some(value) => quoted(&value.to_text()),
        };
        match self {
            Self::Cell { row, column, archived, now, archived_rows, rows_now } => {
                write!(f, "row {row}, {column}: {} then, {} now", cell(archived), cell(now))?;
                if archived_rows != rows_now {
                    write!(f, " ({archived_rows} rows then, {rows_now} now)")?;
                }
                Ok(())
            }
            Self::Columns { archived, now } => {
                write!(f, "columns {} then, {} now", archived.join(", "), now.join(", "))
            }
            Self::ChangedRows { archived, now } => write!(f, "{archived} rows changed then, {now} now"),
            Self::Line { line, archived, now } => {
                write!(f, "line {line}: '{}' then, '{}' now", quoted(archived), quoted(now))
            }
            Self::Outcome { archived, now } => write!(f, "{archived} then, {now} now"),
        }
    }
}
