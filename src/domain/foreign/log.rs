//! A log: the file, what its head says, and which trials it holds.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForeignFormat {
    /// Inspect's log as a zip of JSON members.
    InspectEval,
    /// Inspect's log as one JSON document.
    InspectJson,
    /// Harbor's Agent Trajectory Interchange Format.
    Atif,
    /// OpenTelemetry spans of the GenAI conventions, as OTLP/JSON.
    Otlp,
    /// Chat messages as the Chat Completions API has them, a conversation a line.
    OpenaiChat,
    /// Items as the Responses API has them, a conversation a line.
    OpenaiResponses,
    /// SWE-agent's trajectory.
    SweAgent,
    /// mini-swe-agent's trajectory.
    MiniSweAgent,
}

impl ForeignFormat {
    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::InspectEval => "Inspect log (.eval)",
            Self::InspectJson => "Inspect log (JSON)",
            Self::Atif => "ATIF trajectory",
            Self::Otlp => "OTLP GenAI spans",
            Self::OpenaiChat => "OpenAI chat JSONL",
            Self::OpenaiResponses => "OpenAI Responses JSONL",
            Self::SweAgent => "SWE-agent trajectory",
            Self::MiniSweAgent => "mini-swe-agent trajectory",
        }
    }

    /// The name as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InspectEval => "inspect-eval",
            Self::InspectJson => "inspect-json",
            Self::Atif => "atif",
            Self::Otlp => "otlp",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::SweAgent => "swe-agent",
            Self::MiniSweAgent => "mini-swe-agent",
        }
    }
}

impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// The file that a log was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name, without folders.
    pub name: String,
    /// Length in bytes.
    pub bytes: u64,
}

/// What the head of a log says. All of it may be missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LogHeader {
    /// Version of the format, as the source writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How the run came out, in the source's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Name of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What was to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The agent, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Revision of the data, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Beginning, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// End, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// Trials that the source says it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Trials that the source says came to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<u64>,
    /// Names of the scorers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scorers: Vec<String>,
    /// How the source reduces the scores of several attempts. Kept to be shown, never trusted: ties differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reducers: Vec<String>,
    /// The source's own results, `scorer/metric` to value. Kept to be shown; ours are computed from the votes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub results: BTreeMap<String, serde_json::Value>,
    /// Why the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A trial as the index of a log knows it, before it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialEntry {
    /// The task, as the index names it; the trial itself may say more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Which attempt at the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// The member of the file, where it has members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Bytes of its JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A log, opened: its head and the list of its trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForeignLog {
    /// The format, found by the contents.
    pub format: ForeignFormat,
    /// The file.
    pub file: SourceFile,
    /// What its head says.
    pub header: LogHeader,
    /// Its trials, in the order of the file.
    pub trials: Vec<TrialEntry>,
}

impl fmt::Display for ForeignLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trials = self.trials.len();
        let word = if trials == 1 { "trial" } else { "trials" };
        write!(f, "{}: {}, {trials} {word}", self.file.name, self.format)
    }
}
