//! One trial, repeated.

use super::ReplayError;
use super::compare::{errors, not_replayable, results, texts as compare_texts};
use super::conclusions::{Column, conclusions, texts};
use super::foreign;
use super::report::{CallReplay, TrialReplay};
use crate::archive::canonical_result::{canonical_result, parse_result};
use crate::archive::{Archive, ArchiveError, TrialRecord};
use crate::domain::foreign::{ImportedMarks, plain_tool_name};
use crate::domain::replay::{Difference, NotReplayableReason, ReplayVerdict};
use crate::domain::trace::{Event, EventBody, Text, ToolCall, ToolError, ToolErrorKind, ToolResult};
use crate::domain::{ResultSet, Revision};
use crate::query::{Engine as _, Limits, OpenSnapshot, QueryError, SqliteEngine};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// A machine may be slower than the one of the record: a statement gets so many times as long.
const PATIENCE: u32 = 4;

/// What the archive has for a call.
#[derive(Debug)]
pub(super) enum Outcome {
    Result(Box<ToolResult>),
    Error(ToolError),
}

/// The calls of a trial, with what the archive has for each: read once, repeated as often as wanted.
#[derive(Debug)]
pub struct TrialCalls {
    pub(super) seed: u64,
    /// Segment, event, call; in order.
    pub(super) calls: Vec<(u32, u64, ToolCall)>,
    /// By the event of the call.
    pub(super) outcomes: HashMap<u64, Outcome>,
    /// Of another program's trace: the calls whose results its recorder cut.
    pub(super) foreign: Option<HashSet<u64>>,
}

impl TrialCalls {
    /// Takes the calls out of a trial's events, each with the number of its segment.
    pub fn of(events: &[(u32, Event)]) -> Self {
        let seed = events.iter().find_map(|(_, event)| match &event.body {
            EventBody::Brief(brief) => Some(brief.seed),
            _ => None,
        });
        let mut outcomes: HashMap<u64, Outcome> = HashMap::new();
        let mut calls: Vec<(u32, u64, ToolCall)> = Vec::new();
        // The call of each result: marks stand under results.
        let mut call_of: HashMap<u64, u64> = HashMap::new();
        let mut foreign: Option<HashSet<u64>> = None;
        for (segment, event) in events {
            match (&event.body, event.parent) {
                (EventBody::ToolCall(call), _) => calls.push((*segment, event.seq, call.clone())),
                // Of a call that got two results, the first is what the actor saw.
                (EventBody::ToolResult(result), Some(parent)) => {
                    call_of.insert(event.seq, parent);
                    outcomes.entry(parent).or_insert_with(|| Outcome::Result(Box::new(result.clone())));
                }
                (EventBody::ToolError(error), Some(parent)) => {
                    outcomes.entry(parent).or_insert_with(|| Outcome::Error(error.clone()));
                }
                (EventBody::Imported(it), parent) => {
                    let cut = foreign.get_or_insert_default();
                    if it.what == "marks"
                        && let (Text::Inline(json), Some(parent)) = (&it.json, parent)
                        && serde_json::from_str(json).is_ok_and(|it: ImportedMarks| it.truncated.is_some())
                    {
                        cut.extend(call_of.get(&parent));
                    }
                }
                _ => {}
            }
        }
        Self { seed: seed.unwrap_or(0), calls, outcomes, foreign }
    }

    /// Repeats all calls on a fresh copy; `goes_on` is asked before each.
    ///
    /// # Errors
    /// [`ReplayError`]; [`ReplayError::Stopped`] where it was not to go on.
    pub fn repeat(
        &self,
        archive: &Archive,
        snapshot: &OpenSnapshot,
        against: Option<Revision>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(Vec<CallReplay>, Option<Vec<Column>>), ReplayError> {
        let mut run = Run {
            calls: self,
            archive,
            snapshot,
            engine: snapshot.copy(self.seed)?,
            limits: limits(archive),
            columns: against.map(|_| Vec::new()),
        };
        let mut replays = Vec::new();
        for (segment, seq, call) in &self.calls {
            if !goes_on() {
                return Err(ReplayError::Stopped { done: 0, total: 1 });
            }
            let started = Instant::now();
            let Some(verdict) = run.call(*seq, call, self.outcomes.get(seq))? else { continue };
            replays.push(CallReplay {
                event: *seq,
                segment: *segment,
                sql: call.sql(),
                call: call.id.clone(),
                tool: call.tool.clone(),
                verdict,
                elapsed_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
            });
        }
        Ok((replays, run.columns))
    }

    /// A tool's name as this program has it.
    pub(super) fn tool(&self, call: &ToolCall) -> String {
        if self.foreign.is_some() { plain_tool_name(&call.tool) } else { call.tool.replace('-', "_") }
    }

    /// What did not come to its end then is not begun now: how far it came depends on the machine.
    pub(super) fn not_begun(&self, outcome: &Outcome) -> Option<ReplayVerdict> {
        let Outcome::Error(error) = outcome else { return None };
        match error.error {
            ToolErrorKind::Limit => Some(not_replayable(NotReplayableReason::Limit, "a limit stopped it")),
            ToolErrorKind::Cancelled => {
                Some(not_replayable(NotReplayableReason::Cancelled, "it was cancelled"))
            }
            ToolErrorKind::Refused if self.foreign.is_some() => {
                Some(not_replayable(NotReplayableReason::Write, "it was refused there before it ran"))
            }
            ToolErrorKind::Engine => {
                Some(not_replayable(NotReplayableReason::NoArchivedResult, "the engine's process had failed"))
            }
            _ => None,
        }
    }

    /// The verdict on the statement of an event by what came of it then and now.
    pub(super) fn judge(
        &self,
        archive: &Archive,
        event: u64,
        outcome: &Outcome,
        now: Result<&ResultSet, &QueryError>,
    ) -> Result<ReplayVerdict, ArchiveError> {
        let Some(cut) = &self.foreign else { return judge(archive, outcome, now) };
        Ok(match outcome {
            Outcome::Result(archived) => {
                foreign::result(&archive.blobs().words(&archived.text)?, cut.contains(&event), now)
            }
            Outcome::Error(archived) => foreign::error(&archive.blobs().words(&archived.text)?, now),
        })
    }

    /// The verdict on a schema by what was shown then and the snapshot's.
    pub(super) fn judge_schema(&self, archived: &str, snapshot: &OpenSnapshot) -> ReplayVerdict {
        if self.foreign.is_some() {
            return foreign::schema(archived, snapshot.schema_text(), &snapshot.manifest.tables);
        }
        compare_texts(archived, snapshot.schema_text())
    }
}

/// All events of a trial, each with the number of its segment.
///
/// # Errors
/// [`ArchiveError`] where its trace can't be read.
pub fn trial_events(archive: &Archive, trial: &TrialRecord) -> Result<Vec<(u32, Event)>, ArchiveError> {
    let mut events: Vec<(u32, Event)> = Vec::new();
    for (segment, trace) in trial.segments.iter().zip(archive.traces(trial)?) {
        events.extend(trace.events()?.into_iter().map(|event| (segment.number, event)));
    }
    Ok(events)
}

/// Repeats the calls of a trial.
pub(super) fn replay(
    archive: &Archive,
    trial: &TrialRecord,
    snapshot: &OpenSnapshot,
    against: Option<Revision>,
) -> Result<TrialReplay, ReplayError> {
    let calls = TrialCalls::of(&trial_events(archive, trial)?);
    let (calls, columns) = calls.repeat(archive, snapshot, against, &|| true)?;
    let subjects = archive.answer(&trial.name)?.and_then(|answer| answer.subjects).unwrap_or_default();
    let conclusions = columns.and_then(|columns| conclusions(&subjects, &columns));
    Ok(TrialReplay { trial: trial.name.clone(), calls, conclusions })
}

pub(super) fn limits(archive: &Archive) -> Limits {
    let limits = Limits::from(&archive.run.limits.statement);
    Limits { deadline: limits.deadline.saturating_mul(PATIENCE).max(Duration::from_mins(1)), ..limits }
}

struct Run<'r> {
    calls: &'r TrialCalls,
    archive: &'r Archive,
    snapshot: &'r OpenSnapshot,
    engine: SqliteEngine,
    limits: Limits,
    /// Columns of results then and now, where the run is held against another revision.
    columns: Option<Vec<Column>>,
}

impl Run<'_> {
    /// Repeats a call; `None` for one that reads nothing.
    fn call(
        &mut self,
        seq: u64,
        call: &ToolCall,
        outcome: Option<&Outcome>,
    ) -> Result<Option<ReplayVerdict>, ReplayError> {
        let name = self.calls.tool(call);
        if name == "submit_answer" {
            return Ok(None);
        }
        if call.secret_removed {
            let reason = "a secret was taken out of its arguments";
            return Ok(Some(not_replayable(NotReplayableReason::SecretRemoved, reason)));
        }
        if let Some(Outcome::Error(error)) = outcome
            && matches!(error.error, ToolErrorKind::UnknownTool | ToolErrorKind::BadArguments)
        {
            return Ok(Some(not_replayable(NotReplayableReason::UnknownTool, "no tool was run")));
        }
        match (name.as_str(), call.statement) {
            ("get_schema", _) => self.schema(outcome).map(Some),
            ("run_query", Some(number)) => self.query(seq, number, call, outcome).map(Some),
            _ => Ok(Some(not_replayable(NotReplayableReason::UnknownTool, "the tool is none of ours"))),
        }
    }

    fn schema(&self, outcome: Option<&Outcome>) -> Result<ReplayVerdict, ReplayError> {
        match outcome {
            Some(Outcome::Result(result)) => {
                let archived = self.archive.blobs().words(&result.text)?;
                Ok(self.calls.judge_schema(&archived, self.snapshot))
            }
            _ => {
                Ok(not_replayable(NotReplayableReason::NoArchivedResult, "the archive has no result for it"))
            }
        }
    }

    fn query(
        &mut self,
        seq: u64,
        number: u64,
        call: &ToolCall,
        outcome: Option<&Outcome>,
    ) -> Result<ReplayVerdict, ReplayError> {
        let Some(outcome) = outcome else {
            let reason = "the archive has no result for it";
            return Ok(not_replayable(NotReplayableReason::NoArchivedResult, reason));
        };
        if let Some(verdict) = self.calls.not_begun(outcome) {
            return Ok(verdict);
        }
        let sql = call.sql().unwrap_or_default();
        // That program's copy may have been another one for each statement or the same for all, open for writing or not: what
        // wrote is repeated here, for those behind it, but nothing is said of it.
        let writes =
            self.calls.foreign.is_some() && self.engine.check(&sql).is_ok_and(|checked| !checked.read_only);
        let now = self.engine.run(number, &sql, &self.limits).map(|answer| answer.result);
        if let (Outcome::Result(archived), Ok(now)) = (outcome, &now)
            && let Some(record) = archived.result.as_ref().filter(|record| !record.secret_removed)
        {
            self.follow(seq, &record.sha256, now)?;
        }
        if writes {
            let reason = "it writes, and what that harness did with it is not known";
            return Ok(not_replayable(NotReplayableReason::Write, reason));
        }
        Ok(self.calls.judge(self.archive, seq, outcome, now.as_ref())?)
    }

    /// Keeps the columns of a result, then and now.
    fn follow(&mut self, seq: u64, blob: &str, now: &ResultSet) -> Result<(), ReplayError> {
        let Some(columns) = &mut self.columns else { return Ok(()) };
        let Ok((names, then)) = parse_result(&self.archive.blobs().get(blob)?) else { return Ok(()) };
        for (at, name) in names.iter().enumerate() {
            let now_at = now.columns.iter().position(|column| column == name).unwrap_or(at);
            columns.push(Column::new(seq, name, texts(&then, at), texts(&now.rows, now_at)));
        }
        Ok(())
    }
}

/// The verdict on a statement by what came of it then and now.
fn judge(
    archive: &Archive,
    outcome: &Outcome,
    now: Result<&ResultSet, &QueryError>,
) -> Result<ReplayVerdict, ArchiveError> {
    Ok(match (outcome, now) {
        (Outcome::Result(archived), Ok(now)) => match &archived.result {
            Some(archived) if archived.secret_removed => {
                not_replayable(NotReplayableReason::SecretRemoved, "a secret was taken out of its result")
            }
            Some(archived) => results(archive.blobs(), archived, now, &canonical_result(now))?,
            None => not_replayable(NotReplayableReason::NoArchivedResult, "the archive has no rows for it"),
        },
        (Outcome::Result(_), Err(error @ (QueryError::Limit { .. } | QueryError::Interrupted { .. }))) => {
            not_replayable(NotReplayableReason::Limit, format!("it gave a result then; now it is {error}"))
        }
        (Outcome::Result(archived), Err(error)) => {
            let rows = archived.result.as_ref().map_or(0, |result| result.rows);
            ReplayVerdict::Differs(Difference::Outcome {
                archived: format!("{rows} rows"),
                now: format!("error '{error}'"),
            })
        }
        (Outcome::Error(archived), Err(error)) => {
            let text = archive.blobs().words(&archived.text)?;
            errors(archived, &text, error)
        }
        (Outcome::Error(archived), Ok(now)) => ReplayVerdict::Differs(Difference::Outcome {
            archived: format!("error '{}'", archive.blobs().words(&archived.text)?),
            now: format!("{} rows", now.rows.len()),
        }),
    })
}
