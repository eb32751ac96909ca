//! Keeping what is being written: a draft after every change; services write it when no more come.

use super::super::draft::{AnswerDraft, Draft};
use super::super::effect::{Effect, Tell};
use super::super::state::Workbench;
use super::Workspace;

/// Keeps what is being written.
pub(in crate::workbench) fn save(state: &mut Workbench) -> Option<Effect> {
    let space = state.workspace.as_mut()?;
    space.needs_saving = false;
    if space.is_over() {
        return None;
    }
    Some(Effect::Tell(Tell::Draft { run: space.run.clone(), draft: draft(space) }))
}

/// What is being written.
fn draft(space: &Workspace) -> Draft {
    let text = &space.editor.buffer().text;
    Draft {
        buffers: space.editor.buffers().iter().map(|it| (it.name.clone(), it.text.text())).collect(),
        buffer: space.editor.current(),
        cursor: text.offset_of(text.cursor()),
        answer: AnswerDraft {
            verdict: space.answer.verdict,
            subjects: space.answer.subjects.clone(),
            facts: space.answer.facts.clone(),
            prose: space.answer.prose.text(),
        },
    }
}
