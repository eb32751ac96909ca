//! Reading an answer.

use crate::domain::trace::Usage;
use crate::provider::message::{ChatAnswer, Part, Stop, ToolCall};
use crate::provider::wire::Unread;
use serde_json::{Map, Value, json};

pub(in crate::provider) fn answer(value: &Value) -> Result<ChatAnswer, Unread> {
    let blocks = value
        .get("content")
        .and_then(Value::as_array)
        .ok_or_else(|| Unread::Malformed("it has no content".to_owned()))?;
    let mut parts = Vec::new();
    for block in blocks {
        let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match block.get("type").and_then(Value::as_str) {
            Some("text") => parts.push(Part::Text(text("text"))),
            Some("thinking") => {
                let words = text("thinking");
                // Some models only sign what they thought.
                parts.push(Part::Reasoning { redacted: words.is_empty(), text: words });
            }
            Some("redacted_thinking") => {
                parts.push(Part::Reasoning { text: String::new(), redacted: true });
            }
            Some("tool_use") => parts.push(Part::Call(call(block)?)),
            // Blocks of tools that run at the provider, and whatever comes: kept, not understood.
            Some(_) => {}
            None => return Err(Unread::Malformed("a block of its content has no type".to_owned())),
        }
    }
    let stop_word = value.get("stop_reason").and_then(Value::as_str).map(str::to_owned);
    let stop = match stop_word.as_deref() {
        Some("end_turn" | "stop_sequence") => Stop::End,
        Some("tool_use") => Stop::Calls,
        Some("pause_turn") => Stop::Pause,
        Some("refusal") => Stop::Refused,
        Some("max_tokens") => Stop::Cut,
        Some("model_context_window_exceeded") => Stop::ContextFull,
        _ => Stop::Other,
    };
    let usage = value.get("usage").filter(|usage| usage.is_object());
    let count = |name: &str| usage.and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    let written = count("cache_creation_input_tokens");
    Ok(ChatAnswer {
        model: value.get("model").and_then(Value::as_str).map(str::to_owned),
        parts,
        turn: json!({"role": "assistant", "content": blocks.iter().filter_map(sent_back).collect::<Vec<_>>()}),
        stop,
        stop_word,
        usage: usage.map(|_| Usage {
            // The provider counts apart what it read from its cache and what it wrote there.
            input: count("input_tokens").map(|input| {
                input
                    .saturating_add(count("cache_read_input_tokens").unwrap_or(0))
                    .saturating_add(written.unwrap_or(0))
            }),
            output: count("output_tokens"),
            cached: count("cache_read_input_tokens"),
            reasoning: None,
            cost: None,
        }),
        cache_written: written,
    })
}

/// A block as it is sent back: as given, but the provider takes no empty texts, and no member of ours.
fn sent_back(block: &Value) -> Option<Value> {
    if block["type"] == "text" && block["text"] == "" {
        return None;
    }
    let mut block = block.clone();
    if let Some(block) = block.as_object_mut() {
        block.remove(super::stream::UNPARSED);
    }
    Some(block)
}

fn call(block: &Value) -> Result<ToolCall, Unread> {
    let text = |name: &str| {
        let given = block.get(name).and_then(Value::as_str).filter(|given| !given.is_empty());
        given.map(str::to_owned).ok_or_else(|| Unread::Malformed(format!("a tool call has no {name}")))
    };
    let arguments = match block.get("input") {
        None | Some(Value::Null) => Value::Object(Map::new()),
        // What did not parse while the pieces were joined.
        Some(input) => block.get(super::stream::UNPARSED).unwrap_or(input).clone(),
    };
    Ok(ToolCall { id: text("id")?, name: text("name")?, arguments })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::provider::message::{Part, Stop};
    use crate::provider::wire::Unread;
    use serde_json::json;

    #[test]
    fn thinking_words_and_calls_come_in_order_and_go_back_as_given() {
        let content = json!([
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "b3BhcXVl"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_1", "name": "run_query", "input": {"sql": "SELECT 1"}},
            {"type": "tool_use", "id": "toolu_2", "name": "get_schema", "input": {}},
            {"type": "new_thing", "x": 1},
        ]);
        let with_empty: Vec<_> = content
            .as_array()
            .unwrap()
            .iter()
            .cloned()
            .chain([json!({"type": "text", "text": ""})])
            .collect();
        let value = json!({
            "model": "claude", "content": with_empty, "stop_reason": "tool_use",
            "usage": {"input_tokens": 10, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 5, "output_tokens": 7},
        });
        let answer = answer(&value).unwrap();
        assert_eq!(answer.stop, Stop::Calls);
        assert_eq!(answer.parts[0], Part::Reasoning { text: "Hm.".into(), redacted: false });
        assert_eq!(answer.parts[1], Part::Reasoning { text: String::new(), redacted: true });
        assert_eq!(answer.calls().count(), 2);
        assert_eq!(answer.turn, json!({"role": "assistant", "content": content}));
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.cached, usage.output), (Some(95), Some(80), Some(7)));
        assert_eq!(answer.cache_written, Some(5));
    }

    #[test]
    fn ends_are_told_apart_and_nonsense_is_named() {
        for (word, stop) in [
            ("end_turn", Stop::End),
            ("max_tokens", Stop::Cut),
            ("model_context_window_exceeded", Stop::ContextFull),
            ("refusal", Stop::Refused),
            ("pause_turn", Stop::Pause),
            ("new", Stop::Other),
        ] {
            assert_eq!(answer(&json!({"content": [], "stop_reason": word})).unwrap().stop, stop);
        }
        assert_eq!(answer(&json!({"content": []})).unwrap().usage, None);
        for wrong in
            [json!({}), json!({"content": [{}]}), json!({"content": [{"type": "tool_use", "id": "a"}]})]
        {
            assert!(matches!(answer(&wrong), Err(Unread::Malformed(_))), "{wrong}");
        }
    }
}
