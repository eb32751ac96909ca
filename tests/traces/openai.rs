//! Chat Completions messages and Responses items.

use crate::support::{expected, is_sound, of_bytes, reasoning, run_error, trials};
use casebook::archive::import::Strictness;
use casebook::domain::foreign::EndState::{Done, Error, Unknown};
use casebook::domain::foreign::{EndState, ForeignBody, ForeignFormat, Mark};
use serde_json::json;

#[test]
fn every_line_gives_what_is_in_it() {
    let all = expected("expected.json");
    for (name, format) in [
        ("openai/chat.jsonl", ForeignFormat::OpenaiChat),
        ("openai/responses.jsonl", ForeignFormat::OpenaiResponses),
    ] {
        assert_eq!(crate::support::open(name).log().format, format);
        let found = trials(name);
        assert_eq!(json!(found.len()), all["openai"]["lines"]);
        for ((trial, loss), expected) in found.iter().zip(all["openai"]["runs"].as_array().unwrap()) {
            is_sound(trial);
            assert_eq!(json!(trial.facts.task_id), expected["id"]);
            assert_eq!(json!(trial.facts.epoch), expected["epoch"]);
            assert_eq!(json!(trial.model_steps().count()), expected["model_steps"], "{name}");
            assert_eq!(json!(trial.tool_calls().count()), expected["tool_calls"], "{name}");
            assert_eq!(json!(reasoning(trial)), expected["reasoning_blocks"], "{name}");
            assert_eq!(json!(trial.queries().collect::<Vec<_>>()), expected["queries"], "{name}");
            assert_eq!(json!(trial.answer()), expected["final_answer"], "{name}");
            assert_eq!(json!(run_error(trial)), expected["error"], "{name}");
            // Nobody recorded usage: that is no 0.
            assert_eq!(trial.usage().input, None);
            assert!(loss.missing.contains_key("usage of a model step"), "{loss:?}");
            assert_eq!(trial.facts.tools.len(), if format == ForeignFormat::OpenaiChat { 2 } else { 0 });
        }
        let ends: Vec<EndState> = found.iter().map(|(trial, _)| trial.facts.end_state).collect();
        assert_eq!(ends, [Done, Done, Done, Done, Error, Unknown, Done], "{name}");
    }
}

#[test]
fn arguments_that_are_no_json_and_ids_that_come_twice_are_kept_and_told() {
    let line = json!({"messages": [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "run_query", "arguments": "{\"sql\": "}},
            {"id": "c", "type": "function", "function": {"name": "run_query", "arguments": "{\"sql\": \"SELECT 2\"}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "one"},
        {"role": "tool", "tool_call_id": "c", "content": "two"},
        {"role": "tool", "tool_call_id": "d", "content": "three"},
        {"role": "tool", "content": "four"},
        {"role": "critic", "content": "five"},
    ]});
    let file = of_bytes(line.to_string().as_bytes(), Strictness::Lenient).unwrap();
    let (trial, loss) = file.trial(0).unwrap();
    is_sound(&trial);
    let calls: Vec<_> = trial.tool_calls().collect();
    assert_eq!(calls[0].raw_arguments.as_deref(), Some("{\"sql\": "));
    assert_eq!(calls[1].sql(), Some("SELECT 2"));
    let links: Vec<(Option<u64>, Vec<Mark>)> = trial
        .events
        .iter()
        .filter(|event| matches!(event.body, ForeignBody::ToolResult(_)))
        .map(|event| (event.parent, event.marks.clone()))
        .collect();
    let unlinked = (None, vec![Mark::Unlinked]);
    assert_eq!(links, [(Some(3), vec![]), (Some(4), vec![]), unlinked.clone(), unlinked]);
    assert_eq!(loss.deviation_count(), 4, "{loss:?}");
    assert_eq!(loss.dropped["content[image_url]"], 1);
    assert!(of_bytes(line.to_string().as_bytes(), Strictness::Strict).is_err());
}

#[test]
fn other_shapes_of_the_same_are_known() {
    let messages = json!([{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]);
    let items = json!([{"type": "message", "role": "user", "content": "q"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}]);
    let pretty = serde_json::to_string_pretty(&json!({"messages": messages})).unwrap();
    let many = json!([{"messages": messages}, {"messages": messages}]).to_string();
    let response = json!({"id": "r", "model": "m", "instructions": "s", "input": "q", "output": [items[1]],
        "usage": {"input_tokens": 3, "output_tokens": 1, "input_tokens_details": {"cached_tokens": 2}}});
    for (text, trials) in
        [(messages.to_string(), 1), (items.to_string(), 1), (pretty, 1), (many, 2), (response.to_string(), 1)]
    {
        let file = of_bytes(text.as_bytes(), Strictness::Strict).unwrap();
        assert_eq!(file.log().trials.len(), trials, "{text}");
        let (trial, _) = file.trial(trials - 1).unwrap();
        assert_eq!(trial.answer(), Some("a"), "{text}");
        assert!(
            trial
                .events
                .iter()
                .any(|it| matches!(&it.body, ForeignBody::UserMessage { text } if text == "q"))
        );
    }
    let file = of_bytes(response.to_string().as_bytes(), Strictness::Strict).unwrap();
    let totals = file.trial(0).unwrap().0.facts.totals.unwrap();
    assert_eq!((totals.input, totals.cached), (Some(3), Some(2)));
}
