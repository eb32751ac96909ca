//! The truth of a pack on one revision: for every task the subjects, with their aliases and facts.
//!
//! Kept as JSON Lines, compressed, under `truth/<first 12 digits of the revision>.jsonl.zst`: a head line, then a line a
//! task in the order of ids. Its digest goes into every score. Evaluators only; reached through `vault`.

use super::embedded::TRUTH;
use super::{Pack, PackFiles, PackProblem};
use crate::domain::Revision;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::Read as _;

/// No truth is longer, unpacked.
const MAX_TRUTH_BYTES: u64 = 256 << 20;

/// The truth of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskTruth {
    /// The task.
    pub task: String,
    /// Yes, no, or neither.
    pub verdict: Option<bool>,
    /// Names of the columns; the first identifies the subject.
    pub columns: Vec<String>,
    /// Rows in order, without repetition.
    pub rows: Vec<Vec<Value>>,
}

impl TaskTruth {
    /// The subjects, each once, in order.
    pub fn subjects(&self) -> Vec<String> {
        let text = |row: &Vec<Value>| {
            row.first().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let mut subjects: Vec<String> = self.rows.iter().filter_map(text).collect();
        subjects.sort();
        subjects.dedup();
        subjects
    }
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: u32,
    pack: String,
    version: String,
    revision: Revision,
    tasks: usize,
}

/// The truth of a pack on one revision.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    /// By task.
    pub tasks: BTreeMap<String, TaskTruth>,
    /// SHA-256 of its uncompressed lines, in lower-case hex.
    pub digest: String,
}

/// The name of a truth file in its pack.
pub fn truth_file(revision: Revision) -> String {
    format!("truth/{}.jsonl.zst", revision.short())
}

impl Truth {
    /// The truth of these tasks.
    pub fn new(pack: &Pack, revision: Revision, tasks: BTreeMap<String, TaskTruth>) -> Self {
        let digest = hex::encode(Sha256::digest(lines(pack, revision, &tasks)));
        Self { tasks, digest }
    }

    /// The file of this truth.
    ///
    /// # Errors
    /// What the compressor says.
    pub fn to_file(&self, pack: &Pack, revision: Revision) -> std::io::Result<Vec<u8>> {
        zstd::encode_all(lines(pack, revision, &self.tasks).as_slice(), 19)
    }

    /// Whether a pack keeps any truth at all: one that was just begun does not.
    pub fn is_kept(pack: &Pack) -> bool {
        match &pack.files {
            PackFiles::Embedded(_) => true,
            PackFiles::Folder(folder) => {
                std::fs::read_dir(folder.join("truth")).is_ok_and(|mut files| files.next().is_some())
            }
        }
    }

    /// Reads the truth of a pack on a revision; `None` where the pack has none for it.
    ///
    /// # Errors
    /// [`PackProblem`] where it is there and is not one.
    pub fn load(pack: &Pack, revision: Revision) -> Result<Option<Self>, PackProblem> {
        let file = truth_file(revision);
        let wrong = |reason: String| PackProblem::of_file(&file, reason);
        let packed = match &pack.files {
            PackFiles::Embedded(_) => {
                let short = revision.short();
                match TRUTH.iter().find(|(id, of, _)| *id == pack.id && *of == short) {
                    Some((_, _, bytes)) => bytes.to_vec(),
                    None => return Ok(None),
                }
            }
            PackFiles::Folder(folder) => match std::fs::read(folder.join(&file)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(wrong(format!("can't be read: {error}"))),
            },
        };
        let mut text = String::new();
        let decoder = zstd::Decoder::new(packed.as_slice()).map_err(|error| wrong(error.to_string()))?;
        decoder
            .take(MAX_TRUTH_BYTES)
            .read_to_string(&mut text)
            .map_err(|error| wrong(format!("it is damaged: {error}")))?;
        let mut all = text.lines();
        let head: Head = serde_json::from_str(all.next().unwrap_or_default())
            .map_err(|error| wrong(format!("its first line is no head: {error}")))?;
        let wanted = Head {
            format: 1,
            pack: pack.id.clone(),
            version: pack.version.clone(),
            revision,
            tasks: head.tasks,
        };
        if head != wanted {
            return Err(wrong(format!(
                "it is of pack {} {} on {}; write it again with `casebook pack check --write-truth`",
                head.pack,
                head.version,
                head.revision.short()
            )));
        }
        let mut tasks = BTreeMap::new();
        for (nth, line) in all.enumerate() {
            let truth: TaskTruth =
                serde_json::from_str(line).map_err(|error| wrong(format!("line {}: {error}", nth + 2)))?;
            tasks.insert(truth.task.clone(), truth);
        }
        if tasks.len() != head.tasks {
            return Err(wrong(format!("it has {} of {} tasks: it is cut", tasks.len(), head.tasks)));
        }
        Ok(Some(Self { tasks, digest: hex::encode(Sha256::digest(&text)) }))
    }
}

fn lines(pack: &Pack, revision: Revision, tasks: &BTreeMap<String, TaskTruth>) -> Vec<u8> {
    let head = Head {
        format: 1,
        pack: pack.id.clone(),
        version: pack.version.clone(),
        revision,
        tasks: tasks.len(),
    };
    let mut text = serde_json::to_string(&head).unwrap_or_default() + "\n";
    for truth in tasks.values() {
        text += &serde_json::to_string(truth).unwrap_or_default();
        text.push('\n');
    }
    text.into_bytes()
}
