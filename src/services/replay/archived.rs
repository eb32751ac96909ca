//! A trial of an evidence archive: its events as steps, each whole when it is asked for, its calls run again.

use super::comparing::comparison;
use super::detailing::Sheet;
use super::source::Trial;
use super::subjects::seen;
use super::summing::{Summing, steps};
use crate::archive::replay::{ReplayError, TrialCalls, trial_events};
use crate::archive::{Archive, TrialRecord};
use crate::domain::replay::ReplayVerdict;
use crate::domain::trace::{Event, EventBody, ResultRecord, ToolCall};
use crate::domain::trial::{ActorKind, Answer, INVESTIGATION};
use crate::query::{Interrupter, OpenSnapshot, analyze};
use crate::text::result_text::{TextFormat, to_string};
use crate::workbench::replay::comparison::Comparison;
use crate::workbench::replay::detail::Detail;
use crate::workbench::replay::step::{Outcome, Step};
use crate::workbench::replay::trace::{SubjectSeen, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows of a result that a step shows.
const ROWS: usize = 20;

/// A trial.
pub(super) struct ArchivedTrial {
    archive: Arc<Archive>,
    record: TrialRecord,
    index: usize,
    snapshot_name: String,
    snapshot: Result<Arc<OpenSnapshot>, String>,
    is_running: bool,
    events: Vec<(u32, Event)>,
    calls: TrialCalls,
    steps: Arc<Vec<Step>>,
    answer: Option<Answer>,
    subjects: Vec<SubjectSeen>,
    losses: Vec<String>,
    /// Holds the folder of an archive that was made to be looked at.
    _folder: Option<tempfile::TempDir>,
}

impl ArchivedTrial {
    pub(super) fn read(
        archive: Arc<Archive>,
        record: TrialRecord,
        index: usize,
        snapshot_name: String,
        snapshot: Result<Arc<OpenSnapshot>, String>,
        is_running: bool,
    ) -> Result<Self, String> {
        let events = trial_events(&archive, &record).map_err(|error| error.to_string())?;
        let calls = TrialCalls::of(&events);
        let mut steps = steps(&Summing { archive: &archive, events: &events });
        if let Ok(snapshot) = &snapshot {
            analysed(&mut steps, &events, snapshot);
        }
        let steps = Arc::new(steps);
        let answer = archive.answer(&record.name).map_err(|error| error.to_string())?;
        let named = answer.as_ref().and_then(|answer| answer.subjects.clone()).unwrap_or_default();
        let subjects = seen(&archive, &events, &named);
        Ok(Self {
            archive,
            record,
            index,
            snapshot_name,
            snapshot,
            is_running,
            events,
            calls,
            steps,
            answer,
            subjects,
            losses: Vec::new(),
            _folder: None,
        })
    }

    /// What was lost when it was imported into a folder that goes with it.
    pub(super) fn lost(self, losses: Vec<String>, folder: tempfile::TempDir) -> Self {
        Self { losses, _folder: Some(folder), ..self }
    }

    /// The events of the step that begins with one.
    fn of_step(&self, event: u64) -> Result<&[(u32, Event)], String> {
        let gone = || format!("there is no event {event}");
        let at = self.steps.binary_search_by_key(&event, |step| step.event).map_err(|_| gone())?;
        let step = &self.steps[at];
        let place = |seq| self.events.binary_search_by_key(&seq, |(_, event)| event.seq).map_err(|_| gone());
        // What lies between belongs to other calls that were made at once.
        self.events.get(place(step.event)?..=place(step.until)?).ok_or_else(gone)
    }
}

impl Trial for ArchivedTrial {
    fn trace(&self) -> Trace {
        let name = &self.record.name;
        let brief = self.events.iter().find_map(|(_, event)| match &event.body {
            EventBody::Brief(brief) => Some(brief),
            _ => None,
        });
        let actor = &self.archive.run.actor;
        Trace {
            index: self.index,
            task: (name.pack != INVESTIGATION).then(|| (name.pack.clone(), name.task.clone())),
            question: brief.and_then(|brief| brief.question.clone()),
            actor: if actor.name.is_empty() {
                format!("{:?}", actor.kind).to_lowercase()
            } else {
                actor.name.clone()
            },
            mode: brief.map(|brief| brief.mode),
            is_person: actor.kind == ActorKind::Human,
            revision: name.revision.short(),
            snapshot: match &self.snapshot {
                Ok(_) => Ok(self.snapshot_name.clone()),
                Err(reason) => Err(format!("the revision {} is not here: {reason}", name.revision.short())),
            },
            steps: Arc::clone(&self.steps),
            answer: self.answer.clone(),
            subjects: self.subjects.clone(),
            ending: if self.is_running {
                "running".to_owned()
            } else {
                self.record.ending().word().to_owned()
            },
            is_running: self.is_running,
            losses: self.losses.clone(),
        }
    }

    fn detail(&self, event: u64) -> Result<Detail, String> {
        let events = self.of_step(event)?;
        let mut sheet = Sheet::default();
        let (_, first) = events.first().ok_or("the step is empty")?;
        let words = |text| self.archive.blobs().words(text).map_err(|error| error.to_string());
        match &first.body {
            EventBody::Brief(brief) => {
                sheet.fact("begun", &brief.started);
                sheet.fact("trial", &brief.trial.to_string());
                sheet.fact("segment", &brief.segment.to_string());
                let mode = format!("{:?}", brief.mode).to_lowercase();
                let tools = format!("{:?}", brief.tools).to_lowercase();
                sheet.fact("mode", &format!("{mode}, {tools} tools, seed {}", brief.seed));
                if let Some(question) = &brief.question {
                    sheet.words("Question", question);
                }
            }
            EventBody::SystemPrompt(it) => sheet.words("System prompt", &words(&it.text)?),
            EventBody::UserMessage(it) => sheet.words("What the actor was told", &words(&it.text)?),
            EventBody::Note(it) => sheet.words("Note", &words(&it.text)?),
            EventBody::Error(it) => sheet.failure("The actor failed", &words(&it.text)?),
            EventBody::Reasoning(it) => {
                if it.redacted {
                    sheet.remark("the provider withheld some of it");
                }
                sheet.words("Reasoning", &words(&it.text)?);
            }
            EventBody::ModelStep(step) => {
                if let Some(model) = &step.model {
                    sheet.fact("model", model);
                }
                if let Some(reason) = &step.stop_reason {
                    sheet.fact("stopped by", reason);
                }
                if let Some(usage) = &step.usage {
                    sheet.usage(usage);
                }
                sheet.words("What it said", &words(&step.text)?);
                if let Some(exchange) = &step.exchange {
                    let bytes =
                        self.archive.blobs().get(&exchange.blob).map_err(|error| error.to_string())?;
                    sheet.json("Exchange with the provider", &String::from_utf8_lossy(&bytes));
                }
            }
            EventBody::Answer(taken) => {
                sheet.fact("sha256", &taken.sha256);
                if let Some(answer) = &self.answer {
                    sheet.answer(answer);
                }
            }
            EventBody::Limit(limit) => {
                let which = crate::domain::trial::Ending::Limit(limit.limit).word();
                sheet.failure("A limit was reached", &format!("{which}, at {}", limit.value));
            }
            EventBody::Imported(it) => {
                sheet.fact("imported", &it.what);
                sheet.json("As the other program's trace has it", &words(&it.json)?);
            }
            EventBody::Ended(ended) => {
                sheet.fact("ended", ended.ending.word());
                sheet.counts(&ended.counts);
            }
            EventBody::ToolCall(call) => self.call(&mut sheet, call, events)?,
            EventBody::ToolResult(it) => sheet.words("Result without a call", &words(&it.text)?),
            EventBody::ToolError(it) => sheet.failure("Error without a call", &words(&it.text)?),
        }
        Ok(sheet.finish(event))
    }

    fn compare(
        &self,
        event: u64,
        sql: Option<&str>,
        begun: &dyn Fn(Interrupter),
    ) -> Result<Comparison, String> {
        let snapshot = self.snapshot.as_ref().map_err(Clone::clone)?;
        let found = self
            .calls
            .then_and_now(&self.archive, snapshot, event, sql, begun)
            .map_err(|error| error.to_string())?;
        match found {
            Some(found) => Ok(comparison(event, sql.is_some(), found)),
            None => Err("that step is no call".to_owned()),
        }
    }

    fn verdicts(&self, goes_on: &dyn Fn() -> bool) -> Result<BTreeMap<u64, ReplayVerdict>, String> {
        let snapshot = self.snapshot.as_ref().map_err(Clone::clone)?;
        match self.calls.repeat(&self.archive, snapshot, None, goes_on) {
            Ok((calls, _)) => Ok(calls.into_iter().map(|call| (call.event, call.verdict)).collect()),
            // Nobody waits for them any more.
            Err(ReplayError::Stopped { .. }) => Ok(BTreeMap::new()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl ArchivedTrial {
    /// A call and what came of it.
    fn call(&self, sheet: &mut Sheet, call: &ToolCall, events: &[(u32, Event)]) -> Result<(), String> {
        let words = |text| self.archive.blobs().words(text).map_err(|error| error.to_string());
        sheet.fact("tool", &call.tool);
        if call.ui {
            sheet.remark("the interface ran it for a person who looked around; it is not counted");
        }
        if call.secret_removed {
            sheet.remark("a secret was taken out of its arguments");
        }
        match call.sql() {
            Some(sql) => sheet.sql("Statement", &sql),
            None if call.arguments.as_object().is_some_and(serde_json::Map::is_empty) => {}
            None => sheet.json("Arguments", &call.arguments.to_string()),
        }
        for (_, event) in events {
            match &event.body {
                EventBody::ToolResult(result) if result.id == call.id => {
                    if let Some(analysis) = &result.analysis {
                        sheet.analysis(analysis);
                    }
                    if let Some(elapsed) = result.elapsed_us {
                        sheet.took(elapsed);
                    }
                    let Some(record) = &result.result else {
                        sheet.words("Result", &words(&result.text)?);
                        continue;
                    };
                    sheet.fact("sha256", &record.sha256);
                    if let Some(cut) = record.truncated {
                        sheet.remark(&format!("the result {cut}"));
                    }
                    if record.changed_rows > 0 {
                        sheet.fact("changed rows", &record.changed_rows.to_string());
                    }
                    let rows = self.rows(record)?;
                    sheet.words(&format!("Result: {} rows", record.rows), &rows);
                    sheet.words("What the actor was shown", &words(&result.text)?);
                }
                EventBody::ToolError(error) if error.id == call.id => {
                    let kind = format!("{:?}", error.error).to_lowercase();
                    sheet.fact("error", &kind);
                    if let Some(elapsed) = error.elapsed_us {
                        sheet.took(elapsed);
                    }
                    sheet.failure("What the actor was shown", &words(&error.text)?);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The first rows of a result. The rest is not parsed: a result may have a hundred thousand.
    fn rows(&self, record: &ResultRecord) -> Result<String, String> {
        let bytes = self.archive.blobs().get(&record.sha256).map_err(|error| error.to_string())?;
        // A line of names, then a line a row.
        let end = memchr::memchr_iter(b'\n', &bytes).nth(ROWS).map_or(bytes.len(), |at| at + 1);
        let (columns, rows) = crate::archive::parse_result(&bytes[..end])?;
        let shown = rows.iter().map(Vec::as_slice).collect::<Vec<_>>();
        let mut text = to_string(TextFormat::Markdown, &columns, shown);
        if record.rows > ROWS as u64 {
            text.push_str("…\n");
        }
        Ok(text)
    }
}

/// Statements of an imported trace that are analysed, so that a very long one opens at once.
const ANALYSED: usize = 5_000;

/// Finds what the statements read and join where the trace does not say: those of other programs.
fn analysed(steps: &mut [Step], events: &[(u32, Event)], snapshot: &OpenSnapshot) {
    let unknown = steps.iter_mut().filter(|step| {
        step.kind.is_query() && step.tables.is_empty() && matches!(step.outcome, Outcome::Result)
    });
    let mut engine = None;
    for step in unknown.take(ANALYSED) {
        let place = events.binary_search_by_key(&step.event, |(_, event)| event.seq);
        let Some((_, event)) = place.ok().and_then(|at| events.get(at)) else { continue };
        let EventBody::ToolCall(call) = &event.body else { continue };
        let Some(sql) = call.sql() else { continue };
        if engine.is_none() {
            engine = snapshot.copy(0).ok();
        }
        let Some(engine) = &mut engine else { return };
        if let Ok(analysis) = analyze(engine, &sql) {
            step.joins = analysis.joins.union(&analysis.soft_joins).cloned().collect();
            step.tables = analysis.tables;
        }
    }
}
