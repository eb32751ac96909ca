//! Scores as edits of an Inspect log: what its `edit_score` takes, one a line. The samples are named by id and epoch.

use crate::domain::foreign::{ForeignBody, ForeignTrial, Score};
use serde_json::{Value, json};

/// Inspect's word for "leave this as it is".
const UNCHANGED: &str = "UNCHANGED";

/// The scores of a trial as edits. `author` and `reason` stand in each that has no author of its own.
pub fn edits(trial: &ForeignTrial, author: &str, reason: &str, time: &str) -> Vec<Value> {
    let scores = trial.events.iter().filter_map(|event| match &event.body {
        ForeignBody::Score(score) if !score.intermediate => Some(score),
        _ => None,
    });
    scores.map(|score| edit(trial, score, (author, reason, time))).collect()
}

fn edit(trial: &ForeignTrial, score: &Score, (author, reason, time): (&str, &str, &str)) -> Value {
    let last = score.history.iter().rev().find(|edit| edit.author.is_some());
    let by = |own: Option<&String>, other: &str| own.cloned().unwrap_or_else(|| other.to_owned());
    json!({
        "sample_id": trial.facts.task_id,
        "epoch": trial.facts.epoch,
        "score_name": score.name,
        "edit": {
            "value": python(&score.value),
            "answer": score.answer.as_deref().unwrap_or(UNCHANGED),
            "explanation": score.explanation.as_deref().unwrap_or(UNCHANGED),
            "metadata": UNCHANGED,
            "provenance": {
                "timestamp": by(last.and_then(|edit| edit.time.as_ref()), time),
                "author": by(last.and_then(|edit| edit.author.as_ref()).or(score.rater.as_ref()), author),
                "reason": by(last.and_then(|edit| edit.reason.as_ref()), reason),
                "metadata": {},
            },
        },
    })
}

/// A value as a program reads it that knows no `{"real": "NaN"}`: null says "unscored" without a bare word.
fn python(value: &Value) -> Value {
    match value {
        Value::Object(map) if map.len() == 1 && map.contains_key("real") => Value::Null,
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), python(value))).collect(),
        Value::Array(items) => items.iter().map(python).collect(),
        other => other.clone(),
    }
}
