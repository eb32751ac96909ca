//! The mouse does what keys do, and can be left to the terminal.

use super::desk::{Desk, press, quit, run, wide};
use crate::support::Session;

/// Where a text stands on the screen, from 1 as the terminal tells it.
fn place(session: &Session, text: &str) -> (usize, usize) {
    let contents = session.contents();
    let (row, line) = contents.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    let before = &line[..line.find(text).unwrap()];
    (before.chars().count() + 1, row + 1)
}

fn mouse(session: &Session, button: u8, text: &str) {
    let (column, row) = place(session, text);
    let end = if button < 64 { format!("\x1b[<{button};{column};{row}m") } else { String::new() };
    session.send(format!("\x1b[<{button};{column};{row}M{end}").as_bytes());
}

fn is_claimed(screen: &vt100::Screen) -> bool {
    screen.mouse_protocol_mode() == vt100::MouseProtocolMode::ButtonMotion
        && screen.mouse_protocol_encoding() == vt100::MouseProtocolEncoding::Sgr
}

#[test]
fn a_press_chooses_a_case_and_the_wheel_scrolls() {
    let desk = Desk::new();
    let session = desk.start(&wide());
    session.wait_until("the mouse", is_claimed);
    let third = session.contents().lines().nth(6).unwrap().to_owned();
    let id = third.split_whitespace().find(|word| word.contains('-')).unwrap().to_owned();
    mouse(&session, 0, &id);
    session.wait_until("the third case in front", |screen| {
        screen.contents().lines().any(|line| line.contains('▌') && line.contains(&id))
    });
    let first = |contents: &str| contents.lines().nth(4).unwrap().to_owned();
    let before = first(&session.contents());
    for _ in 0..60 {
        session.send(b"\x1b[<65;10;10M");
    }
    session.wait_until("other rows", |screen| first(&screen.contents()) != before);
    for _ in 0..80 {
        session.send(b"\x1b[<64;10;10M");
    }
    session.wait_until("the first rows again", |screen| first(&screen.contents()).contains("P-01"));
    quit(session);
}

#[test]
fn a_press_chooses_a_cell_and_the_wheel_scrolls_the_result() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    run(&session, "SELECT x AS a, 'cell ' || x AS b FROM (SELECT row_number() OVER () AS x FROM okta_user)");
    session.wait_for("cell 3");
    mouse(&session, 0, "cell 3");
    session.wait_for("3 of 80, b");
    for _ in 0..30 {
        session.send(b"\x1b[<65;60;24M");
    }
    session.wait_for("cell 80");
    press(&session, "y");
    session.wait_for("7 characters");
    quit(session);
}

#[test]
fn the_mouse_is_left_to_the_terminal_and_taken_back() {
    let desk = Desk::new();
    let session = desk.start(&wide());
    session.wait_until("the mouse", is_claimed);
    press(&session, "g m");
    session.wait_for("the terminal has the mouse");
    session.wait_until("no mouse", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
    press(&session, "g m");
    session.wait_until("the mouse again", is_claimed);
    press(&session, "g m");
    session.wait_until("no mouse", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
    quit(session);
}
