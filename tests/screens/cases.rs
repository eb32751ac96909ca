//! The Cases page.

use crate::desk::Desk;
use serde_json::json;

#[test]
fn the_list() {
    let mut desk = Desk::new();
    desk.picture("cases_list_80x24", 80, 24);
    desk.picture("cases_list_60x16", 60, 16);
    desk.picture("cases_list_120x36", 120, 36);
    desk.picture("cases_list_200x60", 200, 60);
    desk.picture("too_small_50x12", 50, 12);
}

#[test]
fn filters_and_what_is_found() {
    let mut desk = Desk::new();
    desk.give("cases.filter", json!({"by": "pack", "value": "tenant"}));
    desk.give("cases.filter", json!({"by": "complexity", "value": "medium"}));
    desk.picture("cases_filtered", 80, 24);
    desk.give("cases.clear", json!({}));
    desk.give("cases.filter", json!({"by": "pack", "value": "tenant"}));
    desk.keys("/");
    desk.write("lapt");
    desk.picture("cases_finding", 80, 24);
    desk.write(" zzz");
    desk.picture("cases_nothing_found", 80, 24);
}

#[test]
fn what_was_begun_and_answered() {
    let mut desk = Desk::new();
    desk.give("cases.start", json!({"task": "T-01"}));
    desk.give("query.run", json!({"sql": "SELECT 1"}));
    desk.give("trial.leave", json!({}));
    desk.give("cases.start", json!({"task": "T-02"}));
    desk.give("answer.verdict", json!({"verdict": "yes"}));
    desk.give("answer.submit", json!({}));
    desk.give("confirm.yes", json!({}));
    desk.give("page.cases", json!({}));
    desk.give("cases.filter", json!({"by": "pack", "value": "tenant"}));
    desk.picture("cases_begun_and_answered", 120, 36);
}
