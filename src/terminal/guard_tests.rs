//! The claim against a pseudo-terminal.

use super::{ClaimOptions, Guard};
use crate::terminal::test_pty::Pair;
use rustix::termios::{InputModes, LocalModes, OutputModes};
use std::time::{Duration, Instant};

const EVERYTHING: &str =
    "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h\x1b[>5u\x1b[?1002h\x1b[?1006h";
const UNDONE: &str =
    "\x1b[0m\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[<1u\x1b[?2031l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l";
const WITHOUT_MOUSE_UNDONE: &str =
    "\x1b[0m\x1b[?2026l\x1b[<1u\x1b[?2031l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l";

fn settings(pair: &Pair) -> String {
    format!("{:?}", pair.termios())
}

#[test]
fn a_claim_is_undone_exactly_once() {
    let pair = Pair::open();
    let before = settings(&pair);
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    assert!(guard.is_claimed());
    assert_eq!(pair.written(), EVERYTHING);
    let raw = pair.termios();
    assert!(!raw.local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG));
    assert!(!raw.input_modes.intersects(InputModes::ICRNL | InputModes::IXON));
    assert!(!raw.output_modes.intersects(OutputModes::OPOST));

    guard.restore();
    assert!(!guard.is_claimed());
    assert_eq!(pair.written(), UNDONE);
    assert_eq!(settings(&pair), before);
    guard.restore();
    guard.restorer().restore();
    drop(guard);
    assert_eq!(pair.written(), "", "once");
    assert_eq!(settings(&pair), before);
}

#[test]
fn only_what_is_wanted_is_set_and_reset() {
    let pair = Pair::open();
    let options = ClaimOptions { mouse: false, keyboard: false, alternate: false };
    let guard = Guard::claim_on(pair.tty(), options).unwrap();
    assert_eq!(pair.written(), "\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h");
    drop(guard);
    assert_eq!(pair.written(), "\x1b[0m\x1b[?2026l\x1b[?2031l\x1b[?1004l\x1b[?2004l\x1b[?25h");
}

#[test]
fn the_mouse_can_be_switched() {
    let pair = Pair::open();
    let mut guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    pair.written();
    guard.set_mouse(true).unwrap();
    assert_eq!(pair.written(), "");
    guard.set_mouse(false).unwrap();
    assert_eq!(pair.written(), "\x1b[?1006l\x1b[?1002l");
    guard.restore();
    assert_eq!(pair.written(), WITHOUT_MOUSE_UNDONE);
    guard.resume().unwrap();
    assert!(!pair.written().contains("1002h"), "the choice outlives a suspension");
    guard.restore();
    pair.written();
    guard.set_mouse(true).unwrap();
    assert_eq!(pair.written(), "", "not while the terminal is somebody else's");
    guard.resume().unwrap();
    assert!(pair.written().contains("1002h"));
    drop(guard);
    assert!(pair.written().contains("1002l"));
}

#[test]
fn a_suspension_gives_the_terminal_back_before_the_stop() {
    let pair = Pair::open();
    let before = settings(&pair);
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    pair.written();
    let mut at_the_stop = String::new();
    guard
        .suspend_with(|| {
            at_the_stop = pair.written();
            assert_eq!(settings(&pair), before);
            Ok(())
        })
        .unwrap();
    assert_eq!(at_the_stop, UNDONE);
    assert!(!guard.is_claimed());
    guard.resume().unwrap();
    assert_eq!(pair.written(), EVERYTHING);
    assert_ne!(settings(&pair), before);
    // Stopped and continued from outside: what is still set is reset first.
    guard.resume().unwrap();
    assert_eq!(pair.written(), format!("{UNDONE}{EVERYTHING}"));
    drop(guard);
    assert_eq!(settings(&pair), before);
}

#[test]
fn answers_that_nobody_read_are_not_typed_at_the_shell() {
    let pair = Pair::open();
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    pair.typed(b"\x1b]11;rgb:0000/0000/0000\x07\n");
    std::thread::sleep(Duration::from_millis(50));
    drop(guard);
    let mut flags = rustix::fs::fcntl_getfl(&pair.slave).unwrap();
    flags |= rustix::fs::OFlags::NONBLOCK;
    rustix::fs::fcntl_setfl(&pair.slave, flags).unwrap();
    assert_eq!(rustix::io::read(&pair.slave, &mut [0; 64]), Err(rustix::io::Errno::AGAIN));
}

#[test]
fn the_way_out_does_not_hang_on_a_terminal_that_nobody_reads() {
    let pair = Pair::open();
    let before = settings(&pair);
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    let flags = rustix::fs::fcntl_getfl(&pair.slave).unwrap();
    rustix::fs::fcntl_setfl(&pair.slave, flags | rustix::fs::OFlags::NONBLOCK).unwrap();
    while rustix::io::write(&pair.slave, &[b'.'; 4096]).is_ok() {}
    rustix::fs::fcntl_setfl(&pair.slave, flags).unwrap();
    let start = Instant::now();
    drop(guard);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(settings(&pair), before);
}

#[test]
fn a_terminal_that_is_gone_is_an_error_and_no_hang() {
    let pair = Pair::open();
    let tty = pair.tty();
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    drop(pair.master);
    guard.output().send(b"x").unwrap_err();
    drop(guard);
    Guard::claim_on(tty, ClaimOptions::default()).unwrap_err();
    let null = std::fs::File::open("/dev/null").unwrap();
    let no_terminal = crate::terminal::Tty::from_ends(null.try_clone().unwrap().into(), null.into());
    Guard::claim_on(no_terminal, ClaimOptions::default()).unwrap_err();
}
