//! The areas of the Investigate page: schema, editor, result, what is taken out.

use crate::support::Bench;
use serde_json::{Value, json};

fn open() -> Bench {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    bench
}

#[test]
fn the_schema_is_searched_by_table_and_column() {
    let mut bench = open();
    assert_eq!(bench.state("/workspace/schema/rows").as_array().unwrap().len(), 44);
    bench.give("schema.find", json!({"text": "mfa_enabled"}));
    let rows = bench.state("/workspace/schema/rows");
    assert!(rows.as_array().unwrap().contains(&json!("aws_iam_user")), "{rows}");
    assert!(rows.as_array().unwrap().contains(&json!("  mfa_enabled")), "{rows}");
    bench.give("schema.find", json!({"text": "mfa"}));
    let rows = bench.state("/workspace/schema/rows");
    assert!(!rows.to_string().contains("modified_date_time"), "what holds the word counts alone: {rows}");
    bench.give("schema.find", json!({"text": "oktusr"}));
    assert!(bench.state("/workspace/schema/rows").to_string().contains("okta_user"));
    bench.give("schema.clear", json!({}));
    bench.give("schema.find", json!({"text": "okta_user"}));
    bench.give("schema.insert", json!({}));
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "okta_user");
}

#[test]
fn the_statement_at_the_cursor_runs_and_all_run_in_order() {
    let mut bench = open();
    bench.give(
        "editor.set",
        json!({"text": "SELECT 1 AS one; -- first\nSELECT 2 AS two;\nSELECT 3 AS three"}),
    );
    bench.give("editor.place", json!({"line": 1, "cell": 3}));
    bench.keys("f5");
    assert_eq!(bench.rows(1)["columns"], json!(["two"]));
    bench.keys("f6");
    let sql: Vec<Value> =
        bench.state("/workspace/results").as_array().unwrap().iter().map(|it| it["sql"].clone()).collect();
    assert_eq!(sql, ["SELECT 2 AS two", "SELECT 1 AS one", "SELECT 2 AS two", "SELECT 3 AS three"]);
    assert_eq!(bench.state("/workspace/shown"), 3);
}

#[test]
fn an_error_is_placed_in_the_text() {
    let mut bench = open();
    let text = "SELECT 1;\nSELECT logni FROM okta_user";
    bench.give("editor.set", json!({"text": text}));
    bench.give("editor.place", json!({"line": 1, "cell": 0}));
    let answer = bench.ask(json!({"keys": "f5"}));
    assert!(answer["error"].as_str().unwrap().contains("logni"), "{answer}");
    let at = bench.state("/workspace/editor/buffers/0/error").as_u64().unwrap();
    assert_eq!(&text[usize::try_from(at).unwrap()..][..5], "logni");
    bench.keys("end");
    bench.write(" ");
    assert_eq!(bench.state("/workspace/editor/buffers/0/error"), Value::Null);
}

#[test]
fn completion_never_takes_enter_before_it_was_moved_to() {
    let mut bench = open();
    bench.write("SELECT * FROM okta_us");
    assert_ne!(bench.state("/workspace/completion"), Value::Null);
    bench.keys("enter");
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT * FROM okta_us\n");
    bench.keys("backspace ctrl-space down enter");
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT * FROM okta_user");
    bench.give("editor.completions", json!({}));
    bench.write(" WHERE sta");
    assert_eq!(bench.state("/workspace/completion"), Value::Null);
}

#[test]
fn buffers_are_several_and_survive() {
    let mut bench = open();
    bench.give("editor.set", json!({"text": "one"}));
    bench.give("buffer.new", json!({}));
    bench.write("two");
    bench.give("buffer.rename", json!({"name": "second"}));
    bench.reopen();
    bench.give("cases.start", json!({"task": "P-02"}));
    let names: Vec<Value> = bench
        .state("/workspace/editor/buffers")
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(names, ["query 1", "second"]);
    assert_eq!(bench.state("/workspace/editor/current"), 1);
}

#[test]
fn the_history_is_searched_and_taken_from() {
    let mut bench = open();
    for sql in ["SELECT 1", "SELECT count(*) FROM okta_user", "SELECT 1"] {
        bench.give("query.run", json!({"sql": sql}));
    }
    bench.reopen();
    bench.give("cases.start", json!({"task": "P-01"}));
    bench.give("history.open", json!({}));
    assert_eq!(bench.state("/overlays/0/items").as_array().unwrap().len(), 2, "each statement once");
    bench.write("okta");
    bench.keys("enter");
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT count(*) FROM okta_user");
}

#[test]
fn the_result_is_sorted_filtered_hidden_and_counted() {
    let mut bench = open();
    let sql =
        "SELECT column1 AS name, column2 AS n FROM (VALUES ('b', 2), ('a', 10), (NULL, 3), ('c', NULL))";
    bench.give("query.run", json!({"sql": sql}));
    bench.give("grid.sort", json!({"column": "n", "direction": "down"}));
    assert_eq!(bench.rows(9)["rows"], json!([["a", 10], [null, 3], ["b", 2], ["c", null]]));
    bench.give("grid.filter", json!({"text": "A"}));
    assert_eq!(bench.rows(9)["rows"], json!([["a", 10]]));
    bench.give("grid.show_all", json!({}));
    assert_eq!(bench.rows(9)["of"], 4);
    bench.give("grid.select", json!({"column": 0}));
    bench.give("grid.hide", json!({}));
    assert_eq!(bench.rows(1)["columns"], json!(["n"]));
    assert!(bench.refused("grid.hide", json!({})).contains("last column"));
    bench.give("grid.statistics", json!({}));
    let counted = bench.state("/overlays/0/content/counted");
    assert_eq!((&counted["rows"], &counted["nulls"], &counted["mean"]), (&json!(4), &json!(1), &json!(5.0)));
}

#[test]
fn values_are_taken_out_whole() {
    let mut bench = open();
    let long = "x".repeat(5_000);
    let sql = format!("SELECT '{long}' AS v, '' AS e, NULL AS n");
    bench.give("query.run", json!({"sql": sql}));
    assert_eq!(bench.give("copy.cell", json!({}))["copied"], long);
    let copied = bench.give("copy.rows", json!({"format": "tsv"}))["copied"].clone();
    assert_eq!(copied, format!("v\te\tn\n{long}\t\t\\N\n"));
    let copied = bench.give("copy.rows", json!({"format": "sql"}))["copied"].clone();
    assert_eq!(copied, format!("('{long}')"));
    let path = bench.folder.path().join("rows.csv");
    bench.give("export.rows", json!({"format": "csv", "path": path}));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("v,e,n\r\n{long},\"\",\r\n"));
    assert!(bench.refused("export.rows", json!({"format": "csv", "path": path})).contains("already"));
    bench.give("export.rows", json!({"format": "json", "path": path, "replace": true}));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("{\"v\":\"xxx"));
    let nowhere = bench.folder.path().join("no/such/rows.csv");
    assert!(
        bench.refused("export.rows", json!({"format": "csv", "path": nowhere})).contains("can't be written")
    );
}

#[test]
fn a_cell_is_made_readable_and_a_plan_is_a_tree() {
    let mut bench = open();
    bench.give("query.run", json!({"sql": "SELECT '{\"a\":[1,2]}' AS j"}));
    bench.give("grid.cell", json!({}));
    assert_eq!(bench.state("/overlays/0/content/pretty/language"), "JSON");
    assert!(bench.screen(100, 30).contains("\"a\": ["));
    bench.keys("esc");
    bench.give(
        "query.plan",
        json!({"sql": "SELECT * FROM okta_user u JOIN okta_group_member m ON m.user_id = u.id"}),
    );
    let lines = bench.state("/overlays/0/content/lines");
    assert!(lines.as_array().unwrap().len() >= 2, "{lines}");
}

#[test]
fn subjects_are_marked_pasted_and_counted() {
    let mut bench = open();
    bench.give("query.run", json!({"sql": "SELECT id, login FROM okta_user LIMIT 3"}));
    bench.give("answer.identify", json!({"column": "login"}));
    bench.give("answer.mark_all", json!({}));
    let logins = bench.state("/workspace/answer/subjects");
    assert!(logins[0].as_str().unwrap().contains('@'), "{logins}");
    bench.keys("esc g a");
    bench.ask(json!({"paste": "one@x\ntwo@x\nONE@x\n"}));
    assert_eq!(bench.state("/workspace/answer/subjects").as_array().unwrap().len(), 6);
    assert_eq!(bench.state("/workspace/answer/duplicates"), 1);
    bench.give("answer.remove_duplicates", json!({}));
    assert_eq!(bench.state("/workspace/answer/subjects").as_array().unwrap().len(), 5);
    for _ in 0..3 {
        bench.give("answer.undo", json!({}));
    }
    assert_eq!(bench.state("/workspace/answer/subjects"), json!([]));
    assert!(bench.refused("answer.undo", json!({})).contains("nothing"));
    assert!(bench.refused("answer.submit", json!({})).contains("empty"));
    assert!(bench.refused("answer.fact", json!({"fact": "twelve"})).contains("name = value"));
}

#[test]
fn joins_are_found_by_values_in_practice_only() {
    let mut bench = open();
    bench.give("schema.joins", json!({"table": "hibob_employee", "column": "email"}));
    let items = bench.state("/overlays/0/items");
    let labels: Vec<&str> =
        items.as_array().unwrap().iter().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"okta_user.email"), "{labels:?}");
    bench.write("okta_user.email");
    bench.keys("enter");
    let text = bench.state("/workspace/editor/buffers/0/text");
    assert_eq!(text, "\nJOIN okta_user ON okta_user.email = hibob_employee.email");
    bench.give("cases.start", json!({"task": "X-05"}));
    assert!(bench.refused("schema.joins", json!({"table": "hibob_employee"})).contains("practice"));
}

#[test]
fn statements_are_saved_by_name_for_any_case() {
    let mut bench = open();
    bench.give("editor.set", json!({"text": "SELECT 1; SELECT count(*) FROM okta_user"}));
    bench.give("editor.place", json!({"line": 0, "cell": 20}));
    bench.give("saved.add", json!({"name": "all users"}));
    bench.reopen();
    bench.give("cases.start", json!({"task": "P-01"}));
    bench.give("saved.open", json!({}));
    bench.write("users");
    bench.keys("enter");
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT count(*) FROM okta_user");
    bench.give("saved.remove", json!({"name": "all users"}));
    assert!(bench.refused("saved.open", json!({})).contains("no statement is saved"));
}
