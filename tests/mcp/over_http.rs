//! Trials over HTTP: who is let in, and that several clients do not disturb each other.

use crate::http::{Server, answer, post, send};
use crate::stdio::text;
use crate::support::{ENDLESS, Run, TASK, until_called};
use serde_json::json;
use std::time::{Duration, Instant};

fn server(run: &Run, more: &[&str], trials: usize) -> Server {
    let path = run.path();
    let mut arguments = vec!["mcp", "--http", "--out", path.to_str().unwrap()];
    arguments.extend(more);
    Server::start(run, &arguments, trials)
}

#[test]
fn only_who_has_the_token_and_comes_from_this_machine_is_let_in() {
    let run = Run::new();
    let mut server = server(&run, &["--task", TASK], 1);
    let mut door = server.trials.remove(0);
    let (port, path) = (door.port, door.path());
    let list = door.message("tools/list", &json!({}));
    let bearer = format!("Bearer {}", door.token);
    let own = format!("http://127.0.0.1:{port}");
    for (path, headers, status) in [
        ("/mcp", &[][..], 401),
        ("/", &[], 401),
        ("/mcp/", &[], 401),
        ("/mcp/0123456789abcdef", &[], 401),
        ("/mcp", &[("Authorization", "Bearer 0123456789abcdef")], 401),
        (&path, &[("Authorization", "Bearer 0123456789abcdef")], 401),
        (&format!("{path}x"), &[], 401),
        (&path, &[("Host", "evil.example")], 403),
        (&path, &[("Host", "evil.example:80")], 403),
        (&path, &[("Origin", "http://evil.example")], 403),
        (&path, &[("Origin", "null")], 403),
        (&path, &[("Origin", "http://localhost:1")], 403),
        (&path, &[("Origin", own.as_str())], 200),
        ("/mcp", &[("Authorization", bearer.as_str())], 200),
        (&path, &[("Authorization", bearer.as_str())], 200),
        (&path, &[("Host", "localhost")], 200),
        (&path, &[], 200),
    ] {
        let got = post(port, path, headers, &list);
        assert_eq!(got.status, status, "{path} {headers:?}: {got:?}");
        assert!(status == 200 || !got.body.contains("run_query"), "{got:?}");
    }
    for method in ["GET", "DELETE", "PUT"] {
        assert_eq!(
            answer(send(port, method, &path, &[("Accept", "text/event-stream")], "")).status,
            405,
            "{method}"
        );
    }
    // None of it was work: nothing has begun.
    assert!(!run.path().join("trials").exists());
    // A page elsewhere can't cancel anything either.
    door.submit();
    assert!(server.wait().0.success());
    // The token opened the trial, and is nowhere in what is kept of it.
    let kept =
        std::process::Command::new("grep").args(["-r", "-l", &door.token]).arg(run.path()).output().unwrap();
    assert!(kept.stdout.is_empty());
    assert_eq!(run.trial().ending, "answered");
}

#[test]
fn what_is_no_message_is_refused_and_the_trial_goes_on() {
    let run = Run::new();
    let mut server = server(&run, &["--task", TASK], 1);
    let mut door = server.trials.remove(0);
    let (port, path) = (door.port, door.path());
    for (body, headers) in [
        ("not JSON", &[][..]),
        ("", &[]),
        ("[]", &[]),
        ("{}", &[]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &[("Content-Type", "text/plain")]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &[("Accept", "application/json")]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &[("MCP-Protocol-Version", "1999-01-01")]),
    ] {
        let got = post(port, &path, headers, body);
        assert!((400..500).contains(&got.status), "{body} {headers:?}: {got:?}");
    }
    assert_eq!(post(port, &path, &[], &"x".repeat(11 << 20)).status, 413);
    let unknown = door.message("tools/drop", &json!({}));
    assert!(post(port, &path, &[], &unknown).body.contains("-32601"));
    // A call before anybody has greeted: there are no sessions, so it is as good as any.
    assert_eq!(text(&door.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    door.submit();
    assert_eq!(
        text(&door.query("SELECT 2")),
        "the trial is over (answered): nothing more is taken or recorded"
    );
    assert!(server.wait().0.success());
    assert_eq!(run.trial().of_kind("tool_call").len(), 2);
}

#[test]
fn several_trials_go_on_at_once_each_behind_its_own_door() {
    let run = Run::new();
    let mut server = server(&run, &["--pack", "practice", "--trials", "2"], 24);
    let doors = std::mem::take(&mut server.trials);
    let mut tokens: Vec<&str> = doors.iter().map(|door| door.token.as_str()).collect();
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 24);
    let workers: Vec<_> = doors
        .into_iter()
        .map(|mut door| {
            std::thread::spawn(move || {
                door.greet(&door.task.clone());
                let made = door.query("CREATE TABLE mine AS SELECT 1 AS x");
                assert_eq!(made["isError"], false, "its copy is its own: {made}");
                door.submit();
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    let (status, said) = server.wait();
    assert!(status.success() && said.contains("24 answered"), "{said}");
    for trial in run.trials() {
        let task = trial.events[0]["body"]["trial"]["task"].as_str().unwrap();
        assert_eq!(trial.notes(), [format!("client: {task} 7, protocol 2025-06-18")]);
    }
}

#[test]
fn connections_with_one_token_share_a_trial_whose_calls_are_made_one_after_the_other() {
    let run = Run::new();
    let mut server = server(&run, &["--task", TASK], 1);
    let door = server.trials.remove(0);
    let workers: Vec<_> = (0..4)
        .map(|worker| {
            let mut door = door.clone();
            std::thread::spawn(move || {
                door.greet(&format!("worker {worker}"));
                for number in 0..10 {
                    let sql = format!("SELECT {worker} AS w, {number} AS n");
                    assert_eq!(text(&door.query(&sql)), format!("w\tn\n{worker}\t{number}\n(1 row)"));
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    door.clone().submit();
    server.wait();
    let trial = run.trial();
    let statements: Vec<u64> =
        trial.of_kind("tool_call").iter().filter_map(|it| it["statement"].as_u64()).collect();
    assert!(statements.iter().copied().eq(1..=40), "{statements:?}");
    assert_eq!(trial.notes().len(), 4, "each client is noted");
}

#[test]
fn a_call_is_cancelled_by_a_message_and_by_the_end_of_its_request() {
    let run = Run::new();
    let mut server = server(&run, &["--task", TASK], 1);
    let mut door = server.trials.remove(0);
    let began = Instant::now();
    let slow = json!({"name": "run_query", "arguments": {"sql": ENDLESS}});
    let message = door.message("tools/call", &slow);
    let connection = send(door.port, "POST", &door.path(), &[], &message);
    until_called(&run.path(), 1);
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": door.sent}});
    // From elsewhere it is not heard.
    assert_eq!(
        post(door.port, &door.path(), &[("Origin", "http://evil.example")], &cancel.to_string()).status,
        403
    );
    assert_eq!(post(door.port, &door.path(), &[], &cancel.to_string()).status, 202);
    assert!(answer(connection).body.contains("cancelled"), "an answer all the same");

    let message = door.message("tools/call", &slow);
    let connection = send(door.port, "POST", &door.path(), &[], &message);
    until_called(&run.path(), 2);
    drop(connection);
    assert_eq!(text(&door.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    door.submit();
    server.wait();
    let trial = run.trial();
    let errors: Vec<_> = trial.of_kind("tool_error").into_iter().map(|it| it["error"].clone()).collect();
    assert_eq!(errors, ["cancelled", "cancelled"]);
}

#[test]
fn a_trial_over_http_begins_with_its_client_and_ends_without_a_sign_of_it() {
    let run = Run::new();
    let mut server = server(&run, &["--task", TASK, "--max-idle-seconds", "0.3", "--max-seconds", "30"], 1);
    let mut door = server.trials.remove(0);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(text(&door.query("SELECT 1 AS one")), "one\n1\n(1 row)");
    let (status, said) = server.wait();
    assert!(status.success() && said.contains("1 limit: idle"), "{said}");
    assert_eq!(run.trial().ending, "limit: idle");
}

#[test]
fn progress_over_http_comes_as_events_before_the_answer() {
    let run = Run::new();
    let mut server = server(&run, &["--task", TASK, "--max-statement-seconds", "1.5"], 1);
    let mut door = server.trials.remove(0);
    let params = json!({"name": "run_query", "arguments": {"sql": ENDLESS}, "_meta": {"progressToken": 9}});
    let message = door.message("tools/call", &params);
    let got = post(door.port, &door.path(), &[], &message);
    let events: Vec<serde_json::Value> = got
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(events.len(), 2, "{got:?}");
    assert_eq!(events[0]["params"]["progressToken"], 9);
    assert!(text(&events[1]["result"]).contains("time limit"), "{got:?}");
    door.submit();
    server.wait();
    assert_eq!(run.trial().ending, "answered");
}

#[test]
fn clients_of_older_protocols_work_without_a_session() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let run = Run::new();
        let mut server = server(&run, &["--task", TASK], 1);
        let mut door = server.trials.remove(0);
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}});
        assert_eq!(door.request("initialize", &params)["result"]["protocolVersion"], version);
        // One that was given none sends none, or one that it made up; later ones name their protocol in a header.
        let headers = [("MCP-Protocol-Version", version), ("Mcp-Session-Id", "made-up")];
        let headers = if version < "2025-06-18" { &headers[1..] } else { &headers[..] };
        let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(post(door.port, &door.path(), headers, told).status, 202);
        let call = door
            .message("tools/call", &json!({"name": "run_query", "arguments": {"sql": "SELECT 1 AS one"}}));
        let got = post(door.port, &door.path(), headers, &call);
        assert!(got.status == 200 && got.body.contains("(1 row)"), "{version}: {got:?}");
        door.submit();
        server.wait();
        assert_eq!(run.trial().notes(), [format!("client: old 1, protocol {version}")]);
    }
}
