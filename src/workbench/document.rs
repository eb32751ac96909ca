//! The state as a JSON document: what a script can ask for, and what two runs of the same script are compared by.
//!
//! Rows of results are not in it but their digest is; a script asks for rows by a window of them.

use super::investigate::Workspace;
use super::state::Workbench;
use crate::text::edit_buffer::EditBuffer;
use serde::Serializer;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Serialises a text that is edited: the text, and the cursor in bytes.
pub(super) fn buffer<S: Serializer>(buffer: &EditBuffer, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeStruct as _;
    let mut fields = serializer.serialize_struct("Text", 2)?;
    fields.serialize_field("text", &buffer.text())?;
    fields.serialize_field("cursor", &buffer.offset_of(buffer.cursor()))?;
    fields.end()
}

/// The whole state.
pub fn document(state: &Workbench) -> Value {
    json!({
        "page": state.page,
        "focus": state.focus,
        "size": state.size,
        "background": state.background,
        "theme": state.theme(),
        "mouse": state.mouse,
        "pending": state.pending.iter().map(|chord| chord.written()).collect::<Vec<_>>(),
        "typing": state.is_typing(),
        "overlays": state.overlays,
        "notices": state.notices,
        "outstanding": state.requests.open().map(|(_, it)| it.what).collect::<Vec<_>>(),
        "catalogue": state.catalogue,
        "own": state.own,
        "history": state.history.len(),
        "kept": state.kept,
        "cases": super::cases::document(state),
        "workspace": state.workspace.as_ref().map(Workspace::document),
        "replay": state.replay.as_ref().map(super::replay::Replay::document),
        "register": state.register,
        "ended": state.has_ended,
    })
}

/// SHA-256 of the whole state, in lower-case hex.
pub fn digest(state: &Workbench) -> String {
    hex::encode(Sha256::digest(document(state).to_string()))
}
