//! Reading a run: its head and the list of its trials first, a trace when it is asked for.

use super::blobs::Blobs;
use super::error::ArchiveError;
use super::layout::{ANSWER_FILE, LEDGER_FILE, TRIALS, segment_of, trace_file, trial_folder, trial_of};
use super::ledger::{self, LedgerLine};
use super::run_file::RunFile;
use super::trace_reader::Trace;
use super::whole_file::read_bounded;
use crate::domain::trace::EventBody;
use crate::domain::trial::{Answer, Ending, TrialName};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// No answer is longer.
const MAX_ANSWER_BYTES: u64 = 64 << 20;

/// A run, opened.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
    /// Its head.
    pub run: RunFile,
    /// Its trials, in the order of their names.
    pub trials: Vec<TrialRecord>,
    blobs: Blobs,
}

/// A trial of a run.
#[derive(Debug, Clone)]
pub struct TrialRecord {
    /// Which.
    pub name: TrialName,
    /// Its segments in order.
    pub segments: Vec<Segment>,
}

/// A segment of a trial.
#[derive(Debug, Clone)]
pub struct Segment {
    /// Its number, from 1.
    pub number: u32,
    /// Its trace.
    pub path: PathBuf,
    /// What the ledger says of it; absent if it did not end.
    pub ended: Option<LedgerLine>,
}

impl TrialRecord {
    /// How the trial ended.
    pub fn ending(&self) -> Ending {
        self.last().map_or(Ending::Interrupted, |line| line.ending)
    }

    /// What the ledger says of its last segment.
    pub fn last(&self) -> Option<&LedgerLine> {
        self.segments.last().and_then(|segment| segment.ended.as_ref())
    }
}

impl Archive {
    /// Opens a run. Its traces are not read.
    ///
    /// # Errors
    /// [`ArchiveError`] where the folder is none, or its head or ledger is damaged.
    pub fn open(folder: &Path) -> Result<Self, ArchiveError> {
        let run = RunFile::load(folder)?;
        let ledger = ledger::read(&folder.join(LEDGER_FILE))?;
        Self::with(folder, run, ledger.lines)
    }

    pub(super) fn with(folder: &Path, run: RunFile, ledger: Vec<LedgerLine>) -> Result<Self, ArchiveError> {
        let mut trials: BTreeMap<TrialName, TrialRecord> = BTreeMap::new();
        for path in trace_files(folder, &run)? {
            let (name, number, path) = path;
            let record =
                trials.entry(name.clone()).or_insert_with(|| TrialRecord { name, segments: Vec::new() });
            record.segments.push(Segment { number, path, ended: None });
        }
        for line in ledger {
            let name = line.trial.clone();
            let record = trials
                .entry(name.clone())
                .or_insert_with(|| TrialRecord { name: name.clone(), segments: Vec::new() });
            if let Some(segment) = record.segments.iter_mut().find(|segment| segment.number == line.segment) {
                segment.ended = Some(line);
            } else {
                let path = trial_folder(folder, &name).join(trace_file(line.segment));
                record.segments.push(Segment { number: line.segment, path, ended: Some(line) });
            }
        }
        for record in trials.values_mut() {
            record.segments.sort_by_key(|segment| segment.number);
        }
        let trials = trials.into_values().collect();
        Ok(Self { folder: folder.to_owned(), run, trials, blobs: Blobs::of_run(folder) })
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its blobs.
    pub const fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// The trial of this name.
    pub fn trial(&self, name: &TrialName) -> Option<&TrialRecord> {
        self.trials.iter().find(|trial| trial.name == *name)
    }

    /// The traces of a trial's segments.
    ///
    /// # Errors
    /// [`ArchiveError::Read`].
    pub fn traces(&self, trial: &TrialRecord) -> Result<Vec<Trace>, ArchiveError> {
        trial.segments.iter().map(|segment| Trace::open(&segment.path)).collect()
    }

    /// The answer of a trial, if it has one.
    ///
    /// # Errors
    /// [`ArchiveError`] where it can't be read or is none.
    pub fn answer(&self, trial: &TrialName) -> Result<Option<Answer>, ArchiveError> {
        let path = self.answer_path(trial);
        match read_bounded(&path, MAX_ANSWER_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
                ArchiveError::damaged(&path, Some(error.line() as u64), format!("it is no answer: {error}"))
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ArchiveError::read(&path)(error)),
        }
    }

    /// Where the answer of a trial lies.
    pub fn answer_path(&self, trial: &TrialName) -> PathBuf {
        trial_folder(&self.folder, trial).join(ANSWER_FILE)
    }

    /// Why a trial ended in an error, in the words of its last such event.
    ///
    /// # Errors
    /// [`ArchiveError`] where its trace can't be read.
    pub fn failure(&self, trial: &TrialRecord) -> Result<Option<String>, ArchiveError> {
        let Some(trace) = self.traces(trial)?.pop() else { return Ok(None) };
        // The error stands just before the end.
        for number in (1..=trace.len()).rev().take(2) {
            if let EventBody::Error(words) = trace.event(number)?.body {
                return self.blobs.words(&words.text).map(Some);
            }
        }
        Ok(None)
    }

    /// How many trials of the plan have not ended in a way that counts.
    pub fn open_trials(&self) -> u64 {
        let ended = self.trials.iter().filter(|trial| trial.ending() != Ending::Interrupted).count() as u64;
        (self.run.plan.len() as u64 * u64::from(self.run.trials)).saturating_sub(ended)
    }
}

/// The traces that lie under `trials`: trial, segment, path. Other files there are left alone.
fn trace_files(folder: &Path, run: &RunFile) -> Result<Vec<(TrialName, u32, PathBuf)>, ArchiveError> {
    let mut found = Vec::new();
    let root = folder.join(TRIALS);
    for short in names(&root)? {
        for pack in names(&root.join(&short))? {
            for task in names(&root.join(&short).join(&pack))? {
                let of_task = root.join(&short).join(&pack).join(&task);
                for number in names(&of_task)? {
                    let revisions = run.revisions.iter().map(|it| it.revision);
                    let Some(name) = trial_of([&short, &pack, &task, &number], revisions) else { continue };
                    let of_trial = of_task.join(&number);
                    for file in names(&of_trial)? {
                        if let Some(segment) = segment_of(&file) {
                            found.push((name.clone(), segment, of_trial.join(&file)));
                        }
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Names in a folder, in order; none where it is no folder.
fn names(folder: &Path) -> Result<Vec<String>, ArchiveError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(ArchiveError::read(folder)(error)),
    };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}
