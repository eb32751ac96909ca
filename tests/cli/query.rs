//! `casebook query`.

use crate::support::{call, call_with_input, casebook, data};
use std::process::Stdio;

#[test]
fn each_form_prints_the_same_result() {
    let sql =
        "SELECT name, NULL AS missing, x'00ff' AS bytes, 1.0 AS one FROM okta_group ORDER BY name LIMIT 2";
    let table = call(&["query", sql]);
    assert_eq!(
        table.out,
        "name         missing  bytes    one\n───────────  ───────  ───────  ───\nAWS-Admins   NULL     x'00ff'  1.0\n\
         AWS-Billing  NULL     x'00ff'  1.0\n"
    );
    assert!(table.err.starts_with("2 rows in "), "{}", table.err);
    assert_eq!(
        call(&["query", "--csv", sql]).out,
        "name,missing,bytes,one\r\nAWS-Admins,,x'00ff',1.0\r\nAWS-Billing,,x'00ff',1.0\r\n"
    );
    assert_eq!(
        call(&["query", "--tsv", sql]).out,
        "name\tmissing\tbytes\tone\nAWS-Admins\t\\N\tx'00ff'\t1.0\nAWS-Billing\t\\N\tx'00ff'\t1.0\n"
    );
    let json: serde_json::Value = serde_json::from_str(&call(&["query", "--json", sql]).out).unwrap();
    assert_eq!(json["columns"], serde_json::json!(["name", "missing", "bytes", "one"]));
    assert_eq!(json["rows"][1], serde_json::json!(["AWS-Billing", null, {"blob": "00ff"}, 1.0]));
    assert_eq!((&json["row_count"], &json["truncated"]), (&2.into(), &serde_json::Value::Null));
}

#[test]
fn fields_that_need_quoting_are_quoted() {
    let sql = "SELECT 'a,\"b\"' AS c, 'x' || char(9, 10, 92) AS t";
    assert_eq!(call(&["query", "--csv", sql]).out, "c,t\r\n\"a,\"\"b\"\"\",\"x\t\n\\\"\r\n");
    assert_eq!(call(&["query", "--csv", "SELECT NULL AS n, '' AS e"]).out, "n,e\r\n,\"\"\r\n");
    assert_eq!(call(&["query", "--tsv", sql]).out, "c\tt\na,\"b\"\tx\\t\\n\\\\\n");
}

#[test]
fn escape_sequences_in_data_never_reach_a_terminal_raw() {
    let printed = call(&["query", "SELECT char(27) || '[2J' || char(8238) AS x"]);
    assert_eq!(
        printed.out,
        "x\n────────────────\n␛[2J‹U+202E›\n".replace("────────────────", "────────────")
    );
}

#[test]
fn today_is_the_release_date_and_a_write_is_forgotten() {
    assert!(call(&["query", "--csv", "SELECT date('now') AS d"]).out.contains("2026-06-30"));
    let printed = call(&["query", "DELETE FROM okta_user"]);
    assert_eq!((printed.code, printed.out.as_str()), (0, ""));
    assert!(printed.err.starts_with("80 rows changed"), "{}", printed.err);
    assert!(call(&["query", "--csv", "SELECT count(*) FROM okta_user"]).out.contains("80"));
}

#[test]
fn refusals_errors_and_limits_have_code_3_and_say_what_to_do() {
    for (sql, wanted) in [
        ("ATTACH 'x' AS y", "refused by rule attach"),
        ("SELECT nope FROM okta_user", "no such column: nope\n  SELECT nope FROM okta_user\n         ^"),
        ("SELECT\n  1,\n  nope", "no such column: nope\n    nope\n    ^"),
        ("SELECT ?", "write the values themselves"),
        ("", "refused by rule empty_statement"),
    ] {
        let printed = call(&["query", sql]);
        assert_eq!((printed.code, printed.out.as_str()), (3, ""), "{sql}");
        assert!(printed.err.contains(wanted), "{sql}: {}", printed.err);
    }
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    let printed = call(&["query", "--timeout", "0.2", endless]);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("the time limit of 0.2 s was reached"), "{}", printed.err);
}

#[test]
fn a_cut_result_is_said() {
    let printed = call(&["query", "--rows", "3", "SELECT id FROM okta_user"]);
    assert!(
        printed.err.starts_with("3 rows, stopped at the limit of 3 rows; there are more in "),
        "{}",
        printed.err
    );
    let json: serde_json::Value =
        serde_json::from_str(&call(&["query", "--json", "--rows", "3", "SELECT id FROM okta_user"]).out)
            .unwrap();
    assert_eq!(json["truncated"], serde_json::json!({"rows": 3}));
}

#[test]
fn the_statement_can_come_from_standard_input() {
    let printed = call_with_input(&["query", "--csv", "-"], b"-- from a file\nSELECT 'caf\xc3\xa9' AS x;\n");
    assert_eq!(printed.out, "x\r\ncaf\u{e9}\r\n");
    let printed = call_with_input(&["query", "-"], b"SELECT '\xff'");
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("standard input"), "{}", printed.err);
    let printed = call_with_input(&["query", "-"], &vec![b' '; 3 << 20]);
    assert!(printed.err.contains("refused by rule statement_too_long"), "{}", printed.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let data = data();
    let many =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 90000) SELECT n FROM c";
    let mut child = casebook(data.path())
        .args(["query", "--csv", many])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
