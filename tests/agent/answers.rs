//! Answers in both wire shapes, whole and in pieces: what is asked, and what is understood.

use crate::server::{Manner, Server};
use crate::support::{ask, ask_with, client, client_with, request};
use crate::words::{Said, WIRES, Wire};
use casebook::domain::trace::Usage;
use casebook::provider::{Abort, Part, Stop};
use serde_json::json;

fn said() -> Said {
    Said { text: "Ich schäue.".into(), ..Said::query("SELECT 'é€😀'").and("get_schema", &json!({})) }
        .thinking("Höm, let me see.")
}

#[test]
fn words_thinking_calls_and_counts_arrive_in_every_manner() {
    for wire in WIRES {
        for stream in [false, true] {
            let server = Server::of(vec![said().reply(wire, stream)]);
            let client = client(wire, &server.url, &format!("stream = {stream}"));
            let answer = ask(&client).outcome.unwrap();
            assert_eq!(answer.text(), "Ich schäue.", "{wire:?} {stream}");
            assert_eq!(answer.parts[0], Part::Reasoning { text: "Höm, let me see.".into(), redacted: false });
            let calls: Vec<_> = answer.calls().map(|call| (call.name.as_str(), &call.arguments)).collect();
            assert_eq!(calls, [("run_query", &json!({"sql": "SELECT 'é€😀'"})), ("get_schema", &json!({}))]);
            assert_eq!((answer.stop, answer.model.as_deref()), (Stop::Calls, Some("model-2026")));
            let usage = Usage {
                input: Some(1000),
                output: Some(50),
                cached: Some(400),
                reasoning: (wire == Wire::OpenAi).then_some(20),
                cost: None,
            };
            assert_eq!(
                (answer.usage, answer.cache_written),
                (Some(usage), (wire == Wire::Anthropic).then_some(100))
            );
        }
    }
}

#[test]
fn what_is_asked_is_what_the_shape_wants() {
    let server = Server::playing(|nth, _| {
        Said::text("yes").reply(if nth == 0 { Wire::OpenAi } else { Wire::Anthropic }, false)
    });
    let more = "headers = { X-Title = \"casebook\" }\nextra = { top_p = 0.5, metadata = { a = [1] } }\n[sampling]\ntemperature = 0.25\nmax_tokens = 77\nreasoning_effort = \"low\"\n";
    let openai = client_with(
        Wire::OpenAi,
        &format!("{}/v1", server.url),
        &format!("{more}seed = 3"),
        Some("sk-test-12345"),
        None,
    );
    let anthropic = client_with(
        Wire::Anthropic,
        &server.url,
        &format!("cache_prompt = true\n{more}thinking_tokens = 2048"),
        Some("sk-test-12345"),
        None,
    );
    assert_eq!(ask(&openai).outcome.unwrap().text(), "yes");
    assert_eq!(ask(&anthropic).outcome.unwrap().text(), "yes");
    let requests = server.requests();
    let (one, other) = (&requests[0], &requests[1]);
    assert_eq!(one.path, "/v1/chat/completions");
    assert_eq!(one.header("authorization"), Some("Bearer sk-test-12345"));
    assert_eq!((one.header("x-title"), one.header("x-api-key")), (Some("casebook"), None));
    let tool = json!({"name": "run_query", "description": "Runs.", "parameters": {"type": "object"}});
    assert_eq!(
        one.body,
        json!({
            "model": "model", "temperature": 0.25, "max_tokens": 77, "seed": 3, "reasoning_effort": "low",
            "top_p": 0.5, "metadata": {"a": [1]},
            "messages": [{"role": "system", "content": "You look."}, {"role": "user", "content": "What is there?"}],
            "tools": [{"type": "function", "function": tool}],
        })
    );
    assert_eq!(other.path, "/v1/messages");
    assert_eq!((other.header("x-api-key"), other.header("authorization")), (Some("sk-test-12345"), None));
    assert_eq!(other.header("anthropic-version"), Some("2023-06-01"));
    let cache = json!({"type": "ephemeral"});
    assert_eq!(
        other.body,
        json!({
            "model": "model", "temperature": 0.25, "max_tokens": 77, "top_p": 0.5, "metadata": {"a": [1]},
            "thinking": {"type": "enabled", "budget_tokens": 2048}, "output_config": {"effort": "low"},
            "system": [{"type": "text", "text": "You look.", "cache_control": cache}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "What is there?", "cache_control": cache}]}],
            "tools": [{"name": "run_query", "description": "Runs.", "input_schema": {"type": "object"}}],
        })
    );
    assert_eq!(openai.body(&request()), one.body.to_string());
}

/// A chunk ends at each byte of the stream in turn, characters of several bytes included.
#[test]
fn a_stream_split_at_every_byte_is_the_same_stream() {
    for wire in WIRES {
        let whole = said().reply(wire, true);
        let length = whole.body.len();
        let for_server = whole.clone();
        let server = Server::playing(move |nth, _| {
            let at = if nth > length { (0..length).collect() } else { vec![nth] };
            for_server.clone().manner(Manner::Chunks(at))
        });
        let client = client(wire, &server.url, "stream = true");
        let expected = ask(&client).outcome.unwrap();
        assert_eq!(expected.calls().count(), 2);
        // The last one comes byte by byte.
        for at in 1..=length + 1 {
            assert_eq!(ask(&client).outcome.as_ref(), Ok(&expected), "{wire:?} at {at}");
        }
    }
}

#[test]
fn a_stream_ends_with_its_last_event_though_the_connection_stays_open() {
    for wire in WIRES {
        let reply = said().reply(wire, true);
        let length = reply.body.len();
        let mut longer = reply;
        // It promises more than it sends.
        longer.body.extend(b": and more");
        let server = Server::of(vec![longer.manner(Manner::HangAt(length))]);
        let client = client(wire, &server.url, "stream = true");
        assert_eq!(ask(&client).outcome.unwrap().text(), "Ich schäue.");
    }
}

#[test]
fn a_server_that_does_not_stream_though_asked_is_understood() {
    for wire in WIRES {
        let server = Server::of(vec![said().reply(wire, false)]);
        let client = client(wire, &server.url, "stream = true");
        let asked = ask_with(&client, &Abort::default());
        assert_eq!(asked.outcome.unwrap().text(), "Ich schäue.");
        assert_eq!(server.requests()[0].body["stream"], true);
    }
}
