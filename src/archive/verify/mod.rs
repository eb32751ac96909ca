//! Whether a run is what was written, and whole. Every byte of the evidence is covered: `run.json` and the answers by a
//! digest, lines by the chain whose heads stand in the ledger and in `run.json`, blobs by their names.

mod blobs;
mod ledger;
mod segment;
mod strays;

use super::chain::NO_LINE;
use super::error::ArchiveError;
use super::layout::{ANSWER_FILE, RUN_FILE, relative};
use super::reader::{Archive, TrialRecord};
use super::run_file::RunFile;
use super::trace_reader::Trace;
use super::whole_file::read_bounded;
use crate::domain::Revision;
use crate::domain::trial::{Ending, TrialName};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
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
    /// All that is wrong, in the order of files; at most 10,000.
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub more: u64,
}

/// So many findings are listed.
const MOST: usize = 10_000;

/// Looks at every byte of a run. `go_on` is asked again and again.
///
/// # Errors
/// [`ArchiveError::NotAnArchive`] or [`ArchiveError::Format`]: there is nothing to verify. What is wrong inside of an archive
/// is a finding. `None` where `go_on` said no.
pub fn verify(folder: &Path, go_on: &dyn Fn(&str) -> bool) -> Result<Option<VerifyReport>, ArchiveError> {
    let (report, wanted, seen) = (VerifyReport::default(), BTreeMap::new(), BTreeSet::new());
    let mut check = Check { folder, report, wanted, seen, go_on, stopped: false };
    let run = match RunFile::load(folder) {
        Ok(run) => run,
        Err(error @ (ArchiveError::NotAnArchive { .. } | ArchiveError::Format { .. })) => return Err(error),
        Err(error) => {
            check.failed(FindingKind::Changed, RUN_FILE, None, &error);
            return Ok(Some(check.ended()));
        }
    };
    let ledger = check.ledger(&run)?;
    for context in &run.contexts {
        check.want(&context.sha256, None, RUN_FILE, None, (Some(context.bytes), None));
    }
    let archive = Archive::with(folder, run, ledger)?;
    for trial in &archive.trials {
        if !go_on(&trial.name.to_string()) {
            return Ok(None);
        }
        check.trial(&archive, trial)?;
    }
    check.whole(&archive);
    check.strays(&archive)?;
    if check.stopped || !check.blobs(archive.blobs())? {
        return Ok(None);
    }
    Ok(Some(check.ended()))
}

struct Check<'f> {
    folder: &'f Path,
    report: VerifyReport,
    /// Blobs that an event names: by whom, and how many bytes or rows it has.
    wanted: BTreeMap<String, Wanted>,
    seen: BTreeSet<Finding>,
    go_on: &'f dyn Fn(&str) -> bool,
    /// `go_on` said no in the middle of a file.
    stopped: bool,
}

struct Wanted {
    trial: Option<TrialName>,
    file: String,
    line: Option<u64>,
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
        if self.seen.len() < MOST {
            self.seen.insert(finding);
        } else if !self.seen.contains(&finding) {
            self.report.more += 1;
        }
    }

    /// The report, with what was found in the order of files.
    fn ended(self) -> VerifyReport {
        let mut findings: Vec<Finding> = self.seen.into_iter().collect();
        findings.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        VerifyReport { findings, ..self.report }
    }

    /// Notes that a blob must be there, of so many bytes or rows.
    fn want(
        &mut self,
        blob: &str,
        trial: Option<&TrialName>,
        file: &str,
        line: Option<u64>,
        (bytes, rows): (Option<u64>, Option<u64>),
    ) {
        self.wanted.entry(blob.to_owned()).or_insert_with(|| Wanted {
            trial: trial.cloned(),
            file: file.to_owned(),
            line,
            bytes,
            rows,
        });
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
        let mut done: BTreeMap<(Revision, &str, &str), u32> = BTreeMap::new();
        for trial in archive.trials.iter().filter(|trial| trial.ending() != Ending::Interrupted) {
            let name = &trial.name;
            *done.entry((name.revision, &name.pack, &name.task)).or_default() += 1;
        }
        for task in &run.plan {
            let made =
                done.get(&(task.revision, task.pack.as_str(), task.task.as_str())).copied().unwrap_or(0);
            let missing = run.trials.saturating_sub(made);
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
