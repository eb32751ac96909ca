//! Each limit stops what it is for, says so, and leaves the copy usable.

use crate::support::{copy_of, frozen, open, run, short, value};
use casebook::domain::{Cut, Value};
use casebook::query::{Engine as _, LimitHit, Limits, QueryError};
use std::time::{Duration, Instant};

const COUNT_FOR_EVER: &str =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

#[test]
fn the_deadline_stops_a_statement() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let started = Instant::now();
    let error = copy.run(1, COUNT_FOR_EVER, &short()).unwrap_err();
    assert!(started.elapsed() < Duration::from_millis(800), "{:?}", started.elapsed());
    assert!(matches!(error, QueryError::Limit { limit: LimitHit::Time(_), .. }), "{error}");
    assert!(error.to_string().contains("the time limit of 0.3 s was reached"), "{error}");
    assert_eq!(value(&mut copy, "SELECT 1"), Value::Integer(1));
}

#[test]
fn an_interrupt_from_another_thread_stops_a_statement_at_once() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let handle = copy.interrupter();
    handle.interrupt(); // nothing runs: nothing happens
    let (error, waited) = std::thread::scope(|scope| {
        let stopper = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            handle.interrupt();
            Instant::now()
        });
        let error = copy.run(1, COUNT_FOR_EVER, &Limits::default()).unwrap_err();
        (error, stopper.join().unwrap().elapsed())
    });
    assert!(matches!(error, QueryError::Interrupted { .. }), "{error}");
    assert!(waited < Duration::from_millis(500), "{waited:?}");
    assert_eq!(value(&mut copy, "SELECT 1"), Value::Integer(1));
}

#[test]
fn a_write_stopped_in_the_middle_leaves_nothing_half_done() {
    let mut copy = copy_of("CREATE TABLE t(x); INSERT INTO t VALUES (1)");
    let endless =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n FROM c";
    let error = copy.run(1, endless, &short()).unwrap_err();
    assert!(matches!(error, QueryError::Limit { .. }), "{error}");
    assert_eq!(value(&mut copy, "SELECT count(*) FROM t"), Value::Integer(1));
    run(&mut copy, "INSERT INTO t VALUES (2)").unwrap();
}

#[test]
fn the_memory_bound_stops_a_statement() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let hog = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
        SELECT hex(zeroblob(400000)) || n AS v FROM c ORDER BY v";
    let limits = Limits { memory: 100 << 20, ..Limits::default() };
    let error = copy.run(1, hog, &limits).unwrap_err();
    assert!(matches!(error, QueryError::Limit { limit: LimitHit::Memory(_), .. }), "{error}");
    assert_eq!(value(&mut copy, "SELECT 1"), Value::Integer(1));
}

/// The bound counts the statement that hoards, and leaves one that runs beside it alone.
#[test]
fn a_hoarding_statement_does_not_stop_another_trial_s() {
    let frozen = frozen("CREATE TABLE t(x)");
    let hoard = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
        SELECT count(*) FROM (SELECT hex(zeroblob(500000)) || n AS v FROM c ORDER BY v LIMIT 190)";
    let modest = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300000) SELECT count(*) FROM c";
    std::thread::scope(|scope| {
        let hoarder = scope.spawn(|| {
            let mut copy = open(&frozen, 1);
            for _ in 0..5 {
                copy.run(1, hoard, &Limits::default()).unwrap();
            }
        });
        let mut copy = open(&frozen, 2);
        while !hoarder.is_finished() {
            let limits = Limits { memory: 20 << 20, ..Limits::default() };
            copy.run(1, modest, &limits).unwrap();
        }
    });
}

/// What the thread held before, other copies above all, is no part of the statement's memory.
#[test]
fn open_copies_do_not_use_up_the_bound() {
    let frozen = frozen("CREATE TABLE t(x)");
    let mut copies: Vec<_> = (0..100).map(|seed| open(&frozen, seed)).collect();
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let count = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) SELECT count(*) FROM c";
    for copy in &mut copies {
        copy.run(1, count, &limits).unwrap();
    }
}

#[test]
fn rows_and_bytes_are_cut_and_said() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let numbers =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50) SELECT n FROM c";
    let with = |rows, bytes| Limits { rows, bytes, ..Limits::default() };
    let cut = |copy: &mut casebook::query::SqliteEngine, limits: Limits| {
        let result = copy.run(1, numbers, &limits).unwrap().result;
        (result.rows.len(), result.cut)
    };
    assert_eq!(cut(&mut copy, with(50, 1000)), (50, None));
    assert_eq!(cut(&mut copy, with(49, 1000)), (49, Some(Cut::Rows(49))));
    assert_eq!(cut(&mut copy, with(100, 800)), (50, None));
    assert_eq!(cut(&mut copy, with(100, 799)), (49, Some(Cut::Bytes(799))));
    // One row that is larger than the whole budget is not kept either.
    let wide = copy.run(1, "SELECT zeroblob(1000)", &with(1, 1015)).unwrap().result;
    assert_eq!((wide.rows.len(), wide.cut), (0, Some(Cut::Bytes(1015))));
}

/// SQLite's own limits, each just inside and just outside.
#[test]
fn compile_limits_hold() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let list = |count: usize, separator: &str| vec!["1"; count].join(separator);
    let sums = |count| format!("SELECT {}", list(count, " + "));
    let unions = |count| vec!["SELECT 1"; count].join(" UNION ALL ");
    let columns = |count| format!("SELECT {}", list(count, ", "));
    let arguments = |count| format!("SELECT max({})", list(count, ", "));
    let pattern = |count| format!("SELECT 'a' LIKE '{}'", "%".repeat(count));
    for (name, inside, outside, message) in [
        ("depth", sums(199), sums(202), "Expression tree is too large"),
        ("compound", unions(100), unions(101), "too many terms in compound SELECT"),
        ("columns", columns(512), columns(513), "too many columns in result set"),
        ("arguments", arguments(64), arguments(65), "too many arguments on function max"),
        ("pattern", pattern(1_000), pattern(1_001), "LIKE or GLOB pattern too complex"),
        ("length", "SELECT zeroblob(1048576)".into(), "SELECT zeroblob(1048577)".into(), "a value is longer"),
        (
            "program",
            format!("SELECT 1 WHERE 1 IN ({})", list(50_000, ",")),
            format!("SELECT 1 WHERE 1 IN ({})", list(250_000, ",")),
            "",
        ),
    ] {
        run(&mut copy, &inside).unwrap_or_else(|error| panic!("{name}: {error}"));
        let error = run(&mut copy, &outside).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}

/// A snapshot that was opened before keeps working while another copy is at its limits.
#[test]
fn a_stopped_copy_does_not_disturb_another() {
    let frozen = frozen("CREATE TABLE t(x); INSERT INTO t VALUES (42)");
    let mut other = open(&frozen, 2);
    let mut copy = open(&frozen, 1);
    let _ = copy.run(1, COUNT_FOR_EVER, &short()).unwrap_err();
    assert_eq!(value(&mut other, "SELECT x FROM t"), Value::Integer(42));
}
