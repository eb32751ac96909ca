//! Another statement in the place of one of the trace: written here, run on a copy of its own, never part of the evidence.

use crate::workbench::investigate::editor::Buffer;
use serde_json::{Value, json};

/// A statement that is tried.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// The event of the call that it stands for.
    pub event: u64,
    /// What is written.
    pub buffer: Buffer,
    /// Whether keys write text.
    pub is_writing: bool,
}

impl WhatIf {
    pub(in crate::workbench) fn document(&self) -> Value {
        json!({"event": self.event, "text": self.buffer.text.text(), "writing": self.is_writing})
    }
}
