//! The workbench line by line, through pipes.

use crate::support::{call, casebook, data};
use std::io::Write as _;
use std::process::Stdio;

/// What a session printed, and its exit code.
fn session(folder: &std::path::Path, lines: &[&str]) -> (String, i32) {
    let mut child = casebook(folder)
        .args(["--plain"])
        .env("CASEBOOK_CONFIG_DIR", folder.join("config"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

/// No escape sequences, no control characters, no drawing of boxes, blocks or Braille: a screen reader reads all of it.
fn assert_plain(text: &str) {
    let odd = text.chars().find(|it| {
        (it.is_control() && *it != '\n') || matches!(*it, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}')
    });
    assert_eq!(odd, None, "{text}");
}

fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("'{part}' is not there, or too early, in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_case_from_finding_to_the_answer() {
    let data = data();
    let lines = [
        "find leavers in aws",
        "open X-01",
        "tables",
        "table hibob_employee",
        "SELECT h.email, u.name",
        "FROM hibob_employee h JOIN aws_identitystore_user u ON lower(u.name) = lower(h.email)",
        "WHERE h.lifecyclestatus = 'Terminated';",
        "row 1",
        "mark 1 2",
        "verdict yes",
        "fact count = 2",
        "answer Two leavers are still there.",
        "review",
        "submit",
        "yes",
        "SELECT 1;",
        "quit",
    ];
    let (out, code) = session(data.path(), &lines);
    assert_eq!(code, 0, "{out}");
    assert_plain(&out);
    assert_in_order(
        &out,
        &[
            "X-01: Leavers in AWS",
            "question: Which leavers",
            "hibob_employee: 75 rows",
            "lifecyclestatus",
            "columns: email, name",
            "1: ",
            "email: ",
            "2 subjects in the answer",
            "verdict: yes",
            "fact: count = 2",
            "answer: Two leavers are still there.",
            "Submit the answer?",
            "is answered, and recorded",
            "error: the case is answered",
        ],
    );
    let (out, _) = session(data.path(), &["find leavers in aws"]);
    assert_in_order(&out, &["X-01: Leavers in AWS", "answered"]);
}

#[test]
fn mistakes_are_answered_and_the_session_goes_on() {
    let data = data();
    let lines = [
        "opne X-01",
        "open X-999",
        "SELECT 1;",
        "mark 1",
        "row 7",
        "more",
        ":no.such",
        ":grid.select row=x",
        "submit",
        "open P-02",
        "SELECT x FROM nowhere;",
        "SELECT char(27) || '[2J' || char(8238) AS a, '' AS b, NULL AS c, '\u{1b}[31m' AS d;",
        "mark x",
    ];
    let (out, code) = session(data.path(), &lines);
    assert_eq!(code, 0, "{out}");
    assert_plain(&out);
    assert_in_order(
        &out,
        &[
            "'opne' is no word here",
            "there is no task 'X-999'",
            "no.such",
            "'x' is no whole number",
            "P-02 began",
            "nowhere",
            "empty text | NULL",
            "'x' is no row number",
        ],
    );
}

#[test]
fn without_a_terminal_the_plain_way_is_named() {
    let printed = call(&[]);
    assert_eq!(printed.code, 3, "{}", printed.err);
    assert!(printed.err.contains("casebook --plain"), "{}", printed.err);
}
