//! Copying to a terminal that is far away.

use super::desk::{Desk, press, quit, run, with};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

#[test]
fn over_ssh_the_terminal_is_asked_to_copy() {
    let desk = Desk::new();
    let session = desk.practice(&with("SSH_TTY", "/dev/pts/9"));
    let value = "a value\u{1b}[31m, whole \u{202e} and real";
    run(&session, "SELECT 'a value' || char(27) || '[31m, whole ' || char(8238) || ' and real' AS v");
    session.wait_for("◆v");
    press(&session, "esc g r y");
    session.wait_for("OSC 52");
    let copied = format!("\x1b]52;c;{}\x07", STANDARD.encode(value));
    let log = session.log();
    assert!(log.windows(copied.len()).any(|it| it == copied.as_bytes()), "{}", log.escape_ascii());
    quit(session);
}

#[test]
fn what_is_too_long_is_kept_inside_and_told() {
    let desk = Desk::new();
    let session = desk.practice(&with("SSH_TTY", "/dev/pts/9"));
    run(&session, "SELECT printf('%.100000c', 'x') AS v");
    session.wait_for("◆v");
    press(&session, "esc g r y");
    session.wait_for("kept inside Casebook only");
    assert!(!session.log().windows(5).any(|it| it == b"\x1b]52;"));
    quit(session);
}
