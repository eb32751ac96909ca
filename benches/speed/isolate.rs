//! The engine in a process of its own against the one in this process: each query, opening, and killing.
//!
//! What it may cost is not a target but a choice (`--isolate`); what has to hold is that a statement that can't be stopped is
//! gone half a second after its deadline.

use crate::{measure, private_copy, query};
use casebook::query::{
    Engine, Environment, FrozenDatabase, IsolatedEngine, Limits, SqliteEngine, Worker, analyze,
};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const ENVIRONMENT: Environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: 1 };

fn isolated(frozen: &FrozenDatabase) -> IsolatedEngine {
    let worker = Worker { program: PathBuf::from(env!("CARGO_BIN_EXE_casebook")) };
    IsolatedEngine::open(&worker, frozen, ENVIRONMENT, &Limits::default()).unwrap()
}

fn in_process(frozen: &FrozenDatabase) -> SqliteEngine {
    SqliteEngine::open(frozen, ENVIRONMENT).unwrap()
}

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.sqlite");
    rusqlite::Connection::open(&path).unwrap().execute_batch(query::MAKE).unwrap();
    let frozen = FrozenDatabase::seal(&std::fs::read(&path).unwrap()).unwrap();
    let (mut here, mut there) = (in_process(&frozen), isolated(&frozen));
    for (name, sql) in query::QUERIES {
        let rounds = if name == "one row" { 4000 } else { 150 };
        each_way(name, rounds, &mut here, &mut there, &|engine| {
            std::hint::black_box(engine.run(1, sql, &Limits::default()).unwrap());
        });
    }
    each_way("analysis", 2000, &mut here, &mut there, &|engine| {
        std::hint::black_box(analyze(engine, query::QUERIES[2].1).unwrap());
    });
    for megabytes in [8, 200] {
        let path = folder.path().join(format!("{megabytes}.sqlite"));
        private_copy::database(&path, megabytes);
        let frozen = FrozenDatabase::seal(&std::fs::read(&path).unwrap()).unwrap();
        let first = |engine: &mut dyn Engine| {
            let sql = "SELECT count(*) FROM table_0 WHERE id < 10";
            engine.run(1, sql, &Limits::default()).unwrap();
        };
        let (theirs, ours) = measure::in_turn(40, || drop(isolated(&frozen)), || drop(in_process(&frozen)));
        measure::report(&format!("open and close, {megabytes} MB"), ours, "worker", theirs);
        let (theirs, ours) =
            measure::in_turn(40, || first(&mut isolated(&frozen)), || first(&mut in_process(&frozen)));
        measure::report(&format!("with a first query, {megabytes} MB"), ours, "worker", theirs);
    }
    killing(&frozen);
}

fn each_way(
    name: &str,
    rounds: usize,
    here: &mut dyn Engine,
    there: &mut dyn Engine,
    work: &dyn Fn(&mut dyn Engine),
) {
    let (ours, theirs) = measure::in_turn(rounds, || work(here), || work(there));
    let over = theirs.as_secs_f64() - ours.as_secs_f64();
    println!(
        "{name:<12} in process {ours:>10.1?}   worker {theirs:>10.1?}   over {:>+8.1} µs, {:>+6.1} %",
        over * 1e6,
        over / ours.as_secs_f64() * 100.0
    );
}

/// A statement that does not stop: past its deadline, and until the copy is there again.
fn killing(frozen: &FrozenDatabase) {
    let sql = format!("SELECT hex(zeroblob(500000)) LIKE '%0{}1'", "_".repeat(990));
    let deadline = Duration::from_millis(100);
    let limits = Limits { deadline, ..Limits::default() };
    let past = |engine: &mut dyn Engine| {
        let started = Instant::now();
        let _ = engine.run(1, &sql, &limits);
        started.elapsed().saturating_sub(deadline)
    };
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let mut again = Vec::new();
    let mut engine = isolated(frozen);
    engine.run(1, "CREATE TABLE mine AS SELECT * FROM person LIMIT 100", &Limits::default()).unwrap();
    for _ in 0..5 {
        here.push(past(&mut in_process(frozen)));
        there.push(past(&mut engine));
        let started = Instant::now();
        engine.run(2, "SELECT count(*) FROM mine", &Limits::default()).unwrap();
        again.push(started.elapsed());
    }
    println!(
        "past the deadline: in process {:.1?}, worker {:.1?}; made again with one write and a query {:.1?}",
        measure::median(here),
        measure::median(there),
        measure::median(again)
    );
}
