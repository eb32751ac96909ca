//! `casebook analyze`: the oracle through the binary, and input that is no request.

use crate::support::{call, call_with_input};
use serde_json::{Value, json};
use std::path::Path;

fn oracle(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracle/sql_structure")
        .join(name)
        .to_str()
        .unwrap()
        .to_owned()
}

#[test]
fn the_oracle_is_exact_line_by_line() {
    let cases = std::fs::read(oracle("cases.jsonl")).unwrap();
    let printed = call_with_input(&["analyze", "--schema", &oracle("schema.sql")], &cases);
    assert_eq!(printed.code, 0, "{}", printed.err);
    let cases = String::from_utf8(cases).unwrap();
    assert_eq!(printed.out.lines().count(), 150);
    for (case, found) in cases.lines().zip(printed.out.lines()) {
        let case: Value = serde_json::from_str(case).unwrap();
        let found: Value = serde_json::from_str(found).unwrap();
        for key in ["id", "verdict"] {
            assert_eq!(found[key], case[key], "{found}");
        }
        if case["verdict"] == "run" {
            assert_eq!((&found["rule"], &found["analysis"]), (&Value::Null, &json!("complete")), "{found}");
            for key in ["tables", "joins", "soft_joins"] {
                assert_eq!(found[key], case[key], "{}: {key}", case["id"]);
            }
        } else {
            assert!(found["rule"].is_string() && found["message"].is_string(), "{found}");
        }
    }
}

#[test]
fn statements_as_arguments_are_numbered() {
    let printed = call(&["analyze", "SELECT login FROM okta_user", "BEGIN"]);
    let lines: Vec<Value> = printed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["id"], &lines[0]["tables"]), (&json!(1), &json!(["okta_user"])));
    assert_eq!((&lines[1]["id"], &lines[1]["rule"]), (&json!(2), &json!("transaction")));
    assert!(printed.out.starts_with("{\"id\":1,\"verdict\":\"run\",\"rule\":null,"), "{}", printed.out);
}

#[test]
fn a_line_that_is_no_request_is_named_and_the_others_answered() {
    let input = b"{\"id\": {\"a\": [1]}, \"sql\": \"SELECT 1\"}\n\nnot json\n{\"id\": 3}\n\xff\n{\"sql\": \"SELECT 2\"}";
    let printed = call_with_input(&["analyze"], input);
    assert_eq!(printed.code, 3);
    let ids: Vec<Value> =
        printed.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(ids, [json!({"a": [1]}), Value::Null]);
    for wanted in [
        "line 3 of standard input: it is not JSON",
        "line 4 of standard input: it has no text under \"sql\"",
        "line 5 of standard input: it is not JSON",
        "3 of 6 line(s) were no request",
    ] {
        assert!(printed.err.contains(wanted), "{}", printed.err);
    }
}

#[test]
fn a_line_without_end_is_not_kept() {
    let mut input = b"{\"id\": 1, \"sql\": \"SELECT 1\"}\n".to_vec();
    input.resize(input.len() + (20 << 20), b'x');
    input.extend_from_slice(b"\n{\"id\": 3, \"sql\": \"SELECT 3\"}\n");
    let printed = call_with_input(&["analyze"], &input);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("line 2 of standard input is longer than 8 MiB"), "{}", printed.err);
    assert_eq!(printed.out.lines().count(), 2);
}

#[test]
fn a_schema_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (path, wanted) in [
        (file("bad.sql", b"CREATE TABLE t("), "incomplete input"),
        (file("latin.sql", b"CREATE TABLE \xe4(x)"), "it is not UTF-8"),
        (file("attach.sql", b"ATTACH '/tmp/never-made.db' AS x"), "too many attached databases"),
        ("no-such-file.sql".to_owned(), "No such file"),
    ] {
        let printed = call(&["analyze", "--schema", &path, "SELECT 1"]);
        assert_eq!((printed.code, printed.out.as_str()), (3, ""));
        assert!(printed.err.contains(wanted) && printed.err.contains(".sql"), "{}", printed.err);
    }
    // No tables at all is a schema, too.
    let printed = call(&["analyze", "--schema", &file("empty.sql", b"-- nothing"), "SELECT 1"]);
    assert_eq!(printed.code, 0, "{}", printed.err);
}
