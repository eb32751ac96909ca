//! `run` of the engine against bare rusqlite on the same private bytes with the same pragmas.
//!
//! Target: at most 5 % and 50 µs over bare SQLite.

use crate::measure;
use casebook::query::{Engine as _, Environment, FrozenDatabase, Limits, SqliteEngine};
use rusqlite::{Connection, types::Value};

pub(crate) const MAKE: &str = "
    CREATE TABLE person(id, email, department);
    CREATE TABLE account(id, login, status);
    CREATE TABLE key(account_id, created);
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 12000)
    INSERT INTO person SELECT n, 'user' || n || '@x.example', 'department ' || (n % 40) FROM c;
    INSERT INTO account SELECT id, email, CASE WHEN id % 9 THEN 'ACTIVE' ELSE 'SUSPENDED' END FROM person;
    INSERT INTO key SELECT id, date('2026-01-01', -(id % 400) || ' days') FROM person;";

pub(crate) const QUERIES: [(&str, &str); 5] = [
    ("one row", "SELECT 1"),
    ("aggregate", "SELECT status, count(*) FROM account GROUP BY status"),
    (
        "join",
        "SELECT count(*) FROM person p JOIN account a ON a.login = p.email JOIN key k ON k.account_id = a.id",
    ),
    ("1,000 rows", "SELECT * FROM person LIMIT 1000"),
    ("36,000 rows", "SELECT * FROM person UNION ALL SELECT * FROM account UNION ALL SELECT *, 1 FROM key"),
];

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.sqlite");
    let bare = Connection::open(&path).unwrap();
    bare.execute_batch(MAKE).unwrap();
    bare.execute_batch("PRAGMA mmap_size = 1000000000; PRAGMA temp_store = MEMORY").unwrap();
    let frozen = FrozenDatabase::seal(&std::fs::read(&path).unwrap()).unwrap();
    let environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: 1 };
    let mut engine = SqliteEngine::open(&frozen, environment).unwrap();
    let limits = Limits::default();
    for (name, sql) in QUERIES {
        let rounds = if name == "one row" { 4000 } else { 150 };
        let (ours, theirs) = measure::in_turn(
            rounds,
            || drop(std::hint::black_box(engine.run(1, sql, &limits).unwrap())),
            || {
                let mut statement = bare.prepare(sql).unwrap();
                let width = statement.column_count();
                let mut rows = statement.query([]).unwrap();
                let mut all: Vec<Vec<Value>> = Vec::new();
                while let Some(row) = rows.next().unwrap() {
                    all.push((0..width).map(|index| row.get(index).unwrap()).collect());
                }
                std::hint::black_box(all);
            },
        );
        let over = ours.as_secs_f64() - theirs.as_secs_f64();
        println!(
            "{name:<12} ours {ours:>10.1?}   bare {theirs:>10.1?}   over {:>+8.1} µs, {:>+6.1} %",
            over * 1e6,
            over / theirs.as_secs_f64() * 100.0
        );
    }
}
