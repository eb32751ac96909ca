//! The first picture waits for nothing, and what the terminal answers later disturbs nobody.

use super::desk::{Desk, press, quit, run, wait_for_case, wide, with, write};
use crate::support::Options;
use std::time::Instant;

fn find(log: &[u8], what: &str) -> Option<usize> {
    log.windows(what.len()).position(|window| window == what.as_bytes())
}

#[test]
fn the_first_picture_comes_before_questions_and_files() {
    let desk = Desk::new();
    let begin = Instant::now();
    let session = desk.start_with(&[], &wide());
    session.wait_for("Casebook");
    println!("start to first frame: {:?}", begin.elapsed());
    session.wait_for("Closed for business");
    let log = session.log();
    let (picture, question) = (find(&log, "Casebook"), find(&log, "\x1b]11;?"));
    let cases = find(&log, "Closed");
    assert!(picture.unwrap() < question.unwrap(), "{}", log.escape_ascii());
    assert!(question.unwrap() < cases.unwrap(), "{}", log.escape_ascii());
    quit(session);
}

#[test]
fn a_terminal_that_answers_nothing_will_do() {
    let desk = Desk::new();
    let session = desk.practice(&Options { is_muted: true, ..wide() });
    run(&session, "SELECT 6 * 7 AS product");
    session.wait_for("◆product");
    quit(session);
}

#[test]
fn nothing_is_asked_again_when_everything_is_drawn_anew() {
    let desk = Desk::new();
    let session = desk.start(&Options { is_muted: true, ..wide() });
    let asked = session.log().len();
    session.resize(100, 30);
    session.send(b"\x0c");
    write(&session, "/leavers in aws");
    session.resize(140, 40);
    session.wait_for("/leavers in aws");
    wait_for_case(&session, "X-01");
    let log = session.log();
    for question in ["\x1b[6n", "\x1b[c", "\x1b]11;?"] {
        assert_eq!(find(&log[asked..], question), None, "{}", log.escape_ascii());
    }
    quit(session);
}

#[test]
fn answers_between_keys_change_no_text() {
    let desk = Desk::new();
    let session = desk.start(&Options { is_muted: true, ..wide() });
    for bytes in [
        "/lea",
        "\x1b]10;rgb:d0d0/d0d0/d0d0\x07ve",
        "\x1b]11;rgb:10",
        "10/1010/2020\x1b\\r",
        "s\x1b[?5u i",
        "\x1b[?62;22cn aws\x1b[?997;1n",
    ] {
        session.send(bytes.as_bytes());
    }
    session.wait_for("/leavers in aws");
    wait_for_case(&session, "X-01");
    quit(session);
}

/// How light the letters of the first line are, from 0 to 765; `None` in the terminal's own colour.
fn lightness(screen: &vt100::Screen) -> Option<u32> {
    let row = screen.contents_between(0, 0, 0, 119);
    let column = u16::try_from(row.find("2 Investigate")? + 2).ok()?;
    match screen.cell(0, column)?.fgcolor() {
        vt100::Color::Rgb(red, green, blue) => Some(u32::from(red) + u32::from(green) + u32::from(blue)),
        _ => None,
    }
}

#[test]
fn a_light_terminal_gets_the_light_theme() {
    let desk = Desk::new();
    let options = Options { is_muted: true, ..with("COLORTERM", "truecolor") };
    let session = desk.start(&options);
    session.wait_until("light letters", |screen| lightness(screen).is_some_and(|it| it > 300));
    session.send(b"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;22c");
    session.wait_until("dark letters", |screen| lightness(screen).is_some_and(|it| it < 350));
    session.send(b"\x1b[?997;1n");
    session.wait_until("light letters again", |screen| lightness(screen).is_some_and(|it| it > 300));
    write(&session, "/x");
    press(&session, "esc");
    quit(session);
}
