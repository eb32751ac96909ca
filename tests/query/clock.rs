//! Every form of now is the release date at midnight UTC, and local time is UTC.

use crate::support::{copy_of, value};
use casebook::domain::Value;

/// Each expression with what it gives at 2026-06-30T00:00:00Z.
const FORMS: &[(&str, &str)] = &[
    ("date()", "2026-06-30"),
    ("date('now')", "2026-06-30"),
    ("time('now')", "00:00:00"),
    ("datetime('now')", "2026-06-30 00:00:00"),
    ("datetime('NOW')", "2026-06-30 00:00:00"),
    ("datetime('now', 'localtime')", "2026-06-30 00:00:00"),
    ("datetime('now', 'utc')", "2026-06-30 00:00:00"),
    ("datetime('2026-01-15 12:00', 'localtime')", "2026-01-15 12:00:00"),
    ("datetime('2026-07-15 12:00', 'utc')", "2026-07-15 12:00:00"),
    ("datetime('1900-07-15 12:00', 'localtime')", "1900-07-15 12:00:00"),
    ("datetime('subsec')", "2026-06-30 00:00:00.000"),
    ("datetime('now', 'subsecond')", "2026-06-30 00:00:00.000"),
    ("CURRENT_DATE", "2026-06-30"),
    ("CURRENT_TIME", "00:00:00"),
    ("CURRENT_TIMESTAMP", "2026-06-30 00:00:00"),
    ("strftime('%s')", "1782777600"),
    ("strftime('%s', 'now')", "1782777600"),
    ("strftime('%Y-%m-%dT%H:%M:%fZ')", "2026-06-30T00:00:00.000Z"),
    ("unixepoch()", "1782777600"),
    ("unixepoch('now')", "1782777600"),
    ("unixepoch('subsec')", "1782777600.0"),
    ("julianday()", "2461221.5"),
    ("timediff('now', '2026-06-29')", "+0000-00-01 00:00:00.000"),
    ("(SELECT d FROM v)", "2026-06-30"),
    ("(SELECT made FROM t)", "2026-06-30 00:00:00"),
];

fn check_forms() {
    let mut copy = copy_of(
        "CREATE TABLE t(x, made DEFAULT CURRENT_TIMESTAMP); CREATE VIEW v AS SELECT date('now') AS d",
    );
    crate::support::run(&mut copy, "INSERT INTO t(x) VALUES (1)").unwrap();
    for (expression, wanted) in FORMS {
        let found = value(&mut copy, &format!("SELECT {expression}"));
        assert_eq!(found.to_text(), *wanted, "{expression}");
        assert_ne!(found, Value::Null);
    }
}

#[test]
fn now_is_the_release_date() {
    check_forms();
}

/// The same in a process whose zone is far from UTC, since a zone is read once a process.
#[test]
fn the_zone_of_the_machine_does_not_matter() {
    if std::env::var_os("CASEBOOK_TEST_ZONE").is_some() {
        return check_forms();
    }
    for zone in ["America/New_York", "Asia/Kolkata", "XYZ-13:45"] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "clock::the_zone_of_the_machine_does_not_matter"])
            .env("CASEBOOK_TEST_ZONE", "1")
            .env("TZ", zone)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{zone}: {text}");
    }
}

#[test]
fn two_dates_in_one_process_keep_apart() {
    use casebook::query::{Environment, SqliteEngine};
    let frozen = crate::support::frozen("CREATE TABLE t(x)");
    for today in [jiff::civil::date(1999, 12, 31), jiff::civil::date(2031, 2, 28), crate::support::TODAY] {
        let mut copy = SqliteEngine::open(&frozen, Environment { today, seed: 0 }).unwrap();
        assert_eq!(value(&mut copy, "SELECT date('now')"), Value::Text(today.to_string()));
    }
}
