//! Every way out leaves the terminal as it was, and what was written is kept.

use super::desk::{Desk, ENDLESS, code, paste, press, quit, run, wide, write};
use rustix::process::Signal;
use std::time::Duration;

#[test]
fn quitting_restores() {
    let desk = Desk::new();
    let mut session = desk.start(&wide());
    assert_ne!(session.termios(), session.before);
    press(&session, "q");
    assert_eq!(code(&mut session), 0);
    session.assert_restored();
}

#[test]
fn each_signal_restores_and_keeps_what_was_written() {
    for (signal, wanted) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)]
    {
        let desk = Desk::new();
        let mut session = desk.practice(&wide());
        write(&session, "SELECT 'kept'");
        session.wait_for("SELECT 'kept'");
        session.kill(signal);
        assert_eq!(code(&mut session), wanted);
        session.assert_restored();
        assert!(desk.drafts().contains("SELECT 'kept'"), "{wanted}: {}", desk.drafts());
    }
}

#[test]
fn a_signal_right_after_the_claim_restores() {
    let desk = Desk::new();
    for _ in 0..10 {
        let mut session = desk.start_with(&[], &wide());
        session.wait_until("the claim", vt100::Screen::alternate_screen);
        session.kill(Signal::TERM);
        assert_eq!(code(&mut session), 143);
        session.assert_restored();
    }
}

#[test]
fn a_window_that_is_closed_ends_it_and_keeps_what_was_written() {
    let desk = Desk::new();
    let mut session = desk.practice(&wide());
    write(&session, "SELECT 'kept'");
    session.wait_for("SELECT 'kept'");
    session.hang_up();
    assert_eq!(code(&mut session), 129);
    assert!(desk.drafts().contains("SELECT 'kept'"), "{}", desk.drafts());
    assert!(!desk.data().join("panic.txt").exists());
}

#[test]
fn a_signal_while_a_statement_runs_does_not_wait_for_it() {
    let desk = Desk::new();
    let mut session = desk.practice(&wide());
    run(&session, ENDLESS);
    session.wait_for("The statement is running.");
    session.kill(Signal::TERM);
    let status = session.exit_status(Duration::from_secs(10));
    assert_eq!(status.expect("it ends").exit_code(), 143);
    session.assert_restored();
}

#[test]
fn quitting_asks_while_a_statement_runs() {
    let desk = Desk::new();
    let mut session = desk.practice(&wide());
    run(&session, ENDLESS);
    session.wait_for("The statement is running.");
    // The first ends writing.
    press(&session, "esc esc");
    session.wait_for("cancelled");
    press(&session, "f5");
    session.wait_for("The statement is running.");
    session.send(b"\x11");
    session.wait_for("Quit?");
    press(&session, "y");
    assert_eq!(code(&mut session), 0);
    session.assert_restored();
}

#[test]
fn quitting_asks_while_rows_are_written_to_a_file() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    let columns: Vec<String> = (0..30).map(|number| format!("x + {number} AS c{number}")).collect();
    let rows = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 60000)";
    run(&session, &format!("{rows} SELECT {} FROM c", columns.join(", ")));
    session.wait_for("of 60");
    press(&session, "esc g r e");
    session.wait_for("Export rows as");
    write(&session, "json");
    press(&session, "enter");
    session.wait_for("The file's path");
    let path = desk.elsewhere().join("rows.jsonl");
    // In one write, so that the workbench takes both before the file can be there.
    press(&session, "ctrl-u");
    write(&session, &format!("{}\r\x11", path.display()));
    session.wait_for("A file is being written.");
    press(&session, "esc");
    session.wait_for("60000 rows are in");
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 60_000);
    paste(&session, "");
    quit(session);
}
