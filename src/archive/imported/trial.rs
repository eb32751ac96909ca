//! One foreign trial as a trial of an archive.

use crate::archive::error::ArchiveError;
use crate::archive::trial_writer::TrialWriter;
use crate::archive::writer::RunWriter;
use crate::domain::foreign::{EndState, ForeignBody, ForeignEvent, ForeignTrial, ImportedMarks, Mark};
use crate::domain::trace::{
    AnswerTaken, Brief, Counts, Ended, EventBody, Imported, LimitReached, ModelStep, Reasoning, ToolCall,
    ToolError, ToolErrorKind, ToolResult, Words,
};
use crate::domain::trial::{Answer, Ending, LimitKind, Mode, ToolSet, TrialName};
use std::collections::HashMap;

/// A question longer than this does not stand in the beginning of a trial; it is its first message in any case.
const LONGEST_QUESTION: usize = 2048;

/// Writes a trial.
pub(super) fn write(
    run: &RunWriter,
    name: TrialName,
    trial: &ForeignTrial,
    now: &str,
) -> Result<(), ArchiveError> {
    let question = trial.counted().find_map(|event| match &event.body {
        ForeignBody::UserMessage { text } if text.len() <= LONGEST_QUESTION => Some(text.clone()),
        _ => None,
    });
    let brief = Brief {
        started: trial.facts.started.clone().unwrap_or_else(|| now.to_owned()),
        trial: name.clone(),
        segment: 1,
        mode: Mode::Scored,
        tools: ToolSet::Three,
        seed: 0,
        question: question.map(|text| run.secrets().remove(&text).into_owned()),
    };
    let mut writing = Writing {
        run,
        writer: TrialWriter::begin(run, name, 1)?,
        t: 0,
        seqs: HashMap::new(),
        statements: 0,
        counts: Counts::default(),
        answered: false,
        limit: None,
        errors: Vec::new(),
    };
    writing.writer.append(0, None, EventBody::Brief(brief))?;
    writing.imported("trial", &trial.facts, None)?;
    for event in &trial.events {
        writing.event(event)?;
    }
    writing.end(trial.facts.end_state)
}

struct Writing<'w> {
    run: &'w RunWriter,
    writer: TrialWriter<'w>,
    /// Milliseconds of the last event: what has no time of its own stands where it stood.
    t: u64,
    /// Our number of each foreign event.
    seqs: HashMap<u64, u64>,
    statements: u64,
    counts: Counts,
    answered: bool,
    limit: Option<LimitKind>,
    /// Why the trial failed: it stands just before its end.
    errors: Vec<String>,
}

impl Writing<'_> {
    fn event(&mut self, event: &ForeignEvent) -> Result<(), ArchiveError> {
        self.t = self.t.max(event.start_ms.unwrap_or(0));
        let parent = event.parent.and_then(|parent| self.seqs.get(&parent).copied());
        let aside =
            event.marks.iter().any(|mark| matches!(mark, Mark::CopiedContext | Mark::Judge | Mark::Subagent));
        let mut marks = ImportedMarks { marks: event.marks.clone(), ..ImportedMarks::default() };
        let body = if aside { None } else { self.body(event, &mut marks)? };
        let seq = match body {
            Some(body) => self.writer.append(self.t, parent, body)?,
            None if matches!(event.body, ForeignBody::RunError { .. }) && !aside => return Ok(()),
            // What our kinds can't hold, and what must not be counted, as it is.
            None => self.imported(event.body.kind(), &event.body, parent)?,
        };
        self.seqs.insert(event.seq, seq);
        if !marks.is_empty() {
            self.imported("marks", &marks, Some(seq))?;
        }
        // The end of an event is the earliest time of what follows.
        if matches!(event.body, ForeignBody::ModelStep(_)) {
            self.t = self.t.max(event.end_ms.unwrap_or(0));
        }
        Ok(())
    }

    /// The event in our kinds; `None` where there is none that holds it.
    fn body(
        &mut self,
        event: &ForeignEvent,
        marks: &mut ImportedMarks,
    ) -> Result<Option<EventBody>, ArchiveError> {
        let text = |text: &str| self.writer.text(text);
        Ok(Some(match &event.body {
            ForeignBody::SystemPrompt { text: words } => {
                EventBody::SystemPrompt(Words { text: text(words)? })
            }
            ForeignBody::UserMessage { text: words } => EventBody::UserMessage(Words { text: text(words)? }),
            ForeignBody::Reasoning { text: words, redacted } => {
                EventBody::Reasoning(Reasoning { text: text(words)?, redacted: *redacted })
            }
            ForeignBody::Note { title, text: words } => {
                EventBody::Note(Words { text: text(&format!("{title}: {words}"))? })
            }
            ForeignBody::ModelStep(step) => {
                let body = ModelStep {
                    model: step.model.clone(),
                    text: text(&step.text)?,
                    stop_reason: step.stop_reason.clone(),
                    usage: step.usage,
                    exchange: None,
                };
                self.counts.steps += 1;
                if let Some(usage) = &step.usage {
                    self.counts.add_usage(usage);
                }
                (marks.calls, marks.model_error) = (step.calls, step.error.clone());
                EventBody::ModelStep(body)
            }
            ForeignBody::ToolCall(call) => self.call(event.seq, call, marks),
            ForeignBody::ToolResult(result) => {
                (marks.truncated, marks.full_sha256) = (result.truncated, result.full_sha256.clone());
                EventBody::ToolResult(ToolResult {
                    id: result.call_id.clone().unwrap_or_default(),
                    text: text(&result.text)?,
                    result: None,
                    analysis: None,
                    elapsed_us: event
                        .start_ms
                        .zip(event.end_ms)
                        .map(|(start, end)| end.saturating_sub(start).saturating_mul(1000)),
                })
            }
            ForeignBody::ToolError(error) => {
                let body = ToolError {
                    id: error.call_id.clone().unwrap_or_default(),
                    error: error_kind(error.error.as_deref()),
                    rule: None,
                    text: text(&error.text)?,
                    elapsed_us: None,
                };
                self.counts.errors += 1;
                marks.error.clone_from(&error.error);
                EventBody::ToolError(body)
            }
            ForeignBody::Answer { text: words, recorded } => {
                // A second answer would overwrite the first one's file.
                if self.answered {
                    return Ok(None);
                }
                let answer = Answer { answer: words.clone(), ..Answer::default() };
                let sha256 = self.writer.answer(&answer)?;
                self.answered = true;
                marks.last_words = !recorded;
                EventBody::Answer(AnswerTaken { sha256, verdict: None, subjects: None })
            }
            ForeignBody::RunError { text: words } => {
                self.errors.push(words.clone());
                return Ok(None);
            }
            ForeignBody::Limit { limit, value, .. } => {
                let kind = limit_kind(limit.as_deref());
                self.limit = self.limit.or(Some(kind));
                match (kind, value) {
                    (LimitKind::Other, _) | (_, None) => return Ok(None),
                    (limit, Some(value)) => {
                        // Its word and its sentence have no place of their own.
                        self.imported("limit", &event.body, None)?;
                        EventBody::Limit(LimitReached { limit, value: *value })
                    }
                }
            }
            ForeignBody::Policy(_) | ForeignBody::Score(_) | ForeignBody::JudgeCall(_) => return Ok(None),
        }))
    }

    fn call(
        &mut self,
        seq: u64,
        call: &crate::domain::foreign::ToolCall,
        marks: &mut ImportedMarks,
    ) -> EventBody {
        let secrets = self.run.secrets();
        self.counts.tool_calls += 1;
        let statement = call.sql().is_some().then(|| {
            self.statements += 1;
            self.counts.queries += 1;
            self.statements
        });
        let given = match &call.raw_arguments {
            Some(raw) => serde_json::Value::String(raw.clone()),
            None => call.arguments.clone(),
        };
        let arguments = secrets.remove_from(given.clone());
        marks.id_made = call.id.is_none();
        EventBody::ToolCall(ToolCall {
            id: call.id.clone().unwrap_or_else(|| format!("call-{seq}")),
            tool: call.name.clone(),
            secret_removed: arguments != given,
            arguments,
            statement,
            ui: false,
        })
    }

    /// Adds something as JSON of the foreign model.
    fn imported(
        &mut self,
        what: &str,
        of: &impl serde::Serialize,
        parent: Option<u64>,
    ) -> Result<u64, ArchiveError> {
        let value = serde_json::to_value(of).unwrap_or_default();
        let json = self.run.secrets().remove_from(value).to_string();
        let json = self.run.blobs().put_text(&json)?;
        self.writer.append(self.t, parent, EventBody::Imported(Imported { what: what.to_owned(), json }))
    }

    fn end(mut self, state: EndState) -> Result<(), ArchiveError> {
        if !self.errors.is_empty() {
            let text = self.writer.text(&self.errors.join("\n"))?;
            self.writer.append(self.t, None, EventBody::Error(Words { text }))?;
        }
        let ending = match state {
            EndState::Done if self.answered => Ending::Answered,
            EndState::Done | EndState::Unknown => Ending::NotRecorded,
            EndState::Error => Ending::Error,
            EndState::Limit => Ending::Limit(self.limit.unwrap_or(LimitKind::Other)),
            EndState::Cancelled => Ending::Cancelled,
        };
        self.writer.end(self.t, Ended { ending, counts: self.counts })?;
        Ok(())
    }
}

/// The kind of an error, from the words of other programs.
fn error_kind(word: Option<&str>) -> ToolErrorKind {
    match word {
        Some("approval") => ToolErrorKind::Refused,
        Some("timeout" | "limit" | "output_limit") => ToolErrorKind::Limit,
        Some("parsing") => ToolErrorKind::BadArguments,
        _ => ToolErrorKind::Other,
    }
}

/// The limit, from the words of other programs.
fn limit_kind(word: Option<&str>) -> LimitKind {
    match word {
        Some("message" | "messages") => LimitKind::Messages,
        Some("token" | "tokens") => LimitKind::Tokens,
        Some("time" | "working") => LimitKind::Time,
        Some("cost") => LimitKind::Cost,
        Some("turn" | "turns" | "steps") => LimitKind::Steps,
        _ => LimitKind::Other,
    }
}
