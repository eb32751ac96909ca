//! `casebook analyze`: what statements read and how they join, one JSON object a line.

use super::choose_snapshot::{SnapshotChoice, private_copy};
use super::failure::Failure;
use crate::domain::{Analysis, JoinEdge, Rule, StatementKind};
use crate::query::{self, Environment, FrozenDatabase, SqliteEngine};
use crate::text::json::compact;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};

/// Arguments of `casebook analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook analyze \"SELECT u.login FROM okta_user u JOIN okta_factor f ON f.user_id = u.id\"
  casebook analyze --schema schema.sql < statements.jsonl

Without statements as arguments it reads JSON Lines, {\"id\": …, \"sql\": \"…\"}, from standard input. Each answer is
{id, verdict, rule, tables, joins, soft_joins, analysis}: verdict is run or refuse, rule names why it was refused, a join is
a pair of table.column, analysis is complete or partial. Conventions: docs/analysis.md.")]
pub(super) struct Arguments {
    /// Statements; they get the ids 1, 2, …
    sql: Vec<String>,
    /// A file of CREATE statements to analyse against, instead of a snapshot
    #[arg(long, value_name = "FILE.sql", conflicts_with = "snapshot")]
    schema: Option<PathBuf>,
    #[command(flatten)]
    snapshot: SnapshotChoice,
}

/// The longest line that is read, in bytes: a statement of 1 MiB, every character of it escaped.
const MAX_LINE_BYTES: u64 = 8 << 20;

/// Analyses each statement and prints a line for it.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut engine = engine(arguments)?;
    if !arguments.sql.is_empty() {
        for (index, sql) in arguments.sql.iter().enumerate() {
            writeln!(out, "{}", line(&mut engine, &Value::from(index + 1), sql)?)?;
        }
        return Ok(());
    }
    if io::stdin().is_terminal() {
        let message =
            "give statements as arguments, or JSON Lines on standard input; see casebook analyze --help";
        return Err(Failure::Input(message.to_owned()));
    }
    let (mut unusable, mut number) = (0, 0);
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let unreadable = |error| Failure::Input(format!("can't read standard input: {error}"));
        if (&mut input).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        number += 1;
        if bytes.len() as u64 == MAX_LINE_BYTES && !bytes.ends_with(b"\n") {
            unusable += 1;
            let _ = writeln!(io::stderr(), "casebook: line {number} of standard input is longer than 8 MiB");
            input.skip_until(b'\n').map_err(unreadable)?;
            continue;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match request(&bytes) {
            Ok((id, sql)) => writeln!(out, "{}", line(&mut engine, &id, &sql)?)?,
            Err(reason) => {
                unusable += 1;
                let _ = writeln!(io::stderr(), "casebook: line {number} of standard input: {reason}");
            }
        }
    }
    match unusable {
        0 => Ok(()),
        count => Err(Failure::Input(format!("{count} of {number} line(s) were no request"))),
    }
}

/// The id and the statement of one line.
fn request(bytes: &[u8]) -> Result<(Value, String), String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
    let sql = value.get("sql").and_then(Value::as_str).ok_or("it has no text under \"sql\"")?;
    Ok((value.get("id").cloned().unwrap_or(Value::Null), sql.to_owned()))
}

/// One line of output. A refused statement has no kind and no analysis, and a message instead.
#[derive(Serialize)]
struct Line<'l> {
    id: &'l Value,
    verdict: &'static str,
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<StatementKind>,
    explain: bool,
    tables: BTreeSet<String>,
    views: BTreeSet<String>,
    writes: BTreeSet<String>,
    joins: BTreeSet<JoinEdge>,
    soft_joins: BTreeSet<JoinEdge>,
    analysis: Option<Analysis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

fn line(engine: &mut SqliteEngine, id: &Value, sql: &str) -> Result<String, Failure> {
    let line = match query::analyze(engine, sql) {
        Ok(found) => Line {
            id,
            verdict: "run",
            rule: None,
            kind: Some(found.kind),
            explain: found.explain,
            tables: found.tables,
            views: found.views,
            writes: found.writes,
            joins: found.joins,
            soft_joins: found.soft_joins,
            analysis: Some(found.analysis),
            message: None,
        },
        Err(error) => Line {
            id,
            verdict: "refuse",
            rule: error.rule().map(Rule::name),
            kind: None,
            explain: false,
            tables: BTreeSet::new(),
            views: BTreeSet::new(),
            writes: BTreeSet::new(),
            joins: BTreeSet::new(),
            soft_joins: BTreeSet::new(),
            analysis: None,
            message: Some(error.to_string()),
        },
    };
    Ok(compact(&line)?)
}

/// An engine over the schema file or the snapshot.
fn engine(arguments: &Arguments) -> Result<SqliteEngine, Failure> {
    let Some(path) = &arguments.schema else { return private_copy(&arguments.snapshot.open()?, 0) };
    // Nothing runs, so any day will do.
    let environment = Environment { today: jiff::civil::Date::constant(2000, 1, 1), seed: 0 };
    SqliteEngine::open(&schema_file(path)?, environment).map_err(|error| Failure::input(&error))
}

fn schema_file(path: &Path) -> Result<FrozenDatabase, Failure> {
    let unusable =
        |reason: String| Failure::Input(format!("the schema '{}' can't be used: {reason}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
    let sql = String::from_utf8(bytes).map_err(|_| unusable("it is not UTF-8".to_owned()))?;
    FrozenDatabase::from_statements(&sql).map_err(|error| unusable(error.to_string()))
}
