//! Repeating a run: each archived statement, in order, on a fresh private copy of the revision that the trial saw.
//!
//! The seed and the number of each statement are those of the record, so that even `random()` repeats. A statement that wrote
//! is repeated too, since those behind it saw what it left. Nothing is graded here.

mod compare;
mod conclusions;
mod foreign;
mod foreign_table;
mod junit;
mod report;
mod then_and_now;
mod trial;

pub use conclusions::Column;
pub use junit::junit;
pub use report::{CallReplay, Conclusions, ReplayReport, TrialReplay};
pub use then_and_now::{Then, ThenAndNow};
pub use trial::{TrialCalls, trial_events};

use super::error::ArchiveError;
use super::reader::{Archive, TrialRecord};
use crate::domain::Revision;
use crate::query::{OpenError, OpenSnapshot};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a run could not be repeated.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The archive can't be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// No memory for a copy.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is no snapshot of the revision.
    #[error("{0}")]
    Snapshot(String),
    /// It was stopped.
    #[error("stopped after {done} of {total} trials")]
    Stopped {
        /// Trials that were repeated.
        done: usize,
        /// Trials in all.
        total: usize,
    },
}

/// What to repeat, on what, with how many threads.
pub struct Replay<'r> {
    /// The run.
    pub archive: &'r Archive,
    /// The snapshot for a revision of the archive: the same one, or another where the run is held against it.
    #[allow(clippy::type_complexity)]
    pub snapshot: &'r (dyn Fn(Revision) -> Result<Arc<OpenSnapshot>, String> + Sync),
    /// Whether the snapshots are other ones on purpose.
    pub against: Option<Revision>,
    /// Only trials whose name begins so.
    pub only: Option<&'r str>,
    /// Threads.
    pub jobs: usize,
    /// Told of each trial that was repeated, and of how many there are; answers whether to go on.
    pub progress: &'r (dyn Fn(usize, usize) -> bool + Sync),
}

impl std::fmt::Debug for Replay<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replay")
            .field("against", &self.against)
            .field("only", &self.only)
            .finish_non_exhaustive()
    }
}

impl Replay<'_> {
    /// Repeats the run.
    ///
    /// # Errors
    /// [`ReplayError`]. A statement that comes out differently is no error but a verdict.
    pub fn run(&self) -> Result<ReplayReport, ReplayError> {
        let chosen: Vec<&TrialRecord> = self
            .archive
            .trials
            .iter()
            .filter(|trial| self.only.is_none_or(|only| trial.name.to_string().starts_with(only)))
            .collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found: Mutex<Vec<Option<TrialReplay>>> = Mutex::new(chosen.iter().map(|_| None).collect());
        let failed: Mutex<Option<ReplayError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, chosen.len().max(1)) {
                scope.spawn(|| {
                    while let Some((at, trial)) = take(&next, &chosen) {
                        let replay = (self.snapshot)(trial.name.revision)
                            .map_err(ReplayError::Snapshot)
                            .and_then(|snapshot| trial::replay(self.archive, trial, &snapshot, self.against));
                        let so_far = done.fetch_add(1, Ordering::Relaxed) + 1;
                        let error = match replay {
                            Ok(replay) => {
                                found.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(replay);
                                (!(self.progress)(so_far, chosen.len()))
                                    .then_some(ReplayError::Stopped { done: so_far, total: chosen.len() })
                            }
                            Err(error) => Some(error),
                        };
                        if let Some(error) = error {
                            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                            // Nobody takes another one.
                            next.store(chosen.len(), Ordering::Relaxed);
                            return;
                        }
                    }
                });
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let trials =
            found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect();
        Ok(ReplayReport::new(self.archive.run.run.clone(), self.against, trials))
    }
}

fn take<'t>(next: &AtomicUsize, chosen: &[&'t TrialRecord]) -> Option<(usize, &'t TrialRecord)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    // The counter may have been set beyond the end to stop everybody.
    chosen.get(at).map(|trial| (at, *trial))
}
