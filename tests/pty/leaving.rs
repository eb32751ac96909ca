//! Whatever ends or stops the program, the terminal is as it was.

use crate::child::start;
use crate::support::{LONG, Options, Session};
use rustix::process::Signal;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn begin() -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let session = start(folder.path(), &Options::default());
    session.wait_for("ready");
    session.wait_for("Answered");
    (folder, session)
}

fn end(session: &mut Session) -> u32 {
    session.exit_status(LONG).expect("it ends").exit_code()
}

fn is_claimed(screen: &vt100::Screen) -> bool {
    screen.alternate_screen()
        && screen.hide_cursor()
        && screen.bracketed_paste()
        && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::ButtonMotion
        && screen.mouse_protocol_encoding() == vt100::MouseProtocolEncoding::Sgr
}

#[test]
fn the_end_restores() {
    let (_folder, mut session) = begin();
    session.wait_until("a claimed terminal", is_claimed);
    assert_ne!(session.termios(), session.before);
    session.send(b"q");
    assert_eq!(end(&mut session), 0);
    session.assert_restored();
}

#[test]
fn each_signal_restores_and_is_the_exit_code() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)] {
        let (_folder, mut session) = begin();
        session.kill(signal);
        assert_eq!(end(&mut session), code);
        session.assert_restored();
    }
}

#[test]
fn a_panic_restores_first_and_says_what_happened() {
    let (folder, mut session) = begin();
    session.send(b"p");
    assert_eq!(end(&mut session), 101);
    session.assert_restored();
    let shown = session.contents();
    assert!(shown.contains("as was asked for"), "on the shell's screen: {shown}");
    assert!(shown.contains("A report of this panic is in"), "{shown}");
    assert!(!shown.contains("a wish that fails"), "{shown}");
    assert_eq!(std::fs::read_to_string(folder.path().join("drafts")).unwrap(), "SELECT 1");
    let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
    assert!(
        report.contains("as was asked for") && report.contains("leaving") | report.contains("child"),
        "{report}"
    );
    assert!(report.contains("a wish that fails"), "{report}");
}

#[test]
fn a_panic_of_a_worker_leaves_the_screen_alone() {
    let (folder, mut session) = begin();
    session.send(b"w");
    session.wait_for("survived true");
    assert!(!session.contents().contains("only a worker"));
    session.wait_until("a claimed terminal", is_claimed);
    let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
    assert!(report.contains("thread 'worker'") && report.contains("only a worker"), "{report}");
    assert!(!folder.path().join("drafts").exists(), "the program goes on");
    session.send(b"q");
    assert_eq!(end(&mut session), 0);
    session.assert_restored();
}

fn stop_and_continue(session: &mut Session, stop: impl Fn(&Session), is_restored: bool) {
    stop(session);
    session.wait_until_stopped();
    if is_restored {
        session.assert_restored();
    }
    session.kill(Signal::CONT);
    session.wait_for("continued");
    session.wait_until("a claimed terminal", is_claimed);
    assert_ne!(session.termios(), session.before);
    session.send(b"x");
    session.wait_for("Char('x')");
    session.send(b"q");
    assert_eq!(end(session), 0);
    session.assert_restored();
}

#[test]
fn a_suspension_gives_the_terminal_to_the_shell_and_takes_it_back() {
    let (_folder, mut session) = begin();
    stop_and_continue(&mut session, |session| session.kill(Signal::TSTP), true);
    let (_folder, mut session) = begin();
    stop_and_continue(&mut session, |session| session.send(b"\x1a"), true);
}

#[test]
fn a_stop_from_outside_is_survived() {
    let (_folder, mut session) = begin();
    stop_and_continue(&mut session, |session| session.kill(Signal::STOP), false);
}

#[test]
fn a_loop_that_hangs_is_left_by_asking_twice() {
    let (_folder, mut session) = begin();
    session.send(b"h");
    session.wait_for("hanging");
    session.kill(Signal::TERM);
    std::thread::sleep(Duration::from_millis(200));
    session.kill(Signal::HUP);
    assert!(session.exit_status(Duration::from_secs(2)).is_none(), "it has time to save");
    session.kill(Signal::TERM);
    assert_eq!(end(&mut session), 143);
    session.assert_restored();
}

#[test]
fn a_window_that_is_closed_ends_the_program() {
    let (folder, mut session) = begin();
    session.hang_up();
    let code = end(&mut session);
    let report = std::fs::read_to_string(folder.path().join("report"));
    assert_eq!((code, report.ok()), (129, None));
}

#[test]
fn quitting_before_any_answer_restores_too() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { is_muted: true, ..Options::default() };
    let start_time = Instant::now();
    let mut session = start(folder.path(), &options);
    session.wait_for("ready");
    println!("start to first frame: {:?}", start_time.elapsed());
    session.send(b"q");
    assert_eq!(end(&mut session), 0);
    session.assert_restored();
}
