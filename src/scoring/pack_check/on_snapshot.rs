//! A pack's references on one snapshot: they run, they read what they say, and they find what they should.

use super::SnapshotCheck;
use crate::domain::{Analysis, JoinEdge, SchemaDocument, StatementAnalysis, Value};
use crate::pack::vault::{Reference, TaskTruth, Truth, Vault, truth_file};
use crate::pack::{Pack, PackProblem, expand};
use crate::query::{Engine as _, Environment, FrozenDatabase, Limits, SqliteEngine, analyze};
use crate::snapshot::{Manifest, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// No reference may take longer.
const DEADLINE: Duration = Duration::from_secs(10);

/// No other way may, however long it is.
pub(super) const WAY_DEADLINE: Duration = Duration::from_mins(2);

/// Runs all references; `None` where the snapshot can't be opened or the check was stopped.
pub(super) fn check(
    pack: &Pack,
    vault: &Vault,
    snapshot: &Snapshot,
    watch: &mut dyn FnMut(&str, &str) -> bool,
    problems: &mut Vec<PackProblem>,
) -> Option<SnapshotCheck> {
    let manifest = &snapshot.manifest;
    let told = &manifest.schema_document();
    let mut engine = match open(snapshot) {
        Ok(engine) => engine,
        Err(reason) => {
            problems.push(PackProblem::of_file("pack.toml", format!("snapshot {}: {reason}", manifest.name)));
            return None;
        }
    };
    let mut tasks = BTreeMap::new();
    let mut slowest: Option<(String, u128)> = None;
    for (task, _) in &pack.tasks {
        if !watch(&manifest.name, &task.id) {
            problems.push(PackProblem::of_file("pack.toml", "the check was cancelled"));
            return None;
        }
        let Some(reference) = vault.references.get(&task.id) else { continue };
        let mut wrong = |reason: String| {
            problems.push(PackProblem::of_task(
                &reference.place,
                &task.id,
                format!("{}: {reason}", manifest.name),
            ));
        };
        check_columns(reference, manifest, &mut wrong);
        check_reading(&mut engine, reference, told, &mut wrong);
        let Some((truth, took)) = run(&mut engine, reference, (&reference.sql, DEADLINE), told, &mut wrong)
        else {
            continue;
        };
        if slowest.as_ref().is_none_or(|(_, most)| took > *most) {
            slowest = Some((task.id.clone(), took));
        }
        check_subjects(reference, &truth, manifest, &mut wrong);
        if let Some(second) = &reference.second_sql
            && let Some((other, _)) = run(&mut engine, reference, (second, DEADLINE), told, &mut wrong)
            && other.subjects() != truth.subjects()
        {
            wrong("its second query gives other subjects".to_owned());
        }
        tasks.insert(task.id.clone(), truth);
    }
    let ways = super::ways::follow_all(&mut engine, vault, &tasks, manifest, watch, problems);
    let truth = Truth::new(pack, manifest.revision, tasks);
    Some(SnapshotCheck { manifest: manifest.clone(), truth, slowest, ways })
}

fn open(snapshot: &Snapshot) -> Result<SqliteEngine, String> {
    let data = snapshot.data().map_err(|error| error.to_string())?;
    let frozen = FrozenDatabase::seal(&data).map_err(|error| error.to_string())?;
    let environment = Environment { today: snapshot.manifest.release_date, seed: 0 };
    SqliteEngine::open(&frozen, environment).map_err(|error| error.to_string())
}

/// Every table and column that a path names is in the snapshot.
fn check_columns(reference: &Reference, manifest: &Manifest, wrong: &mut dyn FnMut(String)) {
    let has = |table: &str, column: &str| {
        manifest.tables.iter().any(|it| {
            it.name.eq_ignore_ascii_case(table)
                && it.columns.iter().any(|name| name.eq_ignore_ascii_case(column))
        })
    };
    for table in &reference.tables {
        if !manifest.tables.iter().any(|it| it.name.eq_ignore_ascii_case(table)) {
            wrong(format!("there is no table {table}"));
        }
    }
    for edge in reference.accepted_joins() {
        let (one, other) = edge.columns();
        for column in [one, other] {
            if !has(&column.table, &column.column) {
                wrong(format!("there is no column {column}, which its joins or links name"));
            }
        }
    }
}

/// The query reads exactly the tables and joins of the shortest path; joins of other accepted ways may be there too.
fn check_reading(
    engine: &mut SqliteEngine,
    reference: &Reference,
    told: &SchemaDocument,
    wrong: &mut dyn FnMut(String),
) {
    let found = match analyse(engine, &reference.sql, told) {
        Ok(found) => found,
        Err(reason) => return wrong(format!("its query does not run: {reason}")),
    };
    if found.analysis != Analysis::Complete {
        wrong("what its query reads can't be told wholly: write it more plainly".to_owned());
    }
    if !found.writes.is_empty() {
        wrong("its query writes".to_owned());
    }
    if found.tables != reference.tables {
        let names = |tables: BTreeSet<&String>| tables.into_iter().cloned().collect::<Vec<_>>().join(", ");
        let more = names(found.tables.difference(&reference.tables).collect());
        let less = names(reference.tables.difference(&found.tables).collect());
        wrong(format!("its query does not read its tables: too many [{more}], missing [{less}]"));
    }
    let joins = joins_told(found.joins);
    for edge in reference.shortest_path().difference(&joins) {
        wrong(format!("its query does not join {}", shown(edge)));
    }
    for edge in joins.difference(&reference.accepted_joins()) {
        wrong(format!("its query joins {}, which is on no accepted path", shown(edge)));
    }
    for edge in found.soft_joins {
        wrong(format!("its query compares {} by likeness: use an equality", shown(&edge)));
    }
}

/// What a query of a reference reads.
pub(super) fn analyse(
    engine: &mut SqliteEngine,
    sql: &str,
    told: &SchemaDocument,
) -> Result<StatementAnalysis, String> {
    analyze(engine, &expand(sql, told)).map_err(|error| error.to_string())
}

/// The joins that tell something: a table compared with itself on one column follows no relation.
pub(super) fn joins_told(joins: impl IntoIterator<Item = JoinEdge>) -> BTreeSet<JoinEdge> {
    joins.into_iter().filter(|edge| edge.columns().0 != edge.columns().1).collect()
}

/// A join as packs write it.
pub(super) fn shown(edge: &JoinEdge) -> String {
    format!("{} = {}", edge.columns().0, edge.columns().1)
}

/// Runs a query and gives its rows in order and the time in milliseconds.
pub(super) fn run(
    engine: &mut SqliteEngine,
    reference: &Reference,
    (sql, deadline): (&str, Duration),
    told: &SchemaDocument,
    wrong: &mut dyn FnMut(String),
) -> Option<(TaskTruth, u128)> {
    let limits = Limits { deadline, ..Limits::default() };
    let answer = match engine.run(0, &expand(sql, told), &limits) {
        Ok(answer) => answer,
        Err(error) => {
            wrong(format!("its query does not run: {error}"));
            return None;
        }
    };
    if let Some(cut) = answer.result.cut {
        wrong(format!("its query has too many rows: {cut}"));
    }
    let mut rows: Vec<Vec<serde_json::Value>> = Vec::new();
    for row in answer.result.rows {
        if row.first().is_none_or(|subject| *subject == Value::Null || subject.to_text().is_empty()) {
            wrong("its query gives a row whose first column, the subject, is NULL or empty".to_owned());
            return None;
        }
        rows.push(row.into_iter().map(|value| serde_json::to_value(value).unwrap_or_default()).collect());
    }
    rows.sort_by_cached_key(|row| serde_json::to_string(row).unwrap_or_default());
    rows.dedup();
    let mut truth =
        TaskTruth { task: reference.id.clone(), verdict: None, columns: answer.result.columns, rows };
    truth.verdict = reference.verdict.verdict(truth.subjects().len());
    Some((truth, answer.elapsed.as_millis()))
}

fn check_subjects(
    reference: &Reference,
    truth: &TaskTruth,
    manifest: &Manifest,
    wrong: &mut dyn FnMut(String),
) {
    let count = truth.subjects().len();
    match (reference.empty_at.contains(&manifest.name), count) {
        (true, 1..) => wrong(format!("it has {count} subject(s), but is to be empty here")),
        (false, 0) => wrong("it has no subject; if that is meant, say so in empty_at".to_owned()),
        _ => {}
    }
}

/// The truth kept in the pack is the one that the references give.
pub(super) fn compare_truth(pack: &Pack, checked: &SnapshotCheck, problems: &mut Vec<PackProblem>) {
    let file = truth_file(checked.manifest.revision);
    let again = "write it again with `casebook pack check --write-truth`";
    match Truth::load(pack, checked.manifest.revision) {
        Err(problem) => problems.push(problem),
        Ok(None) if !Truth::is_kept(pack) => {}
        Ok(None) => {
            let reason = format!("there is no truth for {}: {again}", checked.manifest.name);
            problems.push(PackProblem::of_file(file, reason));
        }
        Ok(Some(kept)) if kept != checked.truth => {
            let differs: Vec<&str> = checked
                .truth
                .tasks
                .iter()
                .filter(|(id, truth)| kept.tasks.get(*id) != Some(truth))
                .map(|(id, _)| id.as_str())
                .take(5)
                .collect();
            let reason =
                format!("it differs from what the references give ({}): {again}", differs.join(", "));
            problems.push(PackProblem::of_file(file, reason));
        }
        Ok(Some(_)) => {}
    }
}
