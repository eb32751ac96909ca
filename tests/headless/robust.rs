//! Broken files, folders that can't be written, two workbenches at once.

use crate::support::Bench;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn broken_files_are_named_and_the_workbench_goes_on() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-01"}));
    bench.give("editor.set", json!({"text": "kept"}));
    bench.give("query.run", json!({"sql": "SELECT 1"}));
    let run = bench.state("/workspace/run").as_str().unwrap().to_owned();
    bench.give("trial.leave", json!({}));
    bench.give("pane.resize", json!({}));
    bench.reopen();
    for file in ["workbench.json", "history.jsonl"] {
        fs::write(bench.folder.path().join(file), b"\xff{").unwrap();
    }
    fs::write(bench.folder.path().join("drafts").join(format!("{run}.json")), "{\"buffers\": 1}").unwrap();
    bench.reopen();
    let notices = bench.state("/notices/all").to_string();
    assert!(
        notices.contains("workbench.json.broken-1") && notices.contains("history.jsonl.broken-1"),
        "{notices}"
    );
    let opened = bench.give("cases.start", json!({"task": "P-01"}));
    assert!(opened["notices"].to_string().contains(".broken-1"), "{opened}");
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "");
}

#[test]
fn a_folder_that_cant_be_written_is_said() {
    let mut bench = Bench::new();
    fs::set_permissions(bench.folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    // Whoever may write everywhere can't see this.
    if fs::write(bench.folder.path().join("probe"), "").is_ok() {
        return;
    }
    let refused = bench.refused("cases.start", json!({"task": "P-01"}));
    assert!(refused.contains("runs"), "{refused}");
    bench.give("cases.find", json!({"text": "okta"}));
    fs::set_permissions(bench.folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn two_workbenches_do_not_disturb_each_other() {
    let mut one = Bench::new();
    one.give("cases.start", json!({"task": "P-01"}));
    one.give("editor.set", json!({"text": "mine"}));
    let mut other = one.beside();
    // What is open in one can't be gone on with in the other.
    let refused = other.refused("cases.start", json!({"task": "P-01"}));
    assert!(refused.contains("another") || refused.contains("somebody"), "{refused}");
    other.give("cases.start", json!({"task": "P-02"}));
    other.give("query.run", json!({"sql": "SELECT 2"}));
    one.give("query.run", json!({"sql": "SELECT 1"}));
    assert_eq!((one.rows(1)["rows"].clone(), other.rows(1)["rows"].clone()), (json!([[1]]), json!([[2]])));
    assert_ne!(one.state("/workspace/run"), other.state("/workspace/run"));
    assert_eq!(one.state("/workspace/submitted"), Value::Null);
    // What could not be opened leaves nothing half open: what was, is gone on with.
    let refused = other.refused("cases.start", json!({"task": "P-01"}));
    assert!(refused.contains("another") || refused.contains("somebody"), "{refused}");
    assert_eq!(other.state("/workspace"), Value::Null);
    assert_eq!(other.state("/page"), "cases");
    other.give("cases.start", json!({"task": "P-02"}));
    other.give("query.run", json!({"sql": "SELECT 3"}));
    assert_eq!(other.rows(1)["rows"], json!([[3]]));
}

#[test]
fn while_a_case_is_being_opened_nothing_else_is_begun() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-01"}));
    bench.give("answer.verdict", json!({"verdict": "yes"}));
    bench.ask(json!({"command": "cases.start", "arguments": {"task": "P-02"}, "wait": false}));
    for (command, arguments) in [
        ("cases.start", json!({"task": "P-02"})),
        ("cases.restart", json!({"task": "P-03"})),
        ("cases.investigate", json!({})),
        ("query.run", json!({"sql": "SELECT 'of the case before'"})),
        ("answer.submit", json!({"now": true})),
        ("trial.leave", json!({})),
    ] {
        let answer = bench.ask(json!({"command": command, "arguments": arguments, "wait": false}));
        assert!(
            answer["error"].as_str().unwrap_or_default().contains("opening the case"),
            "{command}: {answer}"
        );
    }
    bench.ask(json!({"wait": true}));
    assert_eq!(bench.state("/workspace/trial/task"), "P-02");
    assert_eq!(fs::read_dir(bench.folder.path().join("runs")).unwrap().count(), 2);
}

#[test]
fn a_case_that_was_left_for_another_is_gone_on_with() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-01"}));
    bench.give("editor.set", json!({"text": "SELECT 'of the first'"}));
    let run = bench.state("/workspace/run");
    bench.give("cases.start", json!({"task": "P-02"}));
    bench.give("cases.start", json!({"task": "P-01"}));
    assert_eq!(bench.state("/workspace/run"), run);
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT 'of the first'");
}

#[test]
fn an_answer_is_recorded_once_and_as_it_was_given() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    bench.give("answer.verdict", json!({"verdict": "yes"}));
    let submit = json!({"command": "answer.submit", "arguments": {"now": true}, "wait": false});
    bench.ask(submit.clone());
    let again = bench.ask(submit);
    assert!(again["error"].as_str().unwrap_or_default().contains("recording the answer"), "{again}");
    bench.ask(json!({"command": "answer.verdict", "arguments": {"verdict": "no"}, "wait": false}));
    let settled = bench.ask(json!({"wait": true}));
    assert_eq!(settled["error"], Value::Null, "{settled}");
    assert_eq!(bench.state("/workspace/submitted/verdict"), "yes");
    assert_eq!(bench.state("/workspace/answer/verdict"), "yes");
}
