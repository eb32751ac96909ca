//! Clients that do not keep to the protocol: they get an error or none, and harm nothing.

use crate::stdio::{Client, text};
use crate::support::Run;
use serde_json::{Value, json};

#[test]
fn what_is_not_the_protocol_is_left_out_and_the_trial_goes_on() {
    let run = Run::new();
    let mut client = Client::start(&run, &[]);
    // Before it is greeted: notifications, noise, a request that is out of turn.
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.send("");
    client.send("not JSON at all \u{1b}[31m");
    let early = client.request("tools/call", &json!({"name": "get_schema"}));
    assert_eq!(early["error"]["code"], -32602, "{early}");
    client.greet();
    for noise in [
        "{",
        "\u{0}\u{1}\u{2}",
        "\"text\"",
        "null",
        "[1,2,3]",
        "{}",
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
    ] {
        client.send(noise);
    }
    client.send(&"[".repeat(100_000));
    // Well-formed JSON that is no message is answered with an error that has no id; noise is not answered.
    let mut errors = 0;
    let id = client.ask("ping", &json!({}));
    let answer = loop {
        let answer = client.receive();
        if answer["id"] == json!(id) {
            break answer;
        }
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        errors += 1;
    };
    assert!(answer["result"].is_object() && errors == 5, "{errors}: {answer}");
    assert_eq!(client.request("tools/drop", &json!({}))["error"]["code"], -32601);
    assert_eq!(client.request("initialize", &json!({"protocolVersion": 7})).get("result"), None);
    assert_eq!(text(&client.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    client.submit();
    client.close();
    let trial = run.trial();
    assert_eq!((trial.ending.as_str(), trial.of_kind("tool_call").len()), ("answered", 2));
}

#[test]
fn wrong_arguments_are_named_and_recorded() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    for (tool, arguments, says) in [
        ("run_query", json!({}), "needs `sql`"),
        ("run_query", json!({"sql": 7}), "`sql` must be a text"),
        ("run_query", json!({"sql": "SELECT 1; SELECT 2"}), "holds 2 statements"),
        ("run_query", json!({"sql": "ATTACH 'x' AS y"}), "refused by rule attach"),
        ("submit_answer", json!({"verdict": "yes"}), "needs `answer`"),
        ("submit_answer", json!({"answer": "x", "verdict": "maybe"}), "`verdict` is"),
        ("tools\u{202e}evil", json!({}), "there is no tool"),
    ] {
        let result = client.tool(tool, &arguments);
        assert!(result["isError"] == true && text(&result).contains(says), "{tool} {arguments}: {result}");
    }
    // Arguments that are no object are no call of the protocol.
    let none = client.request("tools/call", &json!({"name": "run_query", "arguments": ["SELECT 1"]}));
    assert!(none["error"]["code"].is_i64(), "{none}");
    client.submit();
    client.close();
    let trial = run.trial();
    assert_eq!((trial.ending.as_str(), trial.of_kind("tool_error").len()), ("answered", 7));
}

#[test]
fn huge_and_deep_messages_are_refused_and_the_next_one_is_heard() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    let long = client.query(&format!("SELECT '{}'", "x".repeat(2 << 20)));
    assert!(long["isError"] == true, "more than a statement may have");
    let longer = client.query(&"x".repeat(5 << 20));
    assert!(text(&longer).contains("longer than 4 MiB"), "{}", text(&longer));
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = Value::Array(vec![deep]);
    }
    assert!(text(&client.tool("run_query", &json!({"sql": deep}))).contains("nested more than 64 deep"));
    // Longer than any message may be: it is left out, and nothing is kept of it.
    client.send(&format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\",\"x\":\"{}\"}}",
        "x".repeat(12 << 20)
    ));
    assert_eq!(text(&client.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    client.submit();
    client.close();
    assert_eq!(run.trial().ending, "answered");
}

#[test]
fn many_calls_at_once_are_made_one_after_the_other_and_too_many_are_turned_away() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-statement-seconds", "1", "--max-calls", "1000"]);
    client.ask("tools/call", &json!({"name": "run_query", "arguments": {"sql": crate::support::ENDLESS}}));
    for number in 0..100 {
        client.ask(
            "tools/call",
            &json!({"name": "run_query", "arguments": {"sql": format!("SELECT {number}")}}),
        );
    }
    let answers: Vec<Value> = (0..101).map(|_| client.receive()).collect();
    let turned_away =
        answers.iter().filter(|it| text(&it["result"]).contains("calls are waiting already")).count();
    assert!((30..=40).contains(&turned_away), "{turned_away}");
    client.submit();
    client.close();
    let trial = run.trial();
    let made = trial.of_kind("tool_call").len();
    assert_eq!((trial.ending.as_str(), made), ("answered", 102 - turned_away));
    let statements: Vec<u64> =
        trial.of_kind("tool_call").iter().filter_map(|it| it["statement"].as_u64()).collect();
    assert!(statements.iter().copied().eq(1..made as u64), "{statements:?}");
}

#[test]
fn a_client_s_name_can_t_steer_what_shows_it() {
    let run = Run::new();
    let mut client = Client::start(&run, &[]);
    let name = format!("\u{1b}]0;owned\u{7}\u{202e}{}", "x".repeat(5000));
    let params = json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": name, "version": "\n"}});
    let answer = client.request("initialize", &params);
    assert!(answer["result"]["protocolVersion"].as_str().unwrap() >= "2024-11-05", "{answer}");
    client.submit();
    let (_, said) = client.close();
    assert!(!said.contains('\u{1b}'), "{said:?}");
    let trial = run.trial();
    assert!(trial.notes()[0].len() < 400, "{}", trial.notes()[0]);
}

#[test]
fn reading_and_greeting_again_and_again_does_not_fill_the_archive() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    for number in 0..200 {
        client.request("resources/read", &json!({"uri": "casebook://schema"}));
        let client_info = json!({"name": format!("client {number}"), "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client_info});
        client.request("initialize", &params);
    }
    client.submit();
    client.close();
    let trial = run.trial();
    let notes = trial.notes();
    assert_eq!(notes.iter().filter(|note| note.contains("casebook://schema")).count(), 1);
    assert_eq!(notes.len(), 32, "{notes:?}");
}
