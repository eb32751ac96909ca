//! Ctrl-Z and stops from outside: the shell has its terminal back, and the workbench draws itself anew when it goes on.

use super::desk::{Desk, press, quit, run, wide, write};
use crate::support::Session;
use rustix::process::Signal;

fn stop_and_go_on(stop: impl Fn(&Session), is_asked: bool) {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    write(&session, "SELECT 'before'");
    session.wait_for("SELECT 'before'");
    stop(&session);
    session.wait_until_stopped();
    if is_asked {
        session.assert_restored();
    }
    // The shell, or whoever has the terminal now, leaves its own traces.
    session.print("\x1b[2J\x1b[Hshell$ ");
    session.wait_for("shell$");
    session.kill(Signal::CONT);
    session.wait_for("SELECT 'before'");
    session.wait_until("the case as it was", |screen| {
        screen.alternate_screen() && screen.bracketed_paste() && !screen.contents().contains("shell$")
    });
    assert_ne!(session.termios(), session.before);
    run(&session, "SELECT 'after' AS a");
    session.wait_for("◆a");
    quit(session);
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell() {
    stop_and_go_on(|session| press(session, "ctrl-z"), true);
}

#[test]
fn a_signal_to_stop_does_the_same() {
    stop_and_go_on(|session| session.kill(Signal::TSTP), true);
}

#[test]
fn a_stop_that_cannot_be_heard_is_survived() {
    stop_and_go_on(|session| session.kill(Signal::STOP), false);
}
