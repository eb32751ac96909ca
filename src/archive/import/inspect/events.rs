//! The events of a sample: what the actor did first, then what the judges did.

use super::super::builder::{At, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::{arguments, flag, list, present, text};
use super::super::loss_map::LossMap;
use super::attachments::Attachments;
use super::messages::{contents, identity, inputs};
use super::sample::{pool, usage};
use crate::archive::moment::{Moment, moment};
use crate::domain::foreign::{
    ForeignBody, JudgeCall, Mark, ModelStep, Policy, ToolCall, ToolError, ToolResult,
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Spans nest; no log has this many levels.
const MAX_SPANS_UP: usize = 200;
/// Messages that all model events of a sample may refer to, together: a hostile log refers to the same ones without end.
const MAX_INPUTS: usize = 5_000_000;

/// What of each event is held.
static HELD: LazyLock<HashMap<&'static str, LossMap>> = LazyLock::new(|| {
    let of_all = ["event", "uuid", "span_id", "timestamp", "working_start", "pending"];
    let map = |more: &[&'static str]| LossMap::new(&[&of_all[..], more].concat());
    HashMap::from([
        (
            "model",
            map(&[
                "model",
                "input",
                "input_refs",
                "output/model",
                "output/choices/[]/message",
                "output/choices/[]/stop_reason",
                "output/completion",
                "output/usage",
                "output/error",
                "error",
                "completed",
                "working_time",
                "output/input_context_tokens",
                "output/time",
            ]),
        ),
        (
            "tool",
            map(&[
                "type",
                "id",
                "function",
                "arguments",
                "result",
                "truncated",
                "error/type",
                "error/message",
                "failed",
                "completed",
                "working_time",
                "message_id",
            ]),
        ),
        ("approval", map(&["message", "call", "approver", "decision", "explanation"])),
        ("score", map(&["score", "scorer", "intermediate"])),
        ("span_begin", map(&["id", "parent_id", "type", "name"])),
        ("span_end", map(&["id"])),
        ("step", map(&["action", "type", "name"])),
        ("sample_limit", map(&["type", "limit", "message"])),
        ("error", map(&["error/message"])),
        ("info", map(&["source", "data"])),
        ("logger", map(&["message/level", "message/message", "message/name"])),
        // The sample holds the same.
        ("sample_init", map(&["sample/input", "sample/id", "sample/metadata"])),
    ])
});

/// The events of a sample.
pub(super) struct Events<'s> {
    sample: &'s Value,
    attachments: &'s Attachments<'s>,
    actor: Vec<(usize, &'s Value)>,
    judges: Vec<(usize, &'s Value, String)>,
    /// Events that hold scores.
    pub(super) scores: Vec<(usize, &'s Value)>,
    /// Messages that are events already.
    seen: HashSet<String>,
    /// The event of the last model step.
    step: u64,
    /// How many inputs may still be looked at.
    room: usize,
}

impl<'s> Events<'s> {
    /// Sorts the events of a sample.
    pub(super) fn new(sample: &'s Value, attachments: &'s Attachments<'s>) -> Self {
        let spans = Spans::of(sample);
        let mut sorted = Self {
            sample,
            attachments,
            actor: Vec::new(),
            judges: Vec::new(),
            scores: Vec::new(),
            seen: HashSet::new(),
            step: 0,
            room: MAX_INPUTS,
        };
        // Old logs have steps, which open and close, in the place of spans.
        let mut steps: Vec<(bool, String)> = Vec::new();
        for (nth, event) in list(sample, "events").iter().enumerate() {
            match event.get("event").and_then(Value::as_str) {
                Some("score") => sorted.scores.push((nth, event)),
                Some("step") => match event.get("action").and_then(Value::as_str) {
                    Some("begin") => {
                        let judge = event.get("type").and_then(Value::as_str) == Some("scorer");
                        steps.push((judge, text(event, "name").unwrap_or_default()));
                    }
                    _ => {
                        steps.pop();
                    }
                },
                _ => {
                    let by_step = steps.iter().rev().find(|(judge, _)| *judge).map(|(_, name)| name.clone());
                    match spans.scorer(event).or(by_step) {
                        Some(scorer) => sorted.judges.push((nth, event, scorer)),
                        None => sorted.actor.push((nth, event)),
                    }
                }
            }
        }
        sorted
    }

    /// Adds what the actor did.
    pub(super) fn actor(&mut self, builder: &mut TrialBuilder<'_>) -> Result<(), ImportError> {
        for (_, event) in self.actor.iter().chain(&self.scores).chain(&self.judge_events()) {
            Self::count_loss(builder, event);
        }
        let has_model = self.actor.iter().any(|(_, event)| kind(event) == "model");
        for (nth, event) in self.actor.clone() {
            let at = At::pointer(format!("/events/{nth}"))
                .times(time(event, "timestamp"), time(event, "completed"));
            match kind(event) {
                "model" => self.model(builder, event, &at)?,
                "tool" => self.tool(builder, event, at)?,
                "approval" => self.approval(builder, event, at)?,
                "info" => self.note(builder, event, at, "data")?,
                "logger" => self.note(builder, event, at, "message")?,
                "sample_limit" if present(self.sample, "limit").is_none() => {
                    let value = event.get("limit").and_then(Value::as_f64);
                    let body = ForeignBody::Limit {
                        limit: text(event, "type"),
                        value,
                        text: text(event, "message"),
                    };
                    builder.push(at, body)?;
                }
                "error" if present(self.sample, "error").is_none() => {
                    let words =
                        event.get("error").and_then(|error| text(error, "message")).unwrap_or_default();
                    builder.push(at, ForeignBody::RunError { text: words })?;
                }
                _ => {}
            }
        }
        if !has_model && !self.actor.is_empty() && !list(self.sample, "messages").is_empty() {
            builder.deviate("/events", "there is no event of a model; the messages tell what happened");
        }
        // What the events do not tell: all of it where there are none, else what came after the last step.
        self.messages(builder, list(self.sample, "messages"), "/messages", !has_model)
    }

    /// Adds what the judges were asked and said.
    pub(super) fn judges(&mut self, builder: &mut TrialBuilder<'_>) -> Result<(), ImportError> {
        for (nth, event, scorer) in std::mem::take(&mut self.judges) {
            if kind(event) != "model" {
                continue;
            }
            let choice = event.get("output").and_then(|output| list(output, "choices").first());
            let message = choice.and_then(|choice| choice.get("message"));
            let said =
                contents(message.and_then(|it| it.get("content")), self.attachments, &mut builder.loss);
            let prompt = inputs(event, pool(self.sample), &mut self.room)
                .last()
                .map(|message| contents(message.get("content"), self.attachments, &mut builder.loss).text);
            let body = ForeignBody::JudgeCall(JudgeCall {
                scorer: Some(scorer).filter(|name| !name.is_empty()),
                model: text(event, "model"),
                prompt,
                text: said.text,
                stop_reason: choice.and_then(|choice| text(choice, "stop_reason")),
                usage: usage(event.get("output").and_then(|output| output.get("usage"))),
            });
            let at = At::pointer(format!("/events/{nth}"))
                .times(time(event, "timestamp"), time(event, "completed"))
                .marked(&[Mark::Judge]);
            builder.push(at, body)?;
        }
        Ok(())
    }

    fn judge_events(&self) -> Vec<(usize, &'s Value)> {
        self.judges.iter().map(|(nth, event, _)| (*nth, *event)).collect()
    }

    fn count_loss(builder: &mut TrialBuilder<'_>, event: &Value) {
        let kind = kind(event);
        if let Some(map) = HELD.get(kind) {
            map.count(event, &format!("events[{kind}]"), &mut builder.loss);
        } else {
            let kind: String = kind.chars().take(40).collect();
            builder.loss.drop_path(&format!("events[{kind}]"));
        }
    }

    /// Messages that are no events yet. `answers` says whether those of the actor are taken in as its steps; else they are
    /// what a model step already gave.
    fn messages(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        messages: &[Value],
        pointer: &str,
        answers: bool,
    ) -> Result<(), ImportError> {
        for (nth, message) in messages.iter().enumerate() {
            if !self.seen.insert(identity(message)) {
                continue;
            }
            let at = At::pointer(format!("{pointer}/{nth}"));
            match message.get("role").and_then(Value::as_str) {
                Some("assistant") if answers => {
                    let model = text(message, "model");
                    self.step(builder, ModelStep { model, ..ModelStep::default() }, message, &at)?;
                }
                Some("assistant") => {}
                Some("tool") if answers => self.tool_message(builder, message, at)?,
                Some("tool") => self.late_tool_message(builder, message, at)?,
                _ => self.told(builder, message, at)?,
            }
        }
        Ok(())
    }

    /// A system or user message.
    fn told(&self, builder: &mut TrialBuilder<'_>, message: &Value, at: At) -> Result<(), ImportError> {
        let said = contents(message.get("content"), self.attachments, &mut builder.loss).text;
        let body = match message.get("role").and_then(Value::as_str) {
            Some("system") => ForeignBody::SystemPrompt { text: said },
            Some("user") => ForeignBody::UserMessage { text: said },
            other => {
                let title: String = other.unwrap_or("message").chars().take(40).collect();
                ForeignBody::Note { title, text: said }
            }
        };
        builder.push(at, body).map(|_| ())
    }

    fn model(&mut self, builder: &mut TrialBuilder<'_>, event: &Value, at: &At) -> Result<(), ImportError> {
        let first = self.step == 0;
        for message in inputs(event, pool(self.sample), &mut self.room) {
            if !self.seen.insert(identity(message)) {
                continue;
            }
            let here = At::pointer(at.pointer.clone()).times(at.start, None);
            match message.get("role").and_then(Value::as_str) {
                // Words of a model that no event of this sample made: they were there before.
                Some("assistant") => {
                    let here = here.marked(&[Mark::CopiedContext]);
                    let model = text(message, "model");
                    let back = self.step;
                    self.step(builder, ModelStep { model, ..ModelStep::default() }, message, &here)?;
                    self.step = back;
                }
                Some("tool") if first => {
                    let here = here.marked(&[Mark::CopiedContext]);
                    self.tool_message(builder, message, here)?;
                }
                // Later ones are what the tool events tell.
                Some("tool") => self.late_tool_message(builder, message, here)?,
                _ => self.told(builder, message, here)?,
            }
        }
        let none = Value::Null;
        let output = event.get("output").unwrap_or(&none);
        let choices = list(output, "choices");
        for _ in 1..choices.len() {
            builder.loss.drop_path("events[model]/output/choices[] (others than the first)");
        }
        let error = text(event, "error").or_else(|| text(output, "error"));
        let step = ModelStep {
            model: text(event, "model").or_else(|| text(output, "model")),
            text: String::new(),
            stop_reason: choices.first().and_then(|choice| text(choice, "stop_reason")),
            usage: usage(output.get("usage")),
            calls: None,
            error: error.map(|text| self.attachments.text(&text).into_owned()),
        };
        let message = choices.first().and_then(|choice| choice.get("message")).unwrap_or(&none);
        if !message.is_null() {
            self.seen.insert(identity(message));
        }
        self.step(builder, step, message, at)
    }

    /// A step with its reasoning and its calls.
    fn step(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        mut step: ModelStep,
        message: &Value,
        at: &At,
    ) -> Result<(), ImportError> {
        let said = contents(message.get("content"), self.attachments, &mut builder.loss);
        step.text = said.text;
        let seq = builder.push(at.clone(), ForeignBody::ModelStep(step))?;
        self.step = seq;
        let part = At { end: None, parent: Some(seq), ..at.clone() };
        for (text, redacted) in said.reasoning {
            builder.push(part.clone(), ForeignBody::Reasoning { text, redacted })?;
        }
        for call in list(message, "tool_calls") {
            let call = self.call(call);
            // The time of a call is known when the tool's own event comes; the step's end is when it was asked for.
            let at = At { start: at.end.or(at.start), ..part.clone() };
            builder.call(at, call)?;
        }
        Ok(())
    }

    fn call(&self, call: &Value) -> ToolCall {
        let resolved = call.get("arguments").map(|arguments| self.attachments.value(arguments));
        let (arguments, raw_arguments) = arguments(resolved.as_ref());
        ToolCall {
            id: text(call, "id"),
            name: text(call, "function").or_else(|| text(call, "name")).unwrap_or_default(),
            arguments,
            raw_arguments,
        }
    }

    fn tool(&mut self, builder: &mut TrialBuilder<'_>, event: &Value, at: At) -> Result<(), ImportError> {
        let id = text(event, "id");
        if let Some(message) = text(event, "message_id") {
            self.seen.insert(message);
        }
        let known = id.as_deref().is_some_and(|id| builder.knows_call(id));
        if !known {
            // A tool that no model asked for.
            builder.call(at.clone(), self.call(event))?;
        }
        if flag(event, "pending") {
            return Ok(());
        }
        let result = contents(event.get("result"), self.attachments, &mut builder.loss).text;
        if let Some(error) = present(event, "error") {
            let words = text(error, "message").unwrap_or_default();
            let body = ToolError {
                call_id: id.clone(),
                error: text(error, "type"),
                text: self.attachments.text(&words).into_owned(),
            };
            let at = builder.link(at, id.as_deref(), self.step);
            return builder.push(at, ForeignBody::ToolError(body)).map(|_| ());
        }
        if flag(event, "failed") && result.is_empty() {
            // The tool crashed: there is neither a result nor an error that the actor was shown.
            return Ok(());
        }
        let truncated = match list(event, "truncated") {
            [from, to] => from.as_u64().zip(to.as_u64()),
            _ => None,
        };
        let body = ToolResult { call_id: id.clone(), text: result, truncated, full_sha256: None };
        let at = builder.link(at, id.as_deref(), self.step);
        builder.push(at, ForeignBody::ToolResult(body)).map(|_| ())
    }

    /// A tool's message that no event told of: only what answers a call that still waits.
    fn late_tool_message(
        &self,
        builder: &mut TrialBuilder<'_>,
        message: &Value,
        at: At,
    ) -> Result<(), ImportError> {
        match text(message, "tool_call_id") {
            Some(id) if builder.open_call(&id).is_some() => self.tool_message(builder, message, at),
            _ => Ok(()),
        }
    }

    fn tool_message(
        &self,
        builder: &mut TrialBuilder<'_>,
        message: &Value,
        at: At,
    ) -> Result<(), ImportError> {
        let id = text(message, "tool_call_id");
        let said = contents(message.get("content"), self.attachments, &mut builder.loss).text;
        let at = builder.link(at, id.as_deref(), self.step.max(1));
        let body = match present(message, "error") {
            Some(error) => {
                let words = text(error, "message").unwrap_or(said);
                ForeignBody::ToolError(ToolError { call_id: id, error: text(error, "type"), text: words })
            }
            None => ForeignBody::ToolResult(ToolResult { call_id: id, text: said, ..ToolResult::default() }),
        };
        builder.push(at, body).map(|_| ())
    }

    fn approval(&self, builder: &mut TrialBuilder<'_>, event: &Value, at: At) -> Result<(), ImportError> {
        let call_id = event.get("call").and_then(|call| text(call, "id"));
        let parent = call_id.as_deref().and_then(|id| builder.open_call(id));
        let body = Policy {
            call_id,
            decision: text(event, "decision").unwrap_or_default(),
            approver: text(event, "approver"),
            text: text(event, "explanation").map(|it| self.attachments.text(&it).into_owned()),
        };
        builder.push(at.under(parent), ForeignBody::Policy(body)).map(|_| ())
    }

    fn note(
        &self,
        builder: &mut TrialBuilder<'_>,
        event: &Value,
        at: At,
        field: &str,
    ) -> Result<(), ImportError> {
        let value = event.get(field).map(|value| self.attachments.value(value)).unwrap_or_default();
        let words = match (&value, text(&value, "message")) {
            (_, Some(message)) => message,
            (Value::String(text), None) => text.clone(),
            (value, None) => value.to_string(),
        };
        let title = text(event, "source").unwrap_or_else(|| kind(event).to_owned());
        builder.push(at, ForeignBody::Note { title, text: words }).map(|_| ())
    }
}

fn kind(event: &Value) -> &str {
    event.get("event").and_then(Value::as_str).unwrap_or("unknown")
}

fn time(event: &Value, name: &str) -> Option<Moment> {
    event.get(name).and_then(Value::as_str).and_then(moment)
}

/// A span of a sample.
struct Span<'s> {
    parent: Option<&'s str>,
    kind: Option<&'s str>,
    name: Option<&'s str>,
}

/// The spans of a sample by id.
struct Spans<'s>(HashMap<&'s str, Span<'s>>);

impl<'s> Spans<'s> {
    fn of(sample: &'s Value) -> Self {
        let mut spans = HashMap::new();
        for event in list(sample, "events").iter().filter(|event| kind(event) == "span_begin") {
            let field = |name: &str| event.get(name).and_then(Value::as_str);
            if let Some(id) = field("id") {
                let span = Span { parent: field("parent_id"), kind: field("type"), name: field("name") };
                spans.insert(id, span);
            }
        }
        Self(spans)
    }

    /// The scorer in whose span an event stands: its name, empty for one without.
    fn scorer(&self, event: &Value) -> Option<String> {
        let mut at = event.get("span_id").and_then(Value::as_str)?;
        for _ in 0..MAX_SPANS_UP {
            let span = self.0.get(at)?;
            match span.kind {
                Some("scorer") => return Some(span.name.unwrap_or_default().to_owned()),
                Some("scorers") => return Some(String::new()),
                _ => at = span.parent?,
            }
        }
        None
    }
}
