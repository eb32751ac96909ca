//! Whether a run is what was written, and whole. Every byte of the evidence is covered: `run.json` and the answers by a
//! digest, lines by the chain whose heads stand in the ledger and in `run.json`, blobs by their names.

mod blobs;
mod ledger;
mod segment;

use super::chain::NO_LINE;
use super::error::ArchiveError;
use super::layout::{ANSWER_FILE, RUN_FILE, relative};
use super::reader::{Archive, TrialRecord};
use super::run_file::RunFile;
use super::trace_reader::Trace;
use super::whole_file::read_bounded;
use crate::domain::trial::{Ending, TrialName};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// What is wrong, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The bytes are not those that were written.
    Changed,
    /// Something that was written is not there.
    Missing,
    /// Something was begun and not ended, or never begun.
    Incomplete,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Finding {
    /// In a word.
    pub kind: FindingKind,
    /// The file, from the run's folder.
    pub file: String,
    /// The trial that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<TrialName>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// In a sentence.
    pub reason: String,
}

/// What was looked at, and what is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerifyReport {
    /// Trials.
    pub trials: u64,
    /// Lines of traces.
    pub lines: u64,
    /// Blobs.
    pub blobs: u64,
    /// All that is wrong, in the order of files.
    pub findings: Vec<Finding>,
}

/// Looks at every byte of a run. `go_on` is asked between files.
///
/// # Errors
/// [`ArchiveError::NotAnArchive`] or [`ArchiveError::Format`]: there is nothing to verify. What is wrong inside of an archive
/// is a finding. `None` where `go_on` said no.
pub fn verify(folder: &Path, go_on: &dyn Fn(&str) -> bool) -> Result<Option<VerifyReport>, ArchiveError> {
    let mut check = Check { folder, report: VerifyReport::default(), wanted: BTreeMap::new() };
    let run = match RunFile::load(folder) {
        Ok(run) => run,
        Err(error @ (ArchiveError::NotAnArchive { .. } | ArchiveError::Format { .. })) => return Err(error),
        Err(error) => {
            check.failed(FindingKind::Changed, RUN_FILE, None, &error);
            return Ok(Some(check.report));
        }
    };
    let ledger = check.ledger(&run)?;
    let archive = Archive::with(folder, run, ledger)?;
    for trial in &archive.trials {
        if !go_on(&trial.name.to_string()) {
            return Ok(None);
        }
        check.trial(&archive, trial)?;
    }
    check.whole(&archive);
    if !check.blobs(archive.blobs(), go_on)? {
        return Ok(None);
    }
    check.report.findings.sort_by(|one, other| {
        (&one.file, one.line, one.kind, &one.reason).cmp(&(
            &other.file,
            other.line,
            other.kind,
            &other.reason,
        ))
    });
    Ok(Some(check.report))
}

struct Check<'f> {
    folder: &'f Path,
    report: VerifyReport,
    /// Blobs that an event names: by whom, and how many bytes or rows it has.
    wanted: BTreeMap<String, Wanted>,
}

struct Wanted {
    trial: TrialName,
    file: String,
    line: u64,
    bytes: Option<u64>,
    rows: Option<u64>,
}

impl Check<'_> {
    fn found(
        &mut self,
        kind: FindingKind,
        file: &str,
        trial: Option<&TrialName>,
        line: Option<u64>,
        reason: String,
    ) {
        let finding = Finding { kind, file: file.to_owned(), trial: trial.cloned(), line, reason };
        if !self.report.findings.contains(&finding) {
            self.report.findings.push(finding);
        }
    }

    /// An error as a finding.
    fn failed(&mut self, kind: FindingKind, file: &str, trial: Option<&TrialName>, error: &ArchiveError) {
        let (line, reason) = match error {
            ArchiveError::Damaged { line, reason, .. } => (*line, reason.clone()),
            ArchiveError::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                return self.found(FindingKind::Missing, file, trial, None, "it is not there".to_owned());
            }
            ArchiveError::Read { source, .. } => (None, source.to_string()),
            other => (None, other.to_string()),
        };
        self.found(kind, file, trial, line, reason);
    }

    fn trial(&mut self, archive: &Archive, trial: &TrialRecord) -> Result<(), ArchiveError> {
        self.report.trials += 1;
        let mut before = (NO_LINE.to_owned(), 0);
        let mut answer = None;
        for segment in &trial.segments {
            let file = relative(self.folder, &segment.path);
            match Trace::open(&segment.path) {
                Ok(trace) => before = self.segment(&file, trial, segment, &trace, before, &mut answer)?,
                Err(error) => self.failed(FindingKind::Changed, &file, Some(&trial.name), &error),
            }
            if let Some(digest) = segment.ended.as_ref().and_then(|line| line.answer.clone()) {
                answer = Some(digest);
            }
        }
        self.answer(archive, trial, answer);
        Ok(())
    }

    fn answer(&mut self, archive: &Archive, trial: &TrialRecord, wanted: Option<String>) {
        let path = archive.answer_path(&trial.name);
        let file = relative(self.folder, &path);
        let name = Some(&trial.name);
        let bytes = match read_bounded(&path, u64::MAX - 1) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if wanted.is_some() {
                    self.found(FindingKind::Missing, &file, name, None, "it is not there".to_owned());
                }
                return;
            }
            Err(error) => return self.found(FindingKind::Changed, &file, name, None, error.to_string()),
        };
        match wanted {
            // A process that was killed before it could say so: the attempt is made again.
            None if trial.ending() == Ending::Interrupted => {}
            None => {
                let reason = format!("there is {ANSWER_FILE}, but no event says that an answer was taken");
                self.found(FindingKind::Changed, &file, name, None, reason);
            }
            Some(digest) if hex::encode(Sha256::digest(&bytes)) != digest => {
                let reason = "its bytes are not those that the trace names".to_owned();
                self.found(FindingKind::Changed, &file, name, None, reason);
            }
            Some(_) => {
                if let Err(error) = archive.answer(&trial.name) {
                    self.failed(FindingKind::Changed, &file, name, &error);
                }
            }
        }
    }

    /// What of the plan never began, and counts.
    fn whole(&mut self, archive: &Archive) {
        let run = &archive.run;
        for task in &run.plan {
            let done = archive
                .trials
                .iter()
                .filter(|trial| {
                    let name = &trial.name;
                    (name.revision, &name.pack, &name.task) == (task.revision, &task.pack, &task.task)
                        && trial.ending() != Ending::Interrupted
                })
                .count();
            let missing = usize::try_from(run.trials).unwrap_or(usize::MAX).saturating_sub(done);
            if missing > 0 {
                let reason = format!("{missing} of {} trials are still to be made", run.trials);
                let place = format!("trials/{}/{}/{}", task.revision.short(), task.pack, task.task);
                self.found(FindingKind::Incomplete, &place, None, None, reason);
            }
        }
        if run.end.is_none() {
            let reason = "the run has not ended: `casebook run --resume` goes on with it".to_owned();
            self.found(FindingKind::Incomplete, RUN_FILE, None, None, reason);
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte stands".to_owned() } else { format!("{count} bytes stand") }
}
