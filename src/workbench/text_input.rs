//! Writing text, wherever text is written: the editor, the answer, one-line inputs. The commands `text.*` act on whichever has
//! the keys.

use super::effect::Effect;
use super::focus::{Focus, Page};
use super::investigate::{completion, prose};
use super::layout;
use super::overlay::Overlay;
use super::state::Workbench;
use crate::text::edit_buffer::{EditBuffer, EditOp, Motion};

/// Which text has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The input of the topmost overlay.
    Overlay,
    /// What is looked for on the Cases page.
    Find,
    /// What is looked for in the schema.
    SchemaFilter,
    /// The editor.
    Editor,
    /// The answer in words.
    Prose,
    /// A statement that is tried on the Replay page.
    WhatIf,
}

impl Workbench {
    /// Whether keys write text.
    pub fn is_typing(&self) -> bool {
        self.typing_place().is_some()
    }

    pub(super) fn typing_place(&self) -> Option<Place> {
        match self.overlays.last() {
            Some(Overlay::Picker(_) | Overlay::Prompt(_)) => return Some(Place::Overlay),
            Some(_) => return None,
            None => {}
        }
        match self.page {
            Page::Cases => self.cases.is_finding.then_some(Place::Find),
            Page::Replay => self.replay.as_ref()?.is_writing().then_some(Place::WhatIf),
            Page::Investigate => {
                let space = self.workspace.as_ref()?;
                match self.focus {
                    Focus::Editor => (space.editor.is_writing && !space.is_over()).then_some(Place::Editor),
                    Focus::Schema => space.tree.is_filtering.then_some(Place::SchemaFilter),
                    Focus::Answer => (space.answer.is_writing && !space.is_over()).then_some(Place::Prose),
                    Focus::Grid => None,
                }
            }
        }
    }

    /// The text that has the keys.
    pub(super) fn typing(&mut self) -> Option<&mut EditBuffer> {
        match self.typing_place()? {
            Place::Overlay => match self.overlays.last_mut() {
                Some(Overlay::Picker(picker)) => Some(&mut picker.input),
                Some(Overlay::Prompt(prompt)) => Some(&mut prompt.input),
                _ => None,
            },
            Place::Find => Some(&mut self.cases.find),
            Place::SchemaFilter => Some(&mut self.workspace.as_mut()?.tree.filter),
            Place::Editor => Some(&mut self.workspace.as_mut()?.editor.buffer_mut().text),
            Place::Prose => Some(&mut self.workspace.as_mut()?.answer.prose),
            Place::WhatIf => Some(&mut self.replay.as_mut()?.what_if.as_mut()?.buffer.text),
        }
    }
}

/// Applies an operation to the text that has the keys.
///
/// # Errors
/// In words, where none has.
pub(super) fn apply(state: &mut Workbench, op: &EditOp) -> Result<Vec<Effect>, String> {
    let by_row = by_row(state, op);
    let text = state.typing().ok_or_else(|| "no text is being written here".to_owned())?;
    let before = text.revision();
    let has_moved = text.apply(by_row.as_ref().unwrap_or(op));
    let has_changed = text.revision() != before;
    Ok(if has_moved { after(state, has_changed) } else { Vec::new() })
}

/// Applies an operation to the text that has the keys; where none has, to the editor's while it is not written in.
///
/// # Errors
/// In words, where nothing is open.
pub(super) fn apply_here(state: &mut Workbench, op: &EditOp) -> Result<Vec<Effect>, String> {
    if state.is_typing() {
        return apply(state, op);
    }
    let space = state.space()?;
    if space.editor.buffer_mut().edit(op) {
        space.needs_saving = true;
    }
    Ok(Vec::new())
}

/// The words of the answer are shown in rows: up and down go by those, not by lines.
fn by_row(state: &Workbench, op: &EditOp) -> Option<EditOp> {
    let by = match op {
        EditOp::Move { motion: Motion::Up, .. } => -1,
        EditOp::Move { motion: Motion::Down, .. } => 1,
        _ => return None,
    };
    let EditOp::Move { select, .. } = *op else { return None };
    if state.typing_place() != Some(Place::Prose) {
        return None;
    }
    let width = layout::answer_parts(layout::investigate(state).answer).prose.width;
    let text = &state.workspace.as_ref()?.answer.prose;
    let rows = prose::rows(text.lines(), usize::from(width));
    let (row, cell) = prose::cursor(text, &rows);
    let row = row.checked_add_signed(by).filter(|row| *row < rows.len())?;
    Some(EditOp::Move { motion: Motion::To(prose::place(text, &rows, row, cell)), select })
}

/// A typed character.
pub(super) fn typed(state: &mut Workbench, character: char) -> Vec<Effect> {
    let Ok(effects) = apply(state, &EditOp::Insert(character.to_string())) else { return Vec::new() };
    if state.typing_place() == Some(Place::Editor) && state.settings.completion {
        completion::after_typing(state, character);
    }
    effects
}

/// Pasted text. Where no text has the keys it goes to the subjects, if those have them, and else nowhere.
pub(super) fn paste(state: &mut Workbench, text: &str) -> Vec<Effect> {
    if state.is_typing() {
        return apply(state, &EditOp::Insert(text.to_owned())).unwrap_or_default();
    }
    if state.has_focus(Focus::Answer) {
        let lines: Vec<String> = super::investigate::answer::pasted_subjects(text);
        let invocation = super::command::Invocation::of("answer.add").with("subjects", lines);
        return super::update::give(state, &invocation);
    }
    state.inform("pasted text goes into the editor (i), or into the answer's subjects");
    Vec::new()
}

/// What follows when a text was changed, or its cursor moved.
pub(super) fn after(state: &mut Workbench, has_changed: bool) -> Vec<Effect> {
    match state.typing_place() {
        Some(Place::Overlay) if has_changed => {
            if let Some(Overlay::Picker(picker)) = state.overlays.last_mut() {
                picker.narrow();
            }
        }
        Some(Place::Find) if has_changed => super::cases::refresh(state),
        Some(Place::SchemaFilter) if has_changed => {
            if let Some(space) = &mut state.workspace {
                space.tree.rebuild();
            }
        }
        Some(Place::Editor) => {
            if let Some(space) = &mut state.workspace {
                if has_changed {
                    space.editor.buffer_mut().changed();
                    space.needs_saving = true;
                }
                completion::after_move(space, has_changed);
            }
        }
        Some(Place::WhatIf) if has_changed => {
            if let Some(it) = state.replay.as_mut().and_then(|replay| replay.what_if.as_mut()) {
                it.buffer.changed();
            }
        }
        Some(Place::Prose) if has_changed => {
            if let Some(space) = &mut state.workspace {
                space.needs_saving = true;
            }
        }
        _ => {}
    }
    Vec::new()
}
