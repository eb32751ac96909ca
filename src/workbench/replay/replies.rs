//! What services answer to the Replay page.

use super::super::command::Invocation;
use super::super::effect::Effect;
use super::super::focus::Page;
use super::super::overlay::Overlay;
use super::super::overlay::picker::{Item, Picker, Purpose};
use super::super::reply::Reply;
use super::super::request::RequestId;
use super::super::state::Workbench;
use super::comparison::Comparison;
use super::detail::Detail;
use super::showing::{is_answer, show, shown, step_chosen};
use super::trace::{Trace, TraceChoice, TraceSource};
use super::{Replay, Verdicts};
use crate::domain::evidence::MinimalEvidence;
use crate::domain::replay::ReplayVerdict;
use std::collections::BTreeMap;

/// Takes a reply; one that is not for this page changes nothing.
pub(in crate::workbench) fn take(state: &mut Workbench, request: RequestId, reply: Reply) -> Vec<Effect> {
    match reply {
        Reply::TraceOpened(source) => return opened(state, source),
        Reply::TraceShown(trace) => return trial(state, request, *trace),
        Reply::TraceGrew { path, trace } => return grew(state, &path, *trace),
        Reply::TraceChoices(found) => choices(state, found),
        Reply::TraceDetail(found) => detail(state, request, found),
        Reply::TraceCompared(found) => compared(state, request, *found),
        Reply::TraceReplayed(verdicts) => replayed(state, request, verdicts),
        Reply::MinimalEvidence { pack, task, required: found } => required(state, &pack, &task, found),
        _ => {}
    }
    Vec::new()
}

/// A source was opened: its first trial is shown.
fn opened(state: &mut Workbench, source: TraceSource) -> Vec<Effect> {
    for problem in &source.problems {
        state.warn(problem.clone());
    }
    state.page = Page::Replay;
    let is_empty = source.trials.is_empty();
    let mut wanted = 0;
    if let Some(name) = state.wanted_trial.take() {
        match source.trials.iter().position(|trial| trial.name.starts_with(&name)) {
            Some(index) => wanted = index,
            None => state.warn(format!("no trial's name begins with '{name}'; the first one is shown")),
        }
    }
    state.replay = Some(Replay::new(source));
    if is_empty {
        state.warn("there is no trial in it");
        return Vec::new();
    }
    show(state, wanted).unwrap_or_default()
}

/// A trial of it was read.
fn trial(state: &mut Workbench, request: RequestId, trace: Trace) -> Vec<Effect> {
    let is_awaited = state.replay.as_mut().is_some_and(|replay| is_answer(&mut replay.asked.trace, request));
    if is_awaited { shown(state, trace, 0) } else { Vec::new() }
}

/// The trial that is shown has grown.
fn grew(state: &mut Workbench, path: &str, trace: Trace) -> Vec<Effect> {
    let Some(replay) = &mut state.replay else { return Vec::new() };
    let is_it = replay.source.path == path
        && replay.trace.as_ref().is_some_and(|it| it.index == trace.index && it.is_running);
    if !is_it {
        return Vec::new();
    }
    if !trace.is_running {
        // It is over: all of it is looked at as if it had just been opened, but the place is kept.
        let (chosen, top) = (replay.chosen, replay.top);
        let effects = shown(state, trace, chosen);
        if let Some(replay) = &mut state.replay {
            replay.top = top;
        }
        state.inform("the trial is over");
        return effects;
    }
    // Whoever stands at the end stays there.
    let follows = replay.chosen + 1 >= replay.steps().len();
    let chosen = replay.step().map(|step| (step.event, step.until));
    replay.trace = Some(trace);
    replay.find_evidence();
    if follows {
        replay.chosen = replay.steps().len().saturating_sub(1);
    }
    if replay.step().map(|step| (step.event, step.until)) == chosen { Vec::new() } else { step_chosen(state) }
}

/// A step was read.
fn detail(state: &mut Workbench, request: RequestId, detail: Detail) {
    if let Some(replay) = &mut state.replay
        && is_answer(&mut replay.asked.detail, request)
    {
        replay.detail = Some(detail);
    }
}

/// A call was run again.
fn compared(state: &mut Workbench, request: RequestId, comparison: Comparison) {
    if let Some(replay) = &mut state.replay
        && is_answer(&mut replay.asked.comparison, request)
    {
        let is_same_call = replay.comparison.as_ref().is_some_and(|it| it.event == comparison.event);
        if !is_same_call {
            replay.compare_left = 0;
        }
        replay.pair = comparison.first_difference().unwrap_or(0);
        replay.compare_top = 0;
        replay.comparison = Some(comparison);
    }
}

/// All calls were run again.
fn replayed(state: &mut Workbench, request: RequestId, verdicts: BTreeMap<u64, ReplayVerdict>) {
    if let Some(replay) = &mut state.replay
        && is_answer(&mut replay.asked.verdicts, request)
    {
        replay.verdicts = Verdicts::known(verdicts);
    }
}

/// What the answer to the task needs.
fn required(state: &mut Workbench, pack: &str, task: &str, required: Option<MinimalEvidence>) {
    let Some(replay) = &mut state.replay else { return };
    let is_it = replay.trace.as_ref().and_then(|trace| trace.task.as_ref());
    if is_it.is_some_and(|(own_pack, own_task)| own_pack == pack && own_task == task)
        && replay.withheld.is_none()
    {
        if required.is_none() {
            replay.withheld = Some("no reference");
        }
        replay.required = required;
        replay.find_evidence();
    }
}

/// What can be opened.
fn choices(state: &mut Workbench, choices: Vec<TraceChoice>) {
    let items = choices
        .into_iter()
        .map(|choice| Item {
            label: choice.title,
            detail: choice.about,
            aside: choice.aside,
            gives: Invocation::of("replay.open").with("path", choice.path.as_str()),
        })
        .collect();
    let mut picker = Picker::new("Runs", Purpose::Choice, items);
    picker.items.push(Item {
        label: "demo".to_owned(),
        detail: "the built-in demo run".to_owned(),
        aside: String::new(),
        gives: Invocation::of("replay.demo"),
    });
    picker.narrow();
    state.overlays.push(Overlay::Picker(picker));
}

/// Something that the page asked for could not be done: it is not waited for any more.
pub(in crate::workbench) fn given_up(state: &mut Workbench, request: RequestId, reason: &str) {
    let Some(replay) = &mut state.replay else { return };
    if is_answer(&mut replay.asked.verdicts, request) {
        replay.verdicts = Verdicts::Impossible(reason.to_owned());
    }
    let asked = &mut replay.asked;
    for slot in [&mut asked.trace, &mut asked.detail, &mut asked.comparison] {
        is_answer(slot, request);
    }
}
