//! The harness itself: a check that can't fail would prove nothing about the workbench.

use crate::support::{LONG, Options, Session, modes_left_on};
use std::path::Path;

#[test]
fn modes_that_are_left_on_are_found() {
    let on = "\x1b[?1049h\x1b[?25l\x1b[?1002;1006h\x1b[>5u\x1b[1;1Htext\x1b[0m";
    let left = |log: String| modes_left_on(log.as_bytes());
    assert_eq!(left(on.into()), ["?1002", "?1006", "?1049", "cursor hidden", "keyboard flags"]);
    let off = "\x1b[?1006l\x1b[?1002l\x1b[<1u\x1b[?25h\x1b[?1049l";
    assert_eq!(left(format!("{on}{off}")), Vec::<String>::new());
    assert_eq!(left(format!("{on}{on}{off}")), ["keyboard flags"], "pushed twice, popped once");
    assert_eq!(left(format!("{off}\x1b[?2004h")), ["?2004"]);
}

#[test]
fn a_command_that_only_prints_leaves_nothing_on() {
    let mut session = Session::casebook(&["--version"], &Options::default());
    session.wait_for(concat!("casebook ", env!("CARGO_PKG_VERSION")));
    assert!(session.exit_status(LONG).unwrap().success());
    session.assert_restored();
}

#[test]
fn a_program_that_leaves_the_terminal_raw_is_seen() {
    let script = "stty raw -echo; printf '\\033[?1004h'; printf done";
    let mut session = Session::program(Path::new("/bin/sh"), &["-c", script], &Options::default());
    session.wait_for("done");
    session.exit_status(LONG).unwrap();
    assert_eq!(session.modes_left_on(), ["?1004"]);
    assert_ne!(session.termios(), session.before);
}

#[test]
fn questions_are_answered_unless_the_terminal_is_muted() {
    let script = "stty raw -echo min 0 time 5; printf 'asking\\033[6n\\033[c'; echo; cat -v";
    let ask = |is_muted| {
        let options = Options { is_muted, ..Options::default() };
        let mut session = Session::program(Path::new("/bin/sh"), &["-c", script], &options);
        session.exit_status(LONG).unwrap();
        session.catch_up();
        session.contents()
    };
    assert!(ask(false).contains("^[[1;1R^[[?62;22c"));
    assert!(!ask(true).contains("^["));
}
