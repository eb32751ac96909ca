//! The body of a request.

use crate::provider::message::{ChatRequest, Message};
use crate::provider::settings::ProviderSettings;
use serde_json::{Map, Value, json};

/// The shape wants a limit; this one leaves room for an answer with its thinking.
const MAX_TOKENS: u64 = 8192;

pub(in crate::provider) fn body(settings: &ProviderSettings, request: &ChatRequest) -> Value {
    let mut body: Map<String, Value> =
        settings.extra.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut set = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    let sampling = &settings.sampling;
    set("model", settings.model.clone().into());
    set("max_tokens", sampling.max_tokens.unwrap_or(MAX_TOKENS).into());
    if !request.system.is_empty() {
        let mut block = json!({"type": "text", "text": request.system});
        if settings.cache_prompt {
            mark(&mut block);
        }
        set("system", json!([block]));
    }
    set("messages", messages(request, settings.cache_prompt));
    if !request.tools.is_empty() {
        let tool = |tool: &crate::provider::ToolSpec| json!({"name": tool.name, "description": tool.description, "input_schema": tool.arguments});
        set("tools", request.tools.iter().map(tool).collect());
    }
    if let Some(temperature) = sampling.temperature {
        set("temperature", temperature.into());
    }
    if let Some(tokens) = sampling.thinking_tokens {
        set("thinking", json!({"type": "enabled", "budget_tokens": tokens}));
    }
    if let Some(effort) = &sampling.reasoning_effort {
        set("output_config", json!({"effort": effort}));
    }
    if settings.stream {
        set("stream", true.into());
    }
    Value::Object(body)
}

fn messages(request: &ChatRequest, cache: bool) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for message in &request.messages {
        all.push(match message {
            Message::User(text) => json!({"role": "user", "content": [{"type": "text", "text": text}]}),
            Message::Model(turn) => turn.clone(),
            Message::Tools(outcomes) => {
                let result = |outcome: &crate::provider::ToolOutcome| {
                    let mut block = json!({
                        "type": "tool_result", "tool_use_id": outcome.id, "content": outcome.text,
                    });
                    if outcome.is_error {
                        block["is_error"] = true.into();
                    }
                    block
                };
                json!({"role": "user", "content": outcomes.iter().map(result).collect::<Vec<_>>()})
            }
        });
    }
    if cache
        && let Some(last) = all.last_mut().filter(|last| last["role"] == "user")
        && let Some(block) = last["content"].as_array_mut().and_then(|content| content.last_mut())
    {
        mark(block);
    }
    Value::Array(all)
}

/// Asks the provider to keep everything up to here.
fn mark(block: &mut Value) {
    block["cache_control"] = json!({"type": "ephemeral"});
}
