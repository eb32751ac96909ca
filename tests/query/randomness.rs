//! `random()` and `randomblob()` are fixed by the trial's seed and the number of the call.

use crate::support::{frozen, open};
use casebook::domain::Value;
use casebook::query::{Engine as _, LimitHit, Limits, QueryError, SqliteEngine};

fn rows(copy: &mut SqliteEngine, call: u64, sql: &str) -> Vec<Vec<Value>> {
    copy.run(call, sql, &Limits::default()).unwrap().result.rows
}

const SQL: &str = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20)
    SELECT n, random(), hex(randomblob(8)) FROM c ORDER BY random()";

#[test]
fn the_same_call_of_the_same_trial_gives_the_same_numbers() {
    let frozen = frozen("CREATE TABLE t(x)");
    let first = rows(&mut open(&frozen, 7), 3, SQL);
    let mut again = open(&frozen, 7);
    assert_ne!(rows(&mut again, 2, SQL), first);
    assert_eq!(rows(&mut again, 3, SQL), first);
    assert_ne!(rows(&mut open(&frozen, 8), 3, SQL), first);
    let distinct: std::collections::BTreeSet<String> = first.iter().map(|row| row[1].to_text()).collect();
    assert_eq!(distinct.len(), 20);
}

#[test]
fn views_may_use_them() {
    let frozen =
        frozen("CREATE VIEW v AS SELECT abs(random() % 2) < 2 AS ok, length(randomblob(3)) AS three");
    assert_eq!(rows(&mut open(&frozen, 1), 1, "SELECT * FROM v"), [[Value::Integer(1), Value::Integer(3)]]);
}

#[test]
fn randomblob_takes_lengths_as_sqlite_does_and_no_more_than_the_limit() {
    let mut copy = open(&frozen("CREATE TABLE t(x)"), 1);
    for (argument, length) in [("0", 1), ("-5", 1), ("NULL", 1), ("'4'", 4), ("2.9", 2), ("1048576", 1 << 20)]
    {
        let found = rows(&mut copy, 1, &format!("SELECT length(randomblob({argument}))"));
        assert_eq!(found, [[Value::Integer(length)]], "{argument}");
    }
    for argument in ["1048577", "9223372036854775807"] {
        let error = copy.run(1, &format!("SELECT randomblob({argument})"), &Limits::default()).unwrap_err();
        assert!(
            matches!(error, QueryError::Limit { limit: LimitHit::ValueLength(_), .. }),
            "{argument}: {error}"
        );
    }
}
