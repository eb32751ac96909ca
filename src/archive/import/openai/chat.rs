//! Messages of Chat Completions.
//!
//! A tool's error can't be told from a result here: both are text. What a tool said is therefore a result.

use super::super::builder::{At, Reading, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::{arguments, list, present, text};
use super::super::loss_map::LossMap;
use super::{ends, facts, usage, words};
use crate::archive::moment::{moment, moment_of_seconds};
use crate::domain::foreign::{ForeignBody, ForeignTrial, Loss, ModelStep, ToolCall, ToolResult};
use serde_json::Value;
use std::sync::LazyLock;

/// What of a conversation is held.
static HELD: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "id",
        "model",
        "tools",
        "metadata",
        "messages/[]/role",
        "messages/[]/content",
        "messages/[]/name",
        "messages/[]/reasoning_content",
        "messages/[]/reasoning",
        "messages/[]/tool_calls/[]/id",
        "messages/[]/tool_calls/[]/type",
        "messages/[]/tool_calls/[]/function/name",
        "messages/[]/tool_calls/[]/function/arguments",
        "messages/[]/function_call",
        "messages/[]/tool_call_id",
        "messages/[]/usage",
        "messages/[]/finish_reason",
        "messages/[]/model",
        "messages/[]/timestamp",
        "messages/[]/refusal",
    ])
});

/// Reads a conversation: an object with `messages`, or the list of them.
pub(in super::super) fn read(
    reading: &Reading<'_>,
    document: &Value,
) -> Result<(ForeignTrial, Loss), ImportError> {
    let mut builder = TrialBuilder::new(reading);
    HELD.count(document, "chat", &mut builder.loss);
    facts(&mut builder, document);
    let (messages, at): (&[Value], &str) = match document {
        Value::Array(messages) => (messages, ""),
        other => (list(other, "messages"), "/messages"),
    };
    if messages.is_empty() {
        builder.deviate(at, "there are no messages");
    }
    let last = read_messages(&mut builder, messages, at)?;
    ends(&mut builder, document, last)?;
    Ok(builder.finish())
}

/// Adds messages; gives whether the last one is an answer of the actor.
pub(in super::super) fn read_messages(
    builder: &mut TrialBuilder<'_>,
    messages: &[Value],
    at: &str,
) -> Result<bool, ImportError> {
    let mut step = 1;
    let mut last_is_answer = false;
    for (nth, message) in messages.iter().enumerate() {
        let pointer = format!("{at}/{nth}");
        let here = At::pointer(&pointer).times(time(message), None);
        let role = message.get("role").and_then(Value::as_str);
        last_is_answer = false;
        match role {
            Some("assistant") => {
                step = assistant(builder, message, here)?;
                last_is_answer =
                    list(message, "tool_calls").is_empty() && present(message, "function_call").is_none();
            }
            Some("system" | "developer") => {
                let text = words(message.get("content"), &mut builder.loss);
                builder.push(here, ForeignBody::SystemPrompt { text })?;
            }
            Some("user") => {
                let text = words(message.get("content"), &mut builder.loss);
                builder.push(here, ForeignBody::UserMessage { text })?;
            }
            Some("tool" | "function") => {
                let call_id = text(message, "tool_call_id");
                let said = words(message.get("content"), &mut builder.loss);
                let here = builder.link(here, call_id.as_deref(), step);
                let body = ToolResult { call_id, text: said, ..ToolResult::default() };
                builder.push(here, ForeignBody::ToolResult(body))?;
            }
            other => {
                let title: String = other.unwrap_or("message").chars().take(40).collect();
                builder.deviate(&pointer, format!("the role '{title}' is none of this format"));
                let text = words(message.get("content"), &mut builder.loss);
                builder.push(here, ForeignBody::Note { title, text })?;
            }
        }
    }
    Ok(last_is_answer)
}

/// When a message was written, where somebody noted it.
fn time(message: &Value) -> Option<i64> {
    match message.get("timestamp")? {
        Value::String(text) => moment(text),
        Value::Number(seconds) => seconds.as_f64().and_then(moment_of_seconds),
        _ => None,
    }
}

fn assistant(builder: &mut TrialBuilder<'_>, message: &Value, at: At) -> Result<u64, ImportError> {
    let mut said = words(message.get("content"), &mut builder.loss);
    if said.is_empty() {
        said = text(message, "refusal").unwrap_or_default();
    }
    let body = ModelStep {
        model: text(message, "model").or_else(|| builder.facts.model.clone()),
        text: said,
        stop_reason: text(message, "finish_reason"),
        usage: usage(message.get("usage")),
        calls: None,
        error: None,
    };
    let step = builder.push(at.clone(), ForeignBody::ModelStep(body))?;
    let part = at.under(Some(step));
    if let Some(text) = text(message, "reasoning_content").or_else(|| text(message, "reasoning")) {
        builder.push(part.clone(), ForeignBody::Reasoning { text, redacted: false })?;
    }
    for (nth, call) in list(message, "tool_calls").iter().enumerate() {
        let here = At { pointer: format!("{}/tool_calls/{nth}", part.pointer), ..part.clone() };
        // The oldest programs write name and arguments without `function` around them.
        let function = call.get("function").unwrap_or(call);
        builder.call(here, tool_call(text(call, "id"), function))?;
    }
    if let Some(function) = present(message, "function_call") {
        let here = At { pointer: format!("{}/function_call", part.pointer), ..part };
        builder.call(here, tool_call(None, function))?;
    }
    Ok(step)
}

fn tool_call(id: Option<String>, function: &Value) -> ToolCall {
    let (arguments, raw_arguments) = arguments(function.get("arguments"));
    ToolCall { id, name: text(function, "name").unwrap_or_default(), arguments, raw_arguments }
}
