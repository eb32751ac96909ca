//! From opening to the answer and back, by keys: the case of leavers who can still reach AWS.

use super::desk::{Desk, press, quit, wait_for_case, wide, write};
use casebook::archive::Archive;
use casebook::domain::trial::{Ending, Verdict};

/// A table, and one of its columns that its first rows show.
const LOOKS: [(&str, &str); 3] = [
    ("hibob_employee", "employee_id"),
    ("aws_identitystore_user", "identity_store_id"),
    ("aws_ssoadmin_account_assignment", "instance_arn"),
];

#[test]
fn leavers_who_can_still_reach_aws() {
    let desk = Desk::new();
    let session = desk.start(&wide());
    write(&session, "/leavers in aws");
    wait_for_case(&session, "X-01");
    press(&session, "enter enter");
    session.wait_for("X-01 began (scored)");
    for (table, column) in LOOKS {
        press(&session, "esc g s /");
        write(&session, table);
        press(&session, "enter p");
        session.wait_until(&format!("a look at {table}"), |screen| {
            let shown = screen.contents();
            shown.contains("review ─")
                && shown.contains(column)
                && shown.contains(&format!("/{}", &table[..25.min(table.len())]))
        });
        press(&session, "c");
    }
    press(&session, "g e i");
    write(&session, "SELECT h.email, h.terminationdate, u.name\rFROM hibob_emp");
    session.wait_for("t hibob_employee");
    press(&session, "tab");
    write(&session, " h\rJOIN aws_identitystore_us");
    session.wait_for("t aws_identitystore_user");
    press(&session, "tab");
    write(&session, " u ON lower(u.name) = lower(h.email)\rWHERE h.lifecyclestatus = 'Terminated'");
    session.wait_for("FROM hibob_employee h");
    session.wait_for("JOIN aws_identitystore_user u ON lower(u.name) = lower(h.email)");
    press(&session, "f5");
    session.wait_until("a result", |screen| {
        let shown = screen.contents();
        shown.contains("◆email") && shown.contains("terminationdate")
    });
    press(&session, "esc g r m m");
    session.wait_until("two marks", |screen| {
        screen.contents().contains("◆ 1 ") && screen.contents().contains("◆ 2 ")
    });
    press(&session, "g a y i");
    write(&session, "Two leavers are still there.");
    press(&session, "esc f9");
    session.wait_for("Submit the answer?");
    session.wait_for("2 subjects");
    press(&session, "enter");
    session.wait_for("is answered, and recorded");
    quit(session);

    let session = desk.start(&wide());
    write(&session, "/leavers in aws");
    session.wait_until("the case as answered", |screen| {
        let shown = screen.contents();
        shown.contains("Leavers in AWS") && shown.contains("answered")
    });
    quit(session);

    let runs: Vec<_> = std::fs::read_dir(desk.data().join("runs")).unwrap().flatten().collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    let archive = Archive::open(&runs[0].path()).unwrap();
    assert_eq!(archive.trials[0].ending(), Ending::Answered);
    let answer = archive.answer(&archive.trials[0].name).unwrap().unwrap();
    assert_eq!(answer.verdict, Some(Verdict::Yes));
    assert_eq!(answer.subjects.unwrap().len(), 2);
    assert_eq!(answer.answer, "Two leavers are still there.");
}

#[test]
fn enter_pressed_too_often_begins_one_trial() {
    let desk = Desk::new();
    let session = desk.start(&wide());
    write(&session, "/leavers in aws\r\r\r\r");
    session.wait_for("X-01 began (scored)");
    quit(session);
    assert_eq!(std::fs::read_dir(desk.data().join("runs")).unwrap().count(), 1);
}

#[test]
fn submitting_twice_gives_one_answer() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    press(&session, "esc g a y f9");
    session.wait_for("Submit the answer?");
    press(&session, "enter f9 enter f9 enter");
    session.wait_for("✓ answered: yes");
    press(&session, "esc g n");
    session.wait_for("Messages");
    session.wait_for("is answered, and recorded");
    assert!(!session.contents().contains("is closed"), "{}", session.contents());
    press(&session, "esc");
    quit(session);
}
