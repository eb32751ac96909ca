//! Whatever a statement gives in this process it gives in another one: rows, errors, limits, seeds, what is left behind.

use super::{isolated, isolated_copy_of, run};
use crate::hostile::{Line, SCHEMA, bounded_lines};
use crate::support::{copy_of, frozen, open};
use casebook::domain::ResultSet;
use casebook::query::{Engine, FrozenDatabase, LimitHit, Limits, QueryError, analyze};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What is looked at after a statement.
const PROBES: [&str; 4] = [
    "SELECT count(*), total(id), total(grp), group_concat(name) FROM t",
    "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
    "SELECT type, name, sql FROM sqlite_temp_schema ORDER BY type, name",
    "SELECT changes(), total_changes(), last_insert_rowid()",
];

/// After the greatest rowid there is, SQLite takes others at random, from a generator of its own that nothing seeds: they are not
/// the same twice in one process either.
const CHOSEN_BY_SQLITE: &str = "write-42";

/// Every hostile statement, in both. Which of them time stops depends on the machine; the others must be the same.
#[test]
fn hostile_statements_end_the_same_way() {
    let frozen = frozen(SCHEMA);
    let lines: Vec<Line> = bounded_lines().collect();
    let (next, compared, faults) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut kept = None;
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut engines = kept.take().unwrap_or_else(|| pair(&frozen));
                    match compare(&mut engines, line) {
                        Ok(Compared::Same { untouched }) => {
                            compared.fetch_add(1, Ordering::Relaxed);
                            kept = untouched.then_some(engines);
                        }
                        Ok(Compared::OutOfTime) => {}
                        Err(fault) => faults.lock().unwrap().push(format!("{}: {fault}", line.id)),
                    }
                }
            });
        }
    });
    let (faults, compared) = (faults.into_inner().unwrap(), compared.into_inner());
    eprintln!("{compared} of {} compared", lines.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(compared * 4 > lines.len() * 3, "only {compared} of {} ended before their time", lines.len());
}

enum Compared {
    /// Whether the copies are as they were, too.
    Same {
        untouched: bool,
    },
    OutOfTime,
}

/// A copy in this process, and one in another.
fn pair(frozen: &FrozenDatabase) -> [Box<dyn Engine>; 2] {
    [Box::new(open(frozen, 1)), Box::new(isolated(frozen, 1))]
}

/// Whether a statement was compared; what is not the same is an error.
fn compare(engines: &mut [Box<dyn Engine>; 2], line: &Line) -> Result<Compared, String> {
    let deadline = Duration::from_millis(if line.is_memory_bomb() { 1000 } else { 120 });
    let limits = Limits { deadline, ..Limits::default() };
    let sql = line.statement();
    let checked = engines[0].check(&sql);
    let untouched = line.first.is_empty() && checked.map_or(true, |checked| checked.read_only);
    let ended = engines.each_mut().map(|engine| {
        for first in &line.first {
            run(engine.as_mut(), 1, first).unwrap();
        }
        let analysis = said(&analyze(engine.as_mut(), &sql));
        (engine.run(2, &sql, &limits).map(|answer| answer.result), analysis)
    });
    let [(here, analysis), (there, other)] = &ended;
    if is_time(here) || is_time(there) {
        return Ok(Compared::OutOfTime);
    }
    let (here, there) = (said(here), said(there));
    if here != there {
        return Err(format!("in this process {}, in another {}", cut(&here), cut(&there)));
    }
    if analysis != other {
        return Err(format!("analysed as {}, there as {}", cut(analysis), cut(other)));
    }
    for probe in PROBES.iter().filter(|_| line.id != CHOSEN_BY_SQLITE) {
        let [here, there] = engines.each_mut().map(|engine| said(&run(engine.as_mut(), 3, probe)));
        if here != there {
            return Err(format!("{probe}: in this process {}, in another {}", cut(&here), cut(&there)));
        }
    }
    let notices = engines[1].take_notices();
    if notices.is_empty() { Ok(Compared::Same { untouched }) } else { Err(format!("{notices:?}")) }
}

fn is_time(ended: &Result<ResultSet, QueryError>) -> bool {
    matches!(ended, Err(QueryError::Limit { limit: LimitHit::Time(_), .. }))
}

/// All of a result or an error but the time it took.
fn said<T: std::fmt::Debug>(ended: &Result<T, QueryError>) -> String {
    match ended {
        Err(QueryError::Limit { limit, .. }) => format!("{limit:?}"),
        other => format!("{other:?}"),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}

#[test]
fn a_seed_and_a_number_give_the_same_numbers_in_both() {
    let frozen = frozen("CREATE TABLE t(x)");
    let sql = "SELECT random(), hex(randomblob(9)), random(), datetime('now'), julianday('now', 'localtime')";
    let of = |engine: &mut dyn Engine| -> Vec<ResultSet> {
        [1, 2, 1].map(|call| run(engine, call, sql).unwrap()).to_vec()
    };
    let here = of(&mut open(&frozen, 7));
    assert_eq!(here, of(&mut isolated(&frozen, 7)));
    assert_ne!(here, of(&mut isolated(&frozen, 8)));
    assert_eq!(here[0], here[2]);
    assert_ne!(here[0], here[1]);
}

#[test]
fn results_of_every_size_and_type_come_through() {
    let sql = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 30000)
        SELECT n, n / 7.0 AS r, 'row ' || n AS t, NULL AS z, x'00ff' AS b, CAST(x'ff41' AS TEXT) AS bad, 9e999 AS inf FROM c";
    let (mut here, mut there) = (copy_of("CREATE TABLE t(x)"), isolated_copy_of("CREATE TABLE t(x)"));
    let result = run(&mut there, 1, sql).unwrap();
    assert_eq!(result.rows.len(), 30_000);
    assert_eq!(result, run(&mut here, 1, sql).unwrap());
    let limits = Limits { rows: 100, bytes: 5000, ..Limits::default() };
    let cut = |engine: &mut dyn Engine, limits| engine.run(1, sql, limits).unwrap().result;
    assert_eq!(cut(&mut there, &limits), cut(&mut here, &limits));
    let wide = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60) SELECT zeroblob(1000000) FROM c";
    let (large, limits) = (run(&mut there, 1, wide).unwrap(), Limits::default());
    assert_eq!(large, cut_wide(&mut here, wide, &limits));
    assert_eq!(large.rows.len(), 60);
}

fn cut_wide(engine: &mut dyn Engine, sql: &str, limits: &Limits) -> ResultSet {
    engine.run(1, sql, limits).unwrap().result
}

#[test]
fn the_catalogue_follows_what_is_written() {
    let schema = "CREATE TABLE t(id, Name); CREATE VIEW v AS SELECT id FROM t";
    let (mut here, mut there) = (copy_of(schema), isolated_copy_of(schema));
    let of = |engine: &mut dyn Engine| -> Vec<String> {
        let catalogue = engine.catalogue().unwrap();
        catalogue
            .relations()
            .iter()
            .map(|it| format!("{} {:?} {:?}", it.name(), it.columns(), it.view()))
            .collect()
    };
    assert_eq!(of(&mut here), of(&mut there));
    for sql in ["CREATE TEMP TABLE w(a, b)", "DROP VIEW v", "ALTER TABLE t ADD COLUMN c", "SELECT 1"] {
        assert_eq!(said(&run(&mut here, 2, sql)), said(&run(&mut there, 2, sql)));
        assert_eq!(of(&mut here), of(&mut there), "{sql}");
        let checked = |engine: &mut dyn Engine| engine.check("SELECT * FROM w, t").unwrap();
        assert_eq!(checked(&mut here), checked(&mut there), "{sql}");
    }
    assert_eq!(of(&mut there).len(), 2);
}

#[test]
fn a_statement_that_is_far_too_long_is_refused_in_the_same_words() {
    let sql = format!("SELECT '{}'", "x".repeat(8 << 20));
    let (mut here, mut there) = (copy_of("CREATE TABLE t(x)"), isolated_copy_of("CREATE TABLE t(x)"));
    assert_eq!(said(&run(&mut here, 1, &sql)), said(&run(&mut there, 1, &sql)));
    assert_eq!(here.check(&sql).unwrap_err().to_string(), there.check(&sql).unwrap_err().to_string());
}
