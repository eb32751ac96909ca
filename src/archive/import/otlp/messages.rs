//! Messages of a span, however a version of the conventions writes them: as attributes, as events of the span, or as numbered
//! attributes.

use super::super::fields::{arguments, as_word, list, text};
use super::any_value::structured;
use super::span::Span;
use crate::domain::foreign::{Loss, ToolCall};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A message.
#[derive(Debug, Default, Clone)]
pub(super) struct Message {
    pub(super) role: String,
    pub(super) text: String,
    pub(super) reasoning: Vec<String>,
    pub(super) calls: Vec<ToolCall>,
    /// What tools answered: call and words.
    pub(super) responses: Vec<(Option<String>, String)>,
    pub(super) finish: Option<String>,
}

impl Message {
    /// What tells it from others.
    pub(super) fn identity(&self) -> String {
        let calls: Vec<_> = self.calls.iter().map(|call| (&call.id, &call.name)).collect();
        format!("{}\0{}\0{calls:?}\0{:?}", self.role, self.text, self.responses)
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
            && self.reasoning.is_empty()
            && self.calls.is_empty()
            && self.responses.is_empty()
    }
}

/// What a chat span was given and gave.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    pub(super) system: Vec<String>,
    pub(super) inputs: Vec<Message>,
    pub(super) output: Option<Message>,
}

/// Reads the messages of a span.
pub(super) fn exchange(span: &Span, loss: &mut Loss) -> Exchange {
    let mut all = Exchange::default();
    take(&span.attributes, &mut all, loss);
    for (name, _, attributes) in &span.events {
        match name.as_str() {
            "gen_ai.client.inference.operation.details" => take(attributes, &mut all, loss),
            "gen_ai.content.prompt" => {
                add_list(attributes.get("gen_ai.prompt"), &mut all.inputs, loss);
            }
            "gen_ai.content.completion" => {
                let mut outputs = Vec::new();
                add_list(attributes.get("gen_ai.completion"), &mut outputs, loss);
                all.output = all.output.or_else(|| outputs.into_iter().next());
            }
            "gen_ai.choice" => {
                let body = attributes.get("message").map(structured);
                let mut said = message(&body.unwrap_or_else(|| Value::Object(attributes.clone())), loss);
                "assistant".clone_into(&mut said.role);
                said.finish = said.finish.or_else(|| attributes.get("finish_reason").and_then(as_word));
                all.output.get_or_insert(said);
            }
            other => {
                if let Some(role) = other.strip_prefix("gen_ai.").and_then(|it| it.strip_suffix(".message")) {
                    let mut said = message(&Value::Object(attributes.clone()), loss);
                    role.clone_into(&mut said.role);
                    all.inputs.push(said);
                }
            }
        }
    }
    numbered(&span.attributes, "gen_ai.prompt.", &mut all.inputs, loss);
    let mut outputs = Vec::new();
    numbered(&span.attributes, "gen_ai.completion.", &mut outputs, loss);
    all.output = all.output.or_else(|| outputs.into_iter().next());
    // System prompts among the messages are what others write as instructions.
    let (system, rest) =
        all.inputs.into_iter().partition(|it: &Message| matches!(it.role.as_str(), "system" | "developer"));
    all.inputs = rest;
    all.system.extend(Vec::<Message>::into_iter(system).map(|it| it.text));
    all
}

fn take(attributes: &Map<String, Value>, all: &mut Exchange, loss: &mut Loss) {
    if let Some(value) = attributes.get("gen_ai.system_instructions") {
        let parts = structured(value);
        let said = message(&serde_json::json!({ "parts": parts }), loss);
        all.system.push(if said.text.is_empty() { as_word(&parts).unwrap_or_default() } else { said.text });
    }
    add_list(attributes.get("gen_ai.input.messages"), &mut all.inputs, loss);
    let mut outputs = Vec::new();
    add_list(attributes.get("gen_ai.output.messages"), &mut outputs, loss);
    for _ in 1..outputs.len() {
        loss.drop_path("span/gen_ai.output.messages[] (others than the first)");
    }
    if all.output.is_none() {
        all.output = outputs.into_iter().next();
    }
}

fn add_list(value: Option<&Value>, messages: &mut Vec<Message>, loss: &mut Loss) {
    match value.map(structured) {
        Some(Value::Array(items)) => messages.extend(items.iter().map(|item| message(item, loss))),
        Some(item @ Value::Object(_)) => messages.push(message(&item, loss)),
        Some(Value::String(text)) => {
            messages.push(Message { role: "user".to_owned(), text, ..Message::default() });
        }
        _ => {}
    }
}

/// `gen_ai.prompt.0.role`, `gen_ai.prompt.0.content`, `gen_ai.prompt.0.tool_calls.0.name`, …
fn numbered(attributes: &Map<String, Value>, prefix: &str, messages: &mut Vec<Message>, loss: &mut Loss) {
    let mut by_number: BTreeMap<u32, Map<String, Value>> = BTreeMap::new();
    let mut calls: BTreeMap<(u32, u32), Map<String, Value>> = BTreeMap::new();
    for (name, value) in attributes {
        let Some((number, field)) = name.strip_prefix(prefix).and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        let Ok(number) = number.parse() else { continue };
        let call = field.strip_prefix("tool_calls.").and_then(|rest| rest.split_once('.'));
        if let Some((nth, field)) = call.and_then(|(nth, field)| Some((nth.parse().ok()?, field))) {
            calls.entry((number, nth)).or_default().insert(field.to_owned(), value.clone());
            by_number.entry(number).or_default();
        } else {
            by_number.entry(number).or_default().insert(field.to_owned(), value.clone());
        }
    }
    for (number, mut entry) in by_number {
        let of_message =
            calls.range((number, 0)..=(number, u32::MAX)).map(|(_, call)| Value::Object(call.clone()));
        let of_message: Vec<Value> = of_message.collect();
        if !of_message.is_empty() {
            entry.insert("tool_calls".to_owned(), Value::Array(of_message));
        }
        messages.push(message(&Value::Object(entry), loss));
    }
}

/// A message with parts (new), or with content and tool calls (old).
fn message(value: &Value, loss: &mut Loss) -> Message {
    let mut said = Message {
        role: text(value, "role").unwrap_or_default(),
        finish: text(value, "finish_reason"),
        ..Message::default()
    };
    let parts = value.get("parts").map(structured).unwrap_or_default();
    for part in parts.as_array().into_iter().flatten() {
        add_part(&mut said, part, loss);
    }
    match value.get("content").map(structured) {
        Some(Value::Array(parts)) => {
            for part in &parts {
                add_part(&mut said, part, loss);
            }
        }
        // A text that happens to be JSON is a text.
        Some(_) => said.text.push_str(&value.get("content").and_then(as_word).unwrap_or_default()),
        None => {}
    }
    let calls = value.get("tool_calls").map(structured).unwrap_or_default();
    for entry in calls.as_array().into_iter().flatten() {
        let function = entry.get("function").unwrap_or(entry);
        said.calls.push(call(text(entry, "id"), function));
    }
    if said.role == "tool" && said.responses.is_empty() && !said.is_empty() {
        let id = text(value, "id").or_else(|| text(value, "tool_call_id"));
        said.responses.push((id, std::mem::take(&mut said.text)));
    }
    said
}

fn add_part(said: &mut Message, part: &Value, loss: &mut Loss) {
    let words = || text(part, "content").or_else(|| text(part, "text")).unwrap_or_default();
    match part.get("type").and_then(Value::as_str) {
        Some("text") => said.text.push_str(&words()),
        Some("reasoning" | "thinking") => said.reasoning.push(words()),
        Some("tool_call") => said.calls.push(call(text(part, "id"), part)),
        Some("tool_call_response") => {
            // The conventions' schema says `response`, their examples say `result`.
            let response = ["response", "result"].iter().find_map(|name| part.get(*name));
            said.responses.push((text(part, "id"), response.map(text_of).unwrap_or_default()));
        }
        None if part.is_string() => said.text.push_str(part.as_str().unwrap_or_default()),
        other => {
            let kind: String = other.unwrap_or("unknown").chars().take(40).collect();
            loss.drop_path(&format!("part[{kind}]"));
        }
    }
}

fn call(id: Option<String>, function: &Value) -> ToolCall {
    let (arguments, raw_arguments) = arguments(function.get("arguments"));
    ToolCall { id, name: text(function, "name").unwrap_or_default(), arguments, raw_arguments }
}

/// A text as it is; anything else as JSON.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        // A list of text parts is a text, too.
        Value::Array(_)
            if list(&serde_json::json!({ "x": value }), "x").iter().all(|it| text(it, "text").is_some()) =>
        {
            value.as_array().into_iter().flatten().filter_map(|it| text(it, "text")).collect()
        }
        other => other.to_string(),
    }
}
