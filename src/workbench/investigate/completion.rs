//! Completions in the editor: shown while a name is written, accepted only by a key of their own or after one was moved to.

use super::Workspace;
use crate::sql::completion::{Candidate, complete};
use crate::text::edit_buffer::EditOp;
use crate::workbench::state::Workbench;
use serde::Serialize;
use std::ops::Range;

/// Letters that must have been written before completions show by themselves.
const LETTERS: usize = 2;
/// Longer texts are completed when asked for only, so that typing stays fast.
const LONGEST: usize = 64 << 10;

/// Completions that are shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompletionList {
    /// What is replaced, in bytes.
    #[serde(skip)]
    pub replace: Range<usize>,
    /// What could be written, best first.
    #[serde(serialize_with = "texts")]
    pub candidates: Vec<Candidate>,
    /// Which was moved to.
    pub chosen: Option<usize>,
    /// Whether the person asked for them.
    pub asked: bool,
}

fn texts<S: serde::Serializer>(candidates: &[Candidate], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(candidates.iter().map(|candidate| &candidate.text))
}

/// Shows completions at the cursor, if there are any.
pub(in crate::workbench) fn open(space: &mut Workspace, asked: bool) {
    let buffer = space.editor.buffer();
    let text = buffer.text.text();
    let cursor = buffer.text.offset_of(buffer.text.cursor());
    let found = complete(&text, cursor, &space.schema);
    let is_whole = |candidate: &Candidate| text.get(found.replace.clone()) == Some(candidate.text.as_str());
    let says_nothing = match found.candidates.as_slice() {
        [] => true,
        [only] => is_whole(only),
        _ => false,
    };
    space.completion = (!says_nothing).then_some(CompletionList {
        replace: found.replace,
        candidates: found.candidates,
        chosen: None,
        asked,
    });
}

/// After a character was typed: completions show once a name has a few letters, or after a dot.
pub(in crate::workbench) fn after_typing(state: &mut Workbench, character: char) {
    let Some(space) = &mut state.workspace else { return };
    let text = &space.editor.buffer().text;
    let cursor = text.cursor();
    let before = text.lines()[cursor.line].get(..cursor.byte).unwrap_or_default();
    let letters = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').count();
    let is_name = character.is_alphanumeric() || character == '_' || character == '.';
    let is_wanted = character == '.' || letters >= LETTERS;
    let size: usize = text.lines().iter().map(|line| line.len() + 1).sum();
    if is_name && is_wanted && size <= LONGEST {
        open(space, false);
    } else {
        space.completion = None;
    }
}

/// After the cursor moved: what is shown belongs to another place.
pub(in crate::workbench) fn after_move(space: &mut Workspace, has_changed: bool) {
    match &space.completion {
        Some(list) if list.asked && has_changed => open(space, true),
        Some(_) => space.completion = None,
        None => {}
    }
}

pub(super) fn step(space: &mut Workspace, by: isize) {
    if let Some(list) = &mut space.completion {
        let count = list.candidates.len().cast_signed();
        let next = match list.chosen {
            None if by > 0 => 0,
            None => count - 1,
            Some(chosen) => (chosen.cast_signed() + by).rem_euclid(count.max(1)),
        };
        list.chosen = Some(next.unsigned_abs());
    }
}

pub(super) fn accept(space: &mut Workspace, index: Option<usize>) {
    let Some(list) = space.completion.take() else { return };
    let Some(candidate) = list.candidates.get(index.or(list.chosen).unwrap_or(0)) else { return };
    let text = candidate.text.clone();
    space.editor.buffer_mut().edit(&EditOp::Replace { range: list.replace, text });
    space.needs_saving = true;
}
