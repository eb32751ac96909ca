//! The head of a log.

use super::super::fields::{count, list, present, text, word};
use super::super::loss_map::LossMap;
use super::texts;
use crate::domain::foreign::{LogHeader, Loss};
use serde_json::Value;
use std::collections::BTreeMap;

/// What of a head is held.
const HELD: &[&str] = &[
    "version",
    "status",
    "error/message",
    "eval/created",
    "eval/run_id",
    "eval/task",
    "eval/task_display_name",
    "eval/model",
    "eval/solver",
    "eval/metadata/revision",
    "eval/metadata/snapshot_revision",
    "eval/scorers/[]/name",
    "eval/config/epochs",
    "eval/config/epochs_reducer",
    "eval/dataset/samples",
    "results/total_samples",
    "results/completed_samples",
    "results/scores/[]/name",
    "results/scores/[]/reducer",
    "results/scores/[]/metrics/*/value",
    "results/scores/[]/metrics/*/name",
    "stats/started_at",
    "stats/completed_at",
    "reductions",
];

/// Reads a head; a journal's beginning has fewer entries and nothing of the end.
pub(super) fn read(head: &Value, loss: &mut Loss) -> LogHeader {
    let none = Value::Null;
    let eval = head.get("eval").unwrap_or(&none);
    let results = head.get("results").unwrap_or(&none);
    let stats = head.get("stats").unwrap_or(&none);
    let config = eval.get("config").unwrap_or(&none);
    let metadata = eval.get("metadata").unwrap_or(&none);
    LossMap::new(HELD).count(head, "header", loss);
    if let Some(version) = count(head, "version").filter(|version| *version != 2) {
        loss.deviate("header /version", format!("the log is of version {version}; it is read as version 2"));
    }
    if eval.is_null() {
        loss.deviate("header /eval", "it is not there");
    }
    LogHeader {
        version: word(head, "version"),
        status: text(head, "status").or_else(|| {
            // A log that is being written says so by having none.
            (!eval.is_null()).then(|| "started".to_owned())
        }),
        run: text(eval, "run_id"),
        task: text(eval, "task").or_else(|| text(eval, "task_display_name")),
        agent: text(eval, "solver"),
        model: text(eval, "model"),
        revision: text(metadata, "revision").or_else(|| text(metadata, "snapshot_revision")),
        started: text(stats, "started_at").or_else(|| text(eval, "created")),
        ended: text(stats, "completed_at"),
        total: count(results, "total_samples"),
        completed: count(results, "completed_samples"),
        scorers: scorers(eval, results),
        reducers: texts(config, "epochs_reducer"),
        results: metrics(results),
        error: present(head, "error").and_then(|error| text(error, "message")),
    }
}

fn scorers(eval: &Value, results: &Value) -> Vec<String> {
    let name = |entry: &Value| text(entry, "name");
    let named: Vec<String> = list(eval, "scorers").iter().filter_map(name).collect();
    if named.is_empty() { list(results, "scores").iter().filter_map(name).collect() } else { named }
}

fn metrics(results: &Value) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for score in list(results, "scores") {
        let Some(name) = text(score, "name") else { continue };
        for (metric, entry) in score.get("metrics").and_then(Value::as_object).into_iter().flatten() {
            if let Some(value) = entry.get("value") {
                all.insert(format!("{name}/{metric}"), value.clone());
            }
        }
    }
    all
}
