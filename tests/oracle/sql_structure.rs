//! Structural analysis against the oracle of 150 statements (`sql_structure/cases.jsonl`): exact tables, joins,
//! soft joins, views and writes for each statement to run.

use crate::support::{json_lines, text};
use casebook::domain::Analysis;
use casebook::query::{Engine as _, Environment, FrozenDatabase, SqliteEngine};
use casebook::sql::{Catalogue, analyze};
use serde_json::{Value, json};
use std::sync::Arc;

/// The oracle's schema, as the engine reads it from SQLite itself.
fn catalogue() -> Arc<Catalogue> {
    let frozen = FrozenDatabase::from_statements(&text("sql_structure/schema.sql")).unwrap();
    let environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: 0 };
    SqliteEngine::open(&frozen, environment).unwrap().catalogue().unwrap()
}

#[test]
fn every_statement_to_run_is_exact() {
    let catalogue = catalogue();
    let (mut checked, mut wrong) = (0, Vec::new());
    for case in json_lines("sql_structure/cases.jsonl") {
        if case["verdict"] != "run" {
            continue;
        }
        checked += 1;
        let sql = case["sql"].as_str().unwrap();
        let found = match analyze(sql, &catalogue) {
            Ok(found) => found,
            Err(error) => {
                wrong.push(format!("{}: {error}", case["id"]));
                continue;
            }
        };
        let found_json = json!({
            "tables": found.tables, "joins": found.joins, "soft_joins": found.soft_joins,
            "views": found.views, "writes": found.writes,
        });
        for key in ["tables", "joins", "soft_joins", "views", "writes"] {
            let wanted = case.get(key).cloned().unwrap_or(Value::Array(Vec::new()));
            if found_json[key] != wanted {
                wrong.push(format!(
                    "{} {key}: wanted {wanted}, found {}\n    {sql}",
                    case["id"], found_json[key]
                ));
            }
        }
        if found.analysis != Analysis::Complete {
            wrong.push(format!("{}: partial\n    {sql}", case["id"]));
        }
    }
    assert_eq!(checked, 130);
    assert!(wrong.is_empty(), "{} difference(s):\n{}", wrong.len(), wrong.join("\n"));
}
