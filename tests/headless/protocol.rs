//! The protocol itself: the greeting, ids, mistakes, what can be got.

use crate::support::Bench;
use casebook::workbench::command::all;
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

fn talk(lines: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_casebook"))
        .arg("headless")
        .env("CASEBOOK_DATA_DIR", folder.path())
        .env("CASEBOOK_CONFIG_DIR", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_is_answered_with_its_id() {
    let answers = talk(
        "{\"id\":\"a\",\"get\":\"state\",\"path\":\"/page\"}\nnonsense\n\n{\"id\":[1],\"command\":\"no.such\"}\n{\"id\":4,\"command\":\"workbench.quit\"}\n{\"id\":5,\"wait\":true}\n",
    );
    assert_eq!(answers[0]["protocol"], 1);
    assert_eq!((&answers[1]["id"], &answers[1]["value"]), (&json!("a"), &json!("cases")));
    assert!(answers[2]["error"].as_str().unwrap().contains("no JSON"));
    assert_eq!(answers[3]["id"], json!([1]));
    assert!(answers[3]["error"].as_str().unwrap().contains("no.such"));
    assert_eq!((&answers[4]["ended"], answers.len()), (&json!(true), 5), "nothing is answered after the end");
}

#[test]
fn arguments_are_checked() {
    let mut bench = Bench::new();
    assert!(bench.refused("cases.filter", json!({})).contains("'by' is missing"));
    assert!(bench.refused("cases.filter", json!({"by": "colour"})).contains("one of pack"));
    assert!(bench.refused("cases.filter", json!({"by": "pack", "speed": 1})).contains("no argument 'speed'"));
    assert!(bench.refused("cases.filter", json!({"by": "pack", "value": "none"})).contains("there are"));
    assert!(bench.refused("grid.sort", json!({})).contains("there is a result"));
}

#[test]
fn what_there_is_can_be_got() {
    let mut bench = Bench::new();
    let commands = bench.ask(json!({"get": "commands"}))["value"].clone();
    let count: usize = all().iter().map(|group| group.commands.len()).sum();
    assert_eq!(commands.as_array().unwrap().len(), count);
    for command in commands.as_array().unwrap() {
        jsonschema::validator_for(&command["arguments"]).unwrap();
    }
    assert!(bench.ask(json!({"get": "keys"}))["value"].as_array().unwrap().len() > 100);
    assert!(bench.ask(json!({"get": "weather"}))["error"].as_str().unwrap().contains("state, rows"));
    assert!(
        bench.ask(json!({"get": "state", "path": "/no/such"}))["error"]
            .as_str()
            .unwrap()
            .contains("/no/such")
    );
}

#[test]
fn a_statement_can_be_waited_for_or_cancelled() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-01"}));
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let answer = bench.ask(json!({"command": "query.run", "arguments": {"sql": endless}, "wait": false}));
    assert_eq!(answer["settled"], false);
    let answer = bench.give("query.cancel", json!({}));
    assert!(answer["notices"][0]["text"].as_str().unwrap().contains("cancelled"), "{answer}");
    bench.give("query.run", json!({"sql": "SELECT 1"}));
    assert_eq!(bench.rows(1)["rows"], json!([[1]]));
}

#[test]
fn the_worked_session_of_the_page_is_what_happens() {
    let page = include_str!("../../docs/headless.md");
    let session =
        page.split("<!-- session -->").nth(1).expect("a session").split("```").nth(1).expect("a block");
    let (mut asked, mut wanted) = (String::new(), Vec::new());
    for line in session.lines().skip(1) {
        match line.strip_prefix("> ") {
            Some(request) => asked.extend([request, "\n"]),
            None => wanted.push(line.strip_prefix("< ").expect("a line in or out").to_owned()),
        }
    }
    let got: Vec<Value> = talk(&asked);
    for (line, got) in wanted.iter().zip(&got) {
        let wanted: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(*got, wanted);
    }
    assert_eq!(got.len(), wanted.len());
}
