//! The events of a trial summed up as steps: a call and what came of it are one.

use super::foreign_step;
use crate::archive::Archive;
use crate::domain::foreign::plain_tool_name;
use crate::domain::trace::{Brief, Event, EventBody, Text, ToolCall};
use crate::workbench::replay::step::{Outcome, Step, StepKind};
use std::collections::{BTreeSet, HashMap};

/// Characters of a gist.
const GIST: usize = 240;
/// Texts that stand in blobs are read for their first words, but of a very long trace not all.
const BLOBS: usize = 2_000;

/// What is summed up.
pub(super) struct Summing<'a> {
    pub(super) archive: &'a Archive,
    pub(super) events: &'a [(u32, Event)],
}

/// The steps of a trial, in order.
pub(super) fn steps(of: &Summing<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // The step of each call, by its event.
    let mut calls: HashMap<u64, usize> = HashMap::new();
    let (mut offset, mut latest, mut blobs) = (0_u64, 0_u64, 0_usize);
    let mut first: Option<jiff::Timestamp> = None;
    for (_, event) in of.events {
        if let EventBody::Brief(brief) = &event.body {
            // A later segment begins when it was begun, as the clock on the wall had it.
            let begun = brief.started.parse::<jiff::Timestamp>().ok();
            let since =
                first.zip(begun).map(|(first, begun)| begun.as_millisecond() - first.as_millisecond());
            offset = since.and_then(|since| u64::try_from(since).ok()).unwrap_or(0).max(latest);
            first = first.or(begun);
        }
        let at = offset.saturating_add(event.t);
        latest = latest.max(at);
        if let Some(place) = event.parent.and_then(|parent| calls.get(&parent))
            && outcome(&mut steps[*place], event, at)
        {
            continue;
        }
        if let (EventBody::Imported(it), Some(parent)) = (&event.body, event.parent)
            && it.what == "marks"
        {
            mark(&mut steps, parent, &of.archive.blobs().words(&it.json).unwrap_or_default());
            continue;
        }
        let mut words = |text: &Text| -> String {
            match text {
                Text::Inline(text) => gist(text),
                Text::Blob(name) => {
                    blobs += 1;
                    let read = (blobs <= BLOBS).then(|| of.archive.blobs().words(text).ok()).flatten();
                    read.map_or_else(|| format!("({} bytes of text)", name.bytes), |text| gist(&text))
                }
            }
        };
        let mut step = blank(event.seq, at);
        match &event.body {
            EventBody::Brief(brief) => {
                step.kind = StepKind::Brief;
                step.gist = begins(brief);
            }
            EventBody::SystemPrompt(it) => (step.kind, step.gist) = (StepKind::SystemPrompt, words(&it.text)),
            EventBody::UserMessage(it) => (step.kind, step.gist) = (StepKind::UserMessage, words(&it.text)),
            EventBody::Note(it) => (step.kind, step.gist) = (StepKind::Note, words(&it.text)),
            EventBody::Error(it) => (step.kind, step.gist) = (StepKind::Error, words(&it.text)),
            EventBody::Reasoning(it) => (step.kind, step.gist) = (StepKind::Reasoning, words(&it.text)),
            EventBody::ModelStep(it) => {
                (step.kind, step.gist) = (StepKind::Model, words(&it.text));
                let usage = it.usage.unwrap_or_default();
                step.tokens = usage
                    .input
                    .or(usage.output)
                    .map(|_| (usage.input.unwrap_or(0), usage.output.unwrap_or(0)));
            }
            EventBody::ToolCall(call) => {
                (step.kind, step.gist) = called(call);
                step.outcome = Outcome::Missing;
                calls.insert(event.seq, steps.len());
            }
            EventBody::ToolResult(it) => {
                (step.kind, step.gist, step.mark) =
                    (StepKind::Call, words(&it.text), Some("a result without a call"));
            }
            EventBody::ToolError(it) => {
                (step.kind, step.gist, step.mark) =
                    (StepKind::Error, words(&it.text), Some("an error without a call"));
            }
            EventBody::Answer(it) => {
                step.kind = StepKind::Answer;
                let verdict = it.verdict.map_or("answered", crate::domain::trial::Verdict::name);
                step.gist = match it.subjects {
                    Some(1) => format!("{verdict}, 1 subject"),
                    Some(count) => format!("{verdict}, {count} subjects"),
                    None => verdict.to_owned(),
                };
            }
            EventBody::Limit(it) => {
                step.kind = StepKind::Limit;
                crate::domain::trial::Ending::Limit(it.limit).word().clone_into(&mut step.gist);
            }
            EventBody::Imported(it) => {
                let json = of.archive.blobs().words(&it.json).unwrap_or_default();
                (step.kind, step.gist) = foreign_step::step(&it.what, &json);
            }
            EventBody::Ended(it) => (step.kind, step.gist) = (StepKind::Ended, it.ending.word().to_owned()),
        }
        steps.push(step);
    }
    steps
}

/// Marks the step of an event as another program's trace has it.
fn mark(steps: &mut [Step], event: u64, json: &str) {
    if let Some(step) = steps.iter_mut().rev().find(|step| (step.event..=step.until).contains(&event)) {
        step.mark = step.mark.or(foreign_step::mark(json));
    }
}

/// A step of an event, without what it is.
fn blank(event: u64, at: u64) -> Step {
    Step {
        event,
        until: event,
        kind: StepKind::Note,
        at: Some(at),
        took: None,
        gist: String::new(),
        outcome: Outcome::None,
        tokens: None,
        tables: BTreeSet::new(),
        joins: BTreeSet::new(),
        mark: None,
    }
}

/// What a segment is about.
fn begins(brief: &Brief) -> String {
    match (&brief.question, brief.segment) {
        (Some(question), 1) => gist(question),
        (Some(question), segment) => format!("segment {segment}: {}", gist(question)),
        (None, segment) => format!("investigation, segment {segment}"),
    }
}

/// Takes what came of a call into its step; gives whether the event is that.
fn outcome(step: &mut Step, event: &Event, at: u64) -> bool {
    let since = |elapsed: Option<u64>| {
        elapsed.or_else(|| step.at.map(|begun| at.saturating_sub(begun).saturating_mul(1_000)))
    };
    match &event.body {
        EventBody::ToolResult(result) => {
            step.took = since(result.elapsed_us);
            step.outcome = match &result.result {
                Some(record) if record.truncated.is_some() => Outcome::CutRows(record.rows),
                Some(record) => Outcome::Rows(record.rows),
                None => Outcome::Result,
            };
            if let Some(analysis) = &result.analysis {
                step.tables.clone_from(&analysis.tables);
                step.joins = analysis.joins.union(&analysis.soft_joins).cloned().collect();
            }
        }
        EventBody::ToolError(error) => {
            step.took = since(error.elapsed_us);
            step.outcome = Outcome::Error;
        }
        _ => return false,
    }
    step.until = event.seq;
    true
}

/// What a call is, and its first words.
fn called(call: &ToolCall) -> (StepKind, String) {
    let tool = plain_tool_name(&call.tool);
    match (tool.as_str(), call.sql()) {
        ("run_query", Some(sql)) => (if call.ui { StepKind::Look } else { StepKind::Query }, gist(&sql)),
        ("get_schema", _) => (StepKind::Schema, "reads the schema".to_owned()),
        ("submit_answer", _) => (StepKind::Call, "submits the answer".to_owned()),
        _ => (StepKind::Call, gist(&format!("{} {}", call.tool, call.arguments))),
    }
}

/// The first words of a text, on one line.
pub(super) fn gist(text: &str) -> String {
    let mut gist = String::new();
    for word in text.split_whitespace() {
        if !gist.is_empty() {
            gist.push(' ');
        }
        gist.extend(word.chars().take(GIST));
        if gist.len() >= GIST {
            break;
        }
    }
    gist.chars().take(GIST).collect()
}
