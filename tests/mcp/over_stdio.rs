//! One trial for the client on standard input and output: how it goes, and every way in which it ends.

use crate::stdio::{Client, text};
use crate::support::{ENDLESS, Run, until_called};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_case_is_solved_and_everything_is_recorded() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    let schema = client.tool("get-schema", &json!({}));
    assert!(text(&schema).starts_with("organisation: ") && schema["isError"] == false);
    assert_eq!(schema["structuredContent"]["tables"].as_array().unwrap().len(), 44);
    let rows = client.query("SELECT 7 AS n, NULL AS none, x'01' AS raw");
    assert_eq!(text(&rows), "n\tnone\traw\n7\t\\N\tx'01'\n(1 row)");
    let data = &rows["structuredContent"];
    assert_eq!(data["rows"], json!([[7, null, {"blob": "01"}]]));
    assert_eq!((&data["row_count"], &data["truncated"]), (&json!(1), &json!(false)));
    let answer = json!({"verdict": "yes", "subjects": ["a", "b"], "facts": {"n": 2}, "answer": "Two."});
    assert_eq!(client.tool("submit-answer", &answer)["structuredContent"], json!({"accepted": true}));
    let late = client.query("SELECT 1");
    assert_eq!(text(&late), "the trial is over (answered): nothing more is taken or recorded");
    assert_eq!(late["isError"], true);
    // The archive is complete while the client is still there.
    let trial = run.trial();
    let (status, said) = client.close();
    assert!(status.success() && said.contains("1 answered"), "{said}");
    assert_eq!(
        (trial.ending.as_str(), trial.of_kind("answer")[0]["subjects"].as_u64()),
        ("answered", Some(2))
    );
    assert_eq!(trial.notes(), ["client: by hand 7, protocol 2025-06-18"]);
    let kinds: Vec<&str> = trial.events.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    let calls = [
        "tool_call",
        "tool_result",
        "tool_call",
        "tool_result",
        "tool_call",
        "answer",
        "tool_result",
        "ended",
    ];
    assert_eq!(kinds[..4], ["brief", "system_prompt", "user_message", "note"]);
    assert_eq!(kinds[4..], calls);
    let (shown, _) = run.call(&["runs", "show", run.path().to_str().unwrap()]);
    assert!(shown.contains("actor      mcp (not confined to the tools)"), "{shown}");
}

#[test]
fn two_tools_give_text_alone_and_take_no_answer() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--tools", "two"]);
    let tools = client.request("tools/list", &json!({}))["result"]["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 2);
    assert!(tools.as_array().unwrap().iter().all(|tool| tool.get("outputSchema").is_none()));
    let rows = client.query("SELECT 7 AS n");
    assert_eq!((text(&rows), rows.get("structuredContent")), ("n\n7\n(1 row)", None));
    assert!(text(&client.submit()).contains("there is no tool 'submit_answer'"));
    assert!(client.close().0.success());
    let trial = run.trial();
    assert_eq!(trial.ending, "error");
    assert!(trial.error.contains("this protocol does not carry it"), "{}", trial.error);
}

#[test]
fn what_a_client_reads_is_noted_and_what_is_shown_is_bounded() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    let brief = client.request("resources/read", &json!({"uri": "casebook://brief"}));
    assert!(brief["result"]["contents"][0]["text"].as_str().unwrap().contains("MFA device"));
    let prompt = client.request("prompts/get", &json!({"name": "brief"}));
    assert!(prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("`run_query`"));
    assert_eq!(
        client.request("resources/read", &json!({"uri": "file:///etc/passwd"}))["error"]["code"],
        -32002
    );
    assert_eq!(client.request("prompts/get", &json!({"name": "x"}))["error"]["code"], -32602);
    let many = client.query("SELECT a.id FROM okta_user a, okta_user b");
    let data = &many["structuredContent"];
    assert_eq!((data["rows"].as_array().unwrap().len(), &data["truncated"]), (200, &json!(true)));
    let long = client.query("SELECT printf('%.*c', 900000, 'x') AS x");
    assert!(long.to_string().len() < 40_000, "{}", long.to_string().len());
    client.submit();
    client.close();
    assert_eq!(
        run.trial().notes()[1..],
        ["the client reads casebook://brief", "the client reads the prompt"]
    );
}

#[test]
fn a_client_that_is_quiet_for_too_long_ends_its_trial() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-idle-seconds", "0.3"]);
    client.query("SELECT 1");
    let (status, said) = client.wait();
    assert!(status.success() && said.contains("1 limit: idle"), "{said}");
    assert_eq!(run.trial().ending, "limit: idle");
}

#[test]
fn a_trial_begins_when_the_client_begins_to_work() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-idle-seconds", "0.2", "--max-seconds", "30"]);
    // Longer than it may be quiet: but it has not begun.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(text(&client.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    client.submit();
    client.close();
    assert_eq!(run.trial().ending, "answered");
}

#[test]
fn limits_end_a_trial_during_a_call_and_between_calls() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-calls", "2"]);
    client.query("SELECT 1");
    client.query("SELECT 2");
    let third = client.query("SELECT 3");
    assert!(third["isError"] == true && text(&third).contains("limit: tool calls"), "{third}");
    assert!(text(&client.submit()).contains("the trial is over"), "the limit ended it");
    client.close();
    assert_eq!(run.trial().ending, "limit: tool calls");

    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-seconds", "0.4"]);
    client.query("SELECT 1");
    let began = Instant::now();
    let over = loop {
        // A listing is no call: it does not look at limits, so the trial ends by itself.
        client.request("tools/list", &json!({}));
        let said = std::fs::read_to_string(run.path().join("run.json")).unwrap();
        if said.contains("limit: time") {
            break client.query("SELECT 2");
        }
        assert!(began.elapsed() < crate::support::PATIENCE);
    };
    assert!(text(&over).contains("limit: time"), "{over}");
    client.close();
    assert_eq!(run.trial().ending, "limit: time");
}

#[test]
fn a_cancelled_call_stops_at_once_and_one_that_waits_is_not_made() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    let slow = client.ask("tools/call", &json!({"name": "run_query", "arguments": {"sql": ENDLESS}}));
    let waiting =
        client.ask("tools/call", &json!({"name": "run_query", "arguments": {"sql": "SELECT 'never'"}}));
    until_called(&run.path(), 1);
    let began = Instant::now();
    for id in [waiting, slow] {
        client.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
                .to_string(),
        );
    }
    // What was cancelled is not answered: the next answer is that of the next request.
    assert_eq!(text(&client.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    client.submit();
    client.close();
    let trial = run.trial();
    assert_eq!((trial.ending.as_str(), trial.of_kind("tool_call").len()), ("answered", 3));
    let [stopped] = trial.of_kind("tool_error")[..] else { panic!("one error") };
    assert_eq!(stopped["error"], "cancelled");
}

#[test]
fn progress_is_told_if_it_is_wanted() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-statement-seconds", "2.5"]);
    let meta = json!({"progressToken": "p-1"});
    let id =
        client.ask("tools/call", &json!({"name": "run_query", "arguments": {"sql": ENDLESS}, "_meta": meta}));
    for seconds in 1..=2 {
        let told = client.receive();
        assert_eq!(
            (&told["method"], &told["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("p-1"))
        );
        assert_eq!(
            (told["params"]["progress"].as_f64(), told["params"]["total"].as_f64()),
            (Some(f64::from(seconds)), Some(2.5))
        );
    }
    let answer = client.receive();
    assert!(answer["id"] == id && text(&answer["result"]).contains("time limit"), "{answer}");
    client.submit();
    client.close();
    assert_eq!(run.trial().ending, "answered");
}

#[test]
fn the_end_of_stdin_in_the_middle_of_a_call_ends_the_trial_after_it() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &["--max-statement-seconds", "0.5"]);
    client.ask("tools/call", &json!({"name": "run_query", "arguments": {"sql": ENDLESS}}));
    until_called(&run.path(), 1);
    let (status, said) = client.close();
    assert!(status.success() && said.contains("1 error"), "{said}");
    let trial = run.trial();
    assert_eq!(trial.error, "the client left without an answer: it closed the connection");
    assert_eq!(trial.of_kind("tool_error")[0]["error"], "limit");
}

#[test]
fn a_client_that_reads_no_more_has_left() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    client.query("SELECT 1");
    client.stop_reading();
    // The first answer ends our reader, the second one meets the closed pipe.
    for _ in 0..2 {
        client.ask("tools/call", &json!({"name": "get_schema"}));
        std::thread::sleep(Duration::from_millis(200));
    }
    let (status, _) = client.wait();
    assert!(status.success());
    assert_eq!(run.trial().error, "the client left without an answer: it reads no answers any more");
}

#[test]
fn a_connection_that_is_closed_at_once_is_an_attempt_without_an_answer() {
    let run = Run::new();
    let (status, _) = Client::start(&run, &[]).close();
    assert!(status.success());
    assert_eq!(
        run.trial().error,
        "the client left without an answer: it closed the connection before it began"
    );
}

#[test]
fn what_can_t_be_served_is_said_before_anything_is_written() {
    let run = Run::new();
    for (arguments, says) in [
        (&["mcp"][..], "one trial: name one task"),
        (&["mcp", "--task", "V-AWS-04,V-AWS-01"], "one trial: name one task"),
        (&["mcp", "--task", "NO-1"], "no task 'NO-1'"),
        (&["mcp", "--task", "V-AWS-04", "--max-idle-seconds", "1e300"], "give a number above 0"),
        (&["mcp", "--task", "V-AWS-04", "--max-seconds", "0"], "a limit of 0 is none"),
        (&["mcp", "--resume", "/nowhere"], "/nowhere"),
        (&["run", "--actor", "command", "--", "no-such-program"], "there is no program 'no-such-program'"),
    ] {
        let (said, code) = run.call(arguments);
        assert!(code == 3 && said.contains(says), "{arguments:?}: {code} {said}");
    }
    let (said, code) = run.call(&["mcp", "--task", "V-AWS-04", "--trials", "2"]);
    assert!(code == 2 && said.contains("--http"), "{said}");
    assert!(!run.beside("data").join("runs").exists());
}

#[test]
fn every_protocol_that_is_in_use_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let run = Run::new();
        let mut client = Client::start(&run, &[]);
        let client_info = json!({"name": "old", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client_info});
        let answer = client.request("initialize", &params);
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(client.submit()["isError"], false);
        client.close();
        assert_eq!(run.trial().notes(), [format!("client: old 1, protocol {version}")]);
    }
    // The current one has no greeting: each request says all that it takes.
    let run = Run::new();
    let mut client = Client::start(&run, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "new", "version": "2"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = json!({"name": "submit_answer", "arguments": {"answer": "None."}, "_meta": meta});
    let answer = client.request("tools/call", &call);
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    client.close();
    assert_eq!(run.trial().notes(), ["client: new 2, protocol 2026-07-28"]);
}
