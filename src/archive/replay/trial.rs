//! One trial, repeated.

use super::ReplayError;
use super::compare::{errors, not_replayable, results, texts as compare_texts};
use super::conclusions::{Column, conclusions, texts};
use super::report::{CallReplay, TrialReplay};
use crate::archive::canonical_result::{canonical_result, parse_result};
use crate::archive::{Archive, TrialRecord};
use crate::domain::replay::{Difference, NotReplayableReason, ReplayVerdict};
use crate::domain::trace::{Event, EventBody, ToolCall, ToolError, ToolErrorKind, ToolResult};
use crate::domain::{ResultSet, Revision};
use crate::query::{Engine as _, Limits, OpenSnapshot, QueryError, SqliteEngine};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A machine may be slower than the one of the record: a statement gets so many times as long.
const PATIENCE: u32 = 4;

/// What the archive has for a call.
enum Outcome {
    Result(Box<ToolResult>),
    Error(ToolError),
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
    for (segment, event) in events {
        match (event.body, event.parent) {
            (EventBody::ToolCall(call), _) => calls.push((segment, event.seq, call)),
            (EventBody::ToolResult(result), Some(parent)) => {
                outcomes.insert(parent, Outcome::Result(Box::new(result)));
            }
            (EventBody::ToolError(error), Some(parent)) => {
                outcomes.insert(parent, Outcome::Error(error));
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
    let conclusions = run.columns.and_then(|columns| conclusions(&subjects, &columns));
    Ok(TrialReplay { trial: trial.name.clone(), calls: replays, conclusions })
}

fn limits(archive: &Archive) -> Limits {
    let limits = Limits::from(&archive.run.limits.statement);
    Limits { deadline: limits.deadline.saturating_mul(PATIENCE).max(Duration::from_mins(1)), ..limits }
}

/// The statement of a call. Some actors give their arguments as a text that holds JSON.
fn sql(call: &ToolCall) -> Option<String> {
    let sql = |arguments: &serde_json::Value| arguments.get("sql")?.as_str().map(str::to_owned);
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
}

impl Run<'_> {
    /// Repeats a call; `None` for one that reads nothing.
    fn call(
        &mut self,
        seq: u64,
        call: &ToolCall,
        outcome: Option<Outcome>,
    ) -> Result<Option<ReplayVerdict>, ReplayError> {
        let name = call.tool.replace('-', "_");
        if name == "submit_answer" {
            return Ok(None);
        }
        if call.secret_removed {
            let reason = "a secret was taken out of its arguments";
            return Ok(Some(not_replayable(NotReplayableReason::SecretRemoved, reason)));
        }
        if let Some(Outcome::Error(error)) = &outcome
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

    fn schema(&self, outcome: Option<Outcome>) -> Result<ReplayVerdict, ReplayError> {
        match outcome {
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
        outcome: Option<Outcome>,
    ) -> Result<ReplayVerdict, ReplayError> {
        let Some(outcome) = outcome else {
            let reason = "the archive has no result for it";
            return Ok(not_replayable(NotReplayableReason::NoArchivedResult, reason));
        };
        // What did not come to its end then is not begun now: how far it came depends on the machine.
        match &outcome {
            Outcome::Error(error) if error.error == ToolErrorKind::Limit => {
                return Ok(not_replayable(NotReplayableReason::Limit, "a limit stopped it"));
            }
            Outcome::Error(error) if error.error == ToolErrorKind::Cancelled => {
                return Ok(not_replayable(NotReplayableReason::Cancelled, "it was cancelled"));
            }
            _ => {}
        }
        let sql = sql(call).unwrap_or_default();
        let now = self.engine.run(number, &sql, &self.limits).map(|answer| answer.result);
        Ok(match (outcome, now) {
            (Outcome::Result(archived), Ok(now)) => match archived.result {
                Some(archived) if archived.secret_removed => {
                    not_replayable(NotReplayableReason::SecretRemoved, "a secret was taken out of its result")
                }
                Some(archived) => {
                    let canonical = canonical_result(&now);
                    self.follow(seq, &archived.sha256, &now)?;
                    results(self.archive.blobs(), &archived, &now, &canonical)?
                }
                None => {
                    not_replayable(NotReplayableReason::NoArchivedResult, "the archive has no rows for it")
                }
            },
            (
                Outcome::Result(_),
                Err(error @ (QueryError::Limit { .. } | QueryError::Interrupted { .. })),
            ) => not_replayable(
                NotReplayableReason::Limit,
                format!("it gave a result then; now it is {error}"),
            ),
            (Outcome::Result(archived), Err(error)) => {
                let rows = archived.result.map_or(0, |result| result.rows);
                ReplayVerdict::Differs(Difference::Outcome {
                    archived: format!("{rows} rows"),
                    now: format!("error '{error}'"),
                })
            }
            (Outcome::Error(archived), Err(error)) => {
                let text = self.archive.blobs().words(&archived.text)?;
                errors(&archived, &text, &error)
            }
            (Outcome::Error(archived), Ok(now)) => ReplayVerdict::Differs(Difference::Outcome {
                archived: format!("error '{}'", self.archive.blobs().words(&archived.text)?),
                now: format!("{} rows", now.rows.len()),
            }),
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
