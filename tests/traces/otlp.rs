//! OTLP spans, as one request, as many, with values as text and structured, with old names.

use crate::support::{expected, is_sound, of_bytes, open, reasoning, run_error, tool_errors, trials, usage};
use casebook::archive::import::Strictness;
use casebook::domain::foreign::{ForeignBody, ForeignFormat, ForeignTrial, Mark};
use serde_json::{Value, json};

#[test]
fn every_trace_gives_what_is_in_it() {
    let all = expected("expected.json");
    for name in ["otel/traces.otlp.json", "otel/traces.otlp.jsonl"] {
        let file = open(name);
        assert_eq!(file.log().format, ForeignFormat::Otlp);
        let found = trials(name);
        assert_eq!(json!(found.len()), all["otel"]["traces"], "{name}");
        for expected in all["otel"]["runs"].as_array().unwrap() {
            let (trial, loss) =
                found.iter().find(|(trial, _)| json!(trial.facts.task_id) == expected["id"]).unwrap();
            is_sound(trial);
            assert!(loss.deviations.is_empty(), "{loss:?}");
            assert_eq!(json!(trial.facts.epoch), expected["epoch"]);
            assert_eq!(json!(trial.model_steps().count()), expected["model_steps"], "{name}");
            assert_eq!(json!(trial.tool_calls().count()), expected["tool_calls"], "{name}");
            assert_eq!(json!(tool_errors(trial).len()), expected["tool_errors"], "{name} {}", expected["id"]);
            assert_eq!(json!(reasoning(trial)), expected["reasoning_blocks"], "{name}");
            assert_eq!(json!(trial.queries().collect::<Vec<_>>()), expected["queries"], "{name}");
            assert_eq!(json!(trial.answer()), expected["final_answer"], "{name}");
            assert_eq!(json!(run_error(trial)), expected["error"], "{name}");
            assert_eq!(usage(trial), expected["usage"], "{name}");
            let scores = trial.events.iter().filter(|it| matches!(it.body, ForeignBody::Score(_))).count();
            assert_eq!(json!(scores), expected["evaluation_events"], "{name}");
            assert!(trial.facts.revision.as_deref().unwrap().starts_with("sha256:8e2e7f8c"));
        }
    }
}

/// A trial without the places in its source.
fn plain(mut trial: ForeignTrial) -> ForeignTrial {
    for event in &mut trial.events {
        event.raw = casebook::domain::foreign::RawPointer::default();
    }
    trial
}

#[test]
fn split_requests_and_structured_values_change_nothing() {
    let whole: Vec<ForeignTrial> =
        trials("otel/traces.otlp.json").into_iter().map(|it| plain(it.0)).collect();
    let mut split: Vec<ForeignTrial> =
        trials("otel/traces.otlp.jsonl").into_iter().map(|it| plain(it.0)).collect();
    split.sort_by_key(|trial| whole.iter().position(|it| it.facts.id == trial.facts.id));
    assert_eq!(whole, split);
    assert_eq!(whole[0], plain(trials("otel/vis-001_anyvalue.otlp.json").remove(0).0));
}

fn span(id: &str, parent: &str, start: u64, attributes: &Value, events: &Value) -> Value {
    let attribute = |(key, value): (&String, &Value)| {
        let value = match value {
            Value::String(text) => json!({"stringValue": text}),
            Value::Number(number) => json!({"intValue": number.to_string()}),
            other => panic!("{other}"),
        };
        json!({"key": key, "value": value})
    };
    let list = |map: &Value| map.as_object().unwrap().iter().map(attribute).collect::<Vec<_>>();
    let events: Vec<Value> = events
        .as_array()
        .unwrap()
        .iter()
        .map(|it| json!({"name": it["name"], "timeUnixNano": "5000000", "attributes": list(&it["attributes"])}))
        .collect();
    json!({"traceId": "t", "spanId": id, "parentSpanId": parent, "name": id, "startTimeUnixNano": start.to_string(),
        "endTimeUnixNano": (start + 1_000_000).to_string(), "attributes": list(attributes), "events": events})
}

fn request(spans: &[Value]) -> String {
    json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).to_string()
}

#[test]
fn old_names_and_messages_as_events_are_read() {
    let chat = span(
        "chat",
        "",
        1_000_000,
        &json!({
            "gen_ai.system": "openai", "gen_ai.request.model": "m", "gen_ai.usage.prompt_tokens": 7,
            "gen_ai.usage.completion_tokens": 2
        }),
        &json!([
            {"name": "gen_ai.system.message", "attributes": {"content": "be brief"}},
            {"name": "gen_ai.user.message", "attributes": {"content": "how many?"}},
            {"name": "gen_ai.choice", "attributes": {"finish_reason": "tool_calls", "message":
                "{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"c1\", \"type\": \"function\", \"function\": {\"name\": \"run_query\", \"arguments\": \"{\\\"sql\\\": \\\"SELECT 1\\\"}\"}}]}"}},
        ]),
    );
    let next = span(
        "next",
        "",
        3_000_000,
        &json!({"gen_ai.system": "openai", "gen_ai.request.model": "m",
        "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "how many?",
        "gen_ai.prompt.1.role": "tool", "gen_ai.prompt.1.content": "1", "gen_ai.prompt.1.tool_call_id": "c1",
        "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "One."}),
        &json!([]),
    );
    let file = of_bytes(request(&[next, chat]).as_bytes(), Strictness::Strict).unwrap();
    let (trial, _) = file.trial(0).unwrap();
    is_sound(&trial);
    let kinds: Vec<&str> = trial.events.iter().map(|it| it.body.kind()).collect();
    assert_eq!(
        kinds,
        ["system_prompt", "user_message", "model_step", "tool_call", "tool_result", "model_step", "answer"]
    );
    assert_eq!(trial.queries().collect::<Vec<_>>(), ["SELECT 1"]);
    assert_eq!((trial.usage().input, trial.usage().output), (Some(7), Some(2)));
    assert_eq!(trial.answer(), Some("One."));
    assert_eq!(trial.events[4].parent, Some(4));
}

#[test]
fn judges_copies_and_steps_without_words_are_told() {
    let chat = span(
        "chat",
        "",
        1_000_000,
        &json!({"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}),
        &json!([]),
    );
    let evaluator = span("grade", "", 4_000_000, &json!({"gen_ai.operation.name": "evaluate"}), &json!([]));
    let judge = span(
        "judge",
        "grade",
        5_000_000,
        &json!({"gen_ai.operation.name": "chat", "gen_ai.request.model": "j",
        "gen_ai.output.messages": "[{\"role\": \"assistant\", \"parts\": [{\"type\": \"text\", \"content\": \"GRADE: C\"}]}]"}),
        &json!([]),
    );
    let tool = span(
        "tool",
        "",
        2_000_000,
        &json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "run_query",
        "gen_ai.tool.call.arguments": "{\"sql\": \"SELECT 2\"}", "gen_ai.tool.call.result": "2"}),
        &json!([]),
    );
    let bytes = request(&[judge, chat.clone(), evaluator, chat, tool]);
    let (trial, loss) = of_bytes(bytes.as_bytes(), Strictness::Lenient).unwrap().trial(0).unwrap();
    is_sound(&trial);
    assert_eq!(trial.model_steps().count(), 1);
    assert_eq!(crate::support::marked(&trial, Mark::Judge), 1);
    assert_eq!(loss.missing["words of a model step"], 1);
    assert!(loss.deviations[0].what.contains("exported twice"), "{loss:?}");
    // A tool's span without an id is its own call and its own result.
    assert_eq!(trial.queries().collect::<Vec<_>>(), ["SELECT 2"]);
    let call = trial.events.iter().find(|it| it.body.kind() == "tool_call").unwrap();
    assert!(trial.outcome(call.seq).is_some());
}
