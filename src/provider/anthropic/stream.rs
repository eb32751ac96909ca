//! Joining the pieces of an answer to the answer that would have come whole.

use crate::provider::message::arguments;
use crate::provider::sse::SseEvent;
use crate::provider::wire::{Unread, error_in, piece};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Where a call keeps arguments that are no JSON; its input, which goes back, must be an object.
pub(super) const UNPARSED: &str = "unparsed_input";

/// A block that is being joined, and the text of its input so far.
struct Block {
    block: Map<String, Value>,
    input: String,
}

/// The whole answer.
pub(in crate::provider) fn joined(events: &[SseEvent]) -> Result<Value, Unread> {
    let malformed = |reason: String| Unread::Malformed(reason);
    let mut whole = Map::new();
    let mut blocks: BTreeMap<u64, Block> = BTreeMap::new();
    let mut stopped = false;
    for event in events {
        let piece = piece(event)?;
        if let Some(error) = error_in(&piece) {
            return Err(Unread::Reported(error));
        }
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or(0);
        match piece.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                let message = piece.get("message").and_then(Value::as_object);
                whole =
                    message.cloned().ok_or_else(|| malformed("message_start holds no message".to_owned()))?;
            }
            Some("content_block_start") => {
                let block = piece.get("content_block").and_then(Value::as_object);
                let block =
                    block.cloned().ok_or_else(|| malformed("a block begins without a block".to_owned()))?;
                blocks.insert(index, Block { block, input: String::new() });
            }
            Some("content_block_delta") => {
                let block = blocks.get_mut(&index).ok_or_else(|| {
                    malformed(format!("a piece belongs to block {index}, which never began"))
                })?;
                block.add(piece.get("delta").unwrap_or(&Value::Null));
            }
            Some("message_delta") => {
                let reason = piece.pointer("/delta/stop_reason").filter(|reason| !reason.is_null());
                if let Some(reason) = reason {
                    whole.insert("stop_reason".to_owned(), reason.clone());
                }
                let usage = whole.entry("usage").or_insert_with(|| json!({}));
                let told = piece.get("usage").and_then(Value::as_object).into_iter().flatten();
                for (name, count) in told.filter(|(_, count)| !count.is_null()) {
                    usage[name.as_str()] = count.clone();
                }
            }
            Some("message_stop") => {
                stopped = true;
                break;
            }
            _ => {}
        }
    }
    if !stopped || whole.get("stop_reason").is_none_or(Value::is_null) {
        return Err(Unread::Cut("the stream ended before its end".to_owned()));
    }
    whole.insert("content".to_owned(), blocks.into_values().map(Block::whole).collect());
    Ok(Value::Object(whole))
}

impl Block {
    fn add(&mut self, delta: &Value) {
        let text = |name: &str| delta.get(name).and_then(Value::as_str).unwrap_or_default();
        match delta.get("type").and_then(Value::as_str) {
            Some("text_delta") => self.append("text", text("text")),
            Some("thinking_delta") => self.append("thinking", text("thinking")),
            Some("signature_delta") => self.append("signature", text("signature")),
            Some("input_json_delta") => self.input.push_str(text("partial_json")),
            _ => {}
        }
    }

    fn append(&mut self, name: &str, more: &str) {
        match self.block.get_mut(name) {
            Some(Value::String(text)) => text.push_str(more),
            _ => {
                self.block.insert(name.to_owned(), more.into());
            }
        }
    }

    fn whole(mut self) -> Value {
        if !self.input.is_empty() {
            match arguments(&self.input) {
                Value::Object(input) => {
                    self.block.insert("input".to_owned(), Value::Object(input));
                }
                other => {
                    self.block.insert("input".to_owned(), json!({}));
                    self.block.insert(UNPARSED.to_owned(), other);
                }
            }
        }
        Value::Object(self.block)
    }
}

#[cfg(test)]
mod tests {
    use super::joined;
    use crate::provider::anthropic::answer;
    use crate::provider::sse::events;
    use crate::provider::wire::Unread;
    use serde_json::json;

    const STREAM: &str = r#"event: message_start
data: {"type":"message_start","message":{"model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":4,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"run_query","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"sql\": \"S"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"ELECT 1\"}"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

"#;

    #[test]
    fn pieces_join_to_the_whole() {
        let whole = joined(&events(STREAM)).unwrap();
        assert_eq!(whole["content"][0], json!({"type": "thinking", "thinking": "Hm", "signature": "c2ln"}));
        assert_eq!(whole["content"][1]["input"], json!({"sql": "SELECT 1"}));
        let answer = answer(&whole).unwrap();
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output), (Some(14), Some(9)));
    }

    #[test]
    fn arguments_that_are_no_json_stay_a_text() {
        let broken = STREAM.replace("ELECT 1\\\"}", "ELECT 1");
        let answer = answer(&joined(&events(&broken)).unwrap()).unwrap();
        assert_eq!(answer.calls().next().unwrap().arguments, json!("{\"sql\": \"SELECT 1"));
        assert_eq!(
            answer.turn["content"][1],
            json!({"type": "tool_use", "id": "t", "name": "run_query", "input": {}})
        );
    }

    #[test]
    fn a_stream_that_ends_early_is_no_answer() {
        for at in ["event: message_stop", "event: message_delta"] {
            let cut = &STREAM[..STREAM.find(at).unwrap()];
            assert!(matches!(joined(&events(cut)), Err(Unread::Cut(_))), "{at}");
        }
        let lost = STREAM.replace("\"index\":1,\"delta\"", "\"index\":7,\"delta\"");
        assert!(matches!(joined(&events(&lost)), Err(Unread::Malformed(_))));
        let error = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
        assert!(
            matches!(joined(&events(error)), Err(Unread::Reported(error)) if error.status() == Some(529))
        );
    }
}
