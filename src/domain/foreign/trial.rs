//! A trial: who worked on what, how it ended, and everything that happened.

use super::event::{ForeignBody, ForeignEvent, Mark};
use crate::domain::trace::Usage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a trial ended, as far as the source tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndState {
    /// It came to its end.
    Done,
    /// It failed.
    Error,
    /// A limit stopped it.
    Limit,
    /// Somebody stopped it.
    Cancelled,
    /// The source does not say.
    #[default]
    Unknown,
}

impl EndState {
    /// A word for tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Error => "error",
            Self::Limit => "limit",
            Self::Cancelled => "cancelled",
            Self::Unknown => "not recorded",
        }
    }
}

/// What is known of a trial beside its events.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialFacts {
    /// The source's own name for the trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Which attempt at the task, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// The agent, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Revision of the data that it worked on, as the source writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Beginning, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// End, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// How it ended.
    #[serde(default)]
    pub end_state: EndState,
    /// What it took in all, as the source adds it up; the sum over its steps is [`ForeignTrial::usage`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Usage>,
    /// The tools that the actor had, as the source describes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<serde_json::Value>,
    /// Other facts of the task, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, serde_json::Value>,
}

/// A trial with all its events.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ForeignTrial {
    /// What is known of it.
    #[serde(flatten)]
    pub facts: TrialFacts,
    /// What happened, in order; `seq` counts from 1.
    pub events: Vec<ForeignEvent>,
}

impl ForeignTrial {
    /// Events that count: what was copied from another trace, and what belongs to a judge or another agent, is shown only.
    pub fn counted(&self) -> impl Iterator<Item = &ForeignEvent> {
        self.events.iter().filter(|event| {
            !event.marks.iter().any(|mark| matches!(mark, Mark::CopiedContext | Mark::Judge | Mark::Subagent))
        })
    }

    /// Model steps that count.
    pub fn model_steps(&self) -> impl Iterator<Item = &super::ModelStep> {
        self.counted().filter_map(|event| match &event.body {
            ForeignBody::ModelStep(step) => Some(step),
            _ => None,
        })
    }

    /// Tool calls that count.
    pub fn tool_calls(&self) -> impl Iterator<Item = &super::ToolCall> {
        self.counted().filter_map(|event| match &event.body {
            ForeignBody::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Statements, word for word.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.tool_calls().filter_map(super::ToolCall::sql)
    }

    /// The answer.
    pub fn answer(&self) -> Option<&str> {
        self.counted().find_map(|event| match &event.body {
            ForeignBody::Answer { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The event that a call got: the first result or error whose parent it is.
    pub fn outcome(&self, call: u64) -> Option<&ForeignEvent> {
        // What answers a call stands behind it, and mostly near.
        let behind = self.events.get(usize::try_from(call).ok()?..)?;
        behind.iter().find(|event| {
            event.parent == Some(call)
                && matches!(event.body, ForeignBody::ToolResult(_) | ForeignBody::ToolError(_))
        })
    }

    /// What all counted steps took; a part is absent if no step said.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        let add = |sum: &mut Option<u64>, more: Option<u64>| {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0).saturating_add(more));
            }
        };
        for usage in self.model_steps().filter_map(|step| step.usage.as_ref()) {
            add(&mut sum.input, usage.input);
            add(&mut sum.output, usage.output);
            add(&mut sum.cached, usage.cached);
            add(&mut sum.reasoning, usage.reasoning);
            if let Some(cost) = usage.cost {
                sum.cost = Some(sum.cost.unwrap_or(0.0) + cost);
            }
        }
        sum
    }
}
