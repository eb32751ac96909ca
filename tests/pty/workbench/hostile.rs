//! Data that would like to be more than data.

use super::desk::{Desk, press, quit, run, wide};

#[test]
fn cells_cannot_drive_the_terminal() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    run(
        &session,
        "SELECT char(27) || '[2J' || char(7) || char(155) || '31m' AS a, char(27) || ']0;title' || char(7) AS \"b\u{9b}2J\", \
         'x' || char(8238) || 'y' || char(0) || char(10) || 'z' AS c, '漢字👩‍👩‍👧‍👦é' AS d",
    );
    session.wait_for("1 of 1");
    session.wait_for("漢字");
    press(&session, "esc g r enter");
    session.wait_for("[2J");
    press(&session, "esc v");
    press(&session, "esc y");
    let log = String::from_utf8(session.log()).unwrap();
    assert!(!log.contains("\x1b[31m\x1b]0;title") && !log.contains("\x1b]0;"), "{log:?}");
    assert!(
        !log.contains('\u{9b}')
            && !log.contains('\u{202e}')
            && !log.contains('\u{7}'.to_string().repeat(2).as_str())
    );
    quit(session);
}

#[test]
fn odd_shapes_are_shown() {
    let desk = Desk::new();
    let session = desk.practice(&wide());
    let columns: Vec<String> = (0..500).map(|number| format!("{number} AS column_{number}")).collect();
    run(&session, &format!("SELECT {}", columns.join(", ")));
    session.wait_for("column_0");
    press(&session, "esc g r");
    session.send(b"\x1b[F");
    session.wait_for("column_499");
    press(&session, "g e i");
    run(&session, "SELECT NULL, NULL, NULL FROM okta_user WHERE 0");
    session.wait_for("0 rows");
    run(&session, "SELECT printf('%.1000000c', 'x') AS long");
    session.wait_for("xxxxxxxx");
    press(&session, "esc g r enter");
    session.wait_for("r raw or readable");
    press(&session, "esc g e i");
    run(&session, "CREATE TABLE empty_one AS SELECT 1 AS x WHERE 0");
    session.wait_for("Result 4 of 4");
    quit(session);
}
