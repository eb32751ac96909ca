//! Scores of a sample, with how they were edited.

use super::super::builder::{At, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::{list, pointer_token, present, text};
use super::attachments::Attachments;
use crate::archive::moment::{Moment, moment};
use crate::domain::foreign::{ForeignBody, Score, ScoreEdit};
use serde_json::Value;
use std::collections::HashMap;

/// Inspect's word for "this edit left it as it was".
const UNCHANGED: &str = "UNCHANGED";

/// Adds the scores of a sample: those that it holds at the end, or, where it never came to its end, those of its events.
pub(super) fn read(
    builder: &mut TrialBuilder<'_>,
    sample: &Value,
    events: &[(usize, &Value)],
    attachments: &Attachments<'_>,
) -> Result<(), ImportError> {
    let mut times: HashMap<&str, Option<Moment>> = HashMap::new();
    for (nth, event) in events {
        let Some(scorer) = event.get("scorer").and_then(Value::as_str) else { continue };
        let time = event.get("timestamp").and_then(Value::as_str).and_then(moment);
        let intermediate = event.get("intermediate").and_then(Value::as_bool).unwrap_or(false);
        times.entry(scorer).or_insert(time);
        let wanted = intermediate || present(sample, "scores").is_none();
        if let Some(value) = present(event, "score").filter(|_| wanted) {
            let score = score(scorer, value, intermediate, attachments);
            let at = At::pointer(format!("/events/{nth}")).times(time, None);
            builder.push(at, ForeignBody::Score(score))?;
        }
    }
    for (name, value) in sample.get("scores").and_then(Value::as_object).into_iter().flatten() {
        let time = times.get(name.as_str()).copied().flatten();
        let at = At::pointer(format!("/scores/{}", pointer_token(name))).times(time, None);
        builder.push(at, ForeignBody::Score(score(name, value, false, attachments)))?;
    }
    Ok(())
}

fn score(name: &str, value: &Value, intermediate: bool, attachments: &Attachments<'_>) -> Score {
    let whole = |field: &str| {
        value.get(field).and_then(Value::as_str).map(|text| attachments.text(text).into_owned())
    };
    let history: Vec<ScoreEdit> =
        list(value, "history").iter().map(|entry| edit(entry, attachments)).collect();
    // The last hand that set it, else the judge that the scorer names.
    let rater = history
        .iter()
        .rev()
        .find_map(|edit| edit.author.clone())
        .or_else(|| value.get("metadata").and_then(|metadata| text(metadata, "judge")));
    Score {
        name: name.to_owned(),
        value: attachments.value(value.get("value").unwrap_or(&Value::Null)),
        rater,
        answer: whole("answer"),
        explanation: whole("explanation"),
        history,
        intermediate,
    }
}

fn edit(entry: &Value, attachments: &Attachments<'_>) -> ScoreEdit {
    let changed = |field: &str| present(entry, field).filter(|value| value.as_str() != Some(UNCHANGED));
    let whole =
        |field: &str| changed(field).and_then(Value::as_str).map(|text| attachments.text(text).into_owned());
    let provenance = entry.get("provenance");
    let by = |field: &str| provenance.and_then(|provenance| text(provenance, field));
    ScoreEdit {
        value: changed("value").map(|value| attachments.value(value)),
        answer: whole("answer"),
        explanation: whole("explanation"),
        author: by("author"),
        reason: by("reason"),
        time: by("timestamp"),
    }
}
