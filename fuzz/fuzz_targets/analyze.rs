//! Any text through the lexer, the resolver, the guard and the cross-check: no panic, no overflow, and the tables that
//! SQLite reports are always in the analysis.

#![no_main]

use casebook::query::{self, Engine as _, Environment, FrozenDatabase, SqliteEngine};
use casebook::text::{sql_lexer, visible};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

const SCHEMA: &str = include_str!("../../tests/oracle/sql_structure/schema.sql");

thread_local! {
    static ENGINE: RefCell<SqliteEngine> = RefCell::new({
        let frozen = FrozenDatabase::from_statements(SCHEMA).expect("the schema is sound");
        let today = "2026-06-30".parse().expect("a date");
        SqliteEngine::open(&frozen, Environment { today, seed: 1 }).expect("a copy opens")
    });
}

fuzz_target!(|sql: &str| {
    let covered: usize = sql_lexer::tokens(sql).map(|token| token.range.len()).sum();
    assert_eq!(covered, sql.len());
    let marked = visible::visible(sql);
    assert!(!marked.chars().any(char::is_control));
    ENGINE.with_borrow_mut(|engine| {
        let catalogue = engine.catalogue().expect("the schema can be read");
        // Also what the guard would refuse: the resolver must stand by itself.
        let _ = casebook::sql::analyze(sql, &catalogue);
        if let Ok(analysis) = query::analyze(engine, sql) {
            let checked = engine.check(sql).expect("it passed a moment ago");
            assert!(checked.tables_seen.is_subset(&analysis.tables), "{sql}");
        }
    });
});
