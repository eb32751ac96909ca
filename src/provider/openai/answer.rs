//! Reading an answer.

use super::{REASONING, REASONING_PARTS};
use crate::domain::trace::Usage;
use crate::provider::message::{ChatAnswer, Part, Stop, ToolCall, arguments};
use crate::provider::wire::Unread;
use serde_json::{Map, Value, json};

pub(in crate::provider) fn answer(value: &Value, send_reasoning_back: bool) -> Result<ChatAnswer, Unread> {
    let malformed = |reason: &str| Unread::Malformed(reason.to_owned());
    let choices = value.get("choices").and_then(Value::as_array);
    let choice = choices.and_then(|choices| choices.first()).ok_or_else(|| malformed("it has no choices"))?;
    let message = choice
        .get("message")
        .and_then(Value::as_object)
        .ok_or_else(|| malformed("its first choice has no message"))?;
    let mut parts = reasoning(message);
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|text| !text.is_empty());
    let text = words(message.get("content")).map_err(malformed)?;
    parts.extend(
        [text.as_str(), refusal.unwrap_or_default()]
            .into_iter()
            .filter(|it| !it.is_empty())
            .map(|it| Part::Text(it.to_owned())),
    );
    let (calls, calls_given) = calls(message)?;
    let has_calls = !calls.is_empty();
    parts.extend(calls.into_iter().map(Part::Call));
    let stop_word = choice.get("finish_reason").and_then(Value::as_str).map(str::to_owned);
    let stop = match stop_word.as_deref() {
        Some("length") => Stop::Cut,
        Some("content_filter") => Stop::Refused,
        Some("model_context_window_exceeded") => Stop::ContextFull,
        // Some servers say "stop" with calls in hand.
        _ if has_calls => Stop::Calls,
        _ if refusal.is_some() => Stop::Refused,
        Some("stop" | "tool_calls" | "eos" | "end_turn") => Stop::End,
        _ => Stop::Other,
    };
    Ok(ChatAnswer {
        model: value.get("model").and_then(Value::as_str).map(str::to_owned),
        parts,
        turn: turn(message, calls_given, send_reasoning_back),
        stop,
        stop_word,
        usage: value.get("usage").filter(|usage| usage.is_object()).map(usage),
        cache_written: None,
    })
}

/// The words of a content: a text, or parts that are texts.
fn words(content: Option<&Value>) -> Result<String, &'static str> {
    match content {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => {
            Ok(parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect())
        }
        Some(_) => Err("the content of its message is no text"),
    }
}

fn reasoning(message: &Map<String, Value>) -> Vec<Part> {
    let shown =
        REASONING.iter().find_map(|name| message.get(*name)?.as_str().filter(|text| !text.is_empty()));
    let withheld = message.get(REASONING_PARTS).and_then(Value::as_array).is_some_and(|parts| {
        parts.iter().any(|part| part.get("type").and_then(Value::as_str) == Some("reasoning.encrypted"))
    });
    let mut parts = Vec::new();
    if let Some(text) = shown {
        parts.push(Part::Reasoning { text: text.to_owned(), redacted: false });
    }
    if withheld {
        parts.push(Part::Reasoning { text: String::new(), redacted: true });
    }
    parts
}

/// The calls, and the same as they are sent back: as given, each with an id.
fn calls(message: &Map<String, Value>) -> Result<(Vec<ToolCall>, Vec<Value>), Unread> {
    let (mut calls, mut given) = (Vec::new(), Vec::new());
    for (nth, call) in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let function = call
            .get("function")
            .and_then(Value::as_object)
            .ok_or_else(|| Unread::Malformed("a tool call has no function".to_owned()))?;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let id = match text(call.get("id")) {
            id if id.is_empty() => format!("call_{}", nth + 1),
            id => id,
        };
        // The shape says a text that holds JSON; some servers give the JSON itself.
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => arguments(text),
            Some(value) if !value.is_null() => value.clone(),
            _ => Value::Object(Map::new()),
        };
        let mut as_given = call.clone();
        if let Some(as_given) = as_given.as_object_mut() {
            as_given.insert("id".to_owned(), id.clone().into());
            as_given.insert("type".to_owned(), "function".into());
            as_given.remove("index");
        }
        given.push(as_given);
        calls.push(ToolCall { id, name: text(function.get("name")), arguments });
    }
    Ok((calls, given))
}

/// The message as it is sent back.
fn turn(message: &Map<String, Value>, calls: Vec<Value>, send_reasoning_back: bool) -> Value {
    let content = message.get("content").cloned().unwrap_or_default();
    let content = if content.is_null() && calls.is_empty() { "".into() } else { content };
    let mut turn = json!({"role": "assistant", "content": content});
    if !calls.is_empty() {
        turn["tool_calls"] = Value::Array(calls);
    }
    if send_reasoning_back {
        for name in REASONING.iter().chain([&REASONING_PARTS]) {
            if let Some(given) = message.get(*name).filter(|given| !given.is_null()) {
                turn[*name] = given.clone();
            }
        }
    }
    turn
}

fn usage(usage: &Value) -> Usage {
    let count = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    let (input, output) = (count("/prompt_tokens"), count("/completion_tokens"));
    let reasoning = count("/completion_tokens_details/reasoning_tokens");
    // A few servers leave reasoning out of what was written, which only the total gives away.
    let sum = |parts: [Option<u64>; 3]| parts.into_iter().try_fold(0_u64, |sum, part| sum.checked_add(part?));
    let left_out = reasoning.is_some_and(|count| count > 0)
        && count("/total_tokens").is_some()
        && sum([input, output, reasoning]) == count("/total_tokens");
    Usage {
        input,
        output: if left_out { sum([output, reasoning, Some(0)]) } else { output },
        cached: count("/prompt_tokens_details/cached_tokens").or_else(|| count("/prompt_cache_hit_tokens")),
        reasoning,
        cost: None,
    }
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::provider::message::{Part, Stop};
    use crate::provider::wire::Unread;
    use serde_json::{Value, json};

    fn of(message: &Value, finish: &str) -> crate::provider::ChatAnswer {
        let value = json!({"model": "m-1", "choices": [{"message": message, "finish_reason": finish}]});
        answer(&value, false).unwrap()
    }

    #[test]
    fn words_thinking_and_calls_come_in_order() {
        let message = json!({
            "role": "assistant", "content": "I look.", "reasoning_content": "Hm.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "run_query", "arguments": "{\"sql\":\"SELECT 1\"}"}},
                {"function": {"name": "get_schema", "arguments": ""}},
                {"id": "c", "index": 2, "function": {"name": "run_query", "arguments": "{\"sql\": \"SEL"}},
            ],
        });
        let answer = of(&message, "stop");
        assert_eq!((answer.stop, answer.stop_word.as_deref()), (Stop::Calls, Some("stop")));
        assert_eq!(answer.parts[0], Part::Reasoning { text: "Hm.".into(), redacted: false });
        assert_eq!(answer.text(), "I look.");
        let calls: Vec<_> = answer.calls().collect();
        assert_eq!(calls[0].arguments, json!({"sql": "SELECT 1"}));
        assert_eq!((calls[1].id.as_str(), &calls[1].arguments), ("call_2", &json!({})));
        assert_eq!(calls[2].arguments, json!("{\"sql\": \"SEL"));
        // Sent back as it came, but for what was missing; thinking only where that is wanted.
        assert_eq!(answer.turn["tool_calls"][2]["function"]["arguments"], "{\"sql\": \"SEL");
        assert_eq!(answer.turn["tool_calls"][1]["id"], "call_2");
        assert!(answer.turn.get("reasoning_content").is_none());
        let kept = super::turn(message.as_object().unwrap(), Vec::new(), true);
        assert_eq!(kept["reasoning_content"], "Hm.");
    }

    #[test]
    fn usage_counts_cached_and_reasoning_tokens() {
        let usage = |value: Value| super::usage(&value);
        let full = usage(json!({
            "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 60}, "completion_tokens_details": {"reasoning_tokens": 12},
        }));
        assert_eq!(
            (full.input, full.output, full.cached, full.reasoning),
            (Some(100), Some(20), Some(60), Some(12))
        );
        let apart = usage(json!({
            "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 132,
            "completion_tokens_details": {"reasoning_tokens": 12},
        }));
        assert_eq!(apart.output, Some(32));
        let none = usage(json!({"prompt_tokens": -1, "completion_tokens": "9"}));
        assert_eq!((none.input, none.output, none.cached), (None, None, None));
    }

    #[test]
    fn ends_and_refusals_are_told_apart() {
        assert_eq!(of(&json!({"content": "x"}), "length").stop, Stop::Cut);
        assert_eq!(of(&json!({"content": "x"}), "content_filter").stop, Stop::Refused);
        let refused = of(&json!({"content": null, "refusal": "I can't."}), "stop");
        assert_eq!((refused.stop, refused.text().as_str()), (Stop::Refused, "I can't."));
        assert_eq!(
            of(&json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}), "stop")
                .text(),
            "ab"
        );
        for wrong in [
            json!({}),
            json!({"choices": []}),
            json!({"choices": [{}]}),
            json!({"choices": [{"message": {"content": 7}}]}),
            json!({"choices": [{"message": {"tool_calls": [{}]}}]}),
            json!([]),
        ] {
            assert!(matches!(answer(&wrong, false), Err(Unread::Malformed(_))), "{wrong}");
        }
    }
}
