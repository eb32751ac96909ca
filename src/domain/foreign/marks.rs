//! What an imported archive keeps of a foreign event beside what its own kinds of events hold.

use super::event::Mark;
use serde::{Deserialize, Serialize};

/// Facts of one event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedMarks {
    /// The marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Of a result: the length in bytes before and after the source's recorder cut it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<(u64, u64)>,
    /// Of a result: SHA-256 of all of it, where the source has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_sha256: Option<String>,
    /// Of an error: its kind in the source's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Of a step: how many calls of the model it stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Of a step: the provider's error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_error: Option<String>,
    /// Of an answer: the source does not name it one; they are the last words of the actor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last_words: bool,
    /// Of a call: it had no id in the source, this archive gave it one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub id_made: bool,
}

impl ImportedMarks {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
