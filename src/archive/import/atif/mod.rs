//! ATIF, Harbor's Agent Trajectory Interchange Format, versions 1.0 to 1.8: one JSON document, or one a line.
//!
//! Facts that ATIF has no place for (task, revision, errors, scores) are read from `extra`, as this program and the fixtures'
//! makers write them.

mod check;
mod steps;

use super::builder::At;
use super::builder::{Reading, TrialBuilder};
use super::error::ImportError;
use super::fields::{as_word, count, list, present, real, text, word};
use super::loss_map::LossMap;
use crate::domain::foreign::{EndState, ForeignBody, ForeignTrial, Loss, Score, ScoreEdit};
use crate::domain::trace::Usage;
use serde_json::Value;
use std::sync::LazyLock;

/// How the version of a document begins.
pub(super) const VERSION: &str = "ATIF-v";

/// What of a document is held.
static HELD: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "schema_version",
        "session_id",
        "trajectory_id",
        "notes",
        "agent/name",
        "agent/version",
        "agent/model_name",
        "agent/tool_definitions",
        "steps/[]/step_id",
        "steps/[]/timestamp",
        "steps/[]/source",
        "steps/[]/message",
        "steps/[]/model_name",
        "steps/[]/reasoning_content",
        "steps/[]/tool_calls/[]/tool_call_id",
        "steps/[]/tool_calls/[]/function_name",
        "steps/[]/tool_calls/[]/arguments",
        "steps/[]/tool_calls/[]/extra/raw_arguments",
        "steps/[]/tool_calls/[]/extra/timestamp",
        "steps/[]/observation/results/[]/source_call_id",
        "steps/[]/observation/results/[]/content",
        "steps/[]/observation/results/[]/subagent_trajectory_ref/[]/trajectory_id",
        "steps/[]/observation/results/[]/extra/is_error",
        "steps/[]/observation/results/[]/extra/error",
        "steps/[]/observation/results/[]/extra/error_type",
        "steps/[]/observation/results/[]/extra/full_sha256",
        "steps/[]/observation/results/[]/extra/truncated",
        "steps/[]/observation/results/[]/extra/timestamp",
        "steps/[]/metrics/prompt_tokens",
        "steps/[]/metrics/completion_tokens",
        "steps/[]/metrics/cached_tokens",
        "steps/[]/metrics/cost_usd",
        "steps/[]/metrics/extra/reasoning_tokens",
        "steps/[]/is_copied_context",
        "steps/[]/llm_call_count",
        "steps/[]/extra/finish_reason",
        "steps/[]/extra/timestamp_end",
        "steps/[]/extra/note",
        "final_metrics/total_prompt_tokens",
        "final_metrics/total_completion_tokens",
        "final_metrics/total_cached_tokens",
        "final_metrics/total_cost_usd",
        "final_metrics/total_steps",
        "extra",
        "subagent_trajectories",
    ])
});

/// What of a trajectory's `extra` has a place of its own.
const EXTRA: [&str; 13] = [
    "task_id",
    "epoch",
    "snapshot_revision",
    "revision",
    "exit",
    "error",
    "limit",
    "scores",
    "answer",
    "ended",
    "limit_value",
    "limit_reason",
    "policies",
];

/// Whether a document is one.
pub(super) fn is_trajectory(version: &str) -> bool {
    version.starts_with(VERSION)
}

/// Reads a trajectory.
pub(super) fn read(reading: &Reading<'_>, document: &Value) -> Result<(ForeignTrial, Loss), ImportError> {
    let mut builder = TrialBuilder::new(reading);
    HELD.count(document, "trajectory", &mut builder.loss);
    check::trajectory(&mut builder, document, "");
    facts(&mut builder, document);
    steps::read(&mut builder, document, "", &[], 0)?;
    ends(&mut builder, document)?;
    Ok(builder.finish())
}

fn facts(builder: &mut TrialBuilder<'_>, document: &Value) {
    let none = Value::Null;
    let agent = document.get("agent").unwrap_or(&none);
    let extra = document.get("extra").unwrap_or(&none);
    let totals = document.get("final_metrics").unwrap_or(&none);
    let steps = list(document, "steps");
    let facts = &mut builder.facts;
    facts.id = text(document, "trajectory_id").or_else(|| text(document, "session_id"));
    facts.task_id = word(extra, "task_id");
    facts.epoch = count(extra, "epoch");
    facts.agent = text(agent, "name").map(|name| match text(agent, "version") {
        Some(version) => format!("{name} {version}"),
        None => name,
    });
    facts.model =
        text(agent, "model_name").or_else(|| steps.iter().find_map(|step| text(step, "model_name")));
    facts.revision = text(extra, "snapshot_revision").or_else(|| text(extra, "revision"));
    facts.started = steps.iter().find_map(|step| text(step, "timestamp"));
    facts.ended =
        text(extra, "ended").or_else(|| steps.iter().rev().find_map(|step| text(step, "timestamp")));
    facts.tools = list(agent, "tool_definitions").to_vec();
    facts.totals = present(document, "final_metrics").map(|_| Usage {
        input: count(totals, "total_prompt_tokens"),
        output: count(totals, "total_completion_tokens"),
        cached: count(totals, "total_cached_tokens"),
        reasoning: None,
        cost: real(totals, "total_cost_usd"),
    });
    facts.end_state = match text(extra, "exit").as_deref() {
        Some("done") => EndState::Done,
        Some("error") => EndState::Error,
        Some("limit") => EndState::Limit,
        Some("cancelled") => EndState::Cancelled,
        _ if present(extra, "error").is_some() => EndState::Error,
        _ => last_is_answer(steps),
    };
    for (name, value) in extra.as_object().into_iter().flatten() {
        if !EXTRA.contains(&name.as_str()) {
            facts.metadata.insert(name.clone(), value.clone());
        }
    }
    if let Some(notes) = text(document, "notes") {
        facts.metadata.insert("notes".to_owned(), Value::String(notes));
    }
}

/// A trajectory whose last step calls no tool came to its end.
fn last_is_answer(steps: &[Value]) -> EndState {
    match steps.last() {
        Some(step)
            if text(step, "source").as_deref() == Some("agent") && list(step, "tool_calls").is_empty() =>
        {
            EndState::Done
        }
        _ => EndState::Unknown,
    }
}

/// The answer, errors, limits and scores.
fn ends(builder: &mut TrialBuilder<'_>, document: &Value) -> Result<(), ImportError> {
    let none = Value::Null;
    let extra = document.get("extra").unwrap_or(&none);
    if let Some(answer) = text(extra, "answer") {
        builder.push(At::pointer("/extra/answer"), ForeignBody::Answer { text: answer, recorded: true })?;
    } else if extra.get("answer").is_none()
        && let Some((seq, words)) = builder.last_words()
    {
        builder.push(
            At::pointer("/steps").under(Some(seq)),
            ForeignBody::Answer { text: words, recorded: false },
        )?;
    }
    if let Some(error) = present(extra, "error").and_then(as_word) {
        builder.push(At::pointer("/extra/error"), ForeignBody::RunError { text: error })?;
    }
    let limit = present(extra, "limit").and_then(as_word);
    if limit.is_some() || builder.facts.end_state == EndState::Limit {
        let body = ForeignBody::Limit {
            limit,
            value: real(extra, "limit_value"),
            text: text(extra, "limit_reason"),
        };
        builder.push(At::pointer("/extra/exit"), body)?;
    }
    for (nth, entry) in list(extra, "scores").iter().enumerate() {
        let score = Score {
            name: text(entry, "name").unwrap_or_default(),
            value: entry.get("value").cloned().unwrap_or_default(),
            rater: text(entry, "rater"),
            answer: text(entry, "answer"),
            explanation: text(entry, "explanation"),
            history: list(entry, "history")
                .iter()
                .filter_map(|edit| serde_json::from_value::<ScoreEdit>(edit.clone()).ok())
                .collect(),
            intermediate: false,
        };
        builder.push(At::pointer(format!("/extra/scores/{nth}")), ForeignBody::Score(score))?;
    }
    Ok(())
}
