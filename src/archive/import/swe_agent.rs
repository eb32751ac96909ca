//! SWE-agent's trajectories: steps with an action and what was observed, and the history of messages. Some files have the
//! history only; the steps are then rebuilt from it.

use super::builder::{At, Reading, TrialBuilder};
use super::error::ImportError;
use super::fields::{arguments, count, flag, list, present, real, text, word};
use super::loss_map::LossMap;
use crate::domain::foreign::{
    EndState, ForeignBody, ForeignTrial, Loss, Mark, ModelStep, ToolCall, ToolResult,
};
use crate::domain::trace::Usage;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What of a file is held.
static HELD: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "trajectory/[]/action",
        "trajectory/[]/observation",
        "trajectory/[]/response",
        "trajectory/[]/thought",
        // What each step asked the model is what the history has.
        "trajectory/[]/query",
        "trajectory/[]/messages",
        "trajectory/[]/message",
        "history/[]/role",
        "history/[]/content",
        "history/[]/agent",
        "history/[]/message_type",
        "history/[]/thought",
        "history/[]/action",
        "history/[]/tool_calls",
        "history/[]/tool_call_ids",
        "history/[]/is_demo",
        "history/[]/thinking_blocks/[]/thinking",
        "info/exit_status",
        "info/submission",
        "info/model_stats/instance_cost",
        "info/model_stats/tokens_sent",
        "info/model_stats/tokens_received",
        "info/model_stats/api_calls",
        "info/swe_agent_version",
        "info/instance_id",
        "instance_id",
    ])
});

/// Reads a trajectory.
pub(super) fn read(reading: &Reading<'_>, document: &Value) -> Result<(ForeignTrial, Loss), ImportError> {
    let mut builder = TrialBuilder::new(reading);
    HELD.count(document, "traj", &mut builder.loss);
    facts(&mut builder, document);
    let history = list(document, "history");
    let steps = list(document, "trajectory");
    if steps.is_empty() {
        if present(document, "trajectory").is_none() {
            builder.deviate("/trajectory", "it is not there; the steps are rebuilt from the history");
        }
        messages(&mut builder, history, false)?;
    } else {
        messages(&mut builder, history, true)?;
        let turns: Vec<&Value> =
            history.iter().filter(|it| role(it) == "assistant" && !flag(it, "is_demo")).collect();
        for (nth, step) in steps.iter().enumerate() {
            add_step(&mut builder, step, turns.get(nth).copied(), nth)?;
        }
    }
    ends(&mut builder, document)?;
    Ok(builder.finish())
}

fn role(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

fn facts(builder: &mut TrialBuilder<'_>, document: &Value) {
    let none = Value::Null;
    let info = document.get("info").unwrap_or(&none);
    let stats = info.get("model_stats").unwrap_or(&none);
    let facts = &mut builder.facts;
    facts.task_id = word(info, "instance_id").or_else(|| word(document, "instance_id"));
    facts.agent = Some(match text(info, "swe_agent_version") {
        Some(version) => format!("SWE-agent {version}"),
        None => "SWE-agent".to_owned(),
    });
    facts.totals = present(info, "model_stats").map(|_| Usage {
        input: count(stats, "tokens_sent"),
        output: count(stats, "tokens_received"),
        cost: real(stats, "instance_cost"),
        ..Usage::default()
    });
}

/// Adds messages of the history: all of them, or only what stood before the first turn of the actor.
fn messages(builder: &mut TrialBuilder<'_>, history: &[Value], beginning: bool) -> Result<(), ImportError> {
    let mut step = 1;
    for (nth, message) in history.iter().enumerate() {
        let demo = flag(message, "is_demo");
        let mut at = At::pointer(format!("/history/{nth}"));
        if demo {
            at = at.marked(&[Mark::CopiedContext]);
        }
        let said = words(message.get("content"));
        match role(message) {
            "assistant" if beginning && !demo => return Ok(()),
            "assistant" => {
                step = builder.push(
                    at.clone(),
                    ForeignBody::ModelStep(ModelStep { text: said, ..ModelStep::default() }),
                )?;
                let part = at.under(Some(step));
                thoughts(builder, message, &part)?;
                for call in calls(message) {
                    builder.call(part.clone(), call)?;
                }
            }
            "system" => {
                builder.push(at, ForeignBody::SystemPrompt { text: said })?;
            }
            "tool" => result(builder, message, at, step, said)?,
            // An observation is an answer to the last call, whatever the role.
            "user" if text(message, "message_type").as_deref() == Some("observation") && step > 1 => {
                result(builder, message, at, step, said)?;
            }
            _ => {
                builder.push(at, ForeignBody::UserMessage { text: said })?;
            }
        }
    }
    Ok(())
}

fn result(
    builder: &mut TrialBuilder<'_>,
    message: &Value,
    at: At,
    step: u64,
    said: String,
) -> Result<(), ImportError> {
    let call_id = list(message, "tool_call_ids").first().and_then(Value::as_str).map(str::to_owned);
    let at = builder.link(at, call_id.as_deref(), step);
    builder.push(at, ForeignBody::ToolResult(ToolResult { call_id, text: said, ..ToolResult::default() }))?;
    Ok(())
}

/// Thinking that is kept apart from what was said.
fn thoughts(builder: &mut TrialBuilder<'_>, message: &Value, at: &At) -> Result<(), ImportError> {
    for block in list(message, "thinking_blocks") {
        if let Some(text) = text(block, "thinking") {
            builder.push(at.clone(), ForeignBody::Reasoning { text, redacted: false })?;
        }
    }
    let said = words(message.get("content"));
    if let Some(text) = text(message, "thought").filter(|thought| thought.trim() != said.trim()) {
        builder.push(at.clone(), ForeignBody::Reasoning { text, redacted: false })?;
    }
    Ok(())
}

/// The calls of a turn: as functions, or as the text of an action.
fn calls(message: &Value) -> Vec<ToolCall> {
    let functions = list(message, "tool_calls");
    if functions.is_empty() {
        return text(message, "action").map(|action| of_action(&action)).into_iter().collect();
    }
    let call = |entry: &Value| {
        let function = entry.get("function").unwrap_or(entry);
        let (arguments, raw_arguments) = arguments(function.get("arguments"));
        ToolCall {
            id: text(entry, "id"),
            name: text(function, "name").unwrap_or_default(),
            arguments,
            raw_arguments,
        }
    };
    functions.iter().map(call).collect()
}

/// An action is a line for a shell: its first word is the tool.
fn of_action(action: &str) -> ToolCall {
    let name = action.split_whitespace().next().unwrap_or("action").to_owned();
    ToolCall { id: None, name, arguments: json!({ "action": action }), raw_arguments: None }
}

fn add_step(
    builder: &mut TrialBuilder<'_>,
    step: &Value,
    turn: Option<&Value>,
    nth: usize,
) -> Result<(), ImportError> {
    let at = At::pointer(format!("/trajectory/{nth}"));
    let said = text(step, "response").unwrap_or_default();
    let seq = builder
        .push(at.clone(), ForeignBody::ModelStep(ModelStep { text: said.clone(), ..ModelStep::default() }))?;
    let part = at.under(Some(seq));
    if let Some(text) = text(step, "thought").filter(|thought| thought.trim() != said.trim()) {
        builder.push(part.clone(), ForeignBody::Reasoning { text, redacted: false })?;
    }
    let Some(action) = text(step, "action") else { return Ok(()) };
    // The history names the function and its id, where it is the same turn.
    let same = turn.filter(|turn| text(turn, "action").is_some_and(|other| other.trim() == action.trim()));
    let calls = same.map(calls).filter(|calls| !calls.is_empty()).unwrap_or_else(|| vec![of_action(&action)]);
    let first = calls[0].id.clone();
    for call in calls {
        builder.call(part.clone(), call)?;
    }
    if let Some(observation) = present(step, "observation") {
        let linked = builder.link(At { parent: None, ..part }, first.as_deref(), seq);
        let text = observation.as_str().map_or_else(|| observation.to_string(), str::to_owned);
        let body = ToolResult { call_id: first, text, ..ToolResult::default() };
        builder.push(linked, ForeignBody::ToolResult(body))?;
    }
    Ok(())
}

fn ends(builder: &mut TrialBuilder<'_>, document: &Value) -> Result<(), ImportError> {
    let none = Value::Null;
    let info = document.get("info").unwrap_or(&none);
    let status = text(info, "exit_status");
    if let Some(text) = text(info, "submission") {
        builder.push(At::pointer("/info/submission"), ForeignBody::Answer { text, recorded: true })?;
    } else if let Some((seq, words)) = builder.last_words() {
        builder.push(At::default().under(Some(seq)), ForeignBody::Answer { text: words, recorded: false })?;
    }
    // `submitted (exit_cost)`: a limit was reached, and what there was then was submitted.
    let limits = ["cost", "context", "timeout", "time", "limit"];
    let reason =
        status.as_deref().and_then(|status| status.split("exit_").nth(1)).map(|it| it.trim_end_matches(')'));
    builder.facts.end_state = match (status.as_deref(), reason) {
        (Some("submitted"), _) => EndState::Done,
        (_, Some(reason)) if limits.iter().any(|limit| reason.contains(limit)) => {
            let limit = Some(reason.to_owned());
            let body = ForeignBody::Limit { limit, value: None, text: status.clone() };
            builder.push(At::pointer("/info/exit_status"), body)?;
            EndState::Limit
        }
        (Some(status), _) if status.starts_with("submitted") => EndState::Done,
        (Some("early_exit" | "abort" | "interrupted"), _) => EndState::Cancelled,
        (Some(status), _) => {
            builder
                .push(At::pointer("/info/exit_status"), ForeignBody::RunError { text: status.to_owned() })?;
            EndState::Error
        }
        (None, _) => EndState::Unknown,
    };
    Ok(())
}

fn words(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| text(part, "text")).collect(),
        _ => String::new(),
    }
}
