//! The steps of a trace as a timeline shows them: a call and what came of it are one step. Plain data, made by services.

use crate::domain::JoinEdge;
use serde::Serialize;
use std::collections::BTreeSet;

/// One line of a timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The event that begins it, by its number in the trace.
    pub event: u64,
    /// The last event that belongs to it.
    pub until: u64,
    /// What happened.
    pub kind: StepKind,
    /// Milliseconds since the trial began; absent where that was not recorded.
    pub at: Option<u64>,
    /// Microseconds that it took; absent where that was not recorded.
    pub took: Option<u64>,
    /// Its first words, on one line.
    pub gist: String,
    /// What came of a call.
    pub outcome: Outcome,
    /// Tokens in and out, where a model said.
    pub tokens: Option<(u64, u64)>,
    /// Base tables that its statement reads.
    pub tables: BTreeSet<String>,
    /// Columns that its statement equates.
    pub joins: BTreeSet<JoinEdge>,
    /// What is odd about it: copied context, a result without a call.
    pub mark: Option<&'static str>,
}

/// What happened in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The trial, or a segment of it, begins.
    Brief,
    /// The system prompt.
    SystemPrompt,
    /// What the actor was told.
    UserMessage,
    /// A model spoke.
    Model,
    /// Thinking that was shown.
    Reasoning,
    /// A statement.
    Query,
    /// A statement that the interface ran for a person who only looked around.
    Look,
    /// The schema was read.
    Schema,
    /// Any other call.
    Call,
    /// Somebody decided about a call.
    Policy,
    /// A remark.
    Note,
    /// The answer.
    Answer,
    /// A limit was reached.
    Limit,
    /// Something failed.
    Error,
    /// A grade from elsewhere.
    Score,
    /// A model that judged.
    Judge,
    /// The end.
    Ended,
}

impl StepKind {
    /// A word for it, at most 7 letters.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Brief => "brief",
            Self::SystemPrompt => "system",
            Self::UserMessage => "user",
            Self::Model => "model",
            Self::Reasoning => "thought",
            Self::Query => "query",
            Self::Look => "look",
            Self::Schema => "schema",
            Self::Call => "call",
            Self::Policy => "policy",
            Self::Note => "note",
            Self::Answer => "answer",
            Self::Limit => "limit",
            Self::Error => "error",
            Self::Score => "score",
            Self::Judge => "judge",
            Self::Ended => "end",
        }
    }

    /// Whether it runs a statement that can be run again.
    pub const fn is_query(self) -> bool {
        matches!(self, Self::Query | Self::Look)
    }
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing was to come.
    None,
    /// A result without a count.
    Result,
    /// So many rows.
    Rows(u64),
    /// So many rows, and there were more.
    CutRows(u64),
    /// An error.
    Error,
    /// It was not recorded.
    Missing,
}

impl Step {
    /// Whether it failed.
    pub const fn is_error(&self) -> bool {
        matches!(self.kind, StepKind::Error) || matches!(self.outcome, Outcome::Error)
    }
}
