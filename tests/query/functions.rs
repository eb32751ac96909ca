//! The functions that the workbench offers, against the SQLite that runs them and the guard.

use crate::support::{copy_of, run};
use casebook::query::QueryError;
use casebook::sql::functions::{FUNCTIONS, FunctionKind};
use rusqlite::Connection;
use std::collections::BTreeSet;

/// Functions of this SQLite that nobody is offered, though the guard does not refuse them by name: operators in the form
/// of a call, those of full-text tables, which no statement can make, and SQLite's own business.
const NOT_OFFERED: &[&str] = &[
    "->",
    "->>",
    "bm25",
    "fts5_get_locale",
    "highlight",
    "match",
    "matchinfo",
    "offsets",
    "snippet",
    "sqlite_compileoption_get",
    "sqlite_compileoption_used",
    "sqlite_log",
    "sqlite_source_id",
    "subtype",
];

/// A call with as many arguments as the function must have.
fn call(signature: &str, kind: FunctionKind) -> String {
    let Some((name, arguments)) = signature.split_once('(') else { return format!("SELECT {signature}") };
    let needed = arguments.trim_end_matches(')').split('[').next().unwrap();
    let arguments: Vec<&str> = needed
        .split(',')
        .map(str::trim)
        .filter(|argument| !argument.is_empty() && *argument != "...")
        .map(|argument| match argument {
            "P" => "0.5",
            "JSON" => "'[1]'",
            "PATH" => "'$[0]'",
            "NAME" => "'name'",
            "MOD" => "'+1 day'",
            _ => "1",
        })
        .collect();
    let arguments = arguments.join(", ");
    match kind {
        FunctionKind::Table => format!("SELECT * FROM {name}({arguments})"),
        FunctionKind::Window => format!("SELECT {name}({arguments}) OVER ()"),
        FunctionKind::Scalar | FunctionKind::Aggregate => format!("SELECT {name}({arguments})"),
    }
}

#[test]
fn every_function_offered_can_be_called_as_it_is_described() {
    let mut engine = copy_of("CREATE TABLE t(x)");
    for function in FUNCTIONS {
        let sql = call(function.signature, function.kind);
        run(&mut engine, &sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

#[test]
fn every_function_of_this_sqlite_is_offered_refused_or_known() {
    let database = Connection::open_in_memory().unwrap();
    let mut names = database.prepare("SELECT DISTINCT name FROM pragma_function_list").unwrap();
    let names: BTreeSet<String> =
        names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(names.len() > 100, "{names:?}");
    let mut engine = copy_of("CREATE TABLE t(x)");
    for name in names {
        let is_offered = FUNCTIONS.iter().any(|function| function.name() == name);
        let mut is_refused = || {
            (0..4).any(|count| {
                let sql = format!("SELECT {name}({})", vec!["1"; count].join(", "));
                matches!(run(&mut engine, &sql), Err(QueryError::Refused { .. }))
            })
        };
        assert!(is_offered || NOT_OFFERED.contains(&&*name) || is_refused(), "nobody hears of {name}");
        assert!(!is_offered || !NOT_OFFERED.contains(&&*name), "{name}");
    }
}
