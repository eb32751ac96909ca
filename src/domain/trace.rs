//! The events of one trial, in order: what its trace holds, one a line.
//!
//! Absent means not recorded, never 0. Texts are kept word for word; a long one lies in a blob and is named here.

use super::trial::{Ending, LimitKind, Mode, ToolSet, TrialName, Verdict};
use super::{Cut, Rule, StatementAnalysis};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One line of a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Number in the trial, from 1; it goes on through segments.
    pub seq: u64,
    /// Milliseconds since the segment began.
    pub t: u64,
    /// The event that this one answers or belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// What happened.
    #[serde(flatten)]
    pub body: EventBody,
    /// SHA-256 of the line before, without its line end; 64 zeros before the first.
    pub prev: String,
}

/// What happened, by kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum EventBody {
    /// A segment begins: what is asked, of whom, on what.
    Brief(Brief),
    /// The system prompt.
    SystemPrompt(Words),
    /// What the actor is told.
    UserMessage(Words),
    /// One answer of a model, or one remark of another actor between its calls.
    ModelStep(ModelStep),
    /// Thinking that a model shows.
    Reasoning(Reasoning),
    /// A tool is called.
    ToolCall(ToolCall),
    /// A tool gave a result.
    ToolResult(ToolResult),
    /// A tool gave an error.
    ToolError(ToolError),
    /// A remark of the actor or of the harness.
    Note(Words),
    /// The answer was taken.
    Answer(AnswerTaken),
    /// A limit was reached.
    Limit(LimitReached),
    /// The actor failed.
    Error(Words),
    /// What the trace of another program tells and no other kind can hold.
    Imported(Imported),
    /// The segment is over.
    Ended(Ended),
}

impl EventBody {
    /// The kind, as it is written.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Brief(_) => "brief",
            Self::SystemPrompt(_) => "system_prompt",
            Self::UserMessage(_) => "user_message",
            Self::ModelStep(_) => "model_step",
            Self::Reasoning(_) => "reasoning",
            Self::ToolCall(_) => "tool_call",
            Self::ToolResult(_) => "tool_result",
            Self::ToolError(_) => "tool_error",
            Self::Note(_) => "note",
            Self::Answer(_) => "answer",
            Self::Limit(_) => "limit",
            Self::Error(_) => "error",
            Self::Imported(_) => "imported",
            Self::Ended(_) => "ended",
        }
    }
}

/// A text: the words themselves, or the blob that holds them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Text {
    /// The words.
    Inline(String),
    /// Where they are.
    Blob(BlobName),
}

/// The name of a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlobName {
    /// SHA-256 of its contents, in lower-case hex.
    pub blob: String,
    /// Length of its contents in bytes.
    pub bytes: u64,
}

/// An event that is only a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Words {
    /// The text.
    pub text: Text,
}

/// How a segment begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brief {
    /// Wall time of the beginning, RFC 3339 in UTC.
    pub started: String,
    /// Which trial.
    pub trial: TrialName,
    /// Segment of the trial, from 1. A later one goes on where the one before was left.
    pub segment: u32,
    /// Whether help is given.
    pub mode: Mode,
    /// The tools.
    pub tools: ToolSet,
    /// Seed of `random()`.
    pub seed: u64,
    /// The question; absent in an investigation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

/// What a model took, as its provider counts. Absent is not recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens in, those read from a cache included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Tokens out, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Tokens in that came from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Tokens out that were reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// One answer of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelStep {
    /// The model; absent where no model spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it said.
    pub text: Text,
    /// Why it stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The exchange with the provider, secrets removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<BlobName>,
}

/// Thinking that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reasoning {
    /// The text.
    pub text: Text,
    /// Whether the provider withheld some of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redacted: bool,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Its name within the trial; a result names it too.
    pub id: String,
    /// The tool, as the actor named it.
    pub tool: String,
    /// Its arguments, as the actor gave them.
    pub arguments: serde_json::Value,
    /// Number of the statement within the trial, from 1: with the seed it fixes `random()`. Calls that run none have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<u64>,
    /// Whether the interface made it for a person who only looked around: it is left out of query counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ui: bool,
    /// Whether a secret was taken out of the arguments: the call can't be repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret_removed: bool,
}

impl ToolCall {
    /// The statement. Some actors give their arguments as a text that holds JSON; other programs call it `query`.
    pub fn sql(&self) -> Option<String> {
        let sql = |arguments: &serde_json::Value| {
            arguments.get("sql").or_else(|| arguments.get("query"))?.as_str().map(str::to_owned)
        };
        match &self.arguments {
            serde_json::Value::String(text) => sql(&serde_json::from_str(text).ok()?),
            arguments => sql(arguments),
        }
    }
}

/// A result that was recorded whole, or up to its limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultRecord {
    /// SHA-256 of the canonical result, which is the name of its blob.
    pub sha256: String,
    /// SHA-256 of the same with its rows sorted.
    pub unordered_sha256: String,
    /// Rows kept.
    pub rows: u64,
    /// Rows changed in the private copy.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changed_rows: u64,
    /// The limit at which reading stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<Cut>,
    /// Whether a secret was taken out of it: it can't be compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret_removed: bool,
    /// Whether the statement may have changed the private copy.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wrote: bool,
}

/// For counts that are left out where there is nothing to count.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
pub(crate) const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A tool's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// The call.
    pub id: String,
    /// What the actor was shown.
    pub text: Text,
    /// The full result of a statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultRecord>,
    /// What the statement read and joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<StatementAnalysis>,
    /// Microseconds that the statement took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_us: Option<u64>,
}

/// Why a call gave no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// The guard refused the statement.
    Refused,
    /// SQLite rejected it.
    Sql,
    /// A limit of the statement stopped it.
    Limit,
    /// It was cancelled.
    Cancelled,
    /// The engine failed in its own process: nothing that the statement says is wrong.
    Engine,
    /// There is no such tool.
    UnknownTool,
    /// The arguments do not fit the tool.
    BadArguments,
    /// A tool of another program failed, and its trace says no more.
    Other,
}

/// A tool's error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolError {
    /// The call.
    pub id: String,
    /// Why.
    pub error: ToolErrorKind,
    /// The rule that refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub rule: Option<Rule>,
    /// What the actor was shown.
    pub text: Text,
    /// Microseconds until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_us: Option<u64>,
}

/// An answer was taken: it lies beside the trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerTaken {
    /// SHA-256 of `answer.json`.
    pub sha256: String,
    /// Its verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// How many subjects it lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subjects: Option<u64>,
}

/// Something of a trace that another program wrote, in its own words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// What it is: `trial` (facts of the trial), `marks` (what must be known of the parent event), or the kind of a foreign
    /// event, such as `score`, `policy` or `judge_call`.
    pub what: String,
    /// JSON: a `TrialFacts`, an `ImportedMarks`, or a `ForeignBody` of `domain::foreign`.
    pub json: Text,
}

/// A limit was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitReached {
    /// Which.
    pub limit: LimitKind,
    /// Where it stands: a count, seconds, tokens or US dollars.
    pub value: f64,
}

/// What a segment came to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// Counts of the trial so far.
    pub counts: Counts,
}

/// What was done in a trial.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Model steps.
    pub steps: u64,
    /// Tool calls, those of the interface left out.
    pub tool_calls: u64,
    /// Statements among them.
    pub queries: u64,
    /// Calls that gave an error.
    pub errors: u64,
    /// Tokens in; absent if no step said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Counts {
    /// Adds what one step took.
    pub fn add_usage(&mut self, usage: &Usage) {
        let add = |sum: &mut Option<u64>, more: Option<u64>| {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0).saturating_add(more));
            }
        };
        add(&mut self.input_tokens, usage.input);
        add(&mut self.output_tokens, usage.output);
        if let Some(cost) = usage.cost {
            self.cost = Some(self.cost.unwrap_or(0.0) + cost);
        }
    }

    /// Tokens in and out, where any step said.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.unwrap_or(0).saturating_add(self.output_tokens.unwrap_or(0))
    }
}
