//! A request that is under way stops at once, wherever it waits.

use crate::server::{Manner, Server};
use crate::support::{ask_with, client, refusal, request};
use crate::words::{Said, Wire};
use casebook::provider::{Abort, Asking, ProviderError};
use std::time::{Duration, Instant};

/// Asks in one thread and stops it from another, once the server has the request.
fn stopped(server: &Server, more: &str) -> (ProviderError, Duration) {
    let abort = Abort::default();
    let client = client(Wire::OpenAi, &server.url, more);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let asked = ask_with(&client, &abort);
            (asked, Instant::now())
        });
        server.wait_for(1);
        let told = Instant::now();
        abort.stop();
        let (asked, ended) = asking.join().unwrap();
        (asked.outcome.unwrap_err(), ended.saturating_duration_since(told))
    })
}

#[test]
fn wherever_it_waits_it_stops() {
    let good = Said::text("yes").reply(Wire::OpenAi, false);
    for (what, reply) in [
        ("for the head", good.clone().manner(Manner::HangAt(0))),
        ("for the body", good.clone().manner(Manner::HangAt(9))),
        ("for the next attempt", refusal(429, "rate_limit_error", "later").with("retry-after", "50")),
    ] {
        let server = Server::playing(move |_, _| reply.clone());
        let (error, took) = stopped(&server, "stream = false");
        assert_eq!(error, ProviderError::Stopped, "{what}");
        // Any of these waits would be 50 s or more.
        assert!(took < Duration::from_secs(20), "{what}: {took:?}");
    }
}

#[test]
fn what_was_stopped_before_it_began_sends_nothing() {
    let server = Server::of(Vec::new());
    let abort = Abort::default();
    abort.stop();
    let asked = ask_with(&client(Wire::OpenAi, &server.url, ""), &abort);
    assert_eq!((asked.outcome, server.requests().len()), (Err(ProviderError::Stopped), 0));
}

#[test]
fn time_that_is_over_is_no_timeout_of_the_provider() {
    for reply in [
        Said::text("yes").reply(Wire::OpenAi, false).manner(Manner::HangAt(3)),
        refusal(429, "rate_limit_error", "later").with("retry-after", "50"),
    ] {
        let server = Server::playing(move |_, _| reply.clone());
        let client = client(Wire::OpenAi, &server.url, "");
        let abort = Abort::default();
        let left = Some(Duration::from_millis(50));
        let asked = client.ask(&request(), &Asking { scope: "", seed: 0, left, abort: &abort });
        assert_eq!(asked.outcome, Err(ProviderError::OutOfTime));
    }
}
