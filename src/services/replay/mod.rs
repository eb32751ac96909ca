//! Traces for the Replay page: opened, read step by step, run again, followed while they grow.
//!
//! What is open is shared by the threads of requests; none of them holds it while it works. Not here: what is shown of it.

mod archived;
mod choices;
mod comparing;
mod detailing;
mod following;
mod foreign_source;
mod foreign_step;
mod pairs;
mod run_source;
mod source;
mod subjects;
mod summing;

use super::catalogue::find_pack;
use super::{Answered, Config, Snapshots};
use crate::query::Interrupter;
#[cfg(feature = "vault")]
use crate::scoring::minimal_evidence;
use crate::workbench::replay::trace::TracePlace;
use crate::workbench::reply::Reply;
use crossbeam_channel::Sender;
use following::Follower;
use source::{Source, Trial, open};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What the requests of the page share.
#[derive(Clone)]
pub(super) struct Traces {
    config: Config,
    snapshots: Snapshots,
    answers: Sender<Answered>,
    open: Arc<Mutex<Open>>,
    /// Counts trials that were shown: what works for an earlier one stops.
    shown: Arc<AtomicU64>,
    /// Stops the call that is being run again.
    running: Arc<Mutex<Option<Interrupter>>>,
}

#[derive(Default)]
struct Open {
    source: Option<Arc<dyn Source>>,
    trial: Option<Arc<dyn Trial>>,
    follower: Option<Follower>,
}

impl std::fmt::Debug for Traces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Traces").field("shown", &self.shown).finish_non_exhaustive()
    }
}

impl Traces {
    pub(super) fn new(config: Config, snapshots: Snapshots, answers: Sender<Answered>) -> Self {
        Self {
            config,
            snapshots,
            answers,
            open: Arc::default(),
            shown: Arc::default(),
            running: Arc::default(),
        }
    }

    /// Runs that can be opened.
    pub(super) fn choices(&self) -> Reply {
        Reply::TraceChoices(choices::read(self.config.data_folder.as_deref()))
    }

    /// Opens a source.
    pub(super) fn open(&self, place: &TracePlace) -> Reply {
        match open(place, self.config.data_folder.as_deref(), &self.config.clock) {
            Ok(source) => {
                self.shown.fetch_add(1, Ordering::SeqCst);
                self.stop();
                let summary = source.summary();
                *self.lock() = Open { source: Some(source), ..Open::default() };
                Reply::TraceOpened(summary)
            }
            Err(reason) => Reply::Failed(reason),
        }
    }

    /// Shows a trial, and follows it if it is going on.
    pub(super) fn show(&self, index: usize) -> Reply {
        let number = self.shown.fetch_add(1, Ordering::SeqCst) + 1;
        self.stop();
        let source = self.lock().source.clone();
        let Some(source) = source else { return nothing_open() };
        let trial = match source.trial(index, &self.snapshots, self.config.data_folder.as_deref()) {
            Ok(trial) => trial,
            Err(reason) => return Reply::Failed(reason),
        };
        let trace = trial.trace();
        let follower = trace.is_running.then(|| Follower::start(self.clone(), source, index, number));
        let mut open = self.lock();
        if self.shown.load(Ordering::SeqCst) == number {
            open.trial = Some(trial);
            open.follower = follower;
        }
        Reply::TraceShown(Box::new(trace))
    }

    /// A step, whole.
    pub(super) fn detail(&self, event: u64) -> Reply {
        match self.trial() {
            Some(trial) => trial.detail(event).map_or_else(Reply::Failed, Reply::TraceDetail),
            None => nothing_open(),
        }
    }

    /// A call run again; the one before is stopped, since nobody waits for it any more.
    pub(super) fn compare(&self, event: u64, sql: Option<&str>) -> Reply {
        self.stop();
        let Some(trial) = self.trial() else { return nothing_open() };
        let begun = |interrupter: Interrupter| {
            *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(interrupter);
        };
        match trial.compare(event, sql, &begun) {
            Ok(comparison) => Reply::TraceCompared(Box::new(comparison)),
            Err(reason) => Reply::Failed(reason),
        }
    }

    /// All calls run again, until another trial is shown.
    pub(super) fn replay(&self) -> Reply {
        let number = self.shown.load(Ordering::SeqCst);
        let goes_on = || self.shown.load(Ordering::SeqCst) == number;
        match self.trial() {
            Some(trial) => trial.verdicts(&goes_on).map_or_else(Reply::Failed, Reply::TraceReplayed),
            None => nothing_open(),
        }
    }

    /// What the answer to a task needs.
    pub(super) fn evidence(&self, pack: &str, task: &str) -> Reply {
        let found = find_pack(pack, &self.config.packs);
        let required = found.and_then(|pack| minimal_evidence(&pack, task));
        Reply::MinimalEvidence { pack: pack.to_owned(), task: task.to_owned(), required }
    }

    fn trial(&self) -> Option<Arc<dyn Trial>> {
        self.lock().trial.clone()
    }

    fn stop(&self) {
        if let Some(interrupter) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take() {
            interrupter.interrupt();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A build without vaults knows of none.
#[cfg(not(feature = "vault"))]
const fn minimal_evidence(
    _: &crate::pack::Pack,
    _: &str,
) -> Option<crate::domain::evidence::MinimalEvidence> {
    None
}

fn nothing_open() -> Reply {
    Reply::Failed("no trace is open".to_owned())
}
