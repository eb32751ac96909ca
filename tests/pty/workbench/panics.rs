//! What a panic leaves, with the command that panics, which is there for tests only.

use super::desk::{Desk, code, press, quit, run, wait_for_case, wide, with, write};
use std::fs;

const KEYS: &str = r#"[global]
"f12" = { command = "workbench.panic", arguments = { in = "interface" } }
"f11" = { command = "workbench.panic", arguments = { in = "worker" } }
"f10" = { command = "workbench.panic", arguments = { in = "case" } }
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    fs::write(desk.config().join("keys.toml"), KEYS).unwrap();
    desk
}

#[test]
fn a_panic_restores_keeps_what_was_written_and_is_reported() {
    let desk = desk();
    let mut session = desk.practice(&with("CASEBOOK_TEST_PANIC", "1"));
    write(&session, "SELECT 'written just now'");
    press(&session, "f12");
    assert_eq!(code(&mut session), 101);
    session.assert_restored();
    let shown = session.contents().replace('\n', "");
    assert!(shown.contains("as the command workbench.panic asked for"), "{shown}");
    assert!(shown.contains("A report of this panic is in"), "{shown}");
    assert!(desk.drafts().contains("written just now"), "{}", desk.drafts());
    let report = fs::read_to_string(desk.data().join("panic.txt")).unwrap();
    assert!(report.contains("workbench.panic") && report.contains("panic_command"), "{report}");
    // It is as if it had been killed: the case can be gone on with.
    let session = desk.practice(&wide());
    session.wait_for("SELECT 'written just now'");
    quit(session);
}

#[test]
fn a_panic_of_a_worker_is_told_and_work_goes_on() {
    let desk = desk();
    let session = desk.practice(&with("CASEBOOK_TEST_PANIC", "1"));
    press(&session, "f11");
    session.wait_for("that failed inside casebook");
    assert!(fs::read_to_string(desk.data().join("panic.txt")).unwrap().contains("casebook-work"));
    run(&session, "SELECT 6 * 7 AS product");
    session.wait_for("◆product");
    quit(session);
}

#[test]
fn a_panic_in_the_case_closes_it_and_it_can_be_opened_again() {
    let desk = desk();
    let session = desk.practice(&with("CASEBOOK_TEST_PANIC", "1"));
    write(&session, "SELECT 'still here' AS back");
    press(&session, "f10");
    session.wait_for("the case failed inside casebook and is closed");
    write(&session, "/P-02");
    wait_for_case(&session, "P-02");
    press(&session, "enter enter");
    session.wait_for("going on with P-02 (practice); what you were writing is back");
    session.wait_for("SELECT 'still here' AS back");
    press(&session, "f5");
    session.wait_for("◆back");
    quit(session);
}

#[test]
fn without_the_variable_there_is_no_such_command() {
    let desk = desk();
    let session = desk.practice(&wide());
    press(&session, "f12");
    session.wait_for("workbench.panic is for tests of casebook");
    quit(session);
}
