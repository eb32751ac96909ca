//! Limits of a trial end it, and nothing is asked that may not be.

use crate::server::{Reply, Server};
use crate::support::{Desk, saying};
use crate::words::{Said, WIRES, Wire};
use serde_json::json;

#[test]
fn an_endless_loop_ends_by_its_limits() {
    for wire in WIRES {
        for (limits, says, requests) in [
            (["--max-steps", "3"], "limit: steps", 3),
            (["--max-calls", "5"], "limit: tool calls", 3),
            (["--max-tokens", "2100"], "limit: tokens", 2),
            (["--max-cost", "0.0041"], "limit: cost", 2),
        ] {
            let server = Server::playing(move |_, _| {
                Said::query("SELECT 1").and("get_schema", &json!({})).reply(wire, true)
            });
            let price = "price = { input = 2.0, output = 10.0 }";
            let desk = Desk::new(wire, &server.url, &format!("stream = true\n{price}"), "");
            let printed = desk.run(&limits);
            assert!(printed.code == 0 && printed.out.contains(&format!("1 {says}")), "{printed:?}");
            assert_eq!(
                server.requests().len(),
                requests,
                "{says}: a step that may not be made is not paid for"
            );
            desk.assert_sound();
        }
    }
}

#[test]
fn time_ends_a_request_under_way() {
    let server = Server::playing(|_, _| {
        Said::text("late").reply(Wire::OpenAi, false).manner(crate::server::Manner::HangAt(3))
    });
    let desk = Desk::new(Wire::OpenAi, &server.url, "", "");
    let printed = desk.run(&["--max-seconds", "0.3"]);
    assert!(printed.code == 0 && printed.out.contains("1 limit: time"), "{printed:?}");
    assert_eq!(desk.kinds().last(), Some(&"ended"));
}

#[test]
fn a_budget_that_can_t_be_held_is_refused() {
    let server = Server::of(Vec::new());
    let desk = Desk::new(Wire::OpenAi, &server.url, "", "");
    let printed = desk.run(&["--max-cost", "1"]);
    assert!(
        printed.code == 3 && printed.err.contains("--max-cost can't be held: no price is known for model at"),
        "{printed:?}"
    );
    assert!(!desk.run_folder().exists());
    std::fs::write(
        desk.path().join("prices.toml"),
        "as_of = \"2026-01-01\"\n[hosts.\"127.0.0.1\"]\nother = { input = 1, output = 1 }\n",
    )
    .unwrap();
    let printed = desk.run(&["--max-cost", "1", "--prices", "prices.toml"]);
    assert_eq!(printed.code, 3, "{printed:?}");
    std::fs::write(desk.path().join("prices.toml"), "hosts = 3").unwrap();
    let printed = desk.run(&["--prices", "prices.toml"]);
    assert!(printed.code == 3 && printed.err.contains("prices.toml holds no prices"), "{printed:?}");
}

#[test]
fn a_price_table_of_one_s_own_counts() {
    let server = saying(Wire::OpenAi, false, &[Said::text("done")]);
    let desk = Desk::new(Wire::OpenAi, &server.url, "", "");
    std::fs::write(
        desk.path().join("prices.toml"),
        "as_of = \"2026-01-01\"\n[hosts.\"127.0.0.1\"]\nmodel = { input = 100, output = 1000 }\n",
    )
    .unwrap();
    let printed = desk.run(&["--max-cost", "1", "--prices", "prices.toml"]);
    assert!(printed.code == 0 && printed.out.contains("$0.1500"), "{printed:?}");
    assert_eq!(desk.archive().run.actor.settings["price"]["as_of"], "2026-01-01");
}

/// A provider that does not count can't be held to a budget of what it counts.
#[test]
fn tokens_that_nobody_counts_can_t_be_limited() {
    let silent = json!({"choices": [{"message": {"role": "assistant", "content": "", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "get_schema", "arguments": "{}"}},
    ]}, "finish_reason": "tool_calls"}]});
    let server = Server::playing(move |_, _| Reply::json(200, &silent));
    let desk = Desk::new(Wire::OpenAi, &server.url, "", "");
    let printed = desk.run(&["--max-tokens", "10"]);
    assert!(printed.out.contains("1 error"), "{printed:?}");
    assert!(desk.words("error")[0].contains("a limit of tokens can't be held"));
    assert!(printed.out.contains("tokens: unknown in, unknown out; cost unknown"), "{printed:?}");
}

/// An answer that was cut is never taken for one.
#[test]
fn cut_answers_and_full_contexts_are_errors() {
    for (wire, word, says) in [
        (Wire::OpenAi, "length", "was cut (stop reason length)"),
        (Wire::Anthropic, "max_tokens", "was cut (stop reason max_tokens)"),
        (Wire::Anthropic, "model_context_window_exceeded", "filled the model's context"),
    ] {
        for said in [Said::text("The answer is"), Said::query("SELECT 1")] {
            let server = saying(wire, false, &[said.stopping(word)]);
            let desk = Desk::new(wire, &server.url, "", "");
            let printed = desk.run(&[]);
            assert!(printed.out.contains("1 error"), "{printed:?}");
            assert!(desk.words("error")[0].contains(says), "{:?}", desk.words("error"));
            assert!(!desk.kinds().contains(&"answer") && !desk.kinds().contains(&"tool_call"));
        }
        let desk_of = |reply: Reply| {
            let server = Server::of(vec![reply]);
            let desk = Desk::new(wire, &server.url, "", "");
            let printed = desk.run(&[]);
            (desk, printed)
        };
        let (desk, printed) = desk_of(crate::support::refusal(
            400,
            "invalid_request_error",
            "prompt is too long: 9 tokens > 8 maximum",
        ));
        assert!(printed.out.contains("does not fit the model's context"), "{printed:?}");
        // What was sent and what came is kept all the same.
        assert!(desk.words("note")[0].contains("prompt is too long: 9 tokens"), "{:?}", desk.words("note"));
    }
}
