//! What happened in a foreign trial, one event after the other.

use crate::domain::trace::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where in the source an event stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawPointer {
    /// The member of the file, or its line (`line 3`); absent where the file is one document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// JSON pointer (RFC 6901) in it.
    pub pointer: String,
}

/// What must be known of an event beside what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It was copied from another trace: shown, not counted.
    CopiedContext,
    /// Its id was there before.
    DuplicateId,
    /// A result that belongs to no call.
    Unlinked,
    /// It was linked by its place, since it names no call.
    LinkedByOrder,
    /// It belongs to a judge: shown, not counted.
    Judge,
    /// It belongs to another agent that the trial called: shown, not counted.
    Subagent,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForeignEvent {
    /// Number in the trial, from 1.
    pub seq: u64,
    /// The event that this one answers or belongs to; always an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// Beginning, in milliseconds since the first time that the trial has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// End, in milliseconds since the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_ms: Option<u64>,
    /// What must be known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Where it stands in the source.
    pub raw: RawPointer,
    /// What happened.
    #[serde(flatten)]
    pub body: ForeignBody,
}

/// What happened, by kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum ForeignBody {
    /// The system prompt.
    SystemPrompt {
        /// The words.
        text: String,
    },
    /// What the actor was told.
    UserMessage {
        /// The words.
        text: String,
    },
    /// One answer of a model.
    ModelStep(ModelStep),
    /// Thinking that was shown.
    Reasoning {
        /// The words.
        text: String,
        /// Whether some of it was withheld.
        redacted: bool,
    },
    /// A tool was called.
    ToolCall(ToolCall),
    /// A tool gave a result.
    ToolResult(ToolResult),
    /// A tool gave an error.
    ToolError(ToolError),
    /// Somebody allowed or refused a call.
    Policy(Policy),
    /// The answer.
    Answer {
        /// The words.
        text: String,
        /// Whether the source itself says that this is the answer; else they are the last words of the actor.
        recorded: bool,
    },
    /// The trial failed.
    RunError {
        /// Why.
        text: String,
    },
    /// A limit was reached.
    Limit {
        /// Which one, in the source's word.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<String>,
        /// Where it stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f64>,
        /// In words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A score was given.
    Score(Score),
    /// A judge was asked.
    JudgeCall(JudgeCall),
    /// A remark.
    Note {
        /// What it is about, in a word of the source.
        title: String,
        /// The words.
        text: String,
    },
}

impl ForeignBody {
    /// The kind, as it is written.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SystemPrompt { .. } => "system_prompt",
            Self::UserMessage { .. } => "user_message",
            Self::ModelStep(_) => "model_step",
            Self::Reasoning { .. } => "reasoning",
            Self::ToolCall(_) => "tool_call",
            Self::ToolResult(_) => "tool_result",
            Self::ToolError(_) => "tool_error",
            Self::Policy(_) => "policy",
            Self::Answer { .. } => "answer",
            Self::RunError { .. } => "run_error",
            Self::Limit { .. } => "limit",
            Self::Score(_) => "score",
            Self::JudgeCall(_) => "judge_call",
            Self::Note { .. } => "note",
        }
    }
}

/// One answer of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelStep {
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it said.
    pub text: String,
    /// Why it stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// What it took. Tokens in include those read from a cache, whatever the source's rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// How many calls of the model this step stands for, where the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// The provider's error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its name in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments; null where they are no JSON.
    pub arguments: Value,
    /// The arguments as they were written, where they are no JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_arguments: Option<String>,
}

impl ToolCall {
    /// The tool's name without what clients put before it (`mcp__server__run_query`, `functions.run_query`), hyphens as
    /// underscores.
    pub fn plain_name(&self) -> String {
        plain_tool_name(&self.name)
    }

    /// The statement, if this is a query.
    pub fn sql(&self) -> Option<&str> {
        if self.plain_name() != "run_query" {
            return None;
        }
        self.arguments.get("sql").or_else(|| self.arguments.get("query"))?.as_str()
    }
}

/// A tool's name without what clients put before it (`mcp__server__run_query`, `functions.run_query`), hyphens as underscores.
pub fn plain_tool_name(name: &str) -> String {
    let name = name.replace('-', "_");
    let marks = ["__", ".", ":", "/"].iter();
    let start = marks.filter_map(|mark| name.rfind(mark).map(|at| at + mark.len())).max().unwrap_or(0);
    name[start..].to_owned()
}

/// A result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call that the source names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// What the actor was shown, or what the source kept of it.
    pub text: String,
    /// Length in bytes before and after the source's recorder cut it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<(u64, u64)>,
    /// SHA-256 of the whole result, where the source has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_sha256: Option<String>,
}

/// An error of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolError {
    /// The call that the source names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// Its kind in the source's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The words.
    pub text: String,
}

/// A decision on a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The call that the source names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// In the source's word: `approve`, `reject`, `terminate`, …
    pub decision: String,
    /// Who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Of what: the scorer or metric.
    pub name: String,
    /// Its value: a text, a number, a list or a map of them. `NaN`, which JSON has no word for, is `{"real": "NaN"}`, as
    /// in [`crate::domain::Value`].
    pub value: Value,
    /// Who gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rater: Option<String>,
    /// The answer that was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Earlier values and edits, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<ScoreEdit>,
    /// Whether it was given on the way, not at the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub intermediate: bool,
}

/// What a score was before, or how it was changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreEdit {
    /// The value; absent where this edit left it as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The answer; absent where this edit left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The explanation; absent where this edit left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Who edited it; absent for the value that it had first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// A judge was asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeCall {
    /// The scorer in whose span it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scorer: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it was asked, the last message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What it said.
    pub text: String,
    /// Why it stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

#[cfg(test)]
mod tests {
    use super::ToolCall;

    #[test]
    fn a_tool_is_known_by_its_own_name() {
        for name in
            ["run_query", "run-query", "mcp__casebook__run_query", "functions.run_query", "srv:run-query"]
        {
            let arguments = serde_json::json!({"sql": "SELECT 1"});
            let call = ToolCall { id: None, name: name.to_owned(), arguments, raw_arguments: None };
            assert_eq!(call.plain_name(), "run_query", "{name}");
            assert_eq!(call.sql(), Some("SELECT 1"));
        }
        let arguments = serde_json::json!({"sql": "SELECT 1"});
        let call = ToolCall { id: None, name: "rerun_query".to_owned(), arguments, raw_arguments: None };
        assert_eq!(call.sql(), None);
    }
}
