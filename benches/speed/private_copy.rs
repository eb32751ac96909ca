//! Opening a private copy at 8 MB and 200 MB against a backup copy, and the memory of 200 open copies.
//!
//! Targets: at most 1 ms each; at least 20 and 500 times faster than a backup; at most 200 KB private memory a copy.

use crate::measure;
use casebook::query::{Engine as _, Environment, FrozenDatabase, Limits, SqliteEngine};
use rusqlite::{Connection, backup::Backup};
use std::time::Duration;

const ENVIRONMENT: Environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: 1 };

pub(crate) fn database(path: &std::path::Path, megabytes: u32) {
    let database = Connection::open(path).unwrap();
    database.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF").unwrap();
    for table in 0..44 {
        database
            .execute_batch(&format!(
                "CREATE TABLE table_{table}(id, email, status, filler);
                 WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {})
                 INSERT INTO table_{table} SELECT n, 'user' || n || '@x.example', n % 7, hex(randomblob(80)) FROM c",
                megabytes * 107
            ))
            .unwrap();
    }
}

/// Private memory of this process in KB.
fn private_kb() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let line = text.lines().find(|line| line.starts_with("Private_Dirty:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    for (megabytes, rounds) in [(8, 40), (200, 8)] {
        let path = folder.path().join(format!("{megabytes}.sqlite"));
        database(&path, megabytes);
        let frozen = FrozenDatabase::seal(&std::fs::read(&path).unwrap()).unwrap();
        println!("{megabytes} MB: {} bytes", frozen.size());
        let source = Connection::open(&path).unwrap();
        let (open, backup) = measure::in_turn(
            rounds,
            || drop(std::hint::black_box(SqliteEngine::open(&frozen, ENVIRONMENT).unwrap())),
            || {
                let mut copy = Connection::open_in_memory().unwrap();
                Backup::new(&source, &mut copy)
                    .unwrap()
                    .run_to_completion(i32::MAX, Duration::ZERO, None)
                    .unwrap();
            },
        );
        measure::report("  open", open, "backup", backup);
        let count = |engine: &mut SqliteEngine| {
            engine.run(1, "SELECT count(*) FROM table_0 WHERE id < 10", &Limits::default()).unwrap();
        };
        let (first, _) =
            measure::in_turn(rounds, || count(&mut SqliteEngine::open(&frozen, ENVIRONMENT).unwrap()), || {});
        println!("  open and first query                       {first:>12.1?}");
        let before = private_kb();
        let mut copies: Vec<_> =
            (0..200).map(|_| SqliteEngine::open(&frozen, ENVIRONMENT).unwrap()).collect();
        let opened = private_kb();
        copies.iter_mut().for_each(count);
        let queried = private_kb();
        for copy in &mut copies {
            copy.run(1, "UPDATE table_1 SET status = 9 WHERE id = 5", &Limits::default()).unwrap();
        }
        let per_copy = |now: u64| (now - before) / 200;
        println!(
            "  200 copies, private KB each: {} opened, {} after a scan, {} after a write",
            per_copy(opened),
            per_copy(queried),
            per_copy(private_kb())
        );
    }
}
