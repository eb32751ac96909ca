//! Conversations as OpenAI's interfaces have them, one a line: messages of Chat Completions, or items of Responses.

pub(super) mod chat;
pub(super) mod responses;

use super::builder::{At, TrialBuilder};
use super::error::ImportError;
use super::fields::{as_word, count, present, text, word};
use crate::domain::foreign::{EndState, ForeignBody, Loss};
use crate::domain::trace::Usage;
use serde_json::Value;

/// What of `metadata` has a place of its own.
const METADATA: [&str; 14] = [
    "id",
    "task_id",
    "task",
    "epoch",
    "agent",
    "model",
    "snapshot_revision",
    "revision",
    "started",
    "ended",
    "error",
    "exit",
    "limit",
    "answer",
];

/// Facts of a conversation: what stands in `metadata`, whose names are nobody's standard.
fn facts(builder: &mut TrialBuilder<'_>, document: &Value) {
    let none = Value::Null;
    let metadata = document.get("metadata").unwrap_or(&none);
    let facts = &mut builder.facts;
    facts.id = word(metadata, "id").or_else(|| word(document, "id"));
    facts.task_id = word(metadata, "task_id").or_else(|| word(metadata, "task"));
    facts.epoch = count(metadata, "epoch");
    facts.agent = text(metadata, "agent");
    facts.model = text(metadata, "model").or_else(|| text(document, "model"));
    facts.revision = text(metadata, "snapshot_revision").or_else(|| text(metadata, "revision"));
    facts.started = text(metadata, "started");
    facts.ended = text(metadata, "ended");
    facts.tools = document.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
    for (name, value) in metadata.as_object().into_iter().flatten() {
        if !METADATA.contains(&name.as_str()) {
            facts.metadata.insert(name.clone(), value.clone());
        }
    }
}

/// The answer, and what ended the conversation.
fn ends(builder: &mut TrialBuilder<'_>, document: &Value, last_is_answer: bool) -> Result<(), ImportError> {
    let none = Value::Null;
    let metadata = document.get("metadata").unwrap_or(&none);
    if let Some(answer) = text(metadata, "answer") {
        builder
            .push(At::pointer("/metadata/answer"), ForeignBody::Answer { text: answer, recorded: true })?;
    } else if metadata.get("answer").is_none()
        && let Some((seq, words)) = builder.last_words()
    {
        builder.push(At::default().under(Some(seq)), ForeignBody::Answer { text: words, recorded: false })?;
    }
    let error =
        present(metadata, "error").and_then(|error| as_word(error).or_else(|| text(error, "message")));
    let limit = present(metadata, "limit").and_then(as_word);
    builder.facts.end_state = match text(metadata, "exit").as_deref() {
        Some("done") => EndState::Done,
        Some("error") => EndState::Error,
        Some("limit") => EndState::Limit,
        Some("cancelled") => EndState::Cancelled,
        _ if error.is_some() => EndState::Error,
        _ if limit.is_some() => EndState::Limit,
        _ if last_is_answer => EndState::Done,
        _ => EndState::Unknown,
    };
    if let Some(text) = error {
        builder.push(At::pointer("/metadata/error"), ForeignBody::RunError { text })?;
    }
    if limit.is_some() || builder.facts.end_state == EndState::Limit {
        builder
            .push(At::pointer("/metadata/limit"), ForeignBody::Limit { limit, value: None, text: None })?;
    }
    Ok(())
}

/// Words of a content: a text, or the text parts of a list.
fn words(value: Option<&Value>, loss: &mut Loss) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let mut all = String::new();
            for part in parts {
                if let Some(text) = part
                    .as_str()
                    .map(str::to_owned)
                    .or_else(|| text(part, "text"))
                    .or_else(|| text(part, "refusal"))
                {
                    all.push_str(&text);
                } else {
                    let kind: String =
                        text(part, "type").unwrap_or_else(|| "unknown".to_owned()).chars().take(40).collect();
                    if !kind.ends_with("text") {
                        loss.drop_path(&format!("content[{kind}]"));
                    }
                }
            }
            all
        }
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

/// Usage of either interface.
fn usage(value: Option<&Value>) -> Option<Usage> {
    let value = value.filter(|value| value.is_object())?;
    let either = |one: &str, other: &str| count(value, one).or_else(|| count(value, other));
    let details = |one: &str, other: &str, name: &str| {
        value.get(one).or_else(|| value.get(other)).and_then(|details| count(details, name))
    };
    Some(Usage {
        input: either("prompt_tokens", "input_tokens"),
        output: either("completion_tokens", "output_tokens"),
        cached: details("prompt_tokens_details", "input_tokens_details", "cached_tokens"),
        reasoning: details("completion_tokens_details", "output_tokens_details", "reasoning_tokens"),
        cost: None,
    })
}
