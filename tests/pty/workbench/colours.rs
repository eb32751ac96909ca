//! Terminals with few colours, with none, and without Unicode.

use super::desk::{Desk, press, quit, run, wide, with, write};
use crate::support::{Options, Session};

/// Works a little on all pages.
fn work(options: &Options<'_>) -> Session {
    let desk = Desk::new();
    let session = desk.practice(options);
    write(&session, "SELECT log");
    run(&session, "SELECT login, 1 AS n, NULL AS z, '' AS e, x'00' AS b FROM okta_user -- words");
    session.wait_for("login");
    session.wait_for("of 80");
    press(&session, "esc g r m m g a ?");
    session.wait_for("Help");
    press(&session, "esc 1");
    session.wait_for("Closed for business");
    session
}

/// The parameters of all colour sequences (`CSI … m`).
fn graphics(log: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(log);
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| ('@'..='~').contains(&c))?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    sequences.collect()
}

/// The numbers that set a colour: 30-37, 38, 40-47, 48, 58, 90-97, 100-107. 39, 49 and 59 take it away.
fn colours(log: &[u8]) -> Vec<String> {
    let is_colour = |number: &str| {
        number.parse::<u16>().is_ok_and(|it| matches!(it, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107))
    };
    graphics(log).into_iter().filter(|it| it.split([';', ':']).next().is_some_and(is_colour)).collect()
}

#[test]
fn no_colour_means_none() {
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "vt220"), ("TERM", "dumb")] {
        let session = work(&with(name, value));
        assert_eq!(colours(&session.log()), Vec::<String>::new(), "{name}");
        // What colours would say is said otherwise.
        assert!(!graphics(&session.log()).is_empty());
        quit(session);
    }
}

#[test]
fn sixteen_colours_are_the_sixteen_that_every_terminal_has() {
    let session = work(&with("TERM", "xterm"));
    let used = colours(&session.log());
    assert!(!used.is_empty());
    // The longer form with 38 means blinking to terminals that have only these.
    let others: Vec<_> = used.iter().filter(|it| it.starts_with("38") || it.starts_with("48")).collect();
    assert!(others.is_empty(), "{others:?}");
    quit(session);
}

#[test]
fn deeper_terminals_get_what_they_have() {
    let session = work(&wide());
    let used = colours(&session.log());
    assert!(used.iter().any(|it| it.starts_with("38;5;")), "{used:?}");
    assert!(!used.iter().any(|it| it.starts_with("38;2;")), "{used:?}");
    quit(session);
    let session = work(&with("COLORTERM", "truecolor"));
    assert!(colours(&session.log()).iter().any(|it| it.starts_with("38;2;")));
    quit(session);
}

#[test]
fn without_unicode_all_signs_are_ascii() {
    let options = Options { environment: vec![("LANG", "C"), ("LC_ALL", "C")], ..wide() };
    let session = work(&options);
    press(&session, "2 g r");
    session.wait_for("of 80");
    let shown = session.contents();
    let odd: Vec<char> = shown.chars().filter(|it| !it.is_ascii()).collect();
    assert!(odd.is_empty(), "{odd:?} in\n{shown}");
    let log = session.log();
    assert!(log.is_ascii(), "{:?}", String::from_utf8_lossy(&log).chars().find(|it| !it.is_ascii()));
    quit(session);
}
