//! Signals: the archive is sound, and what was interrupted is made again.

use crate::http::Server;
use crate::stdio::Client;
use crate::support::{ENDLESS, Run, until_called};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_signal_stops_the_statement_at_once_and_the_trial_is_made_again() {
    for signal in [Signal::TERM, Signal::INT] {
        let run = Run::new();
        let mut client = Client::greeted(&run, &[]);
        client.ask("tools/call", &json!({"name": "run_query", "arguments": {"sql": ENDLESS}}));
        until_called(&run.path(), 1);
        let began = Instant::now();
        kill_process(Pid::from_child(&client.child), signal).unwrap();
        let (status, said) = client.wait();
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        assert!(status.code() == Some(130) && said.contains("casebook mcp --resume"), "{status}: {said}");
        assert_eq!(run.stopped_trial().ending, "interrupted");

        let mut client = Client::of(&run, &["mcp", "--resume", run.path().to_str().unwrap()]);
        client.greet();
        client.submit();
        client.close();
        let endings: Vec<String> = run.trials().into_iter().map(|trial| trial.ending).collect();
        assert_eq!(endings, ["interrupted", "answered"]);
    }
}

#[test]
fn a_killed_server_leaves_whole_lines_and_its_trial_is_made_again() {
    let run = Run::new();
    let mut client = Client::greeted(&run, &[]);
    client.query("SELECT 1");
    client.child.kill().unwrap();
    client.wait();
    let (said, code) = run.call(&["verify", run.path().to_str().unwrap()]);
    assert!(code == 1 && said.contains("it was stopped after this line"), "{said}");
    let mut client = Client::of(&run, &["mcp", "--resume", run.path().to_str().unwrap()]);
    client.greet();
    client.submit();
    client.close();
    assert_eq!(run.trials().len(), 2);
}

#[test]
fn trials_to_which_nobody_came_are_not_begun_and_wait_for_the_next_time() {
    let run = Run::new();
    let path = run.path();
    let folder = path.to_str().unwrap();
    let mut server =
        Server::start(&run, &["mcp", "--http", "--task", "V-AWS-04,V-AWS-01", "--out", folder], 2);
    server.trials[0].greet("by hand");
    server.trials[0].query("SELECT 1");
    kill_process(Pid::from_child(&server.child), Signal::TERM).unwrap();
    let (status, said) = server.wait();
    assert!(status.code() == Some(130) && said.contains("--http --resume"), "{status}: {said}");
    let interrupted = run.stopped_trial();
    assert_eq!(interrupted.ending, "interrupted");

    let mut server = Server::start(&run, &["mcp", "--http", "--resume", folder], 2);
    for trial in &mut server.trials {
        trial.greet("again");
        trial.submit();
    }
    assert!(server.wait().0.success());
    let mut endings: Vec<String> = run.trials().into_iter().map(|trial| trial.ending).collect();
    endings.sort();
    assert_eq!(endings, ["answered", "answered", "interrupted"]);
    let (said, code) = run.call(&["mcp", "--http", "--resume", folder]);
    assert!(code == 3 && said.contains("has ended"), "{said}");
}
