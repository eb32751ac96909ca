//! How far a trial may go, and how far each statement of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits of a trial. What is absent is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialLimits {
    /// Model steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
    /// Wall time in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Tokens, in and out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Each statement.
    pub statement: StatementLimits,
    /// What an agent is shown of a result.
    pub shown: ShownLimits,
}

/// Limits of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatementLimits {
    /// Seconds until it is stopped.
    pub seconds: f64,
    /// Rows that are kept.
    pub rows: u64,
    /// Bytes of values that are kept.
    pub bytes: u64,
    /// Bytes of memory until it is stopped.
    pub memory: u64,
}

/// How much of a result is shown to an agent. The archive keeps all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownLimits {
    /// Rows.
    pub rows: u64,
    /// Bytes of text.
    pub bytes: u64,
}

impl Default for ShownLimits {
    fn default() -> Self {
        Self { rows: 200, bytes: 16 << 10 }
    }
}

impl Default for StatementLimits {
    /// 30 s, 100,000 rows, 64 MiB of result, 256 MiB of memory.
    fn default() -> Self {
        Self { seconds: 30.0, rows: 100_000, bytes: 64 << 20, memory: 256 << 20 }
    }
}

impl Default for TrialLimits {
    /// 60 steps, 120 tool calls, 30 minutes; tokens and cost are not limited.
    fn default() -> Self {
        Self {
            steps: Some(60),
            tool_calls: Some(120),
            seconds: Some(1800.0),
            tokens: None,
            cost: None,
            statement: StatementLimits::default(),
            shown: ShownLimits::default(),
        }
    }
}

impl TrialLimits {
    /// Those of a person: nothing but the statements is limited.
    pub fn of_person() -> Self {
        Self { steps: None, tool_calls: None, seconds: None, ..Self::default() }
    }
}
