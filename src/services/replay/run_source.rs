//! An evidence archive as a source of traces.

use super::archived::ArchivedTrial;
use super::source::{Source, Trial};
use crate::archive::demo::unpack;
use crate::archive::{Archive, TrialRecord, is_being_written};
use crate::services::{Snapshots, open_snapshot};
use crate::workbench::replay::trace::{TraceSource, TraceTrial};
use std::path::Path;
use std::sync::Arc;

/// A run.
pub(super) struct RunSource {
    archive: Arc<Archive>,
    title: String,
    /// The demo lies in a temporary folder that goes with this.
    _unpacked: Option<tempfile::TempDir>,
}

impl RunSource {
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let archive = Archive::open(folder).map_err(|error| error.to_string())?;
        Ok(Self { title: archive.run.run.clone(), archive: Arc::new(archive), _unpacked: None })
    }

    pub(super) fn demo() -> Result<Self, String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("can't make a temporary folder: {error}"))?;
        unpack(folder.path()).map_err(|error| error.to_string())?;
        let source = Self::open(folder.path())?;
        Ok(Self { title: "demo".to_owned(), _unpacked: Some(folder), ..source })
    }

    fn snapshot_name(&self, trial: &TrialRecord) -> String {
        let revision = trial.name.revision;
        let named = self.archive.run.revisions.iter().find(|it| it.revision == revision);
        named.map_or_else(|| revision.short(), |it| it.name.clone())
    }
}

impl Source for RunSource {
    fn summary(&self) -> TraceSource {
        let trials = self.archive.trials.iter().map(|trial| {
            let counts = trial.last().map(|line| line.counts);
            TraceTrial {
                name: trial.name.to_string(),
                task: trial.name.task.clone(),
                attempt: format!("attempt {}", trial.name.number),
                snapshot: self.snapshot_name(trial),
                ending: trial.ending().word().to_owned(),
                queries: counts.map(|counts| counts.queries),
                errors: counts.map(|counts| counts.errors),
            }
        });
        TraceSource {
            title: self.title.clone(),
            format: format!("run of {}", self.archive.run.actor.name),
            path: self.archive.folder().display().to_string(),
            trials: trials.collect(),
            problems: Vec::new(),
        }
    }

    fn trial(
        &self,
        index: usize,
        snapshots: &Snapshots,
        data_folder: Option<&Path>,
    ) -> Result<Arc<dyn Trial>, String> {
        // A run that goes on has grown since it was opened.
        let folder = self.archive.folder();
        let is_open = self.archive.run.end.is_none();
        let archive = if is_open {
            Arc::new(Archive::open(folder).map_err(|error| error.to_string())?)
        } else {
            Arc::clone(&self.archive)
        };
        let name = &self.archive.trials.get(index).ok_or("there is no such trial")?.name;
        let record = archive.trial(name).ok_or("the trial is not there any more")?.clone();
        let snapshot = open_snapshot(snapshots, data_folder, record.name.revision);
        let is_running =
            record.segments.last().is_some_and(|it| it.ended.is_none()) && is_being_written(folder);
        let shown = self.snapshot_name(&record);
        let trial = ArchivedTrial::read(archive, record, index, shown, snapshot, is_running)?;
        Ok(Arc::new(trial))
    }

    fn size(&self, index: usize) -> u64 {
        let Some(record) = self.archive.trials.get(index) else { return 0 };
        let folder = record.segments.first().and_then(|segment| segment.path.parent());
        let files = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let sizes = files.filter_map(|file| file.metadata().ok()).map(|it| it.len());
        // An answer and a lock that is let go count as well.
        sizes.sum::<u64>() * 2 + u64::from(is_being_written(self.archive.folder()))
    }
}
