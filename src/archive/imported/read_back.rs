//! A trial of an archive in the model of foreign traces: what exports write, and what pages show of either kind alike.

use crate::archive::error::ArchiveError;
use crate::archive::reader::{Archive, TrialRecord};
use crate::domain::foreign::{
    EndState, ForeignBody, ForeignEvent, ForeignTrial, ImportedMarks, LogHeader, ModelStep, RawPointer,
    ToolCall, ToolError, ToolResult, TrialFacts,
};
use crate::domain::trace::{Event, EventBody, Imported, Text, ToolErrorKind};
use crate::domain::trial::{ActorKind, Ending};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// What the head of a run says, as the head of a log.
pub fn read_log(archive: &Archive) -> LogHeader {
    let run = &archive.run;
    LogHeader {
        version: Some(run.format.to_string()),
        status: Some(if run.end.is_some() { "ended" } else { "not ended" }.to_owned()),
        run: Some(run.run.clone()),
        agent: Some(run.actor.name.clone()),
        model: run.actor.settings.get("model").and_then(Value::as_str).map(str::to_owned),
        started: Some(run.started.clone()),
        ended: run.end.as_ref().map(|end| end.ended.clone()),
        total: Some(archive.trials.len() as u64),
        ..LogHeader::default()
    }
}

/// Reads a trial.
///
/// # Errors
/// [`ArchiveError`] where a trace, an answer or a blob can't be read.
pub fn read_trial(archive: &Archive, trial: &TrialRecord) -> Result<ForeignTrial, ArchiveError> {
    let mut reading = Reading {
        archive,
        facts: facts(archive, trial),
        events: Vec::new(),
        seqs: HashMap::new(),
        hidden: HashSet::new(),
    };
    let mut base = 0;
    for (segment, trace) in trial.segments.iter().zip(archive.traces(trial)?) {
        let part = format!("trace.{}.jsonl", segment.number);
        let mut last = 0;
        for (event, line) in trace.events()?.into_iter().zip(1_u64..) {
            last = event.t;
            reading.event(
                trial,
                event,
                base,
                RawPointer { member: Some(format!("{part}, line {line}")), pointer: String::new() },
            )?;
        }
        base += last;
    }
    let mut facts = reading.facts;
    if facts.end_state == EndState::Unknown {
        facts.end_state = match trial.ending() {
            Ending::Answered => EndState::Done,
            Ending::Limit(_) => EndState::Limit,
            Ending::Cancelled => EndState::Cancelled,
            Ending::Error => EndState::Error,
            Ending::Interrupted | Ending::NotRecorded => EndState::Unknown,
        };
    }
    Ok(ForeignTrial { facts, events: reading.events })
}

fn facts(archive: &Archive, trial: &TrialRecord) -> TrialFacts {
    let run = &archive.run;
    let name = &trial.name;
    let record = run.revisions.iter().find(|record| record.revision == name.revision);
    let is_zero = name.revision.to_string().bytes().all(|byte| byte == b'0');
    TrialFacts {
        id: Some(format!("{}/{name}", run.run)),
        task_id: Some(name.task.clone()),
        epoch: Some(u64::from(name.number)),
        agent: Some(format!("{} {}", run.actor.name, run.casebook))
            .filter(|_| run.actor.kind != ActorKind::Imported),
        // Others know a snapshot by the digest of its database.
        revision: record.filter(|_| !is_zero).map(|record| format!("sha256:{}", record.sqlite_sha256)),
        ..TrialFacts::default()
    }
}

struct Reading<'a> {
    archive: &'a Archive,
    facts: TrialFacts,
    events: Vec<ForeignEvent>,
    /// Our number of each event of the archive.
    seqs: HashMap<u64, u64>,
    /// Calls that the interface made for a person: they are no acts of the trial.
    hidden: HashSet<u64>,
}

impl Reading<'_> {
    fn words(&self, text: &Text) -> Result<String, ArchiveError> {
        self.archive.blobs().words(text)
    }

    fn event(
        &mut self,
        trial: &TrialRecord,
        event: Event,
        base: u64,
        raw: RawPointer,
    ) -> Result<(), ArchiveError> {
        let t = base + event.t;
        let mut end_ms = None;
        let mut start_ms = Some(t);
        let mut marks = Vec::new();
        let hidden = event.parent.is_some_and(|parent| self.hidden.contains(&parent));
        let body = match event.body {
            EventBody::Brief(brief) => {
                if self.facts.started.is_none() {
                    self.facts.started = Some(brief.started);
                }
                return Ok(());
            }
            EventBody::Ended(_) => return Ok(()),
            EventBody::Imported(imported) => match self.imported(&imported, event.parent)? {
                Some(body) => body,
                None => return Ok(()),
            },
            EventBody::ToolCall(call) if call.ui => {
                self.hidden.insert(event.seq);
                return Ok(());
            }
            EventBody::ToolResult(_) | EventBody::ToolError(_) if hidden => return Ok(()),
            EventBody::SystemPrompt(words) => ForeignBody::SystemPrompt { text: self.words(&words.text)? },
            EventBody::UserMessage(words) => ForeignBody::UserMessage { text: self.words(&words.text)? },
            EventBody::Note(words) => {
                ForeignBody::Note { title: "note".to_owned(), text: self.words(&words.text)? }
            }
            EventBody::Error(words) => ForeignBody::RunError { text: self.words(&words.text)? },
            EventBody::Reasoning(it) => {
                ForeignBody::Reasoning { text: self.words(&it.text)?, redacted: it.redacted }
            }
            EventBody::ModelStep(step) => ForeignBody::ModelStep(ModelStep {
                model: step.model,
                text: self.words(&step.text)?,
                stop_reason: step.stop_reason,
                usage: step.usage,
                calls: None,
                error: None,
            }),
            EventBody::ToolCall(call) => ForeignBody::ToolCall(tool_call(call)),
            EventBody::ToolResult(result) => {
                (start_ms, end_ms) = span(t, result.elapsed_us);
                ForeignBody::ToolResult(ToolResult {
                    call_id: Some(result.id).filter(|id| !id.is_empty()),
                    text: self.words(&result.text)?,
                    truncated: None,
                    full_sha256: result.result.map(|record| record.sha256),
                })
            }
            EventBody::ToolError(error) => {
                (start_ms, end_ms) = span(t, error.elapsed_us);
                ForeignBody::ToolError(ToolError {
                    call_id: Some(error.id).filter(|id| !id.is_empty()),
                    error: error_word(error.error),
                    text: self.words(&error.text)?,
                })
            }
            EventBody::Answer(_) => {
                let Some(answer) = self.archive.answer(&trial.name)? else { return Ok(()) };
                let mut keep = |name: &str, value: Option<Value>| {
                    if let Some(value) = value {
                        self.facts.metadata.insert(name.to_owned(), value);
                    }
                };
                keep("verdict", answer.verdict.map(|verdict| Value::from(verdict.name())));
                keep("subjects", answer.subjects.map(Value::from));
                keep(
                    "facts",
                    answer.facts.map(|facts| facts.into_iter().collect::<serde_json::Map<_, _>>().into()),
                );
                ForeignBody::Answer { text: answer.answer, recorded: true }
            }
            EventBody::Limit(limit) => {
                // An imported one stands there in its own words already.
                if self.events.iter().any(|known| matches!(known.body, ForeignBody::Limit { .. })) {
                    return Ok(());
                }
                let word =
                    serde_json::to_value(limit.limit).ok().and_then(|it| it.as_str().map(str::to_owned));
                ForeignBody::Limit { limit: word, value: Some(limit.value), text: None }
            }
        };
        if let ForeignBody::JudgeCall(_) = body {
            marks.push(crate::domain::foreign::Mark::Judge);
        }
        let seq = self.events.len() as u64 + 1;
        self.seqs.insert(event.seq, seq);
        let parent = event.parent.and_then(|parent| self.seqs.get(&parent).copied());
        self.events.push(ForeignEvent { seq, parent, start_ms, end_ms, marks, raw, body });
        Ok(())
    }

    /// What an imported event says; marks and facts go where they belong.
    fn imported(
        &mut self,
        imported: &Imported,
        parent: Option<u64>,
    ) -> Result<Option<ForeignBody>, ArchiveError> {
        let json = self.words(&imported.json)?;
        let wrong = |error: serde_json::Error| {
            ArchiveError::damaged(self.archive.folder(), None, format!("an imported event is none: {error}"))
        };
        match imported.what.as_str() {
            "trial" => {
                let mut facts: TrialFacts = serde_json::from_str(&json).map_err(wrong)?;
                facts.task_id = facts.task_id.or_else(|| self.facts.task_id.clone());
                self.facts = facts;
                Ok(None)
            }
            "marks" => {
                let marks: ImportedMarks = serde_json::from_str(&json).map_err(wrong)?;
                if let Some(event) = parent
                    .and_then(|parent| self.seqs.get(&parent))
                    .and_then(|seq| self.events.get_mut(usize::try_from(*seq).unwrap_or(1) - 1))
                {
                    apply(event, marks);
                }
                Ok(None)
            }
            // The body of a foreign event, which names its own kind.
            _ => serde_json::from_str(&json).map(Some).map_err(wrong),
        }
    }
}

fn tool_call(call: crate::domain::trace::ToolCall) -> ToolCall {
    let (arguments, raw_arguments) = match call.arguments {
        // Some actors give their arguments as text.
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(value) => (value, None),
            Err(_) => (Value::Null, Some(text)),
        },
        arguments => (arguments, None),
    };
    ToolCall { id: Some(call.id), name: call.tool, arguments, raw_arguments }
}

fn apply(event: &mut ForeignEvent, marks: ImportedMarks) {
    for mark in marks.marks {
        if !event.marks.contains(&mark) {
            event.marks.push(mark);
        }
    }
    match &mut event.body {
        ForeignBody::ModelStep(step) => (step.calls, step.error) = (marks.calls, marks.model_error),
        ForeignBody::ToolCall(call) if marks.id_made => call.id = None,
        ForeignBody::ToolResult(result) => {
            result.truncated = marks.truncated;
            result.full_sha256 = marks.full_sha256.or(result.full_sha256.take());
        }
        ForeignBody::ToolError(error) => error.error = marks.error,
        ForeignBody::Answer { recorded, .. } => *recorded = !marks.last_words,
        _ => {}
    }
}

/// When something began and ended that ended at `t` after so many microseconds.
fn span(t: u64, elapsed_us: Option<u64>) -> (Option<u64>, Option<u64>) {
    match elapsed_us {
        Some(elapsed) => (Some(t.saturating_sub(elapsed / 1000)), Some(t)),
        None => (Some(t), None),
    }
}

fn error_word(kind: ToolErrorKind) -> Option<String> {
    if kind == ToolErrorKind::Other {
        return None;
    }
    serde_json::to_value(kind).ok().and_then(|it| it.as_str().map(str::to_owned))
}
