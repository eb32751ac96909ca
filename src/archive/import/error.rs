//! Why a foreign file could not be read.

use crate::domain::foreign::ForeignFormat;
use std::io;
use std::path::{Path, PathBuf};

/// Why an import came to nothing. What a message quotes of the file may be hostile: show it through `text::visible`.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file can't be read.
    #[error("can't read {path}: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The contents are of no format that is known.
    #[error(
        "{name} is no trace that can be imported: {reason}; formats: Inspect .eval and JSON, ATIF, OTLP/JSON, OpenAI chat and \
         Responses JSONL, SWE-agent and mini-swe-agent trajectories"
    )]
    UnknownFormat {
        /// The file.
        name: String,
        /// What it is instead.
        reason: String,
    },
    /// A part of it is no JSON.
    #[error("{name}{place}, line {line}, column {column}: {reason}; the file is damaged or was cut")]
    Json {
        /// The file.
        name: String,
        /// Which part, with a comma in front of it; empty for the whole.
        place: String,
        /// Line in the part, from 1.
        line: u64,
        /// Byte in the line, from 1.
        column: u64,
        /// What is wrong.
        reason: String,
    },
    /// The zip is damaged or hostile.
    #[error("{name}: {reason}")]
    Zip {
        /// The file.
        name: String,
        /// What is wrong, with the member and the next step.
        reason: String,
    },
    /// It is larger than an import may be.
    #[error(
        "{name}{place}: {what} is more than an import takes ({limit}); split the file, or import the part that is needed"
    )]
    TooLarge {
        /// The file.
        name: String,
        /// Which part; empty for the whole.
        place: String,
        /// What is too large.
        what: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// It breaks the rules of its format.
    #[error("{name}{place} is no valid {format}: {reason}{advice}")]
    Invalid {
        /// The file.
        name: String,
        /// Which part; empty for the whole.
        place: String,
        /// The format.
        format: ForeignFormat,
        /// The rule that is broken.
        reason: String,
        /// The next step, with `; ` in front of it; empty where there is none.
        advice: &'static str,
    },
    /// There is no such trial.
    #[error("{name} has no trial {asked}; it has {count}")]
    NoTrial {
        /// The file.
        name: String,
        /// Number asked for, from 1.
        asked: usize,
        /// How many there are.
        count: usize,
    },
}

impl ImportError {
    /// An error of reading this file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_owned(), source }
    }
}

/// A place in a file for the middle of a message.
pub(super) fn in_part(part: Option<&str>) -> String {
    part.map_or_else(String::new, |part| format!(", {part}"))
}
