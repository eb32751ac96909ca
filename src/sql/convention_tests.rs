//! Each convention of `docs/analysis.md` at its edges, beside the oracle's cases.

use super::{Catalogue, Unreadable, analyze, cross_check};
use crate::domain::{Analysis, StatementAnalysis, StatementKind};
use std::collections::BTreeSet;

fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::new();
    catalogue.add_table("A", ["id", "x", "Y", "doc"]);
    catalogue.add_table("b", ["id", "x", "y"]);
    catalogue.add_table("c", ["id", "x", "z"]);
    catalogue.add_table("Über", ["Ärger"]);
    catalogue.add_view("v", ["vid", "lower(x)"], "CREATE VIEW v AS SELECT id AS vid, lower(x) FROM a");
    catalogue.add_view("loop1", ["id"], "CREATE VIEW loop1 AS SELECT id FROM loop2");
    catalogue.add_view("loop2", ["id"], "CREATE VIEW loop2 AS SELECT id FROM loop1");
    catalogue
}

fn read(sql: &str) -> StatementAnalysis {
    analyze(sql, &catalogue()).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn edges(edges: &BTreeSet<crate::domain::JoinEdge>) -> String {
    let one = |edge: &crate::domain::JoinEdge| format!("{}={}", edge.columns().0, edge.columns().1);
    edges.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn joins_follow_the_conventions() {
    for (sql, wanted) in [
        // IS and its opposites
        ("SELECT 1 FROM a, b WHERE a.x IS b.x", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE a.x IS NOT b.x", ""),
        ("SELECT 1 FROM a, b WHERE a.x IS DISTINCT FROM b.x", ""),
        ("SELECT 1 FROM a, b WHERE (a.x IN (SELECT x FROM b)) IS 1", ""),
        ("SELECT 1 FROM a, b WHERE (a.x = b.x) IS TRUE", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE (a.x = b.x) = 0", ""),
        ("SELECT 1 FROM a, b WHERE a.x = b.x = 1", "a.x=b.x"),
        // NOT
        ("SELECT 1 FROM a, b WHERE NOT a.x = b.x", ""),
        ("SELECT 1 FROM a, b WHERE NOT (NOT a.x = b.x)", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE NOT (a.x = b.x OR a.y = b.y)", ""),
        ("SELECT 1 FROM a WHERE NOT x IN (SELECT x FROM b)", "a.x=b.x"),
        // row values and lists
        ("SELECT 1 FROM a, b WHERE (a.x, a.y) = (b.x, b.y)", "a.x=b.x a.y=b.y"),
        ("SELECT 1 FROM a WHERE (x, y) = (SELECT x, y FROM b LIMIT 1)", "a.x=b.x a.y=b.y"),
        ("SELECT 1 FROM a, b WHERE a.x IN (b.x, b.y, 'k')", "a.x=b.x a.x=b.y"),
        ("SELECT 1 FROM a WHERE (x, y) NOT IN (SELECT x, y FROM b)", "a.x=b.x a.y=b.y"),
        // where a comparison is not a join
        ("SELECT a.x = b.x, CASE WHEN a.y = b.y THEN 1 END FROM a, b ORDER BY a.id = b.id", ""),
        ("SELECT 1 FROM a, b WHERE a.x BETWEEN b.x AND b.y OR a.x > b.x", ""),
        ("SELECT count(*) FILTER (WHERE a.x = b.x) FROM a, b", ""),
        ("SELECT 1 FROM a, b GROUP BY a.id HAVING max(a.x) = max(b.x)", "a.x=b.x"),
        // what a value carries
        ("SELECT 1 FROM a, b WHERE count(a.x) = b.x", ""),
        ("SELECT 1 FROM a, b WHERE length(a.x) = b.x", ""),
        ("SELECT 1 FROM a, b WHERE substr(a.x, instr(a.y, ':')) = b.x", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE iif(a.y, a.x, 'none') = b.x", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE CASE a.y WHEN 1 THEN a.x ELSE a.id END = b.x", "a.id=b.x a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE nullif(a.x, a.y) = b.x", "a.x=b.x a.y=b.x"),
        ("SELECT 1 FROM a, b WHERE a.doc -> '$.k' ->> 'm' = b.x", "a.doc=b.x"),
        ("SELECT 1 FROM a, b WHERE CAST(a.x AS INT) + 0 = -b.x", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE a.rowid = b._rowid_", "a.rowid=b.rowid"),
        ("SELECT 1 FROM a JOIN (SELECT group_concat(x, ',') AS all_x FROM b) g ON g.all_x = a.x", "a.x=b.x"),
        (
            "SELECT 1 FROM a JOIN (SELECT lag(x) OVER (ORDER BY id) AS p, rank() OVER w AS r FROM b WINDOW w AS (ORDER BY y)) q ON q.p = a.x AND q.r = a.y",
            "a.x=b.x",
        ),
        // names
        ("SELECT 1 FROM a JOIN v ON v.\"lower(x)\" = a.x", "a.x=a.x"),
        ("SELECT lower(a.x) AS k FROM a, b WHERE k = b.x", "a.x=b.x"),
        ("SELECT lower(a.x) AS k FROM a JOIN b ON k = b.x", "a.x=b.x"),
        ("SELECT 1 FROM Über u JOIN b ON u.Ärger = b.x", "b.x=Über.Ärger"),
        ("SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = y)", ""),
        ("SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM c WHERE c.x = y)", "a.y=c.x"),
        ("SELECT 1 FROM a, b WHERE a.x = \"nothing\"", ""),
        ("WITH a AS (SELECT x FROM b) SELECT 1 FROM main.a JOIN c ON main.a.id = c.id", "a.id=c.id"),
        // USING, NATURAL
        ("SELECT 1 FROM a RIGHT JOIN b USING (x) JOIN c USING (x)", "a.x=b.x a.x=c.x b.x=c.x"),
        ("SELECT 1 FROM a JOIN b USING (x) JOIN c ON x = z", "a.x=b.x a.x=c.z"),
        ("SELECT 1 FROM a FULL JOIN b USING (x) JOIN c ON x = z", "a.x=b.x a.x=c.z b.x=c.z"),
        ("SELECT 1 FROM a JOIN (b JOIN c USING (id)) USING (x)", "a.x=b.x b.id=c.id"),
        ("SELECT 1 FROM (SELECT * FROM a JOIN b USING (id)) q JOIN c ON q.id = c.id", "a.id=b.id a.id=c.id"),
        ("SELECT 1 FROM a NATURAL JOIN b", "a.id=b.id a.x=b.x a.y=b.y"),
        // table functions, also ahead of their table
        ("SELECT 1 FROM json_each(a.doc) j JOIN a JOIN b ON j.value = b.x", "a.doc=b.x"),
        (
            "SELECT 1 FROM a, json_tree(a.doc) j, b WHERE j.type = b.x AND j.path = b.y AND j.json = b.id",
            "a.doc=b.id",
        ),
        ("SELECT 1 FROM b WHERE x IN (SELECT value FROM json_each((SELECT doc FROM a)))", "a.doc=b.x"),
        // CTEs
        (
            "WITH RECURSIVE t(n) AS (SELECT x FROM a UNION SELECT b.y FROM b JOIN t ON b.x = t.n) SELECT 1 FROM c JOIN t ON c.x = t.n",
            "a.x=b.x a.x=c.x b.x=b.y b.y=c.x",
        ),
        (
            "WITH t AS (SELECT x FROM a), u AS (SELECT x FROM t) SELECT 1 FROM u, u AS w WHERE u.x = w.x",
            "a.x=a.x",
        ),
        ("WITH u AS (SELECT x FROM t), t AS (SELECT x FROM a) SELECT 1 FROM u, b WHERE u.x = b.x", "a.x=b.x"),
        (
            "SELECT 1 FROM a WHERE x IN (WITH q AS (SELECT x FROM b WHERE b.y = a.y) SELECT x FROM q)",
            "a.x=b.x a.y=b.y",
        ),
        // set operations
        ("SELECT x FROM a INTERSECT SELECT x FROM b INTERSECT SELECT x FROM c", "a.x=b.x a.x=c.x"),
        ("SELECT 1 FROM c WHERE x IN (SELECT x FROM a EXCEPT SELECT x FROM b)", "a.x=b.x a.x=c.x"),
        ("SELECT x FROM a UNION SELECT x FROM b ORDER BY 1, lower(x)", ""),
        // statements that change
        (
            "WITH k AS (SELECT x FROM b) UPDATE a SET y = (SELECT max(x) FROM c WHERE c.id = a.id) WHERE x IN k",
            "a.id=c.id a.x=b.x",
        ),
        (
            "DELETE FROM a AS t WHERE EXISTS (SELECT 1 FROM b WHERE b.x = t.x) RETURNING (SELECT z FROM c WHERE c.id = id)",
            "a.x=b.x",
        ),
        (
            "INSERT INTO a(id, x) SELECT id, x FROM b WHERE true ON CONFLICT DO UPDATE SET x = excluded.x WHERE a.x = excluded.x",
            "",
        ),
        ("CREATE TEMP TABLE k AS SELECT a.id FROM a JOIN b USING (id)", "a.id=b.id"),
    ] {
        let found = read(sql);
        assert_eq!(edges(&found.joins), wanted, "{sql}");
        assert_eq!(found.analysis, Analysis::Complete, "{sql}");
    }
}

#[test]
fn soft_joins_are_kept_apart() {
    for (sql, wanted) in [
        ("SELECT 1 FROM a, b WHERE a.x LIKE '%' || b.x || '%'", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE a.x NOT LIKE b.x", ""),
        ("SELECT 1 FROM a, b WHERE NOT a.x NOT LIKE b.x", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE a.x GLOB b.x || '*'", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE instr(a.x, b.x) > 0 OR 1 <= instr(a.y, b.y)", "a.x=b.x a.y=b.y"),
        ("SELECT 1 FROM a, b WHERE instr(a.x, b.x) <> 0", "a.x=b.x"),
        ("SELECT 1 FROM a, b WHERE instr(a.x, b.x) = 0", ""),
        ("SELECT 1 FROM a, b WHERE instr(a.x, b.x)", "a.x=b.x"),
        ("SELECT a.x LIKE b.x FROM a, b", ""),
        ("SELECT 1 FROM a WHERE x LIKE y", ""),
    ] {
        let found = read(sql);
        assert_eq!(edges(&found.soft_joins), wanted, "{sql}");
        assert_eq!(edges(&found.joins), "", "{sql}");
    }
}

#[test]
fn tables_views_writes_and_kind() {
    let found = read("EXPLAIN QUERY PLAN DELETE FROM b WHERE id IN (SELECT vid FROM v)");
    assert_eq!(found.kind, StatementKind::Delete);
    assert!(found.explain);
    assert_eq!(Vec::from_iter(&found.tables), ["a", "b"]);
    assert_eq!(Vec::from_iter(&found.views), ["v"]);
    assert_eq!(Vec::from_iter(&found.writes), ["b"]);
    for (sql, kind, tables) in [
        ("PRAGMA table_info(a)", StatementKind::Pragma, ""),
        ("SELECT name FROM sqlite_schema", StatementKind::Select, ""),
        ("VALUES ((SELECT x FROM a))", StatementKind::Select, "a"),
        ("WITH unused AS (SELECT * FROM c) SELECT 1 FROM b", StatementKind::Select, "b"),
        ("DROP TABLE a", StatementKind::Definition, "a"),
        ("ALTER TABLE b RENAME COLUMN x TO w", StatementKind::Definition, "b"),
        ("CREATE INDEX i ON c(x)", StatementKind::Definition, "c"),
        ("CREATE VIEW w AS SELECT * FROM a", StatementKind::Definition, ""),
        ("REPLACE INTO a(id) VALUES (1)", StatementKind::Insert, "a"),
        ("VACUUM", StatementKind::Vacuum, ""),
        ("SAVEPOINT s", StatementKind::Transaction, ""),
        (
            "SELECT (SELECT 1 FROM b WHERE 0) FROM a LIMIT (SELECT count(*) FROM c)",
            StatementKind::Select,
            "a b c",
        ),
    ] {
        let found = read(sql);
        assert_eq!(found.kind, kind, "{sql}");
        assert_eq!(Vec::from_iter(found.tables).join(" "), tables, "{sql}");
    }
}

#[test]
fn what_cannot_be_resolved_is_partial_and_never_a_silent_zero() {
    for sql in ["SELECT nope FROM a", "SELECT 1 FROM nowhere", "SELECT a.nope FROM a", "SELECT id FROM loop1"]
    {
        assert_eq!(read(sql).analysis, Analysis::Partial, "{sql}");
    }
    let mut found = read("SELECT x FROM a");
    cross_check(&mut found, &BTreeSet::from(["a".to_owned()]));
    assert_eq!(found.analysis, Analysis::Complete);
    cross_check(&mut found, &BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    assert_eq!(found.analysis, Analysis::Partial);
    assert_eq!(Vec::from_iter(found.tables), ["a", "b"]);
}

#[test]
fn text_that_is_not_one_statement_is_unreadable() {
    let read = |sql: &str| analyze(sql, &catalogue()).unwrap_err();
    assert_eq!(read(""), Unreadable::NotOneStatement(0));
    assert_eq!(read(" -- nothing"), Unreadable::NotOneStatement(0));
    assert_eq!(read("SELECT 1; SELECT 2"), Unreadable::NotOneStatement(2));
    assert!(matches!(read("SELEC 1"), Unreadable::Syntax(_)));
    let deep = format!("SELECT {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(read(&deep), Unreadable::TooDeep(100_000));
}

/// Statements built to exhaust time, memory or stack come to an end, on a thread of 2 MiB as tests have.
#[test]
fn hostile_statements_are_bounded() {
    let nested = |open: &str, middle: &str, close: &str, times: usize| {
        format!("SELECT {}{middle}{}", open.repeat(times), close.repeat(times))
    };
    let doubling = |times: usize| {
        let tables =
            (1..times).map(|n| format!(", t{n} AS (SELECT p.x FROM t{0} p JOIN t{0} q ON p.x = q.x)", n - 1));
        format!("WITH t0 AS (SELECT x FROM a){} SELECT 1 FROM t{}", tables.collect::<String>(), times - 1)
    };
    for sql in [
        nested("(", "1", ")", 1_000),
        nested("CASE WHEN ", "1", " THEN 1 END", 1_000),
        nested("- ", "1", "", 50_000),
        nested("NOT ", "1", "", 50_000),
        nested("(SELECT ", "1", ")", 1_000),
        nested("* FROM (SELECT ", "*  FROM a", ")", 999),
        nested("1 || ", "1", "", 50_000),
        nested("lower(", "'x'", ")", 1_000),
        format!("SELECT 1 FROM a WHERE {}1", "x = y OR ".repeat(50_000)),
        format!(
            "SELECT 1 FROM a, b WHERE coalesce({0}a.x) = coalesce({0}b.x)",
            "a.x, b.y, a.y, ".repeat(20_000)
        ),
        doubling(60),
    ] {
        let _ = analyze(&sql, &catalogue());
    }
    assert_eq!(read(&doubling(60)).analysis, Analysis::Partial);
    assert_eq!(read(&doubling(5)).analysis, Analysis::Complete);
    assert_eq!(read(&nested("(", "1", ")", 1_000)).analysis, Analysis::Complete);
}
