//! Files that are not as they should be are named and moved aside, and the workbench goes on.

use super::desk::{Desk, code, press, quit, run, wait_for_case, wide, with, write};
use crate::support::Session;
use std::fs;

/// Opens the messages and waits until all of these are told.
fn wait_for_messages(session: &Session, wanted: &[&str]) {
    press(session, "esc g n");
    session.wait_until(&format!("messages with {wanted:?}"), |screen| {
        let shown = screen.contents();
        shown.contains("─ Messages ") && wanted.iter().all(|it| shown.contains(it))
    });
}

#[test]
fn settings_that_are_no_toml_are_moved_aside() {
    let desk = Desk::new();
    fs::create_dir(desk.config().join("themes")).unwrap();
    let files = ["config.toml", "keys.toml", "themes/own.toml"];
    for file in files {
        fs::write(desk.config().join(file), "theme = \n[[[").unwrap();
    }
    let session = desk.start(&wide());
    wait_for_messages(&session, &["config.toml.broken-1", "keys.toml.broken-1", "own.toml.broken-1"]);
    for file in files {
        let aside = desk.config().join(format!("{file}.broken-1"));
        assert!(aside.exists() && !desk.config().join(file).exists(), "{file}");
    }
    press(&session, "esc");
    quit(session);
}

#[test]
fn what_was_kept_and_cannot_be_read_is_moved_aside() {
    let desk = Desk::new();
    fs::write(desk.data().join("workbench.json"), "{\"panes\": 7").unwrap();
    fs::write(desk.data().join("history.jsonl"), b"{}\n\xff\xfe\n").unwrap();
    let session = desk.start(&wide());
    wait_for_messages(&session, &["history.jsonl.broken-1", "workbench.json.broken-1"]);
    press(&session, "esc");
    quit(session);
    assert!(desk.data().join("workbench.json.broken-1").exists());
}

#[test]
fn a_draft_that_cannot_be_read_is_moved_aside() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    write(&session, "SELECT 1");
    session.wait_for("SELECT 1");
    quit(session);
    let draft = fs::read_dir(desk.data().join("drafts")).unwrap().flatten().next().unwrap().path();
    fs::write(&draft, "{").unwrap();
    let session = desk.practice(&wide());
    run(&session, "SELECT 6 * 7 AS product");
    session.wait_for("◆product");
    wait_for_messages(&session, &["can't be read", "broken-1"]);
    press(&session, "esc");
    quit(session);
}

#[test]
fn keys_that_cannot_be_told_apart_end_it_and_are_both_named() {
    let desk = Desk::new();
    let keys = "[global]\n\"f12\" = \"help.open\"\n\"f12 x\" = \"theme.choose\"\n";
    fs::write(desk.config().join("keys.toml"), keys).unwrap();
    let mut session = desk.start_with(&[], &wide());
    assert_eq!(code(&mut session), 3);
    session.assert_restored();
    let shown = session.contents().replace('\n', " ");
    assert!(shown.contains("help.open") && shown.contains("theme.choose"), "{shown}");
    assert!(!session.log().windows(8).any(|it| it == b"\x1b[?1049h"), "the terminal was not claimed");
}

#[test]
fn a_data_folder_that_cannot_be_written_is_told_and_the_list_still_shows() {
    let desk = Desk::new();
    let file = desk.elsewhere().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("data");
    let session = desk.start(&with("CASEBOOK_DATA_DIR", below.to_str().unwrap()));
    write(&session, "/P-02");
    wait_for_case(&session, "P-02");
    press(&session, "enter enter");
    session.wait_until("why not", |screen| {
        let shown = screen.contents();
        shown.contains("✗") && shown.contains("file/data")
    });
    quit_with_warning(session);
}

/// Quits; what could not be written may be said then.
fn quit_with_warning(mut session: Session) {
    session.send(b"\x11");
    assert_eq!(code(&mut session), 0);
    session.assert_restored();
}
