//! Items of the Responses interface. A step of the model is what stands between two results or messages to it.

use super::super::builder::{At, Reading, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::{arguments, list, present, text};
use super::super::loss_map::LossMap;
use super::{ends, facts, usage, words};
use crate::domain::foreign::{ForeignBody, ForeignTrial, Loss, ModelStep, ToolCall, ToolResult};
use serde_json::Value;
use std::sync::LazyLock;

/// What of a conversation is held. Items are looked at one by one.
static HELD: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "id",
        "model",
        "tools",
        "metadata",
        "instructions",
        "input",
        "output",
        "items",
        "usage",
        "status",
    ])
});

/// What of an item is held.
static ITEM: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "type",
        "role",
        "content",
        "id",
        "call_id",
        "name",
        "arguments",
        "output",
        "summary",
        "status",
        "input",
        "model",
    ])
});

/// What one step of the model gave, until it is over.
#[derive(Default)]
struct Step<'d> {
    pointer: Option<String>,
    text: String,
    reasoning: Vec<(String, bool)>,
    calls: Vec<(String, &'d Value)>,
}

/// Reads a conversation: an object with `input`, `output` or `items`, or the list of items.
pub(in super::super) fn read(
    reading: &Reading<'_>,
    document: &Value,
) -> Result<(ForeignTrial, Loss), ImportError> {
    let mut builder = TrialBuilder::new(reading);
    HELD.count(document, "responses", &mut builder.loss);
    facts(&mut builder, document);
    if let Some(text) = text(document, "instructions") {
        builder.push(At::pointer("/instructions"), ForeignBody::SystemPrompt { text })?;
    }
    let mut conversation = Conversation { step: Step::default(), last: 0, last_is_answer: false };
    if let Some(text) = text(document, "input") {
        builder.push(At::pointer("/input"), ForeignBody::UserMessage { text })?;
    }
    if let Value::Array(items) = document {
        conversation.items(&mut builder, items, "")?;
    }
    for name in ["items", "input", "output"] {
        conversation.items(&mut builder, list(document, name), &format!("/{name}"))?;
    }
    conversation.flush(&mut builder)?;
    if builder.last() == 0 {
        builder.deviate("", "there are no items");
    }
    if let Some(sum) = usage(document.get("usage")) {
        builder.facts.totals = Some(sum);
    }
    ends(&mut builder, document, conversation.last_is_answer)?;
    Ok(builder.finish())
}

struct Conversation<'d> {
    step: Step<'d>,
    /// The event of the last step.
    last: u64,
    last_is_answer: bool,
}

impl<'d> Conversation<'d> {
    fn items(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        items: &'d [Value],
        at: &str,
    ) -> Result<(), ImportError> {
        for (nth, item) in items.iter().enumerate() {
            self.item(builder, item, format!("{at}/{nth}"))?;
        }
        Ok(())
    }

    fn item(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        item: &'d Value,
        pointer: String,
    ) -> Result<(), ImportError> {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or("message");
        ITEM.count(item, &format!("items[{}]", kind.chars().take(40).collect::<String>()), &mut builder.loss);
        match (kind, item.get("role").and_then(Value::as_str)) {
            ("message", Some("assistant")) => {
                let said = words(item.get("content"), &mut builder.loss);
                self.begin(pointer);
                self.step.text.push_str(&said);
            }
            ("message", role) => {
                self.flush(builder)?;
                let text = words(item.get("content"), &mut builder.loss);
                self.last_is_answer = false;
                let body = match role {
                    Some("system" | "developer") => ForeignBody::SystemPrompt { text },
                    Some("user") => ForeignBody::UserMessage { text },
                    other => ForeignBody::Note {
                        title: other.unwrap_or("message").chars().take(40).collect(),
                        text,
                    },
                };
                builder.push(At::pointer(pointer), body)?;
            }
            ("reasoning", _) => {
                self.begin(pointer);
                let summary = words(item.get("summary"), &mut builder.loss);
                let content = words(item.get("content"), &mut builder.loss);
                let redacted = content.is_empty() && present(item, "encrypted_content").is_some();
                self.step.reasoning.push((if content.is_empty() { summary } else { content }, redacted));
            }
            ("function_call" | "custom_tool_call" | "mcp_call", _) => {
                self.begin(pointer.clone());
                self.step.calls.push((pointer, item));
            }
            ("function_call_output" | "custom_tool_call_output", _) => {
                self.flush(builder)?;
                self.last_is_answer = false;
                let call_id = text(item, "call_id");
                let said = words(item.get("output"), &mut builder.loss);
                let at = builder.link(At::pointer(pointer), call_id.as_deref(), self.last.max(1));
                let body = ToolResult { call_id, text: said, ..ToolResult::default() };
                builder.push(at, ForeignBody::ToolResult(body))?;
            }
            (other, _) => {
                let kind: String = other.chars().take(40).collect();
                builder.loss.drop_path(&format!("items[{kind}] (whole)"));
            }
        }
        Ok(())
    }

    fn begin(&mut self, pointer: String) {
        self.step.pointer.get_or_insert(pointer);
    }

    /// Adds the step that is over.
    fn flush(&mut self, builder: &mut TrialBuilder<'_>) -> Result<(), ImportError> {
        let step = std::mem::take(&mut self.step);
        let Some(pointer) = step.pointer else { return Ok(()) };
        self.last_is_answer = step.calls.is_empty();
        let model = builder.facts.model.clone();
        let body = ModelStep { model, text: step.text, ..ModelStep::default() };
        self.last = builder.push(At::pointer(pointer), ForeignBody::ModelStep(body))?;
        let part = At::default().under(Some(self.last));
        for (text, redacted) in step.reasoning {
            builder.push(part.clone(), ForeignBody::Reasoning { text, redacted })?;
        }
        for (pointer, call) in step.calls {
            let (arguments, raw_arguments) = arguments(call.get("arguments").or_else(|| call.get("input")));
            let body = ToolCall {
                id: text(call, "call_id").or_else(|| text(call, "id")),
                name: text(call, "name").unwrap_or_default(),
                arguments,
                raw_arguments,
            };
            builder.call(At { pointer, ..part.clone() }, body)?;
        }
        Ok(())
    }
}
