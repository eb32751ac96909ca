//! A trial as data: who acted in which mode, how it ended, what was answered.

use super::Revision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Whether help is given. Fixed when a trial starts, and kept in its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// No hint, no feedback.
    Scored,
    /// Hints while working, feedback at the end.
    Practice,
}

/// Which tools an actor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToolSet {
    /// `get_schema`, `run_query` and `submit_answer`.
    Three,
    /// As the paper has it: `get_schema` and `run_query`, results as plain text, the final message is the answer.
    Two,
}

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActorKind {
    /// A person at the workbench.
    Human,
    /// The built-in loop over a model.
    Model,
    /// A client of the MCP server.
    Mcp,
    /// A program of somebody else, one process a trial.
    Command,
    /// A file of tool calls.
    Script,
    /// The reference query and the right answer, from the vault.
    Oracle,
    /// Nobody: no call, an empty answer.
    Noop,
    /// Somebody in a trace of another program: the trial was made elsewhere, and this is what its trace tells.
    Imported,
}

/// A limit of a trial. Reaching one is an ending, not an error: what was reached is still scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    /// Model steps.
    Steps,
    /// Tool calls.
    ToolCalls,
    /// Wall time.
    Time,
    /// Tokens, in and out.
    Tokens,
    /// Cost in US dollars.
    Cost,
    /// Seconds without a sign of the actor.
    Idle,
    /// Messages; only other programs have this one.
    Messages,
    /// One of another program that is none of these.
    Other,
}

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "how", content = "limit")]
pub enum Ending {
    /// With an answer.
    Answered,
    /// By a limit.
    Limit(LimitKind),
    /// Somebody stopped it.
    Cancelled,
    /// The process was stopped in the middle: nothing says how it would have ended.
    Interrupted,
    /// The actor failed.
    Error,
    /// The trace of another program does not say.
    NotRecorded,
}

impl Ending {
    /// A word for tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Limit(LimitKind::Steps) => "limit: steps",
            Self::Limit(LimitKind::ToolCalls) => "limit: tool calls",
            Self::Limit(LimitKind::Time) => "limit: time",
            Self::Limit(LimitKind::Tokens) => "limit: tokens",
            Self::Limit(LimitKind::Cost) => "limit: cost",
            Self::Limit(LimitKind::Idle) => "limit: idle",
            Self::Limit(LimitKind::Messages) => "limit: messages",
            Self::Limit(LimitKind::Other) => "limit: other",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Error => "error",
            Self::NotRecorded => "not recorded",
        }
    }
}

/// The verdict of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Yes.
    Yes,
    /// No.
    No,
    /// The question has no yes or no.
    NotApplicable,
}

impl Verdict {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::NotApplicable => "not_applicable",
        }
    }
}

/// What an actor answered. Everything but the prose is optional.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Yes, no, or neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What the question asks for, by what identifies it. Absent is not the same as empty: nothing was listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subjects: Option<Vec<String>>,
    /// Facts by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<BTreeMap<String, serde_json::Value>>,
    /// The answer in words.
    pub answer: String,
}

/// Which trial of a run: the place of its folder, too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct TrialName {
    /// The revision it works on.
    #[schemars(with = "String")]
    pub revision: Revision,
    /// The pack's id; `investigation` where there is no task.
    pub pack: String,
    /// The task's id, or the name of the investigation.
    pub task: String,
    /// Which attempt at it, from 1.
    pub number: u32,
}

impl fmt::Display for TrialName {
    /// The trial's folder under `trials`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}/{}", self.revision.short(), self.pack, self.task, self.number)
    }
}

/// The pack of a trial without a task.
pub const INVESTIGATION: &str = "investigation";

/// Whether a text can be a folder of a trial: 1 to 64 letters, digits, `-`, `_` and `.`, not beginning with `.` or `-`.
pub fn is_task_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(fits) && !name.starts_with(['.', '-'])
}
