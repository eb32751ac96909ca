//! What lies over a page.

use crate::desk::Desk;
use serde_json::json;

fn with_accounts() -> Desk {
    let mut desk = Desk::open();
    desk.run("SELECT * FROM account");
    desk.keys("g r");
    desk
}

#[test]
fn lists() {
    let mut desk = with_accounts();
    desk.keys(":");
    desk.picture("palette", 80, 24);
    desk.write("cop ro");
    desk.picture("palette_typed", 80, 24);
    desk.keys("esc g e o");
    desk.picture("history", 80, 24);
    desk.keys("esc g t");
    desk.picture("theme_list", 80, 24);
}

#[test]
fn help() {
    let mut desk = with_accounts();
    desk.keys("?");
    desk.picture("help_of_the_result", 80, 24);
    desk.keys("esc 1 ?");
    desk.picture("help_of_the_cases_120x36", 120, 36);
}

#[test]
fn a_value_and_a_row() {
    let mut desk = with_accounts();
    desk.keys("end enter");
    desk.picture("cell_json", 80, 24);
    desk.keys("r");
    desk.picture("cell_raw", 80, 24);
    desk.keys("esc v");
    desk.picture("record", 80, 24);
    desk.keys("esc home l l l t");
    desk.picture("statistics", 80, 24);
}

#[test]
fn a_plan() {
    let mut desk = Desk::open();
    let sql = "SELECT a.mail FROM account a JOIN role_grant g ON g.account_id = a.id WHERE a.id IN (SELECT account_id FROM sign_in)";
    desk.keys("esc");
    desk.give("query.plan", json!({"sql": sql}));
    desk.picture("plan", 80, 24);
}

#[test]
fn questions() {
    let mut desk = with_accounts();
    desk.keys("/");
    desk.write("ACTIVE");
    desk.picture("prompt", 80, 24);
    desk.keys("esc M");
    desk.give("answer.verdict", json!({"verdict": "no"}));
    desk.keys("f9");
    desk.picture("confirm", 80, 24);
}

#[test]
fn keys_and_messages() {
    let mut desk = with_accounts();
    desk.keys("g");
    desk.picture("keys_that_wait", 80, 24);
    desk.keys("k");
    desk.keys("ctrl-space");
    desk.keys("f5");
    desk.picture("key_inspector", 80, 24);
    desk.keys("esc esc");
    desk.ask(&json!({"command": "answer.undo"}));
    desk.picture("notice", 80, 24);
    desk.keys("g n");
    desk.picture("messages", 80, 24);
}
