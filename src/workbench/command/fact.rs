//! Facts about the state by name: what conditions of commands and key bindings are made of.

use super::super::event::Moment;
use super::super::focus::{Focus, Page};
use super::super::overlay::Overlay;
use super::super::state::Workbench;
use crate::domain::trial::Mode;

/// A fact, and whether it holds.
pub struct Fact {
    /// Its name in conditions.
    pub name: &'static str,
    /// One sentence for `docs/keys.md`.
    pub doc: &'static str,
    /// Whether it holds.
    pub holds: fn(&Workbench) -> bool,
}

const fn fact(name: &'static str, doc: &'static str, holds: fn(&Workbench) -> bool) -> Fact {
    Fact { name, doc, holds }
}

/// All facts.
pub const FACTS: &[Fact] = &[
    fact("cases", "the Cases page is shown", |it| it.page == Page::Cases),
    fact("investigate", "the Investigate page is shown", |it| it.page == Page::Investigate),
    fact("replay", "the Replay page is shown", |it| it.page == Page::Replay),
    fact("trace", "a trace is open", |it| it.replay.is_some()),
    fact("call", "the chosen step of the trace runs a statement", |it| {
        it.replay.as_ref().and_then(|replay| replay.step()).is_some_and(|step| step.kind.is_query())
    }),
    fact("what-if", "another statement is tried in the place of a call", |it| {
        it.replay.as_ref().is_some_and(|replay| replay.what_if.is_some())
    }),
    fact("overlay", "something lies over the page", |it| !it.overlays.is_empty()),
    fact("open", "a trial or an investigation is open", |it| it.workspace.is_some()),
    fact("working", "a trial or an investigation is open and not over", |it| {
        it.workspace.as_ref().is_some_and(|space| !space.is_over())
    }),
    fact("task", "the open trial has a task", |it| it.workspace.as_ref().is_some_and(|it| it.task.is_some())),
    fact("investigation", "free work without a task is open", |it| {
        it.workspace.as_ref().is_some_and(|space| space.task.is_none())
    }),
    fact("practice", "the open trial is practice", |it| {
        it.workspace.as_ref().is_some_and(|space| space.mode == Mode::Practice)
    }),
    fact("schema", "the schema has the focus", |it| it.has_focus(Focus::Schema)),
    fact("editor", "the editor has the focus", |it| it.has_focus(Focus::Editor)),
    fact("grid", "the result has the focus", |it| it.has_focus(Focus::Grid)),
    fact("answer", "the answer has the focus", |it| it.has_focus(Focus::Answer)),
    fact("typing", "keys write text", Workbench::is_typing),
    fact("completion", "completions are shown", |it| {
        it.workspace.as_ref().is_some_and(|space| space.completion.is_some())
    }),
    fact("completion-chosen", "a completion was moved to", |it| {
        it.workspace
            .as_ref()
            .and_then(|space| space.completion.as_ref())
            .is_some_and(|completion| completion.chosen.is_some())
    }),
    fact("running", "a statement is running", |it| {
        it.workspace.as_ref().is_some_and(|space| space.running.is_some())
    }),
    fact("just-ran", "a statement ended less than a second ago", |it| {
        let ended = it.workspace.as_ref().and_then(|space| space.ended);
        ended.is_some_and(|ended| it.now.saturating_sub(ended) < Moment::from_secs(1))
    }),
    fact("result", "there is a result", |it| {
        it.workspace.as_ref().is_some_and(|space| space.grid().is_some())
    }),
    fact("picker", "a list to pick from is open", |it| {
        matches!(it.overlays.last(), Some(Overlay::Picker(_)))
    }),
    fact("prompt", "a question for a text is open", |it| {
        matches!(it.overlays.last(), Some(Overlay::Prompt(_)))
    }),
    fact("confirm", "a question for yes or no is open", |it| {
        matches!(it.overlays.last(), Some(Overlay::Confirm(_)))
    }),
    fact(
        "reader",
        "text to read is open: help, a cell, a plan, statistics",
        |it| matches!(it.overlays.last(), Some(overlay) if overlay.is_reader()),
    ),
];

/// The fact of this name.
pub(super) fn of_name(name: &str) -> Option<&'static Fact> {
    FACTS.iter().find(|fact| fact.name == name)
}
