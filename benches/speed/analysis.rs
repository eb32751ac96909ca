//! Structural analysis of the oracle's statements, a statement, against sqlglot's parse, qualify and scopes.
//!
//! Targets: at most 100 µs in the median; at least 100 times faster than sqlglot. The peer runs where `python3` (or the
//! program that `CASEBOOK_PYTHON` names) has sqlglot; `pip install sqlglot`.

use crate::measure;
use casebook::query::{self, Engine as _, Environment, FrozenDatabase, SqliteEngine};
use std::process::Command;
use std::time::Duration;

pub(crate) fn run() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/sql_structure");
    let schema = std::fs::read_to_string(folder.join("schema.sql")).unwrap();
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    let statements: Vec<String> = cases
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|case| case["verdict"] == "run")
        .map(|case| case["sql"].as_str().unwrap().to_owned())
        .collect();
    let frozen = FrozenDatabase::from_statements(&schema).unwrap();
    let environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: 1 };
    let mut engine = SqliteEngine::open(&frozen, environment).unwrap();
    let catalogue = engine.catalogue().unwrap();
    let mut resolver = Vec::new();
    let mut whole = Vec::new();
    for sql in &statements {
        let (one, other) = measure::in_turn(
            20,
            || drop(std::hint::black_box(casebook::sql::analyze(sql, &catalogue))),
            || drop(std::hint::black_box(query::analyze(&mut engine, sql))),
        );
        resolver.push(one);
        whole.push(other);
    }
    println!("{} statements", statements.len());
    println!(
        "resolver alone, median a statement             {:>10.1?}   slowest {:>10.1?}",
        measure::median(resolver.clone()),
        resolver.iter().max().unwrap()
    );
    println!(
        "with guard and SQLite's own view               {:>10.1?}   slowest {:>10.1?}",
        measure::median(whole.clone()),
        whole.iter().max().unwrap()
    );
    let python = std::env::var("CASEBOOK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peer/sqlglot_analysis.py");
    let output = Command::new(python).arg(script).arg(&folder).output();
    match output {
        Ok(output) if output.status.success() => {
            let seconds: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
            let peer = Duration::from_secs_f64(seconds);
            measure::report("resolver alone", measure::median(resolver), "sqlglot", peer);
            measure::report("with guard and SQLite's own view", measure::median(whole), "sqlglot", peer);
        }
        _ => println!("sqlglot is not installed: no comparison"),
    }
}
