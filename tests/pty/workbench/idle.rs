//! While nothing happens, nothing does.

use super::desk::{Desk, press, quit, run, wide};
use std::time::{Duration, Instant};

#[test]
fn an_idle_workbench_sleeps() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    run(&session, "SELECT login FROM okta_user");
    session.wait_for("◆login");
    press(&session, "esc g r j");
    session.wait_for("2 of 80");
    // The draft and the history are written a moment later; a busy machine may take longer.
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let before = (session.sleeps(), session.log().len());
        std::thread::sleep(Duration::from_millis(500));
        if before == (session.sleeps(), session.log().len()) {
            break;
        }
        assert!(Instant::now() < deadline, "something wakes up again and again");
    }
    quit(session);
}
