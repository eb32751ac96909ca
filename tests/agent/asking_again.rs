//! What fails for a time is asked again, as often and after such waits as the settings say.

use crate::server::{Manner, Reply, Server};
use crate::support::{ask, client, error, refusal};
use crate::words::{Said, WIRES, Wire};
use casebook::provider::ProviderError;
use std::net::TcpListener;

/// Refused, broken, cut in three ways, then answered.
fn troubles(wire: Wire, stream: bool) -> Vec<Reply> {
    let good = Said::text("At last.").reply(wire, stream);
    let length = good.body.len();
    vec![
        refusal(429, "rate_limit_error", "slow down").with("retry-after", "0"),
        Reply::new(503, "text/html", "<h1>busy</h1>"),
        refusal(529, "overloaded_error", "Overloaded"),
        good.clone().manner(Manner::CutAt(0)),
        good.clone().manner(Manner::CutAt(length - 1)),
        good,
    ]
}

#[test]
fn trouble_that_passes_is_waited_out_and_told() {
    for wire in WIRES {
        for stream in [false, true] {
            let server = Server::of(troubles(wire, stream));
            let more = format!("stream = {stream}\n[retry]\nattempts = 6\nfirst_wait_seconds = 0.001");
            let asked = ask(&client(wire, &server.url, &more));
            assert_eq!(asked.outcome.unwrap().text(), "At last.");
            let again: Vec<&str> = asked.attempts.iter().filter_map(|it| it.again.as_deref()).collect();
            assert_eq!((again.len(), asked.attempts.len(), server.requests().len()), (5, 6, 6));
            assert!(
                again[0].starts_with(
                    "attempt 1: status 429: slow down; asked again after 0.0 s, as the provider asked"
                ),
                "{}",
                again[0]
            );
            assert!(again[1].contains("status 503: <h1>busy</h1>"), "{}", again[1]);
            assert!(again[2].contains("status 529: Overloaded"), "{}", again[2]);
            assert!(again[3].contains("the connection was cut"), "{}", again[3]);
            assert!(again[4].contains("the connection was cut"), "{}", again[4]);
            // All six are kept, the cut one as far as it came.
            let cut = asked.attempts[4].exchange.response.as_ref().unwrap();
            assert!(!cut.body.is_empty() && cut.status == Some(200));
        }
    }
}

/// Whole by HTTP, and still not the whole answer.
#[test]
fn a_stream_that_stops_without_its_end_is_asked_again() {
    for wire in WIRES {
        let good = Said::text("The whole answer.").reply(wire, true);
        let text = String::from_utf8(good.body.clone()).unwrap();
        // In the middle of the words.
        let mut short = good.clone();
        short.body.truncate(text.find("answer.").unwrap());
        let at = text.rfind("\n\n").unwrap();
        let before_end = text[..at].rfind("\n\n").unwrap();
        let mut endless = good.clone();
        endless.body.truncate(if wire == Wire::Anthropic {
            before_end
        } else {
            text.find("finish_reason\":\"stop").map_or(0, |at| text[..at].rfind("\n\n").unwrap())
        });
        let server = Server::of(vec![short, endless, good]);
        let asked = ask(&client(wire, &server.url, "stream = true"));
        assert_eq!(asked.outcome.unwrap().text(), "The whole answer.");
        let again = asked.attempts[1].again.as_deref().unwrap();
        assert!(again.contains("the stream ended before its end"), "{again}");
        let again = asked.attempts[0].again.as_deref().unwrap();
        assert!(again.contains("the stream ended in the middle of an event"), "{again}");
    }
}

#[test]
fn an_error_inside_of_a_good_answer_counts_as_one() {
    let inside = Reply::new(
        200,
        "text/event-stream",
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
    );
    let server = Server::of(vec![inside, Said::text("yes").reply(Wire::Anthropic, true)]);
    let asked = ask(&client(Wire::Anthropic, &server.url, "stream = true"));
    assert_eq!((asked.outcome.unwrap().text().as_str(), asked.attempts.len()), ("yes", 2));
}

#[test]
fn a_wait_that_is_too_long_is_cut_and_said() {
    let server = Server::of(vec![
        refusal(429, "rate_limit_error", "come back").with("retry-after", "3600"),
        refusal(429, "rate_limit_error", "come back")
            .with("date", "Sun, 06 Nov 1994 08:49:30 GMT")
            .with("retry-after", "Sun, 06 Nov 1994 09:49:30 GMT"),
        Said::text("yes").reply(Wire::OpenAi, false),
    ]);
    let more = "[retry]\nfirst_wait_seconds = 0.001\nlongest_wait_seconds = 0.01";
    let asked = ask(&client(Wire::OpenAi, &server.url, more));
    assert_eq!(asked.outcome.unwrap().text(), "yes");
    for attempt in &asked.attempts[..2] {
        let again = attempt.again.as_deref().unwrap();
        assert!(
            again.contains("the provider asked for 3600.0 s; retry.longest_wait_seconds is less"),
            "{again}"
        );
    }
}

#[test]
fn trouble_that_stays_is_given_up_and_named() {
    let server = Server::playing(|_, _| refusal(500, "api_error", "something broke"));
    let asked =
        ask(&client(Wire::Anthropic, &server.url, "[retry]\nattempts = 3\nfirst_wait_seconds = 0.001"));
    assert_eq!(error(&asked), "gave up after 3 attempt(s): status 500: something broke");
    assert_eq!(server.requests().len(), 3);
    // Nobody listens there.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let asked = ask(&client(
        Wire::OpenAi,
        &format!("http://{port}"),
        "[retry]\nattempts = 2\nfirst_wait_seconds = 0.001",
    ));
    let error = error(&asked);
    assert!(error.contains("gave up after 2 attempt(s): no connection to http://127.0.0.1"), "{error}");
    assert!(error.contains("refused"), "{error}");
}

#[test]
fn what_is_too_slow_is_a_timeout() {
    let good = Said::text("yes").reply(Wire::OpenAi, false);
    let server = Server::of(vec![
        good.clone().manner(Manner::HangAt(5)),
        good.clone().manner(Manner::HangAt(5)),
        good,
    ]);
    let more = "[retry]\nattempts = 3\nfirst_wait_seconds = 0.001\n[timeouts]\nidle_seconds = 0.05\ntotal_seconds = 60.0";
    let asked = ask(&client(Wire::OpenAi, &server.url, more));
    assert_eq!(asked.outcome.unwrap().text(), "yes");
    assert!(asked.attempts[1].again.as_deref().unwrap().contains("timeout: nothing more within 0.05 s"));
    let silent =
        Server::playing(|_, _| Said::text("yes").reply(Wire::OpenAi, false).manner(Manner::HangAt(0)));
    let more = "[retry]\nattempts = 1\nfirst_wait_seconds = 0.001\n[timeouts]\ntotal_seconds = 0.05";
    let error = error(&ask(&client(Wire::OpenAi, &silent.url, more)));
    assert!(error.contains("timeout: no whole answer within 0.05 s"), "{error}");
}

#[test]
fn what_waiting_would_not_mend_is_asked_once() {
    for (reply, status) in [
        (refusal(400, "invalid_request_error", "no such parameter"), 400),
        (refusal(401, "authentication_error", "no"), 401),
        (refusal(404, "not_found_error", "no such model"), 404),
        (refusal(429, "insufficient_quota", "you have no money"), 429),
        (Reply::json(200, &serde_json::json!({"error": {"message": "no", "code": 403}})), 403),
    ] {
        let server = Server::of(vec![reply]);
        let asked = ask(&client(Wire::OpenAi, &server.url, ""));
        assert!(
            matches!(asked.outcome, Err(ProviderError::Refused { status: it, .. }) if it == status),
            "{asked:?}"
        );
        assert_eq!(server.requests().len(), 1);
    }
}
