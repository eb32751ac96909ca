//! A run: many trials, a few at a time, with progress; it can be stopped and gone on with.

use super::plan::{PlaceOfTask, RunPlan};
use super::prompts::{Prompts, brief_text, system_prompt};
use super::{Actor, Cancel, Clock, Over, Trial};
use crate::archive::{Archive, LedgerLine, RunWriter};
use crate::domain::trial::{Ending, TrialName};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunProgress {
    /// Trials in all.
    pub total: u64,
    /// Those that ended, in this go and before.
    pub done: u64,
    /// Those under way.
    pub running: u64,
    /// Those that ended in an error.
    pub failed: u64,
    /// US dollars so far, where any step said.
    pub cost: Option<f64>,
    /// How much longer at this pace; `None` before the first has ended.
    pub left: Option<Duration>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOutcome {
    /// Everything was done.
    Finished,
    /// It was stopped; it can be gone on with.
    Stopped,
}

/// Does what is left of a plan. Finished trials are never repeated; those that were interrupted are made again, as new
/// attempts. `progress` is told of every change, from the threads that work.
///
/// # Errors
/// [`Over::Archive`] where evidence can't be written, [`Over::Outside`] where an outside service fails all trials: nothing
/// more is begun then. [`Over::Open`] without memory.
pub fn execute(
    writer: &RunWriter,
    plan: &RunPlan,
    actor: &dyn Actor,
    jobs: usize,
    clock: &Arc<dyn Clock>,
    cancel: &Cancel,
    progress: &(dyn Fn(&RunProgress) + Sync),
) -> Result<RunOutcome, Over> {
    let made = made_before(writer)?;
    let open = plan.open_trials(&made);
    let total = plan.tasks.len() as u64 * u64::from(plan.trials);
    let shared = Mutex::new(Shared {
        queue: open.iter().cloned().collect(),
        state: RunProgress { total, done: total - open.len() as u64, ..RunProgress::default() },
        unbegun: false,
        error: None,
    });
    let board = Board { shared: &shared, progress, began: clock.now(), already: total - open.len() as u64 };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, open.len().max(1)) {
            scope.spawn(|| {
                while let Some(name) = board.next(cancel) {
                    match attempt(writer, plan, actor, clock, cancel, name).transpose() {
                        Some(ended) => board.ended(ended, clock.as_ref()),
                        None => board.nobody_came(),
                    }
                }
            });
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match shared.error {
        Some(error) => Err(error),
        None if shared.unbegun || cancel.is_stopped() => Ok(RunOutcome::Stopped),
        None => Ok(RunOutcome::Finished),
    }
}

struct Shared {
    queue: VecDeque<TrialName>,
    state: RunProgress,
    /// Whether nobody came to a trial.
    unbegun: bool,
    error: Option<Over>,
}

/// What the threads share.
struct Board<'a> {
    shared: &'a Mutex<Shared>,
    progress: &'a (dyn Fn(&RunProgress) + Sync),
    began: Duration,
    already: u64,
}

impl Board<'_> {
    fn next(&self, cancel: &Cancel) -> Option<TrialName> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.error.is_some() || cancel.is_stopped() {
            return None;
        }
        let name = shared.queue.pop_front()?;
        shared.state.running += 1;
        (self.progress)(&shared.state);
        Some(name)
    }

    fn nobody_came(&self) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.state.running -= 1;
        shared.unbegun = true;
    }

    fn ended(&self, ended: Result<LedgerLine, Over>, clock: &dyn Clock) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.state.running -= 1;
        match ended {
            Ok(line) => {
                let state = &mut shared.state;
                state.done += u64::from(line.ending != Ending::Interrupted);
                state.failed += u64::from(line.ending == Ending::Error);
                if let Some(cost) = line.counts.cost {
                    state.cost = Some(state.cost.unwrap_or(0.0) + cost);
                }
                let now = state.done - self.already;
                if now > 0 {
                    #[allow(clippy::cast_precision_loss)] // counts of trials
                    let pace = clock.now().saturating_sub(self.began).as_secs_f64() / now as f64;
                    #[allow(clippy::cast_precision_loss)]
                    let left = pace * (state.total - state.done) as f64;
                    state.left = Duration::try_from_secs_f64(left).ok();
                }
                (self.progress)(&shared.state);
            }
            Err(error) => {
                shared.error.get_or_insert(error);
            }
        }
    }
}

/// One attempt, from its beginning to its line in the ledger; `None` where nobody came to make it.
fn attempt(
    writer: &RunWriter,
    plan: &RunPlan,
    actor: &dyn Actor,
    clock: &Arc<dyn Clock>,
    cancel: &Cancel,
    name: TrialName,
) -> Result<Option<LedgerLine>, Over> {
    let pack = plan.pack(&name.pack);
    let task = pack.and_then(|pack| pack.task(&name.task));
    let Some((snapshot, pack, task)) = plan
        .snapshot(name.revision)
        .zip(pack.zip(task))
        .map(|(snapshot, (pack, task))| (snapshot, pack, task))
    else {
        // A plan names only what it holds; a run file that was edited by hand need not.
        let path = writer.folder().join(crate::archive::RUN_FILE);
        let reason = format!("the plan has no snapshot, pack or task for {name}");
        return Err(crate::archive::ArchiveError::Damaged { path, line: None, reason }.into());
    };
    let setup = plan.setup(name, Some(task.question.clone()), snapshot, clock, cancel);
    let prompts = Prompts { system: system_prompt(pack, plan.tools), brief: brief_text(pack, task) };
    let prompts = actor.prompts(prompts, &setup.snapshot);
    if !actor.is_there(&setup, &prompts, cancel) {
        return Ok(None);
    }
    let mut trial = Trial::begin(writer, setup)?;
    if actor.reads_prompts() {
        match trial.tell(&prompts) {
            Ok(()) | Err(Over::Ended(_)) => {}
            Err(error) => return Err(error),
        }
    }
    match actor.attempt(&mut trial) {
        Ok(()) if trial.ending().is_none() && !cancel.is_stopped() => {
            trial.fail("the actor came to its end without an answer")?;
        }
        Ok(()) | Err(Over::Ended(_)) => {}
        Err(Over::Outside(reason)) => {
            // It is made again when the run goes on.
            trial.stop(Ending::Interrupted);
            trial.end()?;
            return Err(Over::Outside(reason));
        }
        Err(error) => return Err(error),
    }
    trial.end().map(Some)
}

/// What was made before: for each task the last number of an attempt, and how many count.
fn made_before(writer: &RunWriter) -> Result<BTreeMap<PlaceOfTask, (u32, u32)>, Over> {
    let archive = Archive::open(writer.folder())?;
    let mut made: BTreeMap<PlaceOfTask, (u32, u32)> = BTreeMap::new();
    for trial in &archive.trials {
        let name = &trial.name;
        let entry = made.entry((name.revision, name.pack.clone(), name.task.clone())).or_default();
        entry.0 = entry.0.max(name.number);
        entry.1 += u32::from(trial.ending() != Ending::Interrupted);
    }
    Ok(made)
}
