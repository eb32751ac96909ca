//! Runs of models: stopped, gone on with, many at a time; and a provider that fails for all.

use crate::server::{Manner, Server};
use crate::support::{Desk, refusal};
use crate::words::{Said, Wire};
use casebook::domain::trial::Ending;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const THREE: &[&str] = &["--pack", "visibility", "--task", "V-AWS-01,V-AWS-02,V-AWS-03"];

#[test]
fn ctrl_c_stops_a_request_under_way_and_the_run_goes_on_later() {
    let hangs = Arc::new(AtomicBool::new(true));
    let for_server = Arc::clone(&hangs);
    let server = Server::playing(move |nth, _| {
        let good = Said::text("Done.").reply(Wire::OpenAi, false);
        // The first trial ends, the second one hangs.
        if nth > 0 && for_server.load(Ordering::SeqCst) { good.manner(Manner::HangAt(3)) } else { good }
    });
    let desk =
        Desk::new(Wire::OpenAi, &server.url, "key = { env = \"MY_MODEL\" }", "[context]\nfiles = [\"a.md\"]")
            .variable("MY_MODEL", "sk-canary-0123456789");
    std::fs::write(desk.path().join("a.md"), "Look twice.").unwrap();
    let arguments = ["run", "--actor", "model", "--agent", "agent.toml", "--out", "run", "--jobs", "1"];
    let child = desk
        .command(&[&arguments[..], THREE].concat())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    server.wait_for(2);
    let pid = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("1 of 3 trials are done"), "{said}");
    // What it was told is in the run: the files are not needed any more.
    std::fs::remove_file(desk.path().join("agent.toml")).unwrap();
    std::fs::remove_file(desk.path().join("a.md")).unwrap();
    hangs.store(false, Ordering::SeqCst);
    let printed = desk.call(&["run", "--resume", "run", "--jobs", "1"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    let archive = desk.archive();
    let endings: Vec<_> = archive.trials.iter().map(|trial| (trial.name.number, trial.ending())).collect();
    assert_eq!(endings.iter().filter(|(_, ending)| *ending == Ending::Answered).count(), 3, "{endings:?}");
    assert_eq!(endings.iter().filter(|it| **it == (1, Ending::Interrupted)).count(), 1, "{endings:?}");
    desk.assert_sound();
}

#[test]
fn a_provider_that_refuses_all_stops_the_run_which_goes_on_later() {
    let locked = Arc::new(AtomicBool::new(true));
    let for_server = Arc::clone(&locked);
    let server = Server::playing(move |nth, _| match nth {
        0 => Said::text("Done.").reply(Wire::Anthropic, false),
        _ if for_server.load(Ordering::SeqCst) => refusal(401, "authentication_error", "invalid x-api-key"),
        _ => Said::text("Done.").reply(Wire::Anthropic, false),
    });
    let desk = Desk::new(Wire::Anthropic, &server.url, "", "");
    let printed = desk.run(THREE);
    assert!(
        printed.code == 4
            && printed.err.contains("invalid x-api-key")
            && printed.err.contains("--resume run"),
        "{printed:?}"
    );
    assert_eq!(server.requests().len(), 2);
    locked.store(false, Ordering::SeqCst);
    let printed = desk.call(&["run", "--resume", "run", "--jobs", "2"]);
    assert!(printed.code == 0 && printed.out.contains("3 answered"), "{printed:?}");
    desk.assert_sound();
}

#[test]
fn a_provider_that_is_down_fails_a_few_trials_and_then_the_run() {
    let server = Server::playing(|_, _| refusal(500, "api_error", "down"));
    let desk = Desk::new(Wire::Anthropic, &server.url, "", "");
    let printed = desk.run(&["--pack", "visibility", "--task", "V-AWS-01,V-AWS-02,V-AWS-03,V-AWS-04"]);
    assert!(
        printed.code == 4 && printed.err.contains("gave up after 3 attempt(s): status 500: down"),
        "{printed:?}"
    );
    // Two trials are failures of their own, the third is the provider's.
    assert_eq!(server.requests().len(), 9);
    let endings: Vec<_> = desk.archive().trials.iter().map(casebook::archive::TrialRecord::ending).collect();
    assert_eq!(endings.iter().filter(|ending| **ending == Ending::Error).count(), 2, "{endings:?}");
}

#[test]
fn many_trials_at_a_time_share_one_client() {
    let server = Server::playing(|_, request| {
        // The first step of a trial has no results yet.
        let messages = request.body["messages"].as_array().unwrap().len();
        let said =
            if messages == 2 { Said::query("SELECT count(*) FROM okta_user") } else { Said::text("Done.") };
        said.reply(Wire::OpenAi, true)
    });
    let desk = Desk::new(Wire::OpenAi, &server.url, "stream = true", "");
    let arguments = [
        "run",
        "--actor",
        "model",
        "--agent",
        "agent.toml",
        "--out",
        "run",
        "--jobs",
        "8",
        "--trials",
        "4",
        "--json",
    ];
    let printed = desk.call(&[&arguments[..], THREE].concat());
    assert_eq!(printed.code, 0, "{printed:?}");
    let head: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
    assert_eq!(head["end"]["endings"], json!({"answered": 12}));
    assert_eq!(head["actor"]["kind"], "model");
    assert_eq!(server.requests().len(), 24);
    desk.assert_sound();
}
