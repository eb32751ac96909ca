//! A file of another program as a source of traces. A trial is imported into a temporary archive when it is shown, and is
//! then looked at like one of ours; a large log is never read whole.

use super::archived::ArchivedTrial;
use super::source::{Source, Trial};
use crate::archive::import::{ForeignFile, Strictness};
use crate::archive::imported::{ImportPlan, import_one};
use crate::archive::{Archive, Secrets};
use crate::domain::foreign::{ForeignBody, ForeignTrial, Loss, TrialEntry};
use crate::harness::Clock;
use crate::services::{Snapshots, open_snapshot};
use crate::snapshot::Store;
use crate::workbench::replay::trace::{TraceSource, TraceTrial};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Losses of a kind that are listed.
const LISTED: usize = 20;

/// Files of at most so many bytes and trials are read through for their list, so that it says more than an index does.
const READ_THROUGH: (u64, usize) = (8 << 20, 200);

/// A file of another program.
pub(super) struct ForeignSource {
    path: PathBuf,
    file: ForeignFile,
    trials: Vec<TraceTrial>,
    clock: Arc<dyn Clock>,
}

impl ForeignSource {
    pub(super) fn open(path: &Path, clock: &Arc<dyn Clock>) -> Result<Self, String> {
        let file = ForeignFile::open(path, Strictness::Lenient).map_err(|error| error.to_string())?;
        let trials = listed(&file);
        Ok(Self { path: path.to_owned(), file, trials, clock: Arc::clone(clock) })
    }
}

/// The list of the trials.
fn listed(file: &ForeignFile) -> Vec<TraceTrial> {
    let log = file.log();
    let reads = log.file.bytes <= READ_THROUGH.0 && log.trials.len() <= READ_THROUGH.1;
    let trial = |(nth, entry): (usize, &TrialEntry)| {
        let read = reads.then(|| file.trial(nth).ok()).flatten().map(|(trial, _)| trial);
        let facts = read.as_ref().map(|trial| &trial.facts);
        let task = facts.and_then(|it| it.task_id.clone()).or_else(|| entry.task_id.clone());
        let epoch = facts.and_then(|it| it.epoch).or(entry.epoch);
        let errors = |trial: &ForeignTrial| {
            trial.counted().filter(|event| matches!(event.body, ForeignBody::ToolError(_))).count() as u64
        };
        TraceTrial {
            name: entry.member.clone().unwrap_or_else(|| format!("trial {}", nth + 1)),
            task: task.unwrap_or_else(|| format!("trial {}", nth + 1)),
            attempt: epoch.map_or_else(String::new, |epoch| format!("attempt {epoch}")),
            snapshot: String::new(),
            ending: facts.map_or_else(String::new, |facts| facts.end_state.word().to_owned()),
            queries: read.as_ref().map(|trial| trial.queries().count() as u64),
            errors: read.as_ref().map(errors),
        }
    };
    log.trials.iter().enumerate().map(trial).collect()
}

impl Source for ForeignSource {
    fn summary(&self) -> TraceSource {
        let log = self.file.log();
        TraceSource {
            title: log.file.name.clone(),
            format: log.format.title().to_owned(),
            path: self.path.display().to_string(),
            trials: self.trials.clone(),
            problems: Vec::new(),
        }
    }

    fn trial(
        &self,
        index: usize,
        snapshots: &Snapshots,
        data_folder: Option<&Path>,
    ) -> Result<Arc<dyn Trial>, String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("can't make a temporary folder: {error}"))?;
        let (place, store) = (folder.path().join("run"), Store::new(data_folder));
        let plan = ImportPlan {
            files: &[],
            folder: &place,
            name: "looked at".to_owned(),
            pack: "imported".to_owned(),
            strictness: Strictness::Lenient,
            store: &store,
            secrets: Secrets::default(),
            now: self.clock.wall().to_string(),
        };
        let report = import_one(&plan, &self.file, index).map_err(|error| error.to_string())?;
        let archive = Archive::open(&place).map_err(|error| error.to_string())?;
        let record = archive.trials.first().cloned().ok_or("there is no such trial in it")?;
        let named = archive.run.revisions.first().map_or_else(String::new, |it| it.name.clone());
        let snapshot = open_snapshot(snapshots, data_folder, record.name.revision);
        let trial = ArchivedTrial::read(Arc::new(archive), record, index, named, snapshot, false)?;
        Ok(Arc::new(trial.lost(losses(&report.loss), folder)))
    }
}

/// What was lost, in lines: what broke the format first, then what was dropped, then what was never recorded.
fn losses(loss: &Loss) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(loss.deviations.iter().take(LISTED).map(|it| format!("{}: {}", it.place, it.what)));
    let more = loss.deviation_count().saturating_sub(LISTED as u64);
    if more > 0 {
        lines.push(format!("and {more} more that break the rules of the format"));
    }
    let dropped = loss.dropped.iter().take(LISTED);
    lines.extend(dropped.map(|(path, count)| format!("not kept: {path} ({count} times)")));
    let more = loss.dropped.len().saturating_sub(LISTED);
    if more > 0 {
        lines.push(format!("not kept: {more} more paths"));
    }
    let missing = loss.missing.iter().take(LISTED);
    lines.extend(missing.map(|(what, count)| format!("not recorded: {what} ({count} times)")));
    lines
}
