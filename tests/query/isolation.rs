//! Each copy sees its own writes and nobody else's; the frozen bytes never change.

use crate::support::{copy_of, database, frozen, open, run, value};
use casebook::domain::Value;
use casebook::query::{FrozenDatabase, HEADROOM, LimitHit, QueryError};
use std::sync::Barrier;

/// A database of about 8 MB.
const EIGHT_MB: &str = "CREATE TABLE t(n, filler);
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 8000)
    INSERT INTO t SELECT n, printf('%.*c', 950, 'x') FROM c;
    CREATE TABLE mark(who);";

#[test]
fn two_hundred_copies_see_their_own_write_only() {
    let frozen = frozen(EIGHT_MB);
    assert!(frozen.size() > 7 << 20, "{}", frozen.size());
    let before = frozen.sha256().unwrap();
    let mut copies: Vec<_> = (0..200).map(|seed| open(&frozen, seed)).collect();
    for (number, copy) in copies.iter_mut().enumerate() {
        run(copy, &format!("INSERT INTO mark VALUES ({number})")).unwrap();
        run(copy, &format!("UPDATE t SET filler = 'changed by {number}' WHERE n = 4000")).unwrap();
    }
    for (number, copy) in copies.iter_mut().enumerate() {
        let number = i64::try_from(number).unwrap();
        assert_eq!(run(copy, "SELECT who FROM mark").unwrap().rows, [[Value::Integer(number)]]);
        assert_eq!(
            value(copy, "SELECT filler FROM t WHERE n = 4000"),
            Value::Text(format!("changed by {number}"))
        );
    }
    assert_eq!(frozen.sha256().unwrap(), before);
    drop(copies);
    assert_eq!(run(&mut open(&frozen, 0), "SELECT who FROM mark").unwrap().rows.len(), 0);
}

#[test]
fn copies_work_on_many_threads_at_once() {
    let frozen = frozen("CREATE TABLE mark(who)");
    let barrier = Barrier::new(8);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (frozen, barrier) = (&frozen, &barrier);
            scope.spawn(move || {
                let mut copy = open(frozen, number);
                barrier.wait();
                for _ in 0..20 {
                    run(&mut copy, &format!("INSERT INTO mark VALUES ({number})")).unwrap();
                }
                let wanted = i64::try_from(20 * number).unwrap();
                assert_eq!(value(&mut copy, "SELECT sum(who) FROM mark"), Value::Integer(wanted));
            });
        }
    });
}

#[test]
fn growth_past_the_headroom_is_a_limit_and_leaves_the_copy_usable() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let fill = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
        INSERT INTO t SELECT zeroblob(1000000) FROM c";
    let error = run(&mut copy, fill).unwrap_err();
    let QueryError::Limit { limit: LimitHit::Space(space), .. } = error else { panic!("{error}") };
    assert_eq!(space, HEADROOM as u64);
    // Rolled back as a whole, so there is room again.
    assert_eq!(value(&mut copy, "SELECT count(*) FROM t"), Value::Integer(0));
    run(&mut copy, "INSERT INTO t VALUES (1)").unwrap();
}

#[test]
fn any_statement_may_write_to_its_copy() {
    let mut copy = copy_of("CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2)");
    for sql in [
        "CREATE TABLE u AS SELECT * FROM t",
        "CREATE TEMP TABLE v(x)",
        "CREATE INDEX i ON t(a)",
        "CREATE VIEW w AS SELECT a FROM t",
        "ALTER TABLE t RENAME COLUMN b TO c",
        "ALTER TABLE t ADD COLUMN d",
        "INSERT INTO t(a) VALUES (3) ON CONFLICT DO NOTHING",
        "UPDATE t SET c = 5 WHERE a = 3 RETURNING c",
        "DELETE FROM u",
        "REINDEX t",
        "ANALYZE",
        "DROP VIEW w",
        "DROP TABLE u",
    ] {
        run(&mut copy, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    assert_eq!(
        value(&mut copy, "SELECT group_concat(a || ':' || ifnull(c, '-')) FROM t"),
        Value::Text("1:2,3:5".into())
    );
    assert_eq!(run(&mut copy, "UPDATE t SET c = 0").unwrap().changed_rows, 2);
}

#[test]
fn bytes_that_are_no_database_are_not_frozen() {
    let good = database("CREATE TABLE t(x)");
    let wal = |mut bytes: Vec<u8>| {
        bytes[18] = 2;
        bytes[19] = 2;
        bytes
    };
    for (bytes, wanted) in [
        (Vec::new(), "not a SQLite database"),
        (b"hello".repeat(400), "not a SQLite database"),
        (good[..good.len() - 1].to_vec(), "truncated"),
        (wal(good.clone()), "WAL mode"),
    ] {
        let error = FrozenDatabase::seal(&bytes).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    assert!(FrozenDatabase::seal(&good).is_ok());
}

/// What a snapshot brings with it is data, not behaviour.
#[test]
fn triggers_and_foreign_keys_of_the_snapshot_do_not_act() {
    let mut copy = copy_of(
        "CREATE TABLE parent(id PRIMARY KEY); CREATE TABLE child(parent REFERENCES parent(id)); CREATE TABLE log(x);
         CREATE TRIGGER t AFTER INSERT ON child BEGIN INSERT INTO log VALUES (new.parent); END",
    );
    run(&mut copy, "INSERT INTO child VALUES (7)").unwrap();
    assert_eq!(value(&mut copy, "SELECT count(*) FROM log"), Value::Integer(0));
}

#[test]
fn shadow_tables_can_not_be_changed() {
    let mut copy = copy_of("CREATE VIRTUAL TABLE f USING fts5(x)");
    let error = run(&mut copy, "DELETE FROM f_data").unwrap_err().to_string();
    assert!(error.contains("may not be modified"), "{error}");
}

/// Temporary tables, sorts and indexes stay in memory: SQLite opens no file for them.
#[test]
fn nothing_is_spilled_to_a_file() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let rows = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300) SELECT randomblob(100000) AS x FROM c";
    run(&mut copy, &format!("CREATE TEMP TABLE big AS {rows}")).unwrap();
    run(&mut copy, "CREATE TEMP TABLE sorted AS SELECT DISTINCT x FROM big ORDER BY x DESC").unwrap();
    let files: Vec<_> = std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok())
        .filter(|path| path.to_string_lossy().contains("etilqs"))
        .collect();
    assert!(files.is_empty(), "{files:?}");
}
