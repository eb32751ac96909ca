//! Any size, and many of them at once.

use super::desk::{Desk, press, quit, run, wide, write};
use crate::support::Options;
use std::time::Duration;

const SMALL: &str = "Please make the terminal larger.";

fn options<'a>(columns: u16, rows: u16) -> Options<'a> {
    Options { columns, rows, ..Options::default() }
}

/// The picture without what is told and how long the statement took.
fn lasting(contents: &str) -> String {
    let lines = contents.lines().filter(|line| !line.contains("P-02 began") && !line.contains(" ms ─"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_storm_of_sizes_ends_in_the_right_picture() {
    let begin = |columns, rows| {
        let desk = Desk::new();
        let session = desk.practice(&options(columns, rows));
        run(&session, "SELECT login, status FROM okta_user");
        // The name of the first column, unless nothing fits.
        session.wait_until("a result", |screen| {
            let shown = screen.contents();
            shown.contains("◆login") || shown.contains("of 80")
        });
        (desk, session)
    };
    let (_desk, stormy) = begin(100, 30);
    for step in 0..60_u16 {
        let (columns, rows) = match step % 6 {
            0 => (1, 1),
            1 => (59, 15),
            2 => (400, 120),
            3 => (60 + step, 16),
            4 => (2, 100),
            _ => (200 - step, 50),
        };
        stormy.resize(columns, rows);
        std::thread::sleep(Duration::from_millis(5));
    }
    let (_other_desk, calm) = begin(100, 30);
    let wanted = lasting(&calm.contents());
    quit(calm);
    stormy.resize(100, 30);
    stormy.wait_until(&format!("as without a storm\n{wanted}\n"), |screen| {
        lasting(&screen.contents()) == wanted
    });
    // Other sizes are as if drawn anew.
    for (columns, rows) in [(60, 16), (400, 120), (81, 25)] {
        stormy.resize(columns, rows);
        stormy.wait_until("the last corner", |screen| {
            screen.cell(rows - 2, columns - 1).is_some_and(|cell| cell.contents() == "╯")
        });
        let before = stormy.contents();
        stormy.print("\x1b[2J");
        stormy.send(b"\x0c");
        stormy.wait_until(&format!("as it was\n{before}\n"), |screen| screen.contents() == before);
    }
    quit(stormy);
}

#[test]
fn too_small_says_so_and_larger_goes_on() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    write(&session, "SELECT 1 AS one");
    session.wait_for("SELECT 1 AS one");
    for (columns, rows) in [(59, 15), (59, 40), (200, 15), (34, 3)] {
        session.resize(columns, rows);
        session.wait_for(SMALL);
    }
    session.resize(1, 1);
    session.resize(60, 16);
    session.wait_for("SELECT 1 AS one");
    press(&session, "f5");
    session.wait_for("◆one");
    session.resize(1, 1);
    quit(session);
}

#[test]
fn a_very_large_terminal_is_filled() {
    let desk = Desk::new();
    let session = desk.practice(&options(400, 120));
    run(&session, "SELECT login, status FROM okta_user");
    session.wait_for("◆login");
    session.wait_until("the last corner", |screen| {
        screen.cell(118, 399).is_some_and(|cell| cell.contents() == "╯")
    });
    quit(session);
}

#[test]
fn starting_in_the_smallest_terminal_works() {
    let desk = Desk::new();
    let session = desk.start_with(&[], &options(1, 1));
    session.wait_until("the claim", vt100::Screen::alternate_screen);
    session.resize(100, 30);
    session.wait_for("Closed for business");
    quit(session);
}
