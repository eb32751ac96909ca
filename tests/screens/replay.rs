//! The Replay page over a run of the small enterprise: an attempt of a person, step by step, and what it needs.

use crate::desk::Desk;
use serde_json::json;

const ADMINS: &str = "SELECT a.mail, a.last_login FROM account a JOIN role_grant g ON g.account_id = a.id WHERE g.role = 'admin'";

/// An attempt that looks, fails, joins and answers; then the page on it.
fn replayed() -> Desk {
    let mut desk = Desk::new();
    desk.give("cases.start", json!({"task": "T-01"}));
    for sql in ["SELECT * FROM account", "SELECT mail FROM accounts", ADMINS] {
        desk.ask(&json!({"command": "query.run", "arguments": {"sql": sql}}));
    }
    desk.keys("esc g a y");
    desk.give("answer.add", json!({"subjects": ["bo@tenant.example", "nobody@tenant.example"]}));
    desk.keys("f9 enter");
    let run = desk.state().workspace.as_ref().unwrap().run.clone();
    desk.give("replay.open", json!({"path": run}));
    desk
}

#[test]
fn nothing_open() {
    let mut desk = Desk::new();
    desk.give("page.replay", json!({}));
    desk.picture("replay_nothing_open", 80, 24);
}

#[test]
fn a_call_then_and_now() {
    let mut desk = replayed();
    desk.keys("s s s");
    desk.picture("replay_call_80x24", 80, 24);
    desk.picture("replay_call_120x36", 120, 36);
    desk.picture("replay_call_200x60", 200, 60);
}

#[test]
fn evidence_and_differences() {
    let mut desk = replayed();
    desk.keys("s s s shift-tab");
    desk.picture("replay_evidence", 80, 24);
    desk.give(
        "replay.what_if",
        json!({"sql": "SELECT a.mail, 'x' AS last_login FROM account a WHERE a.id IN (2, 3)"}),
    );
    desk.picture("replay_what_if", 120, 36);
}

#[test]
fn an_error_of_the_trace() {
    let mut desk = replayed();
    desk.keys("e");
    desk.picture("replay_error", 100, 30);
}
