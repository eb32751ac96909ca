//! One trial, repeated.

use super::ReplayError;
use super::compare::{errors, not_replayable, results, texts as compare_texts};
use super::conclusions::{Column, conclusions, texts};
use super::foreign;
use super::report::{CallReplay, TrialReplay};
use crate::archive::canonical_result::{canonical_result, parse_result};
use crate::archive::{Archive, TrialRecord};
use crate::domain::foreign::{ImportedMarks, plain_tool_name};
use crate::domain::replay::{Difference, NotReplayableReason, ReplayVerdict};
use crate::domain::trace::{Event, EventBody, ToolCall, ToolError, ToolErrorKind, ToolResult};
use crate::domain::trial::ActorKind;
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

/// What an archive of another program's trace has beside.
#[derive(Default)]
struct Foreign {
    /// Calls whose results were cut by the recorder of that program.
    cut: HashSet<u64>,
}

/// Repeats the calls of a trial.
pub(super) fn replay(
    archive: &Archive,
    trial: &TrialRecord,
    snapshot: &OpenSnapshot,
    against: Option<Revision>,
) -> Result<TrialReplay, ReplayError> {
    let mut events: Vec<(u32, Event)> = Vec::new();
    for (segment, trace) in trial.segments.iter().zip(archive.traces(trial)?) {
        events.extend(trace.events()?.into_iter().map(|event| (segment.number, event)));
    }
    let seed = events.iter().find_map(|(_, event)| match &event.body {
        EventBody::Brief(brief) => Some(brief.seed),
        _ => None,
    });
    let mut outcomes: HashMap<u64, Outcome> = HashMap::new();
    let mut calls: Vec<(u32, u64, ToolCall)> = Vec::new();
    // The call of each result: marks stand under results.
    let mut call_of: HashMap<u64, u64> = HashMap::new();
    let mut imported = Foreign::default();
    for (segment, event) in events {
        match (event.body, event.parent) {
            (EventBody::ToolCall(call), _) => calls.push((segment, event.seq, call)),
            // Of a call that got two results, the first is what the actor saw.
            (EventBody::ToolResult(result), Some(parent)) => {
                call_of.insert(event.seq, parent);
                outcomes.entry(parent).or_insert_with(|| Outcome::Result(Box::new(result)));
            }
            (EventBody::ToolError(error), Some(parent)) => {
                outcomes.entry(parent).or_insert(Outcome::Error(error));
            }
            (EventBody::Imported(it), Some(parent)) if it.what == "marks" => {
                let words = archive.blobs().words(&it.json)?;
                let marks: ImportedMarks = serde_json::from_str(&words).unwrap_or_default();
                if let (Some(_), Some(call)) = (marks.truncated, call_of.get(&parent)) {
                    imported.cut.insert(*call);
                }
            }
            _ => {}
        }
    }
    let mut run = Run {
        archive,
        snapshot,
        engine: snapshot.copy(seed.unwrap_or(0))?,
        limits: limits(archive),
        columns: against.map(|_| Vec::new()),
        foreign: (archive.run.actor.kind == ActorKind::Imported).then_some(imported),
    };
    let mut replays = Vec::new();
    for (segment, seq, call) in calls {
        let started = Instant::now();
        let outcome = outcomes.remove(&seq);
        let Some(verdict) = run.call(seq, &call, outcome)? else { continue };
        replays.push(CallReplay {
            event: seq,
            segment,
            sql: sql(&call),
            call: call.id,
            tool: call.tool,
            verdict,
            elapsed_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        });
    }
    let subjects = archive.answer(&trial.name)?.and_then(|answer| answer.subjects).unwrap_or_default();
    let conclusions = columns.and_then(|columns| conclusions(&subjects, &columns));
    Ok(TrialReplay { trial: trial.name.clone(), calls, conclusions })
}

pub(super) fn limits(archive: &Archive) -> Limits {
    let limits = Limits::from(&archive.run.limits.statement);
    Limits { deadline: limits.deadline.saturating_mul(PATIENCE).max(Duration::from_mins(1)), ..limits }
}

/// The statement of a call. Some actors give their arguments as a text that holds JSON; other programs call it `query`.
fn sql(call: &ToolCall) -> Option<String> {
    let sql = |arguments: &serde_json::Value| {
        arguments.get("sql").or_else(|| arguments.get("query"))?.as_str().map(str::to_owned)
    };
    match &call.arguments {
        serde_json::Value::String(text) => sql(&serde_json::from_str(text).ok()?),
        arguments => sql(arguments),
    }
}

struct Run<'r> {
    archive: &'r Archive,
    snapshot: &'r OpenSnapshot,
    engine: SqliteEngine,
    limits: Limits,
    /// Columns of results then and now, where the run is held against another revision.
    columns: Option<Vec<Column>>,
    /// Where the trace is another program's.
    foreign: Option<Foreign>,
}

impl Run<'_> {
    /// Repeats a call; `None` for one that reads nothing.
    fn call(
        &mut self,
        seq: u64,
        call: &ToolCall,
        outcome: Option<&Outcome>,
    ) -> Result<Option<ReplayVerdict>, ReplayError> {
        let name =
            if self.foreign.is_some() { plain_tool_name(&call.tool) } else { call.tool.replace('-', "_") };
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
            Some(Outcome::Result(result)) if self.foreign.is_some() => {
                let archived = self.archive.blobs().words(&result.text)?;
                Ok(foreign::schema(&archived, self.snapshot.schema_text(), &self.snapshot.manifest.tables))
            }
            Some(Outcome::Result(result)) => {
                let archived = self.archive.blobs().words(&result.text)?;
                Ok(compare_texts(&archived, self.snapshot.schema_text()))
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
        if let Some(verdict) = not_begun(outcome) {
            return Ok(verdict);
        }
        let sql = sql(call).unwrap_or_default();
        if self.foreign.is_some() {
            return self.foreign_query(seq, number, &sql, &outcome);
        }
        let now = self.engine.run(number, &sql, &self.limits).map(|answer| answer.result);
        if let (Outcome::Result(archived), Ok(now)) = (outcome, &now)
            && let Some(record) = archived.result.as_ref().filter(|record| !record.secret_removed)
        {
            self.follow(seq, &record.sha256, now)?;
        }
        Ok(judge(self.archive, outcome, now.as_ref())?)
    }

    /// A statement of another program's trace. That program's copy may have been another one for each statement or the same
    /// for all, open for writing or not: what wrote is repeated here, but nothing is said of it.
    fn foreign_query(
        &mut self,
        seq: u64,
        number: u64,
        sql: &str,
        outcome: &Outcome,
    ) -> Result<ReplayVerdict, ReplayError> {
        let refused = matches!(outcome, Outcome::Error(error) if error.error == ToolErrorKind::Refused);
        if refused {
            let reason = "it was refused there before it ran";
            return Ok(not_replayable(NotReplayableReason::Write, reason));
        }
        let writes = self.engine.check(sql).is_ok_and(|checked| !checked.read_only);
        let now = self.engine.run(number, sql, &self.limits).map(|answer| answer.result);
        if writes {
            let reason = "it writes, and what that harness did with it is not known";
            return Ok(not_replayable(NotReplayableReason::Write, reason));
        }
        let cut = self.foreign.as_ref().is_some_and(|foreign| foreign.cut.contains(&seq));
        Ok(match outcome {
            Outcome::Result(archived) => {
                foreign::result(&self.archive.blobs().words(&archived.text)?, cut, &now)
            }
            Outcome::Error(archived) => foreign::error(&self.archive.blobs().words(&archived.text)?, &now),
        })
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

/// What did not come to its end then is not begun now: how far it came depends on the machine.
pub(super) fn not_begun(outcome: &Outcome) -> Option<ReplayVerdict> {
    let Outcome::Error(error) = outcome else { return None };
    match error.error {
        ToolErrorKind::Limit => Some(not_replayable(NotReplayableReason::Limit, "a limit stopped it")),
        ToolErrorKind::Cancelled => Some(not_replayable(NotReplayableReason::Cancelled, "it was cancelled")),
        ToolErrorKind::Engine => {
            Some(not_replayable(NotReplayableReason::NoArchivedResult, "the engine's process had failed"))
        }
        _ => None,
    }
}

/// The verdict on a statement by what came of it then and now.
pub(super) fn judge(
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
