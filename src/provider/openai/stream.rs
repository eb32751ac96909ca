//! Joining the pieces of an answer to the answer that would have come whole.

use super::{REASONING, REASONING_PARTS};
use crate::provider::sse::SseEvent;
use crate::provider::wire::{Unread, error_in, piece};
use serde_json::{Map, Value, json};

/// A call that is being joined.
#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// The whole answer.
pub(in crate::provider) fn joined(events: &[SseEvent]) -> Result<Value, Unread> {
    let mut message = Map::new();
    let mut calls: Vec<Call> = Vec::new();
    let (mut model, mut finish, mut usage, mut done) = (Value::Null, Value::Null, Value::Null, false);
    for event in events {
        if event.data == "[DONE]" {
            done = true;
            break;
        }
        let piece = piece(event)?;
        if let Some(error) = error_in(&piece) {
            return Err(Unread::Reported(error));
        }
        if model.is_null() {
            model = piece.get("model").cloned().unwrap_or_default();
        }
        if let Some(told) = piece.get("usage").filter(|usage| usage.is_object()) {
            usage = told.clone();
        }
        let Some(choice) = piece.get("choices").and_then(|choices| choices.get(0)) else { continue };
        if let Some(reason) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            finish = reason.clone();
        }
        // The last piece of some servers holds the message whole.
        let Some(delta) = choice.get("delta").and_then(Value::as_object) else { continue };
        for name in REASONING.iter().chain(&["content", "refusal"]) {
            if let Some(more) = delta.get(*name).and_then(Value::as_str) {
                append(&mut message, name, more);
            }
        }
        if let Some(more) = delta.get(REASONING_PARTS).and_then(Value::as_array) {
            let parts = message.entry(REASONING_PARTS).or_insert_with(|| json!([]));
            parts.as_array_mut().into_iter().for_each(|parts| parts.extend(more.iter().cloned()));
        }
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            add_call(&mut calls, piece);
        }
    }
    if finish.is_null() {
        let how =
            if done { "its end came without a finish_reason" } else { "the stream ended before its end" };
        return Err(Unread::Cut(how.to_owned()));
    }
    if !calls.is_empty() {
        let call = |call: &Call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}});
        message.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
    }
    Ok(json!({"model": model, "choices": [{"message": message, "finish_reason": finish}], "usage": usage}))
}

fn append(message: &mut Map<String, Value>, name: &str, more: &str) {
    match message.get_mut(name) {
        Some(Value::String(text)) => text.push_str(more),
        _ => {
            message.insert(name.to_owned(), more.into());
        }
    }
}

/// Adds a piece of a call: to the one with its index; without an index to the last, unless it begins another.
fn add_call(calls: &mut Vec<Call>, piece: &Value) {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let index = piece.get("index").and_then(Value::as_u64);
    let id = text(piece.get("id"));
    let at = match index {
        Some(_) => calls.iter().position(|call| call.index == index),
        None => calls.len().checked_sub(1).filter(|last| id.is_empty() || calls[*last].id == id),
    };
    let at = at.unwrap_or_else(|| {
        calls.push(Call { index, ..Call::default() });
        calls.len() - 1
    });
    let call = &mut calls[at];
    if call.id.is_empty() {
        call.id = id;
    }
    let function = piece.get("function");
    let name = text(function.and_then(|function| function.get("name")));
    // Some servers repeat the name with every piece.
    if call.name != name {
        call.name.push_str(&name);
    }
    match function.and_then(|function| function.get("arguments")) {
        Some(Value::String(more)) => call.arguments.push_str(more),
        Some(more @ Value::Object(_)) => call.arguments = more.to_string(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::joined;
    use crate::provider::sse::events;
    use crate::provider::wire::Unread;
    use serde_json::json;

    #[test]
    fn pieces_join_to_the_whole() {
        let text = r#"data: {"model":"m","choices":[{"delta":{"role":"assistant","content":""}}]}

data: {"choices":[{"delta":{"reasoning":"H"}}]}

data: {"choices":[{"delta":{"reasoning":"m","content":"a"}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"run_query","arguments":""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"y","function":{"name":"get_schema","arguments":"{}"}},{"index":0,"function":{"arguments":"{\"sql\":"}}]}}]}

data: {"choices":[{"delta":{"content":"b","tool_calls":[{"index":0,"function":{"arguments":"\"S\"}"}}]},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":3}}

data: [DONE]

"#;
        let whole = joined(&events(text)).unwrap();
        let message = &whole["choices"][0]["message"];
        assert_eq!((&message["content"], &message["reasoning"]), (&json!("ab"), &json!("Hm")));
        assert_eq!(message["tool_calls"][0]["function"]["arguments"], "{\"sql\":\"S\"}");
        assert_eq!(message["tool_calls"][1]["id"], "y");
        assert_eq!((&whole["usage"]["prompt_tokens"], &whole["model"]), (&json!(3), &json!("m")));
    }

    #[test]
    fn calls_without_an_index_follow_each_other() {
        let text = r#"data: {"choices":[{"delta":{"tool_calls":[{"id":"x","function":{"name":"a","arguments":"{}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"id":"y","function":{"name":"b","arguments":"{"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"b","arguments":"}"}}]},"finish_reason":"stop"}]}
"#;
        let whole = joined(&events(text)).unwrap();
        let calls = &whole["choices"][0]["message"]["tool_calls"];
        assert_eq!(
            (calls.as_array().unwrap().len(), &calls[1]["function"]),
            (2, &json!({"name": "b", "arguments": "{}"}))
        );
    }

    #[test]
    fn a_stream_that_ends_early_is_no_answer() {
        let cut = joined(&events("data: {\"choices\":[{\"delta\":{\"content\":\"The answer is\"}}]}\n\n"));
        assert!(matches!(cut, Err(Unread::Cut(_))), "{cut:?}");
        assert!(matches!(joined(&events("data: [DONE]\n\n")), Err(Unread::Cut(_))));
        assert!(matches!(joined(&events("data: {")), Err(Unread::Cut(_))));
        assert!(matches!(joined(&events("data: }\n\n")), Err(Unread::Malformed(_))));
        let error = joined(&events("data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n"));
        assert!(matches!(error, Err(Unread::Reported(error)) if error.status() == Some(503)));
    }
}
