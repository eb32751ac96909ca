//! What is being written in a trial, so that it is back after the process was killed.

use crate::domain::trial::Verdict;
use serde::{Deserialize, Serialize};

/// What is being written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Draft {
    /// Buffers of the editor: name and text.
    pub buffers: Vec<(String, String)>,
    /// Which of them is shown.
    pub buffer: usize,
    /// The cursor in it, in bytes.
    pub cursor: usize,
    /// The answer so far.
    pub answer: AnswerDraft,
}

/// An answer before it is submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnswerDraft {
    /// Yes, no, or neither.
    pub verdict: Option<Verdict>,
    /// The subjects, in the order they were marked.
    pub subjects: Vec<String>,
    /// Facts by name, as they were written.
    pub facts: Vec<(String, String)>,
    /// The answer in words.
    pub prose: String,
}

/// A task of a private pack, as an investigation gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskDraft {
    /// Folder of the pack; one that is not there is begun.
    pub pack: String,
    /// The task's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its question.
    pub question: String,
    /// The reference query.
    pub sql: String,
    /// What the question asks for.
    pub subjects: Vec<String>,
    /// The column that names a subject.
    pub subject_column: Option<String>,
    /// The snapshot it was found on, by revision.
    pub snapshot: String,
}
