//! Each rule of the guard, by name, and the oracle's refusing statements.

use crate::support::{copy_of, run};
use casebook::domain::Rule;
use casebook::query::{Engine as _, analyze};
use std::path::Path;

fn oracle(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/sql_structure").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// The rule that each refusing statement of the oracle breaks.
const ORACLE: &[(&str, Rule)] = &[
    ("refuse-01", Rule::SeveralStatements),
    ("refuse-02", Rule::SeveralStatements),
    ("refuse-05", Rule::Attach),
    ("refuse-06", Rule::Detach),
    ("refuse-07", Rule::LoadExtension),
    ("refuse-08", Rule::Pragma),
    ("refuse-09", Rule::Vacuum),
    ("refuse-10", Rule::Vacuum),
    ("refuse-11", Rule::FileFunction),
    ("refuse-14", Rule::Pragma),
    ("refuse-15", Rule::Pragma),
    ("refuse-16", Rule::Pragma),
    ("refuse-17", Rule::VirtualTable),
    ("refuse-18", Rule::Fts3Tokenizer),
    ("refuse-19", Rule::Transaction),
    ("refuse-21", Rule::Transaction),
    ("refuse-22", Rule::EmptyStatement),
    ("refuse-23", Rule::EmptyStatement),
    ("refuse-24", Rule::Trigger),
    ("refuse-25", Rule::NulByte),
];

#[test]
fn the_oracle_s_statements_are_refused_by_their_rule_or_run() {
    let mut copy = copy_of(&oracle("schema.sql"));
    let (mut refused, mut run_cases) = (0, 0);
    for line in oracle("cases.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let (id, sql) = (case["id"].as_str().unwrap(), case["sql"].as_str().unwrap());
        let checked = copy.check(sql);
        if case["verdict"] == "refuse" {
            refused += 1;
            let wanted = ORACLE.iter().find(|(known, _)| *known == id).unwrap_or_else(|| panic!("{id}")).1;
            assert_eq!(checked.unwrap_err().rule(), Some(wanted), "{id}: {sql}");
            assert_eq!(run(&mut copy, sql).unwrap_err().rule(), Some(wanted), "{id}: {sql}");
        } else {
            run_cases += 1;
            let checked = checked.unwrap_or_else(|error| panic!("{id}: {error}\n{sql}"));
            let wanted: std::collections::BTreeSet<String> = case["tables"]
                .as_array()
                .unwrap()
                .iter()
                .map(|table| table.as_str().unwrap().into())
                .collect();
            assert!(
                checked.tables_seen.is_subset(&wanted),
                "{id}: {:?} against {wanted:?}",
                checked.tables_seen
            );
            let analysis = analyze(&mut copy, sql).unwrap();
            assert_eq!(analysis.tables, wanted, "{id}");
            assert_eq!(analysis.analysis, casebook::domain::Analysis::Complete, "{id}");
        }
    }
    assert_eq!((refused, run_cases), (ORACLE.len(), 130));
}

#[test]
fn the_message_names_rule_reason_and_next_step() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    let message = run(&mut copy, "PRAGMA journal_mode = WAL").unwrap_err().to_string();
    assert_eq!(
        message,
        "refused by rule pragma: the pragma 'journal_mode' is not allowed. Allowed pragmas: table_info, table_xinfo, \
         index_list, index_info, foreign_key_list, table_list."
    );
    let error = run(&mut copy, "SELECT nope FROM t").unwrap_err();
    assert_eq!(error.to_string(), "no such column: nope");
    assert!(matches!(error, casebook::query::QueryError::Sql { offset: Some(7), .. }), "{error:?}");
}

/// Where nothing could be denied, the cross-check would be worth nothing: it must see through views and indexes.
#[test]
fn sqlite_s_own_view_of_the_tables_comes_from_both_sources() {
    let mut copy = copy_of(
        "CREATE TABLE a(id, x); CREATE TABLE b(id PRIMARY KEY, y); CREATE INDEX i ON a(x);
         CREATE VIEW v AS SELECT b.y FROM b",
    );
    let seen = |copy: &mut casebook::query::SqliteEngine, sql: &str| {
        Vec::from_iter(copy.check(sql).unwrap().tables_seen).join(" ")
    };
    assert_eq!(seen(&mut copy, "SELECT y FROM v"), "b");
    assert_eq!(seen(&mut copy, "SELECT 1 FROM a WHERE x = 1"), "a");
    // Reached only through USING: the authorizer does not tell.
    assert_eq!(seen(&mut copy, "SELECT count(*) FROM a JOIN b USING (id)"), "a b");
    assert_eq!(seen(&mut copy, "EXPLAIN QUERY PLAN SELECT 1 FROM b"), "b");
    assert_eq!(seen(&mut copy, "SELECT name FROM sqlite_schema"), "");
    run(&mut copy, "CREATE TEMP TABLE a AS SELECT 1 AS z").unwrap();
    assert_eq!(seen(&mut copy, "SELECT z FROM a"), "a");
}

/// What the authorizer alone can see: virtual tables that SQLite carries by itself, and pragmas read like tables.
#[test]
fn built_in_virtual_tables_are_refused_and_the_harmless_ones_run() {
    let mut copy = copy_of("CREATE TABLE t(x); INSERT INTO t VALUES ('[1,2]')");
    for (sql, rule) in [
        ("SELECT * FROM dbstat", Rule::VirtualTable),
        ("SELECT count(*) FROM DBSTAT", Rule::VirtualTable),
        ("SELECT 1 FROM t WHERE x IN (SELECT name FROM dbstat)", Rule::VirtualTable),
        ("SELECT * FROM pragma_journal_mode", Rule::Pragma),
        ("SELECT 1 FROM t JOIN pragma_database_list", Rule::Pragma),
        ("SELECT * FROM Pragma_Function_List", Rule::Pragma),
        ("SELECT rtreecheck('t')", Rule::VirtualTable),
        ("SELECT fts3_tokenizer('simple')", Rule::Fts3Tokenizer),
    ] {
        for found in [copy.check(sql).err(), run(&mut copy, sql).err()] {
            assert_eq!(found.and_then(|error| error.rule()), Some(rule), "{sql}");
        }
    }
    for sql in [
        "SELECT value FROM t, json_each(t.x)",
        "SELECT * FROM json_tree('{}')",
        "SELECT name FROM pragma_table_info('t')",
        "PRAGMA table_xinfo(t)",
        "PRAGMA main.index_list = t",
    ] {
        run(&mut copy, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

/// The second statement is never looked at, so it can't give its own rule away, nor many of them exhaust the stack.
#[test]
fn several_statements_are_refused_as_that() {
    let mut copy = copy_of("CREATE TABLE t(x)");
    for sql in ["SELECT 1; ATTACH 'x' AS y", "SELECT 1; nonsense", &"SELECT 1;".repeat(100_000)] {
        assert_eq!(copy.check(sql).unwrap_err().rule(), Some(Rule::SeveralStatements), "{}", &sql[..18]);
    }
    let trigger = format!("CREATE TRIGGER r AFTER INSERT ON t BEGIN {} END", "SELECT 1;".repeat(1_000));
    assert_eq!(copy.check(&trigger).unwrap_err().rule(), Some(Rule::Trigger));
}
