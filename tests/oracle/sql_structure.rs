//! Structural analysis against the oracle of 150 statements (`sql_structure/cases.jsonl`): exact tables, joins,
//! soft joins, views and writes for each statement to run.

use crate::support::{json_lines, text};
use casebook::domain::Analysis;
use casebook::sql::{Catalogue, analyze};
use rusqlite::Connection;
use serde_json::{Value, json};

/// The oracle's schema, read back from SQLite itself.
fn catalogue() -> Catalogue {
    let database = Connection::open_in_memory().unwrap();
    database.execute_batch(&text("sql_structure/schema.sql")).unwrap();
    let mut catalogue = Catalogue::new();
    let mut list = database
        .prepare("SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')")
        .unwrap();
    let relations: Vec<(String, String, String)> = list
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (name, kind, sql) in relations {
        let mut columns = database.prepare("SELECT name FROM pragma_table_xinfo(?1)").unwrap();
        let columns: Vec<String> =
            columns.query_map([&name], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let columns = columns.iter().map(String::as_str);
        match kind.as_str() {
            "view" => catalogue.add_view(&name, columns, &sql),
            _ => catalogue.add_table(&name, columns),
        }
    }
    catalogue
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
