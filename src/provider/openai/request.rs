//! The body of a request.

use crate::provider::message::{ChatRequest, Message};
use crate::provider::settings::ProviderSettings;
use serde_json::{Map, Value, json};

pub(in crate::provider) fn body(settings: &ProviderSettings, request: &ChatRequest) -> Value {
    let mut body: Map<String, Value> =
        settings.extra.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut set = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    set("model", settings.model.clone().into());
    set("messages", messages(request));
    if !request.tools.is_empty() {
        let tool = |tool: &crate::provider::ToolSpec| json!({"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.arguments}});
        set("tools", request.tools.iter().map(tool).collect());
    }
    let sampling = &settings.sampling;
    if let Some(temperature) = sampling.temperature {
        set("temperature", temperature.into());
    }
    if let Some(seed) = sampling.seed {
        set("seed", seed.into());
    }
    if let Some(most) = sampling.max_tokens {
        set(max_tokens_name(settings), most.into());
    }
    if let Some(effort) = &sampling.reasoning_effort {
        set("reasoning_effort", effort.clone().into());
    }
    if settings.stream {
        set("stream", true.into());
        // Without it nothing says what a streamed answer took.
        set("stream_options", json!({"include_usage": true}));
    }
    Value::Object(body)
}

/// What the most tokens are called: OpenAI's own models refuse the old name, other servers do not know the new one.
fn max_tokens_name(settings: &ProviderSettings) -> &str {
    let is_openai = settings.base_url.trim().starts_with("https://api.openai.com");
    let usual = if is_openai { "max_completion_tokens" } else { "max_tokens" };
    settings.sampling.max_tokens_name.as_deref().unwrap_or(usual)
}

fn messages(request: &ChatRequest) -> Value {
    let mut all = Vec::new();
    if !request.system.is_empty() {
        all.push(json!({"role": "system", "content": request.system}));
    }
    for message in &request.messages {
        match message {
            Message::User(text) => all.push(json!({"role": "user", "content": text})),
            Message::Model(turn) => all.push(turn.clone()),
            Message::Tools(outcomes) => all.extend(outcomes.iter().map(|outcome| {
                // The shape has no mark for errors: the words must say it.
                let text =
                    if outcome.is_error { format!("Error: {}", outcome.text) } else { outcome.text.clone() };
                json!({"role": "tool", "tool_call_id": outcome.id, "content": text})
            })),
        }
    }
    Value::Array(all)
}
