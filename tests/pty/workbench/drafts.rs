//! What is written is back after the process was killed.

use super::desk::{Desk, press, quit, wide, write};
use crate::support::LONG;
use rustix::process::Signal;
use std::time::{Duration, Instant};

fn wait_for_draft(desk: &Desk, text: &str) -> Duration {
    let begin = Instant::now();
    while !desk.drafts().contains(text) {
        assert!(begin.elapsed() < LONG, "no draft has '{text}': {}", desk.drafts());
        std::thread::sleep(Duration::from_millis(10));
    }
    begin.elapsed()
}

#[test]
fn what_is_written_survives_a_kill() {
    let desk = Desk::new();
    let mut session = desk.practice(&wide());
    write(&session, "SELECT 'half a thoug");
    println!("typed to on disk: {:?}", wait_for_draft(&desk, "half a thoug"));
    press(&session, "esc g a i");
    write(&session, "So far nobody.");
    wait_for_draft(&desk, "So far nobody.");
    session.kill(Signal::KILL);
    session.exit_status(LONG).unwrap();
    let session = desk.practice(&wide());
    session.wait_for("going on with P-02 (practice); what you were writing is back");
    session.wait_for("SELECT 'half a thoug");
    press(&session, "esc g a");
    session.wait_for("So far nobody.");
    quit(session);
}

#[test]
fn somebody_who_never_stops_typing_has_a_draft_too() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    let begin = Instant::now();
    while !desk.drafts().contains("xxx") {
        write(&session, "x");
        std::thread::sleep(Duration::from_millis(20));
        assert!(begin.elapsed() < LONG, "nothing is written while somebody types");
    }
    println!("first key to on disk while typing goes on: {:?}", begin.elapsed());
    quit(session);
}

#[test]
fn a_data_folder_that_goes_away_is_told_or_made_again() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    std::fs::remove_dir_all(desk.data()).unwrap();
    write(&session, "SELECT 'after the folder went'");
    wait_for_draft(&desk, "after the folder went");
    // A file in its place can't be written into.
    std::fs::remove_dir_all(desk.data()).unwrap();
    std::fs::write(desk.data(), "").unwrap();
    write(&session, " ");
    session.wait_for("the draft can't be written");
    std::fs::remove_file(desk.data()).unwrap();
    write(&session, "--");
    wait_for_draft(&desk, "--");
    quit(session);
}
