//! A trace in a real terminal: the demo run stepped through by keys, and an answer of another program that means harm.

use super::desk::{Desk, press, quit, wide};
use std::path::Path;

#[test]
fn the_demo_run_is_stepped_through() {
    let desk = Desk::new();
    let session = desk.start_with(&["replay", "--demo"], &wide());
    session.wait_for("calls the same");
    press(&session, "s");
    session.wait_until("a call then and now", |screen| {
        let shown = screen.contents();
        shown.contains("Then and now") && shown.contains("lifecyclestatus") && shown.contains("the same")
    });
    press(&session, "w");
    session.wait_for("stops writing");
    press(&session, "f5");
    session.wait_for("never part of the evidence");
    press(&session, "esc a");
    session.wait_for("Trials of demo");
    press(&session, "esc");
    quit(session);
}

#[test]
fn text_of_a_trace_does_not_reach_the_terminal_as_it_is() {
    let desk = Desk::new();
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/traces/atif/uni-005-e1.trajectory.json");
    let session = desk.start_with(&["replay", file.to_str().unwrap()], &wide());
    session.wait_for("uni-005");
    press(&session, "G k k");
    session.wait_until("the escape made visible", |screen| screen.contents().contains("[31mRED"));
    quit(session);
}
