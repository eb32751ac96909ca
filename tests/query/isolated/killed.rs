//! What does not stop is killed, says which limit it met, and what was written before is there again.

use super::{isolated_copy_of, run, short, unstoppable, value, worker};
use crate::support::{TODAY, frozen};
use casebook::query::{Engine as _, Environment, IsolatedEngine, LimitHit, Limits, QueryError};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// What killing may take on a busy machine.
const SLOW: Duration = Duration::from_secs(2);

#[test]
fn what_outlasts_its_deadline_is_killed_and_the_copy_made_again() {
    let mut engine = isolated_copy_of("CREATE TABLE t(x)");
    run(&mut engine, 1, "INSERT INTO t VALUES (1), (random())").unwrap();
    run(&mut engine, 2, "CREATE TABLE mine AS SELECT * FROM t").unwrap();
    assert!(run(&mut engine, 3, "INSERT INTO nothing VALUES (1)").is_err());
    let before = value(&mut engine, "SELECT group_concat(x) FROM mine");
    let first = engine.process_id().unwrap();

    let started = Instant::now();
    let error = engine.run(4, &unstoppable(), &short()).unwrap_err();
    let took = started.elapsed();
    assert!(matches!(error, QueryError::Limit { limit: LimitHit::Time(_), .. }), "{error}");
    assert!(
        error.to_string().contains("the time limit of 0.2 s was reached; join on plain columns"),
        "{error}"
    );
    assert!(took > Duration::from_millis(650) && took < Duration::from_millis(700) + SLOW, "{took:?}");
    assert_eq!(engine.process_id(), None);
    assert!(engine.take_notices()[0].contains("did not stop within 500ms of its deadline, and was killed"));

    assert_eq!(value(&mut engine, "SELECT group_concat(x) FROM mine"), before, "random() too");
    assert_ne!(engine.process_id().unwrap(), first);
    let notices = engine.take_notices();
    assert!(
        notices[0].contains("made again in a new process: the 2 statements that had written were"),
        "{notices:?}"
    );
    assert_eq!(engine.take_notices(), [] as [String; 0]);
}

/// `INSERT OR FAIL` leaves what it wrote before it failed, and so must its repetition.
#[test]
fn a_statement_that_wrote_and_failed_is_repeated_too() {
    let mut engine = isolated_copy_of("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES (3)");
    assert!(run(&mut engine, 1, "INSERT OR FAIL INTO t VALUES (1), (2), (3), (4)").is_err());
    assert_eq!(value(&mut engine, "SELECT group_concat(x) FROM t"), "3,1,2");
    engine.run(2, &unstoppable(), &short()).unwrap_err();
    assert_eq!(value(&mut engine, "SELECT group_concat(x) FROM t"), "3,1,2");
}

/// An interrupt stops what lets itself be stopped, and kills what does not.
#[test]
fn an_interrupt_stops_or_kills() {
    let mut engine = isolated_copy_of("CREATE TABLE t(x)");
    let handle = engine.interrupter();
    handle.interrupt(); // nothing runs: nothing happens
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    for (sql, killed) in [(endless.to_owned(), false), (unstoppable(), true)] {
        let process = value_of_process(&mut engine);
        let error = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                handle.interrupt();
            });
            engine.run(1, &sql, &Limits::default()).unwrap_err()
        });
        let QueryError::Interrupted { elapsed, .. } = error else { panic!("{error}") };
        assert!(elapsed < Duration::from_millis(700) + SLOW, "{elapsed:?}");
        assert_eq!(engine.process_id() != Some(process), killed);
    }
    assert_eq!(value(&mut engine, "SELECT 1"), "1");
}

fn value_of_process(engine: &mut IsolatedEngine) -> u32 {
    assert_eq!(value(engine, "SELECT 1"), "1");
    engine.process_id().unwrap()
}

/// The process has a hard limit of its own, beneath what SQLite counts: a result that is kept counts too.
#[test]
fn more_memory_than_the_process_may_have_ends_the_statement() {
    let tiny = Limits { memory: 1 << 20, bytes: 1 << 20, ..Limits::default() };
    let environment = Environment { today: TODAY, seed: 1 };
    let mut engine =
        IsolatedEngine::open(&worker(), &frozen("CREATE TABLE t(x)"), environment, &tiny).unwrap();
    run(&mut engine, 1, "INSERT INTO t VALUES (42)").unwrap();
    let much = Limits { memory: 8 << 30, bytes: 8 << 30, rows: u64::MAX, ..Limits::default() };
    let count = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000000)";
    for sql in [
        format!("{count} SELECT n, n, n FROM c"),
        format!("{count} SELECT count(*) FROM (SELECT hex(zeroblob(400000)) || n AS v FROM c ORDER BY v)"),
    ] {
        let error = engine.run(2, &sql, &much).unwrap_err();
        assert!(matches!(error, QueryError::Limit { limit: LimitHit::Memory(_), .. }), "{error}");
        assert!(error.to_string().contains("select fewer columns or filter earlier"), "{error}");
        assert_eq!(value(&mut engine, "SELECT x FROM t"), "42");
    }
    let notices = engine.take_notices();
    assert!(notices.iter().any(|it| it.contains("memory allocation of")), "{notices:?}");
}

/// As when the system runs out of memory, or SQLite has a hole.
#[test]
fn a_process_that_dies_fails_one_statement_and_nothing_else() {
    let mut engine = isolated_copy_of("CREATE TABLE t(x)");
    run(&mut engine, 1, "INSERT INTO t VALUES (42)").unwrap();
    for signal in [Signal::KILL, Signal::ABORT] {
        let process = Pid::from_raw(engine.process_id().unwrap().cast_signed()).unwrap();
        kill_process(process, signal).unwrap();
        let error = run(&mut engine, 2, "SELECT 1").unwrap_err();
        let QueryError::Engine { reason } = &error else { panic!("{error:?}") };
        assert!(reason.contains(&format!("was ended by signal {}", signal.as_raw())), "{reason}");
        assert_eq!(value(&mut engine, "SELECT x FROM t"), "42");
    }
}
