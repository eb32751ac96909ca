//! The rules of the format, as Harbor's validator has them. Whatever is broken is noted; strict imports refuse it.

use super::super::builder::TrialBuilder;
use super::super::fields::{list, present};
use super::VERSION;
use crate::archive::moment::moment;
use serde_json::Value;
use std::collections::HashSet;

/// Names that each object may have; any other is forbidden.
const TRAJECTORY: &[&str] = &[
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "notes",
    "final_metrics",
    "continued_trajectory_ref",
    "extra",
    "subagent_trajectories",
];
const AGENT: &[&str] = &["name", "version", "model_name", "tool_definitions", "extra"];
const STEP: &[&str] = &[
    "step_id",
    "timestamp",
    "source",
    "model_name",
    "reasoning_effort",
    "message",
    "reasoning_content",
    "tool_calls",
    "observation",
    "metrics",
    "is_copied_context",
    "llm_call_count",
    "extra",
];
const TOOL_CALL: &[&str] = &["tool_call_id", "function_name", "arguments", "extra"];
const RESULT: &[&str] = &["source_call_id", "content", "subagent_trajectory_ref", "extra"];
const METRICS: &[&str] = &[
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "cost_usd",
    "prompt_token_ids",
    "completion_token_ids",
    "logprobs",
    "extra",
];
/// What only an agent's step may have.
const AGENT_ONLY: [&str; 5] =
    ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

/// Notes what of a trajectory breaks a rule. `at` is the JSON pointer of the trajectory.
pub(super) fn trajectory(builder: &mut TrialBuilder<'_>, document: &Value, at: &str) {
    names(builder, document, TRAJECTORY, at);
    let version = document.get("schema_version").and_then(Value::as_str).unwrap_or_default();
    let minor = version
        .strip_prefix(VERSION)
        .and_then(|it| it.strip_prefix("1."))
        .and_then(|it| it.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor > 8) {
        let shown: String = version.chars().take(40).collect();
        builder
            .deviate(&format!("{at}/schema_version"), format!("'{shown}' is none of ATIF-v1.0 to ATIF-v1.8"));
    }
    match document.get("agent") {
        Some(agent @ Value::Object(_)) => {
            names(builder, agent, AGENT, &format!("{at}/agent"));
            for name in ["name", "version"] {
                if agent.get(name).and_then(Value::as_str).is_none() {
                    builder.deviate(&format!("{at}/agent/{name}"), "it must be there and be a text");
                }
            }
        }
        _ => builder.deviate(&format!("{at}/agent"), "it must be there and be an object"),
    }
    let steps = list(document, "steps");
    if steps.is_empty() {
        builder.deviate(&format!("{at}/steps"), "there must be at least one step");
    }
    for (nth, entry) in steps.iter().enumerate() {
        step(builder, entry, nth, &format!("{at}/steps/{nth}"));
    }
}

fn step(builder: &mut TrialBuilder<'_>, step: &Value, nth: usize, at: &str) {
    names(builder, step, STEP, at);
    let expected = nth as u64 + 1;
    let id = step.get("step_id");
    if id.and_then(Value::as_u64) != Some(expected) {
        let got = id.map_or_else(|| "none".to_owned(), |id| id.to_string().chars().take(40).collect());
        // In Harbor's words.
        builder
            .deviate(at, format!("steps[{nth}].step_id: expected {expected} (sequential from 1), got {got}"));
    }
    let source = step.get("source").and_then(Value::as_str);
    if !matches!(source, Some("system" | "user" | "agent")) {
        builder.deviate(&format!("{at}/source"), "it must be system, user or agent");
    }
    if source != Some("agent") {
        for name in AGENT_ONLY {
            if present(step, name).is_some() {
                builder.deviate(&format!("{at}/{name}"), "only a step of the agent may have it");
            }
        }
    }
    if !matches!(step.get("message"), Some(Value::String(_) | Value::Array(_))) {
        builder.deviate(&format!("{at}/message"), "it must be there, a text or a list of parts");
    }
    if let Some(time) = present(step, "timestamp")
        && time.as_str().and_then(moment).is_none()
    {
        builder.deviate(&format!("{at}/timestamp"), "it is no time of ISO 8601");
    }
    if let Some(metrics) = present(step, "metrics") {
        names(builder, metrics, METRICS, &format!("{at}/metrics"));
    }
    let mut ids = HashSet::new();
    for (nth, call) in list(step, "tool_calls").iter().enumerate() {
        let at = format!("{at}/tool_calls/{nth}");
        names(builder, call, TOOL_CALL, &at);
        for name in ["tool_call_id", "function_name"] {
            if call.get(name).and_then(Value::as_str).is_none() {
                builder.deviate(&format!("{at}/{name}"), "it must be there and be a text");
            }
        }
        if !matches!(call.get("arguments"), Some(Value::Object(_))) {
            builder.deviate(&format!("{at}/arguments"), "it must be there and be an object");
        }
        ids.extend(call.get("tool_call_id").and_then(Value::as_str));
    }
    let results = step.get("observation").map_or(&[][..], |observation| list(observation, "results"));
    for (nth, result) in results.iter().enumerate() {
        let at = format!("{at}/observation/results/{nth}");
        names(builder, result, RESULT, &at);
        if let Some(id) = result.get("source_call_id").and_then(Value::as_str)
            && !ids.contains(id)
        {
            let id: String = id.chars().take(80).collect();
            builder.deviate(&format!("{at}/source_call_id"), format!("no call of this step is '{id}'"));
        }
    }
}

fn names(builder: &mut TrialBuilder<'_>, object: &Value, known: &[&str], at: &str) {
    for name in object.as_object().into_iter().flatten().map(|(name, _)| name) {
        if !known.contains(&name.as_str()) {
            let name: String = name.chars().take(80).collect();
            builder.deviate(at, format!("'{name}' is not allowed here"));
        }
    }
}
