//! Showing a trial, and a step of it: what is asked for then.

use super::super::effect::{Ask, Effect};
use super::super::request::RequestId;
use super::super::state::Workbench;
use super::trace::{Trace, TracePlace};
use super::{Asked, Replay, ReplayPane, Verdicts};
use crate::domain::trial::{Ending, Mode};

/// Opens a source.
pub(super) fn open(state: &mut Workbench, place: TracePlace) -> Effect {
    let (_, effect) = state.ask("reading the trace", Ask::TraceOpen(place));
    effect
}

/// Shows a trial of the source.
pub(super) fn show(state: &mut Workbench, index: usize) -> Result<Vec<Effect>, String> {
    let replay = replay(state)?;
    let count = replay.source.trials.len();
    if index >= count {
        return Err(format!("there is no trial {}; there are {count}", index.saturating_add(1)));
    }
    let old = std::mem::take(&mut replay.asked);
    for request in [old.trace, old.detail, old.comparison, old.verdicts].into_iter().flatten() {
        state.requests.end(request);
    }
    Ok(vec![ask_anew(state, |asked| &mut asked.trace, "reading the trial", Ask::TraceShow(index))])
}

/// A trial was read; the step at this place is chosen.
pub(super) fn shown(state: &mut Workbench, trace: Trace, chosen: usize) -> Vec<Effect> {
    let withheld = withheld(state, &trace);
    let Some(replay) = &mut state.replay else { return Vec::new() };
    let (pane, beside, speed) = (replay.pane, replay.beside, replay.speed);
    let find = std::mem::take(&mut replay.find);
    let can_run = trace.snapshot.clone();
    let task = trace.task.clone().filter(|_| withheld.is_none());
    *replay = Replay {
        pane,
        beside,
        speed,
        find,
        withheld,
        chosen: chosen.min(trace.steps.len().saturating_sub(1)),
        trace: Some(trace),
        ..Replay::new(std::mem::take(&mut replay.source))
    };
    replay.find_evidence();
    let mut effects = step_chosen(state);
    if let Err(reason) = can_run {
        replay_mut(state).verdicts = Verdicts::Impossible(reason);
    } else {
        effects.push(ask_anew(
            state,
            |asked| &mut asked.verdicts,
            "running the calls again",
            Ask::TraceReplay,
        ));
        replay_mut(state).verdicts = Verdicts::Running;
    }
    if let Some((pack, task)) = task {
        let (_, effect) = state.ask("reading what the answer needs", Ask::MinimalEvidence { pack, task });
        effects.push(effect);
    }
    effects
}

/// Why what the answer needs may not be shown; `None` where it may.
fn withheld(state: &Workbench, trace: &Trace) -> Option<&'static str> {
    let Some((pack, task)) = &trace.task else { return Some("the trial has no task") };
    if trace.is_running {
        return Some("the trial is still going on");
    }
    let is_it = |other_pack: &str, other_task: &str| other_pack == pack && other_task == task;
    let is_open = state.workspace.as_ref().is_some_and(|space| {
        space.mode == Mode::Scored && !space.is_over() && is_it(&space.trial.pack, &space.trial.task)
    });
    let is_begun = state.own.iter().any(|own| {
        own.mode == Mode::Scored
            && own.ending == Ending::Interrupted
            && is_it(&own.trial.pack, &own.trial.task)
    });
    (is_open || is_begun).then_some("you have begun this task as scored")
}

/// A step was chosen: it is read whole, and what it ran is run again.
pub(super) fn step_chosen(state: &mut Workbench) -> Vec<Effect> {
    let Some(replay) = &mut state.replay else { return Vec::new() };
    let Some(step) = replay.step() else { return Vec::new() };
    let can_run = replay.trace.as_ref().is_some_and(|trace| trace.snapshot.is_ok());
    let runs = step.kind.is_query() || step.kind == super::step::StepKind::Schema;
    let (event, compares) = (step.event, runs && can_run);
    let is_tried = replay.what_if.as_ref().is_some_and(|it| it.event == event);
    replay.detail_top = 0;
    let asked = ask_anew(state, |asked| &mut asked.detail, "reading the step", Ask::TraceDetail(event));
    let mut effects = vec![asked];
    let comparison = replay_mut(state).asked.comparison.take();
    if let Some(comparison) = comparison {
        state.requests.end(comparison);
    }
    if compares && !is_tried {
        effects.push(compare(state, event, None));
    } else if !is_tried {
        replay_mut(state).comparison = None;
    }
    effects
}

/// Runs the statement of a call again, or another in its place.
pub(super) fn compare(state: &mut Workbench, event: u64, sql: Option<String>) -> Effect {
    let what = if sql.is_some() { "running the what-if" } else { "running the call again" };
    ask_anew(state, |asked| &mut asked.comparison, what, Ask::TraceCompare { event, sql })
}

/// Asks a service; what was asked before in the same place is not waited for any more.
fn ask_anew(
    state: &mut Workbench,
    place: fn(&mut Asked) -> &mut Option<RequestId>,
    what: &'static str,
    ask: Ask,
) -> Effect {
    let (request, effect) = state.ask(what, ask);
    if let Some(old) = place(&mut replay_mut(state).asked).replace(request) {
        state.requests.end(old);
    }
    effect
}

/// Chooses a step by its place.
pub(super) fn choose(state: &mut Workbench, place: usize) -> Vec<Effect> {
    let Some(replay) = &mut state.replay else { return Vec::new() };
    let place = place.min(replay.steps().len().saturating_sub(1));
    if place == replay.chosen && replay.detail.is_some() {
        return Vec::new();
    }
    replay.chosen = place;
    if replay.what_if.as_ref().is_some_and(|it| !it.is_writing) {
        // What was tried stands for one step.
        replay.what_if = None;
    }
    step_chosen(state)
}

/// Gives an area the keys.
pub(super) fn focus(replay: &mut Replay, pane: ReplayPane) {
    replay.pane = pane;
    if pane != ReplayPane::Timeline {
        replay.beside = pane;
    }
}

/// What is open.
///
/// # Errors
/// In words, where nothing is.
pub(super) fn replay(state: &mut Workbench) -> Result<&mut Replay, String> {
    state.replay.as_mut().ok_or_else(|| "no trace is open; open a run or a file first".to_owned())
}

/// What is open, where the caller knows that something is; else something that nobody sees.
pub(super) fn replay_mut(state: &mut Workbench) -> &mut Replay {
    state.replay.get_or_insert_with(|| Replay::new(super::trace::TraceSource::default()))
}

/// Whether a request is what is waited for there; it is not any more then.
pub(super) fn is_answer(asked: &mut Option<RequestId>, request: RequestId) -> bool {
    asked.take_if(|it| *it == request).is_some()
}
