//! `trials.jsonl`: a line for each segment that ended, chained, so that a run that was killed still tells what is whole.

use super::chain::{NO_LINE, line_digest};
use super::error::ArchiveError;
use super::layout::is_safe;
use super::whole_file::{LineFile, open_regular, read_regular};
use crate::domain::trace::{Counts, is_zero};
use crate::domain::trial::{Ending, TrialName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// No ledger is longer: a million segments.
const MAX_BYTES: u64 = 1 << 30;

/// A segment that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerLine {
    /// The trial.
    pub trial: TrialName,
    /// Its segment, from 1.
    pub segment: u32,
    /// How it ended.
    pub ending: Ending,
    /// Lines of its trace.
    pub lines: u64,
    /// SHA-256 of the last of them.
    pub head: String,
    /// SHA-256 of the answer; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What was done in the trial so far.
    pub counts: Counts,
    /// Milliseconds from its beginning to its end.
    pub milliseconds: u64,
    /// Bytes behind the last whole line, which a killed process left.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut_bytes: u64,
    /// SHA-256 of the line before; 64 zeros before the first.
    pub prev: String,
}

/// The ledger, open for writing.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    file: LineFile,
    head: String,
}

impl Ledger {
    /// Opens the ledger to go on behind its last whole line; what a killed write left behind that is taken away.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<LedgerLine>), ArchiveError> {
        let failed = ArchiveError::write(path);
        let existing = read(path)?;
        let mut options = OpenOptions::new();
        let file = open_regular(path, options.create(true).append(true)).map_err(&failed)?;
        let file = LineFile::behind(file, existing.whole_bytes).map_err(&failed)?;
        let ledger = Self { path: path.to_owned(), file, head: existing.head };
        Ok((ledger, existing.lines))
    }

    /// Adds a line; its `prev` is filled in.
    pub(super) fn add(&mut self, mut line: LedgerLine) -> Result<LedgerLine, ArchiveError> {
        line.prev.clone_from(&self.head);
        // There is nothing in it that JSON can't hold.
        let mut text = serde_json::to_vec(&line).unwrap_or_default();
        let digest = line_digest(&text);
        text.push(b'\n');
        self.file.add(&text).map_err(ArchiveError::write(&self.path))?;
        self.head = digest;
        Ok(line)
    }

    /// The digest of the last line.
    pub(super) fn head(&self) -> &str {
        &self.head
    }
}

/// What a ledger holds.
#[derive(Debug)]
pub(super) struct LedgerText {
    /// Its whole lines.
    pub(super) lines: Vec<LedgerLine>,
    /// The digest of the last one.
    pub(super) head: String,
    /// Bytes of the whole lines.
    pub(super) whole_bytes: u64,
    /// Bytes behind them.
    pub(super) rest: u64,
    /// Lines, from 1, at which something is wrong.
    pub(super) wrong: Vec<(u64, String)>,
}

impl Default for LedgerText {
    fn default() -> Self {
        Self { lines: Vec::new(), head: NO_LINE.to_owned(), whole_bytes: 0, rest: 0, wrong: Vec::new() }
    }
}

/// Reads a ledger; the first thing that is wrong is an error.
pub(super) fn read(path: &Path) -> Result<LedgerText, ArchiveError> {
    let text = look_through(path)?;
    match text.wrong.first() {
        Some((line, reason)) => Err(ArchiveError::damaged(path, Some(*line), reason.clone())),
        None => Ok(text),
    }
}

/// Reads a ledger and notes all that is wrong.
pub(super) fn look_through(path: &Path) -> Result<LedgerText, ArchiveError> {
    let mut bytes = Vec::new();
    let mut ledger = LedgerText::default();
    match read_regular(path) {
        Ok(file) => {
            file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(ArchiveError::read(path))?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(ledger),
        Err(error) => return Err(ArchiveError::read(path)(error)),
    }
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    ledger.whole_bytes = whole as u64;
    ledger.rest = (bytes.len() - whole) as u64;
    for (nth, line) in (1_u64..).zip(bytes[..whole].split_inclusive(|byte| *byte == b'\n')) {
        let line = &line[..line.len() - 1];
        match serde_json::from_slice::<LedgerLine>(line) {
            Err(error) => ledger.wrong.push((nth, format!("it is no line of a ledger: {error}"))),
            Ok(entry) if !is_safe(&entry.trial) => {
                ledger.wrong.push((nth, "what it names can't be a trial of this run".to_owned()));
            }
            Ok(entry) => {
                if entry.prev != ledger.head {
                    ledger.wrong.push(if nth == 1 {
                        (1, "it names a line before it, but it is the first".to_owned())
                    } else {
                        (nth - 1, "its bytes are not those that the next line names".to_owned())
                    });
                }
                ledger.lines.push(entry);
            }
        }
        ledger.head = line_digest(line);
    }
    Ok(ledger)
}
