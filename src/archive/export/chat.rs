//! Chat messages with tools and facts, a trial a line: what programs that train models read.

use super::is_own;
use crate::domain::foreign::{EndState, ForeignBody, ForeignEvent, ForeignTrial, Mark};
use serde_json::{Map, Value, json};

/// A trial as one conversation. What was copied from another trace is left out: it was no act of this one.
pub fn conversation(trial: &ForeignTrial) -> Value {
    let mut messages: Vec<Value> = Vec::new();
    for event in trial.events.iter().filter(|it| is_own(it) && !it.marks.contains(&Mark::CopiedContext)) {
        add(&mut messages, trial, event);
    }
    let mut document = json!({ "messages": messages });
    if !trial.facts.tools.is_empty() {
        document["tools"] = json!(trial.facts.tools);
    }
    document["metadata"] = metadata(trial);
    document
}

fn add(messages: &mut Vec<Value>, trial: &ForeignTrial, event: &ForeignEvent) {
    match &event.body {
        ForeignBody::SystemPrompt { text } => messages.push(json!({"role": "system", "content": text})),
        ForeignBody::UserMessage { text } => messages.push(json!({"role": "user", "content": text})),
        ForeignBody::ModelStep(step) => {
            messages.push(json!({"role": "assistant", "content": step.text}));
        }
        ForeignBody::Reasoning { text, .. } => {
            let message = assistant(messages);
            let before = message["reasoning_content"].as_str().map(|before| format!("{before}\n"));
            message["reasoning_content"] = json!(before.unwrap_or_default() + text);
        }
        ForeignBody::ToolCall(call) => {
            // A call that no model asked for still needs somebody who makes it.
            if event.parent.is_none() {
                messages.push(json!({"role": "assistant", "content": null}));
            }
            let message = assistant(messages);
            if !message["tool_calls"].is_array() {
                message["tool_calls"] = json!([]);
            }
            if message["content"].as_str() == Some("") {
                message["content"] = Value::Null;
            }
            let arguments = call.raw_arguments.clone().unwrap_or_else(|| match &call.arguments {
                Value::Null => "{}".to_owned(),
                arguments => arguments.to_string(),
            });
            let id = call.id.clone().unwrap_or_else(|| format!("call-{}", event.seq));
            let entry = json!({"id": id, "type": "function", "function": {"name": call.name, "arguments": arguments}});
            if let Some(calls) = message["tool_calls"].as_array_mut() {
                calls.push(entry);
            }
        }
        ForeignBody::ToolResult(result) => tool(messages, trial, event, &result.text),
        ForeignBody::ToolError(error) => tool(messages, trial, event, &error.text),
        _ => {}
    }
}

/// The assistant's message that is being written; calls of one step may stand behind a result of the same step.
fn assistant(messages: &mut Vec<Value>) -> &mut Value {
    let at = messages.iter().rposition(|message| message["role"] == "assistant").unwrap_or_else(|| {
        messages.push(json!({"role": "assistant", "content": null}));
        messages.len() - 1
    });
    &mut messages[at]
}

fn tool(messages: &mut Vec<Value>, trial: &ForeignTrial, event: &ForeignEvent, text: &str) {
    let call =
        event.parent.and_then(|parent| trial.events.get(usize::try_from(parent).ok()?.checked_sub(1)?));
    let id = call.and_then(|call| match &call.body {
        ForeignBody::ToolCall(it) => Some(it.id.clone().unwrap_or_else(|| format!("call-{}", call.seq))),
        _ => None,
    });
    // A result that belongs to no call has no place in a conversation.
    if let Some(id) = id {
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
    }
}

fn metadata(trial: &ForeignTrial) -> Value {
    let facts = &trial.facts;
    let mut metadata = Map::new();
    let mut keep = |name: &str, value: Value| {
        if !value.is_null() {
            metadata.insert(name.to_owned(), value);
        }
    };
    keep("id", json!(facts.id));
    keep("task_id", json!(facts.task_id));
    keep("epoch", json!(facts.epoch));
    keep("agent", json!(facts.agent));
    keep("model", json!(facts.model));
    keep("snapshot_revision", json!(facts.revision));
    keep("started", json!(facts.started));
    keep("ended", json!(facts.ended));
    keep(
        "exit",
        match facts.end_state {
            EndState::Unknown => Value::Null,
            state => json!(state),
        },
    );
    for event in &trial.events {
        match &event.body {
            ForeignBody::Answer { text, recorded: true } => keep("answer", json!(text)),
            ForeignBody::RunError { text } => keep("error", json!(text)),
            ForeignBody::Limit { limit, .. } => keep("limit", json!(limit)),
            _ => {}
        }
    }
    if !trial.events.iter().any(|event| matches!(event.body, ForeignBody::Answer { .. })) {
        metadata.insert("answer".to_owned(), Value::Null);
    }
    for (name, value) in &facts.metadata {
        metadata.entry(name.clone()).or_insert_with(|| value.clone());
    }
    Value::Object(metadata)
}
