//! What services say of traces: where they come from, which trials there are, and one of them opened. Plain data.

use super::step::Step;
use crate::domain::trial::{Answer, Mode};
use serde::Serialize;
use std::sync::Arc;

/// Where traces are to be read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TracePlace {
    /// The built-in demo run.
    Demo,
    /// A run's folder or name, or a file of another program.
    Path(String),
}

/// Something that can be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceChoice {
    /// What it is called.
    pub title: String,
    /// More about it.
    pub about: String,
    /// On the right: how many trials.
    pub aside: String,
    /// What opens it.
    pub path: String,
}

/// A run, or a file of another program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TraceSource {
    /// What it is called: the run's name, the file's name.
    pub title: String,
    /// What it is: "Casebook run", "Inspect log".
    pub format: String,
    /// Where it lies.
    pub path: String,
    /// Its trials, in order.
    pub trials: Vec<TraceTrial>,
    /// What could not be read, or was not kept.
    pub problems: Vec<String>,
}

/// A trial of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceTrial {
    /// Its name: the folder in a run, what identifies it in a file.
    pub name: String,
    /// The task.
    pub task: String,
    /// Which attempt at it.
    pub attempt: String,
    /// What it worked on: the snapshot's name or the beginning of a revision; empty where that is not known.
    pub snapshot: String,
    /// How it ended, in a word.
    pub ending: String,
    /// Statements, where they were counted.
    pub queries: Option<u64>,
    /// Calls that failed, where they were counted.
    pub errors: Option<u64>,
}

/// A trial, opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Which of the source's trials it is.
    pub index: usize,
    /// The pack and the task, where it has them.
    pub task: Option<(String, String)>,
    /// The question.
    pub question: Option<String>,
    /// Who acted.
    pub actor: String,
    /// Scored or practice, where that was kept.
    pub mode: Option<Mode>,
    /// Whether a person acted.
    pub is_person: bool,
    /// The revision it worked on, shortened; empty where that is not known.
    pub revision: String,
    /// The snapshot that it is run again on, or why it can't be.
    pub snapshot: Result<String, String>,
    /// Its steps.
    pub steps: Arc<Vec<Step>>,
    /// The answer.
    pub answer: Option<Answer>,
    /// Subjects of the answer, each with where it first appeared.
    pub subjects: Vec<SubjectSeen>,
    /// How it ended, in a word.
    pub ending: String,
    /// Whether it is still going on.
    pub is_running: bool,
    /// What was lost when it was read.
    pub losses: Vec<String>,
}

/// A subject of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubjectSeen {
    /// As the answer has it.
    pub subject: String,
    /// Where it first appeared in a result; `None` if it never did.
    pub first: Option<SubjectPlace>,
}

/// Where a subject appeared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubjectPlace {
    /// The event that begins the step.
    pub event: u64,
    /// The row, from 1, where the result has rows.
    pub row: Option<u64>,
    /// The column, where the result has columns.
    pub column: Option<String>,
}
