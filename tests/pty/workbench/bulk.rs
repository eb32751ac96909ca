//! Much at once: long pastes, endless statements, long results.

use super::desk::{Desk, ENDLESS, paste, press, quit, run, wait_for_case, wide, write};
use std::time::{Duration, Instant};

/// Pastes, waits until it is seen, types after it; gives how long that took.
fn pasted(text: &str, seen: &str) -> Duration {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    let begin = Instant::now();
    paste(&session, text);
    session.wait_for(seen);
    let taken = begin.elapsed();
    write(&session, " typed after");
    session.wait_for("typed after");
    quit(session);
    taken
}

/// A bound for a busy machine and a build without optimisation; what is aimed for is a third of it.
const PASTE: Duration = Duration::from_secs(9);

#[test]
fn a_long_paste_of_lines() {
    let text = "SELECT login FROM okta_user;\r".repeat(36_000) + "-- the end of the paste";
    assert!(pasted(&text, "-- the end of the paste") < PASTE);
}

#[test]
fn a_long_paste_in_one_line() {
    let text = "SELECT login, 'x' FROM okta_user UNION ".repeat(26_000) + "-- the end of the paste";
    assert!(pasted(&text, "-- the end of the paste") < PASTE);
}

#[test]
fn an_endless_statement_is_cancelled_and_the_next_works() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    for number in 0..3 {
        run(&session, ENDLESS);
        session.wait_for(" running ");
        let begin = Instant::now();
        press(&session, "ctrl-c");
        session.wait_for("cancelled");
        let taken = begin.elapsed();
        println!("Ctrl-C to cancelled: {taken:?}");
        assert!(taken < Duration::from_secs(3), "{taken:?}");
        run(&session, &format!("SELECT 6 * 7 AS product_{number}"));
        session.wait_for(&format!("◆product_{number}"));
    }
    // Both in one go: the cancel comes before the statement has begun.
    paste(&session, ENDLESS);
    press(&session, "f5 ctrl-c");
    session.wait_for("cancelled");
    // Whoever is late with the second does not quit.
    press(&session, "ctrl-c");
    run(&session, "SELECT 'still here' AS late");
    session.wait_for("◆late");
    quit(session);
}

#[test]
fn another_case_can_be_opened_while_a_statement_runs() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    run(&session, ENDLESS);
    session.wait_for(" running ");
    press(&session, "f1 esc esc 1 /");
    write(&session, "P-01");
    wait_for_case(&session, "P-01");
    press(&session, "enter enter");
    session.wait_for("P-01 began (practice)");
    run(&session, "SELECT 6 * 7 AS product");
    session.wait_for("◆product");
    press(&session, "esc 1 / ctrl-u");
    write(&session, "P-02");
    wait_for_case(&session, "P-02");
    press(&session, "enter enter");
    session.wait_for("going on with P-02");
    session.wait_for("SELECT count(*) FROM c");
    quit(session);
}

#[test]
fn a_long_result_scrolls() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    let rows = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000)";
    run(&session, &format!("{rows} SELECT x, 'row ' || x AS name FROM c"));
    session.wait_for("◆x");
    press(&session, "esc g r");
    let begin = Instant::now();
    for _ in 0..300 {
        write(&session, "jj\x1b[6~k");
    }
    press(&session, "G");
    session.wait_for("row 100000");
    println!("1,201 moves through 100,000 rows: {:?}", begin.elapsed());
    press(&session, "T");
    session.wait_for(" 1 of 100");
    quit(session);
}
