//! `run.json`: what was run, by whom, on what, under which limits; at the end, what came of it and the heads of all chains.
//!
//! Its digest covers every byte of the file: it is computed with 64 zeros in its own place.

use super::error::ArchiveError;
use super::layout::{can_be_folders, is_safe};
use super::ledger::LedgerLine;
use super::whole_file::read_bounded;
use crate::domain::Revision;
use crate::domain::trial::{ActorKind, Mode, ToolSet};
use crate::domain::trial_limits::TrialLimits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the archive's format that this program writes and reads.
pub const RUN_FORMAT: u64 = 1;
/// The kind of program that holds no vault.
pub const AGENT_HOST: &str = "agent-host";
/// No run file is longer.
const MAX_BYTES: u64 = 256 << 20;
/// No run has more attempts at a task, or more tasks.
const MAX_TRIALS: u32 = 1000;
const MAX_PLAN: usize = 100_000;
const NO_DIGEST: &str = super::NO_LINE;

/// The head of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// Version of the archive's format.
    pub format: u64,
    /// Name of the run.
    pub run: String,
    /// Wall time of its beginning, RFC 3339 in UTC.
    pub started: String,
    /// Version of the program that made it.
    pub casebook: String,
    /// Whether help was given.
    pub mode: Mode,
    /// The tools.
    pub tools: ToolSet,
    /// Who acted.
    pub actor: ActorRecord,
    /// The packs.
    pub packs: Vec<PackRecord>,
    /// The revisions.
    pub revisions: Vec<RevisionRecord>,
    /// Limits of each trial.
    pub limits: TrialLimits,
    /// Whether the statements of each trial ran in a process of its own, which could be killed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub isolate: bool,
    /// The kind of program that made it, where it is not the usual one: `agent-host` holds no vault, so that nobody on its
    /// machine could read an answer in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Seed of the run: the seed of each trial follows from it.
    pub seed: u64,
    /// Attempts at each task.
    pub trials: u32,
    /// What is to be done, in order.
    pub plan: Vec<PlannedTask>,
    /// Files that the actor was given beside the prompts; of an imported run, the files that it came from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<ContextRecord>,
    /// How it ended; absent while it runs, and if it was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<RunEnd>,
    /// SHA-256 of this file with 64 zeros in this place.
    pub digest: String,
}

/// Who acted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActorRecord {
    /// Of which kind.
    pub kind: ActorKind,
    /// Its name.
    pub name: String,
    /// Whether the three tools were all it could reach. A program with a shell could have read more.
    pub confined: bool,
    /// Its settings, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, serde_json::Value>,
}

/// A pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackRecord {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// SHA-256 over its visible files.
    pub digest: String,
    /// SHA-256 of the system prompt.
    pub system_prompt: String,
    /// SHA-256 of the layout of a brief.
    pub brief_layout: String,
    /// Version of its rubric.
    pub rubric: String,
}

/// A revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionRecord {
    /// The content address.
    #[schemars(with = "String")]
    pub revision: Revision,
    /// What the snapshot is called.
    pub name: String,
    /// Whose data it is.
    pub organisation: String,
    /// The environment's today.
    pub release_date: String,
    /// SHA-256 of its SQLite file.
    pub sqlite_sha256: String,
}

/// A task to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedTask {
    /// On which revision.
    #[schemars(with = "String")]
    pub revision: Revision,
    /// The pack's id; `investigation` for free work.
    pub pack: String,
    /// The task's id, or the name of the investigation.
    pub task: String,
}

/// A file that the actor was given, or that the run was imported from; a blob holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextRecord {
    /// Its name.
    pub name: String,
    /// SHA-256 of its contents, which is the name of its blob.
    pub sha256: String,
    /// Length in bytes.
    pub bytes: u64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunEnd {
    /// Wall time, RFC 3339 in UTC.
    pub ended: String,
    /// Trials by how they ended.
    pub endings: BTreeMap<String, u64>,
    /// SHA-256 of the last line of `trials.jsonl`.
    pub ledger_head: String,
    /// What `trials.jsonl` holds: each segment with the head of its chain.
    pub segments: Vec<LedgerLine>,
}

#[derive(Deserialize)]
struct Version {
    format: u64,
}

impl RunFile {
    /// The file's bytes, with its digest in place.
    pub fn to_file(&self) -> Vec<u8> {
        let mut draft = self.clone();
        NO_DIGEST.clone_into(&mut draft.digest);
        // Strings, numbers and maps with string keys: there is nothing here that JSON can't hold.
        let mut text = serde_json::to_string_pretty(&draft).unwrap_or_default() + "\n";
        let digest = hex::encode(Sha256::digest(&text));
        if let Some(at) = digest_place(&text) {
            text.replace_range(at..at + NO_DIGEST.len(), &digest);
        }
        text.into_bytes()
    }

    /// Reads the file of a run and checks its digest.
    ///
    /// # Errors
    /// [`ArchiveError`]: not there, of another version, not one, or changed.
    pub fn load(run: &Path) -> Result<Self, ArchiveError> {
        let path = run.join(super::RUN_FILE);
        let bytes = match read_bounded(&path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let reason = "there is no run.json in it".to_owned();
                return Err(ArchiveError::NotAnArchive { path: run.to_owned(), reason });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
                let reason = "it is no folder".to_owned();
                return Err(ArchiveError::NotAnArchive { path: run.to_owned(), reason });
            }
            Err(error) => return Err(ArchiveError::read(&path)(error)),
        };
        Self::parse(&path, &bytes)
    }

    /// Whether it can be a run at all: nothing in it leads out of its folder or is beyond all bounds.
    fn check(&self) -> Result<(), String> {
        let is_small = self.trials <= MAX_TRIALS && self.plan.len() <= MAX_PLAN;
        if !is_small {
            return Err(format!(
                "its plan is larger than a run can be ({MAX_PLAN} tasks, {MAX_TRIALS} times each)"
            ));
        }
        let planned = self.plan.iter().all(|task| can_be_folders(&task.pack, &task.task));
        let mut ended = self.end.iter().flat_map(|end| &end.segments);
        if planned && ended.all(|line| is_safe(&line.trial)) {
            Ok(())
        } else {
            Err("it names what can't be a trial of this run".to_owned())
        }
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, ArchiveError> {
        let damaged = |line, reason: String| ArchiveError::damaged(path, line, reason);
        let text = std::str::from_utf8(bytes).map_err(|_| damaged(None, "it is not UTF-8".to_owned()))?;
        let no_json = |error: serde_json::Error| {
            damaged(Some(error.line() as u64), format!("it is no run file: {error}"))
        };
        // The version first: another one may have other fields.
        let version: Version = serde_json::from_str(text).map_err(no_json)?;
        if version.format != RUN_FORMAT {
            return Err(ArchiveError::Format { path: path.to_owned(), found: version.format });
        }
        let run: Self = serde_json::from_str(text).map_err(no_json)?;
        run.check().map_err(|reason| damaged(None, reason))?;
        let mut draft = text.to_owned();
        let place = digest_place(text)
            .filter(|at| text.get(*at..at + NO_DIGEST.len()) == Some(run.digest.as_str()))
            .ok_or_else(|| damaged(None, "its digest is not at its end".to_owned()))?;
        draft.replace_range(place..place + NO_DIGEST.len(), NO_DIGEST);
        if hex::encode(Sha256::digest(&draft)) != run.digest {
            return Err(damaged(None, "its bytes are not those of its digest: it was changed".to_owned()));
        }
        Ok(run)
    }
}

/// Where the digest stands: it is the last entry.
fn digest_place(text: &str) -> Option<usize> {
    const KEY: &str = "\"digest\": \"";
    text.rfind(KEY)
        .map(|at| at + KEY.len())
        .filter(|at| text.is_char_boundary(at + NO_DIGEST.len().min(text.len() - at)))
}
