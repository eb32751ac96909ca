//! A trial was opened, or its answer was taken.

use super::super::draft::Draft;
use super::super::effect::{Ask, Effect, Tell};
use super::super::focus::{Focus, Page};
use super::super::reply::OpenedTrial;
use super::super::state::Workbench;
use super::Workspace;
use super::answer::AnswerForm;
use super::editor::Editor;
use super::schema_tree::SchemaTree;
use crate::domain::trial::{Answer, Mode};
use std::collections::VecDeque;

pub(in crate::workbench) fn opened(state: &mut Workbench, opened: OpenedTrial) -> Vec<Effect> {
    let task = state.catalogue.as_ref().and_then(|catalogue| {
        let pack = catalogue.packs.iter().find(|pack| pack.id == opened.trial.pack)?;
        pack.tasks.iter().find(|task| task.id == opened.trial.task).cloned()
    });
    let was_restored = opened.draft.is_some();
    let Draft { buffers, buffer, cursor, answer } = opened.draft.unwrap_or_default();
    let is_over = opened.answer.is_some();
    let mut editor = Editor::with(&buffers, buffer, cursor);
    editor.is_writing = !is_over;
    let mode = match opened.mode {
        Mode::Scored => "scored",
        Mode::Practice => "practice",
    };
    let title = task.as_ref().map_or_else(|| "the investigation".to_owned(), |task| task.id.clone());
    let words = match (is_over, opened.resumed, was_restored) {
        (true, ..) => format!("{title} was answered; it can be looked at"),
        (false, true, true) => format!("going on with {title} ({mode}); what you were writing is back"),
        (false, true, false) => format!("going on with {title} ({mode})"),
        (false, false, _) => format!("{title} began ({mode}); every statement is recorded"),
    };
    state.workspace = Some(Workspace {
        run: opened.run,
        trial: opened.trial,
        mode: opened.mode,
        snapshot: opened.snapshot,
        tree: SchemaTree::new(opened.schema.clone()),
        schema: opened.schema,
        task,
        editor,
        completion: None,
        running: None,
        ended: None,
        queue: VecDeque::new(),
        grids: Vec::new(),
        shown: 0,
        failure: None,
        answer: opened.answer.as_ref().map_or_else(|| AnswerForm::of_draft(answer), AnswerForm::of_answer),
        submitted: opened.answer,
        hints: 0,
        opened: state.now,
        needs_saving: false,
    });
    state.page = Page::Investigate;
    state.focus = Focus::Editor;
    state.overlays.clear();
    state.inform(words);
    if let Some(problem) = opened.problem {
        state.warn(problem);
    }
    super::super::cases::refresh(state);
    // The trial that was left for this one is among them now, to be gone on with.
    let (_, own) = state.ask("reading own trials", Ask::OwnTrials);
    vec![own]
}

/// No case is open any more: the one that was has been left, and the next one could not be opened, or it can't go on.
pub(in crate::workbench) fn closed(state: &mut Workbench, reason: String) -> Vec<Effect> {
    if state.workspace.take().is_some() {
        state.page = Page::Cases;
        state.overlays.clear();
    }
    state.fail(reason);
    super::super::cases::refresh(state);
    let (_, own) = state.ask("reading own trials", Ask::OwnTrials);
    vec![own]
}

pub(in crate::workbench) fn submitted(state: &mut Workbench, run: &str, answer: Answer) -> Vec<Effect> {
    let Some(space) = state.workspace.as_mut().filter(|space| space.run == run) else { return Vec::new() };
    // What was changed while it was being recorded is not in it.
    let identifying = space.answer.identifying.take();
    space.answer = AnswerForm::of_answer(&answer);
    space.answer.identifying = identifying;
    space.submitted = Some(answer);
    space.editor.is_writing = false;
    space.answer.is_writing = false;
    space.completion = None;
    let words = format!("{} is answered, and recorded in the run {run}", space.title());
    state.inform(words);
    let (_, own) = state.ask("reading own trials", Ask::OwnTrials);
    vec![Effect::Tell(Tell::DropDraft { run: run.to_owned() }), own]
}
