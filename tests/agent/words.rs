//! What a model says, in either wire shape, whole or in pieces.

use crate::server::Reply;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The wire shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    OpenAi,
    Anthropic,
}

pub(crate) const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];

impl Wire {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

/// One answer of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) thinking: String,
    pub(crate) text: String,
    /// Name and arguments, as the model writes them.
    pub(crate) calls: Vec<(String, String)>,
    /// The stop reason, where it is not the usual one.
    pub(crate) stop: Option<&'static str>,
}

impl Said {
    pub(crate) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    pub(crate) fn call(name: &str, arguments: &Value) -> Self {
        Self::default().and(name, arguments)
    }

    pub(crate) fn query(sql: &str) -> Self {
        Self::call("run_query", &json!({"sql": sql}))
    }

    pub(crate) fn and(mut self, name: &str, arguments: &Value) -> Self {
        self.calls.push((name.to_owned(), arguments.to_string()));
        self
    }

    /// Calls a tool with arguments that are no JSON.
    pub(crate) fn broken_call(name: &str, arguments: &str) -> Self {
        Self { calls: vec![(name.to_owned(), arguments.to_owned())], ..Self::default() }
    }

    pub(crate) fn stopping(mut self, stop: &'static str) -> Self {
        self.stop = Some(stop);
        self
    }

    pub(crate) fn thinking(mut self, thinking: &str) -> Self {
        thinking.clone_into(&mut self.thinking);
        self
    }

    /// The reply that says it.
    pub(crate) fn reply(&self, wire: Wire, stream: bool) -> Reply {
        match (wire, stream) {
            (Wire::OpenAi, false) => Reply::json(200, &self.openai()),
            (Wire::Anthropic, false) => Reply::json(200, &self.anthropic()),
            (Wire::OpenAi, true) => Reply::new(200, "text/event-stream", self.openai_pieces()),
            (Wire::Anthropic, true) => {
                Reply::new(200, "text/event-stream; charset=utf-8", self.anthropic_pieces())
            }
        }
    }

    fn openai_stop(&self) -> &'static str {
        self.stop.unwrap_or(if self.calls.is_empty() { "stop" } else { "tool_calls" })
    }

    fn anthropic_stop(&self) -> &'static str {
        self.stop.unwrap_or(if self.calls.is_empty() { "end_turn" } else { "tool_use" })
    }

    fn openai(&self) -> Value {
        let call = |(nth, (name, arguments)): (usize, &(String, String))| json!({"id": format!("call_{nth}"), "type": "function", "function": {"name": name, "arguments": arguments}});
        let mut message = json!({"role": "assistant", "content": self.text});
        if !self.calls.is_empty() {
            message["tool_calls"] = self.calls.iter().enumerate().map(call).collect();
        }
        if !self.thinking.is_empty() {
            message["reasoning_content"] = self.thinking.clone().into();
        }
        json!({
            "id": "x", "object": "chat.completion", "model": "model-2026",
            "choices": [{"index": 0, "message": message, "finish_reason": self.openai_stop()}],
            "usage": {
                "prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050,
                "prompt_tokens_details": {"cached_tokens": 400}, "completion_tokens_details": {"reasoning_tokens": 20},
            },
        })
    }

    fn anthropic(&self) -> Value {
        let mut content = Vec::new();
        if !self.thinking.is_empty() {
            content.push(json!({"type": "thinking", "thinking": self.thinking, "signature": "c2lnbmF0dXJl"}));
            content.push(json!({"type": "redacted_thinking", "data": "b3BhcXVl"}));
        }
        if !self.text.is_empty() {
            content.push(json!({"type": "text", "text": self.text}));
        }
        for (nth, (name, arguments)) in self.calls.iter().enumerate() {
            let input: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!(arguments));
            content.push(
                json!({"type": "tool_use", "id": format!("toolu_{nth}"), "name": name, "input": input}),
            );
        }
        json!({
            "id": "x", "type": "message", "role": "assistant", "model": "model-2026",
            "content": content, "stop_reason": self.anthropic_stop(), "stop_sequence": null,
            "usage": {
                "input_tokens": 500, "cache_read_input_tokens": 400, "cache_creation_input_tokens": 100, "output_tokens": 50,
            },
        })
    }

    fn openai_pieces(&self) -> String {
        let whole = self.openai();
        let mut pieces = Vec::new();
        let mut delta = |delta: Value, finish: Value| {
            pieces.push(json!({"model": "model-2026", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}));
        };
        delta(json!({"role": "assistant", "content": ""}), Value::Null);
        for piece in halves(&self.thinking) {
            delta(json!({"reasoning_content": piece}), Value::Null);
        }
        for piece in halves(&self.text) {
            delta(json!({"content": piece}), Value::Null);
        }
        for (nth, (name, arguments)) in self.calls.iter().enumerate() {
            let begin = json!({"index": nth, "id": format!("call_{nth}"), "type": "function", "function": {"name": name, "arguments": ""}});
            delta(json!({"tool_calls": [begin]}), Value::Null);
            for piece in halves(arguments) {
                delta(json!({"tool_calls": [{"index": nth, "function": {"arguments": piece}}]}), Value::Null);
            }
        }
        delta(json!({}), self.openai_stop().into());
        pieces.push(json!({"model": "model-2026", "choices": [], "usage": whole["usage"]}));
        let lines: Vec<String> = pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect();
        lines.concat() + "data: [DONE]\n\n"
    }

    fn anthropic_pieces(&self) -> String {
        let mut whole = self.anthropic();
        let content = whole["content"].take();
        whole["content"] = json!([]);
        whole["stop_reason"] = Value::Null;
        let output = whole["usage"]["output_tokens"].take();
        whole["usage"]["output_tokens"] = 1.into();
        let mut lines = String::new();
        let mut event = |kind: &str, mut body: Value| {
            body["type"] = kind.into();
            write!(lines, "event: {kind}\ndata: {body}\n\n").unwrap();
        };
        event("message_start", json!({"message": whole}));
        event("ping", json!({}));
        let mut arguments = self.calls.iter().map(|(_, arguments)| arguments);
        for (index, block) in content.as_array().unwrap().iter().enumerate() {
            let mut empty = block.clone();
            let deltas: Vec<Value> = match block["type"].as_str().unwrap() {
                "text" => {
                    empty["text"] = "".into();
                    halves(block["text"].as_str().unwrap())
                        .map(|it| json!({"type": "text_delta", "text": it}))
                        .collect()
                }
                "thinking" => {
                    empty["thinking"] = "".into();
                    empty["signature"] = "".into();
                    let words = halves(block["thinking"].as_str().unwrap());
                    let words = words.map(|it| json!({"type": "thinking_delta", "thinking": it}));
                    words
                        .chain([json!({"type": "signature_delta", "signature": block["signature"]})])
                        .collect()
                }
                "tool_use" => {
                    empty["input"] = json!({});
                    let text = arguments.next().unwrap();
                    halves(text).map(|it| json!({"type": "input_json_delta", "partial_json": it})).collect()
                }
                _ => Vec::new(),
            };
            event("content_block_start", json!({"index": index, "content_block": empty}));
            for delta in deltas {
                event("content_block_delta", json!({"index": index, "delta": delta}));
            }
            event("content_block_stop", json!({"index": index}));
        }
        event(
            "message_delta",
            json!({"delta": {"stop_reason": self.anthropic_stop()}, "usage": {"output_tokens": output}}),
        );
        event("message_stop", json!({}));
        lines
    }
}

/// A text in two pieces; none of an empty one.
fn halves(text: &str) -> impl Iterator<Item = &str> {
    let middle = (text.len() / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (one, other) = text.split_at(middle);
    [one, other].into_iter().filter(|piece| !piece.is_empty())
}

/// The results of calls in the last message, or messages, of a request.
pub(crate) fn results(wire: Wire, body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match wire {
        Wire::OpenAi => {
            let mut last: Vec<_> =
                messages.iter().rev().take_while(|message| message["role"] == "tool").collect();
            last.reverse();
            last.iter().map(|message| (text(&message["tool_call_id"]), text(&message["content"]))).collect()
        }
        Wire::Anthropic => {
            let blocks = messages.last().unwrap()["content"].as_array().unwrap();
            let results = blocks.iter().filter(|block| block["type"] == "tool_result");
            results.map(|block| (text(&block["tool_use_id"]), text(&block["content"]))).collect()
        }
    }
}
