//! The Investigate page.

use crate::desk::{Desk, VALUES};
use serde_json::json;

const ADMINS: &str = "SELECT a.mail, a.name, a.last_login\nFROM account a\nJOIN role_grant g ON g.account_id = a.id\n\
                      WHERE a.status = 'ACTIVE' AND g.role = 'admin' -- never is NULL\n  AND (a.last_login IS NULL OR a.last_login <= '2026-01-31')";

#[test]
fn just_opened() {
    let mut desk = Desk::open();
    desk.picture("investigate_opened", 80, 24);
    desk.keys("esc b z");
    desk.picture("investigate_without_schema_and_folded", 80, 24);
    desk.give("page.cases", json!({}));
    desk.give("cases.investigate", json!({"snapshot": "tenant"}));
    desk.picture("investigate_free", 80, 24);
}

#[test]
fn writing() {
    let mut desk = Desk::open();
    desk.write("SELECT a.mail\nFROM account a\nJOIN role");
    desk.picture("writing_with_completions", 80, 24);
    desk.keys("tab");
    desk.write(" g ON g.");
    desk.keys("down");
    desk.picture("writing_with_a_completion_chosen", 80, 24);
}

#[test]
fn results() {
    let mut desk = Desk::open();
    desk.run(ADMINS);
    desk.keys("g r m");
    desk.picture("result_80x24", 80, 24);
    desk.picture("result_60x16", 60, 16);
    desk.picture("result_120x36", 120, 36);
    desk.picture("result_200x60", 200, 60);
    desk.give("grid.sort", json!({"column": "last_login", "direction": "down"}));
    desk.give("grid.filter", json!({"text": "2025"}));
    desk.give("grid.select", json!({"column": 1}));
    desk.give("grid.hide", json!({}));
    desk.picture("result_sorted_filtered_and_hidden", 80, 24);
}

#[test]
fn values_are_told_apart() {
    let mut desk = Desk::open();
    desk.run(VALUES);
    desk.keys("g r");
    desk.picture("values_80x24", 80, 24);
    desk.picture("values_120x36", 120, 36);
}

#[test]
fn no_rows_changes_and_errors() {
    let mut desk = Desk::open();
    desk.run("SELECT * FROM sign_in");
    desk.picture("result_of_no_rows", 80, 24);
    desk.run("UPDATE account SET status = 'ACTIVE' WHERE id > 2");
    desk.picture("result_of_a_change", 80, 24);
    desk.give("editor.set", json!({"text": "SELECT 1;\nSELECT mial\nFROM account"}));
    desk.give("editor.place", json!({"line": 2, "cell": 0}));
    desk.ask(&json!({"command": "query.run"}));
    desk.picture("error_placed", 80, 24);
}

#[test]
fn the_schema() {
    let mut desk = Desk::open();
    desk.keys("esc g s l");
    desk.picture("schema_expanded", 80, 24);
    desk.keys("/");
    desk.write("mail");
    desk.picture("schema_search", 80, 24);
}

#[test]
fn the_answer() {
    let mut desk = Desk::open();
    desk.run(ADMINS);
    desk.give("answer.identify", json!({"column": "mail"}));
    desk.give("answer.mark_all", json!({}));
    desk.give("answer.add", json!({"subjects": ["bo@tenant.example"]}));
    desk.give("answer.verdict", json!({"verdict": "yes"}));
    desk.give("answer.fact", json!({"fact": "never = 1"}));
    desk.give("answer.prose", json!({"text": "Two administrators are not there; one never was."}));
    desk.keys("esc g a");
    desk.picture("answer_filled_80x24", 80, 24);
    desk.picture("answer_filled_120x36", 120, 36);
    desk.picture("answer_filled_200x60", 200, 60);
    desk.give("answer.submit", json!({}));
    desk.give("confirm.yes", json!({}));
    desk.picture("submitted_80x24", 80, 24);
    desk.picture("submitted_120x36", 120, 36);
}
