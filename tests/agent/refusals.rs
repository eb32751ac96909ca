//! What can't be an answer is named: too long a conversation, other kinds of contents, nonsense, redirects, floods.

use crate::server::{Manner, Reply, Server};
use crate::support::{ask, client, error, refusal};
use crate::words::{Said, WIRES, Wire};
use casebook::provider::ProviderError;
use serde_json::json;

#[test]
fn too_long_a_conversation_is_an_error_of_its_own() {
    let openai = json!({"error": {"message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}});
    for (wire, reply, says) in [
        (Wire::OpenAi, Reply::json(400, &openai), "maximum context length is 8192"),
        (Wire::OpenAi, Reply::json(200, &openai), "maximum context length is 8192"),
        (
            Wire::OpenAi,
            Reply::json(
                400,
                &json!({"error": {"code": 400, "message": "too many", "type": "exceed_context_size_error"}}),
            ),
            "too many",
        ),
        (
            Wire::Anthropic,
            refusal(400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"),
            "213462 tokens > 200000",
        ),
        (Wire::Anthropic, refusal(413, "request_too_large", "prompt is too long"), "prompt is too long"),
    ] {
        let server = Server::of(vec![reply]);
        let asked = ask(&client(wire, &server.url, ""));
        assert!(matches!(asked.outcome, Err(ProviderError::ContextOverflow { .. })), "{asked:?}");
        let error = error(&asked);
        assert!(error.contains(says) && error.contains("nothing was cut"), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn contents_of_another_kind_are_named_with_their_beginning() {
    for wire in WIRES {
        for stream in [false, true] {
            let server = Server::of(vec![Reply::new(
                200,
                "text/html; charset=utf-8",
                "<html><body>Log in\n first</body>",
            )]);
            let error = error(&ask(&client(wire, &server.url, &format!("stream = {stream}"))));
            assert!(error.contains("answered with text/html; charset=utf-8 in place of"), "{error}");
            assert!(error.contains("<html><body>Log in first</body>"), "{error}");
        }
    }
}

#[test]
fn nonsense_is_named_and_not_asked_again() {
    for (wire, stream, kind, body, says) in [
        (Wire::OpenAi, false, "application/json", b"{\"choices\": [".to_vec(), "EOF while parsing"),
        (Wire::OpenAi, false, "application/json", b"{\"choices\": []}".to_vec(), "it has no choices"),
        (Wire::OpenAi, false, "application/json", b"".to_vec(), "it begins: (nothing)"),
        (
            Wire::OpenAi,
            true,
            "text/event-stream",
            b"data: {\"choices\": ]\n\n".to_vec(),
            "a piece of the stream is no JSON",
        ),
        (Wire::Anthropic, false, "application/json", b"{\"content\": 7}".to_vec(), "it has no content"),
        (
            Wire::Anthropic,
            true,
            "text/event-stream",
            b"data: nope\n\n".to_vec(),
            "a piece of the stream is no JSON",
        ),
        (Wire::OpenAi, false, "application/json", b"\xff\xfe{}".to_vec(), "it is no UTF-8"),
        (Wire::OpenAi, false, "application/json", "[".repeat(100_000).into_bytes(), "recursion limit"),
    ] {
        let server = Server::of(vec![Reply::new(200, kind, body)]);
        let asked = ask(&client(wire, &server.url, &format!("stream = {stream}")));
        assert!(matches!(asked.outcome, Err(ProviderError::Malformed { .. })), "{asked:?}");
        let error = error(&asked);
        assert!(error.contains(says) && error.len() < 1500, "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn nobody_is_followed_elsewhere() {
    let elsewhere = Server::of(vec![Said::text("gotcha").reply(Wire::OpenAi, false)]);
    for status in [301, 302, 307, 308] {
        let server = Server::of(vec![Reply::new(status, "text/plain", "").with("location", &elsewhere.url)]);
        let error = error(&ask(&client(Wire::OpenAi, &server.url, "")));
        assert!(error.contains("redirects are not followed") && error.contains(&elsewhere.url), "{error}");
    }
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn a_flood_is_stopped() {
    // One more than is taken, in chunks of a megabyte.
    let body = vec![b' '; (32 << 20) + 1];
    let chunks = (1..32).map(|nth| nth << 20).collect();
    let server = Server::of(vec![Reply::new(200, "application/json", body).manner(Manner::Chunks(chunks))]);
    let asked = ask(&client(Wire::OpenAi, &server.url, ""));
    assert!(
        matches!(asked.outcome, Err(ProviderError::TooLarge { limit }) if limit == 32 << 20),
        "{:?}",
        error(&asked)
    );
}
