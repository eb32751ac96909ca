//! One sample: its facts, then its events in order.

use super::super::builder::{At, Reading, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::{as_word, count, list, present, real, text};
use super::super::loss_map::LossMap;
use super::attachments::Attachments;
use super::events::Events;
use super::scores;
use crate::domain::foreign::{EndState, ForeignBody, ForeignTrial, LogHeader, Loss};
use crate::domain::trace::Usage;
use serde_json::Value;
use std::sync::LazyLock;

/// What of a sample is held.
static HELD: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "id",
        "epoch",
        "uuid",
        "input",
        "messages",
        "metadata",
        "attachments",
        "events_data",
        "started_at",
        "completed_at",
        "error/message",
        "limit/type",
        "limit/limit",
        "limit/reason",
        "output/model",
        "output/completion",
        "output/choices",
        "output/usage",
        "scores/*/value",
        "scores/*/answer",
        "scores/*/explanation",
        "scores/*/history",
        "scores/*/metadata/judge",
        // The steps of one model are summed from the events.
        "model_usage",
        "role_usage",
        // Times that follow from others, and counts.
        "total_time",
        "turn_count",
        // Each event is looked at by its kind.
        "events",
    ])
});

/// Reads a sample.
pub(super) fn read(
    reading: &Reading<'_>,
    header: &LogHeader,
    sample: &Value,
) -> Result<(ForeignTrial, Loss), ImportError> {
    let attachments = Attachments::of(sample);
    let mut builder = TrialBuilder::new(reading);
    HELD.count(sample, "sample", &mut builder.loss);
    facts(&mut builder, header, sample);
    let mut events = Events::new(sample, &attachments);
    events.actor(&mut builder)?;
    ends(&mut builder, sample, &attachments)?;
    events.judges(&mut builder)?;
    scores::read(&mut builder, sample, &events.scores, &attachments)?;
    for hash in attachments.missing() {
        builder.deviate("/attachments", format!("the text '{hash}' is referred to but is not there"));
    }
    Ok(builder.finish())
}

fn facts(builder: &mut TrialBuilder<'_>, header: &LogHeader, sample: &Value) {
    let metadata = sample.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    let revision = ["revision", "snapshot_revision"]
        .into_iter()
        .find_map(|name| metadata.get(name).and_then(Value::as_str).map(str::to_owned));
    let facts = &mut builder.facts;
    facts.id = text(sample, "uuid");
    facts.task_id = sample.get("id").and_then(as_word);
    facts.epoch = count(sample, "epoch");
    facts.agent.clone_from(&header.agent);
    // The pool of models: the one that the log is about, not the judges.
    facts.model = header.model.clone().or_else(|| sample.get("output").and_then(|it| text(it, "model")));
    facts.revision = revision.or_else(|| header.revision.clone());
    facts.started = text(sample, "started_at");
    facts.ended = text(sample, "completed_at");
    facts.totals = facts.model.as_ref().and_then(|model| usage(sample.get("model_usage")?.get(model)));
    facts.metadata = metadata.into_iter().collect();
    facts.end_state = end_state(sample);
    for (name, missing) in [("id", facts.task_id.is_none()), ("epoch", facts.epoch.is_none())] {
        if missing {
            builder.deviate(&format!("/{name}"), "it is not there");
        }
    }
}

fn end_state(sample: &Value) -> EndState {
    if present(sample, "error").is_some() {
        return EndState::Error;
    }
    match present(sample, "limit").and_then(|limit| text(limit, "type")).as_deref() {
        Some("operator") => EndState::Cancelled,
        Some(_) => EndState::Limit,
        None if present(sample, "completed_at").is_some() || present(sample, "output").is_some() => {
            EndState::Done
        }
        None => EndState::Unknown,
    }
}

/// The answer, and what ended the sample before it was done.
fn ends(
    builder: &mut TrialBuilder<'_>,
    sample: &Value,
    attachments: &Attachments<'_>,
) -> Result<(), ImportError> {
    let completion = sample
        .get("output")
        .and_then(|output| output.get("completion"))
        .and_then(Value::as_str)
        .map(|text| attachments.text(text).into_owned())
        .filter(|text| !text.is_empty());
    if let Some(text) = completion {
        builder.push(At::pointer("/output/completion"), ForeignBody::Answer { text, recorded: true })?;
    }
    if let Some(error) = present(sample, "error") {
        let text = text(error, "message").or_else(|| as_word(error)).unwrap_or_default();
        let text = attachments.text(&text).into_owned();
        builder.push(At::pointer("/error"), ForeignBody::RunError { text })?;
    }
    if let Some(limit) = present(sample, "limit") {
        let body = ForeignBody::Limit {
            limit: text(limit, "type"),
            value: real(limit, "limit"),
            text: text(limit, "reason").or_else(|| text(limit, "message")),
        };
        builder.push(At::pointer("/limit"), body)?;
    }
    Ok(())
}

/// Usage: Inspect's input leaves out what was read from a cache or written to it; ours is all that went in.
pub(super) fn usage(value: Option<&Value>) -> Option<Usage> {
    let value = value.filter(|value| value.is_object())?;
    let cached = count(value, "input_tokens_cache_read");
    let written = count(value, "input_tokens_cache_write");
    let plain = count(value, "input_tokens");
    Some(Usage {
        input: plain
            .map(|plain| plain.saturating_add(cached.unwrap_or(0)).saturating_add(written.unwrap_or(0))),
        output: count(value, "output_tokens"),
        cached,
        reasoning: count(value, "reasoning_tokens"),
        cost: real(value, "total_cost"),
    })
}

/// The pool of messages of a sample.
pub(super) fn pool(sample: &Value) -> &[Value] {
    sample.get("events_data").map_or(&[], |data| list(data, "messages"))
}
