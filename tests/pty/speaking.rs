//! What the terminal says while the program runs.

use crate::child::start;
use crate::support::{LONG, Options, Session};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn begin(options: &Options<'_>) -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let session = start(folder.path(), options);
    session.wait_for("ready");
    (folder, session)
}

#[test]
fn the_first_frame_comes_before_the_first_question() {
    let (_folder, session) = begin(&Options::default());
    session.wait_for("Answered");
    let log = String::from_utf8(session.log()).unwrap();
    assert!(log.find("ready").unwrap() < log.find("\x1b]10;?").unwrap(), "{log:?}");
}

#[test]
fn answers_are_heard_and_typed_keys_among_them() {
    let (_folder, session) = begin(&Options::default());
    session.send(b"xyz");
    for heard in [
        "Foreground(Rgb { red: 208, green: 208, blue: 208 })",
        "Background(Rgb { red: 16, green: 16, blue: 32 })",
        "KeyboardFlags(KeyboardFlags(5))",
        "Answered",
        "Char('x')",
        "Char('y')",
        "Char('z')",
    ] {
        session.wait_for(heard);
    }
    assert!(!session.contents().contains("Unknown"), "{}", session.contents());
}

#[test]
fn a_long_paste_is_one_event() {
    let (_folder, mut session) = begin(&Options::default());
    session.wait_for("Answered");
    let text = "SELECT 1;\r".repeat(105_000);
    let start = Instant::now();
    session.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    session.wait_for("pasted 1050000 lines 105000");
    println!("a paste of {} bytes, from typing to the screen: {:?}", text.len(), start.elapsed());
    session.send(b"q");
    assert!(session.exit_status(LONG).unwrap().success());
}

#[test]
fn a_storm_of_sizes_ends_with_the_last() {
    let (_folder, mut session) = begin(&Options { rows: 200, ..Options::default() });
    for step in 0..50 {
        session.resize(80 + step, 200);
    }
    session.resize(111, 199);
    session.wait_for("size 111 199");
    session.send(b"q");
    assert!(session.exit_status(LONG).unwrap().success());
    session.assert_restored();
}

#[test]
fn the_mouse_can_be_left_to_the_terminal() {
    let (_folder, session) = begin(&Options::default());
    session.send(b"\x1b[<0;11;6M");
    session.wait_for("kind: Press(Left), column: 10, row: 5");
    session.send(b"m");
    session.wait_until("no mouse", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
}

#[test]
fn an_idle_program_never_wakes_up() {
    let (_folder, session) = begin(&Options::default());
    session.wait_for("Answered");
    session.send(b"\x1b");
    session.wait_for("key: Escape");
    std::thread::sleep(Duration::from_millis(100));
    let before = session.sleeps();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(session.sleeps(), before);
}
