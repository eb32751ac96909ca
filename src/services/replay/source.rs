//! What can be opened, whatever made it: a source with trials, and a trial that can be read and run again.

use super::foreign_source::ForeignSource;
use super::run_source::RunSource;
use crate::archive::{RUN_FILE, find_run};
use crate::domain::replay::ReplayVerdict;
use crate::harness::Clock;
use crate::query::Interrupter;
use crate::services::Snapshots;
use crate::services::own_trials::RUNS;
use crate::workbench::replay::comparison::Comparison;
use crate::workbench::replay::detail::Detail;
use crate::workbench::replay::trace::{Trace, TracePlace, TraceSource};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A run, or a file of another program.
pub(super) trait Source: Send + Sync {
    /// What it is, and its trials.
    fn summary(&self) -> TraceSource;

    /// Reads a trial.
    fn trial(
        &self,
        index: usize,
        snapshots: &Snapshots,
        data_folder: Option<&Path>,
    ) -> Result<Arc<dyn Trial>, String>;

    /// How much there is of a trial that is going on: another number means that there is more.
    fn size(&self, _index: usize) -> u64 {
        0
    }
}

/// A trial that was read.
pub(super) trait Trial: Send + Sync {
    /// All that a timeline shows.
    fn trace(&self) -> Trace;

    /// The step that begins with an event.
    fn detail(&self, event: u64) -> Result<Detail, String>;

    /// A call, then and now, or another statement in its place. `begun` is given what stops it.
    fn compare(
        &self,
        event: u64,
        sql: Option<&str>,
        begun: &dyn Fn(Interrupter),
    ) -> Result<Comparison, String>;

    /// Verdicts on all calls.
    fn verdicts(&self, goes_on: &dyn Fn() -> bool) -> Result<BTreeMap<u64, ReplayVerdict>, String>;
}

/// Opens what is asked for.
pub(super) fn open(
    place: &TracePlace,
    data_folder: Option<&Path>,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<dyn Source>, String> {
    let asked = match place {
        TracePlace::Demo => return Ok(Arc::new(RunSource::demo()?)),
        TracePlace::Path(path) => path,
    };
    let runs = data_folder.map(|folder| folder.join(RUNS));
    let path = find_run(Path::new(asked), runs.as_deref());
    if !path.exists() {
        return Err(format!(
            "there is nothing at {}, and no run has that name; O lists the runs of this machine",
            path.display()
        ));
    }
    // Whoever names the file in the run's folder means the run.
    let folder = match path.file_name() {
        Some(name) if name == RUN_FILE => path.parent().unwrap_or(&path).to_owned(),
        _ => path,
    };
    if folder.is_dir() {
        Ok(Arc::new(RunSource::open(&folder)?))
    } else {
        Ok(Arc::new(ForeignSource::open(&folder, clock)?))
    }
}
