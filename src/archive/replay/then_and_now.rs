//! One call of a trial beside the same call run now, with the rows of both: what a person compares.

use super::ReplayError;
use super::trial::{Outcome, TrialCalls, limits, sql};
use crate::archive::canonical_result::parse_result;
use crate::archive::{Archive, ArchiveError};
use crate::domain::replay::ReplayVerdict;
use crate::domain::trace::ToolCall;
use crate::domain::{Cut, ResultSet};
use crate::query::{Engine as _, Interrupter, OpenSnapshot, QueryError, SqliteEngine};
use std::time::Duration;

/// A call, then and now.
#[derive(Debug)]
pub struct ThenAndNow {
    /// The statement that was run now; empty where the call has none.
    pub sql: String,
    /// What the archive has.
    pub then: Then,
    /// What came now.
    pub now: Then,
    /// The verdict; absent where another statement was run than the archive has.
    pub verdict: Option<ReplayVerdict>,
}

/// What came of a call.
#[derive(Debug)]
pub enum Then {
    /// Rows.
    Rows {
        /// The rows.
        result: ResultSet,
        /// How long they took.
        elapsed: Option<Duration>,
    },
    /// An error.
    Error(String),
    /// A text.
    Text(String),
    /// Nothing, and why.
    Nothing(String),
}

impl TrialCalls {
    /// Runs a call again, or another statement in its place, on a fresh copy that earlier calls of the trial have written as they
    /// did then. `begun` is given what stops it.
    ///
    /// # Errors
    /// [`ReplayError`] where the archive can't be read or there is no memory for a copy.
    pub fn then_and_now(
        &self,
        archive: &Archive,
        snapshot: &OpenSnapshot,
        event: u64,
        instead: Option<&str>,
        begun: &dyn Fn(Interrupter),
    ) -> Result<Option<ThenAndNow>, ReplayError> {
        let Some((_, _, call)) = self.calls.iter().find(|(_, seq, _)| *seq == event) else { return Ok(None) };
        let outcome = self.outcomes.get(&event);
        let Some(number) = call.statement else {
            return Ok(Some(self.without_statement(archive, snapshot, call, outcome)?));
        };
        let mut engine = snapshot.copy(self.seed)?;
        begun(engine.interrupter());
        self.write_up_to(archive, &mut engine, event);
        let own = sql(call).unwrap_or_default();
        let sql = instead.unwrap_or(&own);
        let then = then(archive, outcome)?;
        if instead.is_none()
            && let Some(verdict) = outcome.and_then(|outcome| self.not_begun(outcome))
        {
            let why = "it did not come to its end then, and is not run again".to_owned();
            return Ok(Some(ThenAndNow { sql: own, then, now: Then::Nothing(why), verdict: Some(verdict) }));
        }
        let now = engine.run(number, sql, &limits(archive));
        let verdict = match (instead, outcome) {
            (None, Some(outcome)) => {
                Some(self.judge(archive, event, outcome, now.as_ref().map(|it| &it.result))?)
            }
            _ => None,
        };
        let now = match now {
            Ok(answer) => Then::Rows { elapsed: Some(answer.elapsed), result: answer.result },
            Err(QueryError::Interrupted { .. }) => Then::Nothing("it was stopped".to_owned()),
            Err(error) => Then::Error(error.to_string()),
        };
        Ok(Some(ThenAndNow { sql: sql.to_owned(), then, now, verdict }))
    }

    /// Repeats the statements before an event that wrote.
    fn write_up_to(&self, archive: &Archive, engine: &mut SqliteEngine, event: u64) {
        let limits = limits(archive);
        for (_, seq, call) in self.calls.iter().take_while(|(_, seq, _)| *seq < event) {
            let wrote = matches!(self.outcomes.get(seq), Some(Outcome::Result(result))
                if result.result.as_ref().is_some_and(|record| record.wrote));
            if let (true, Some(number), Some(sql)) = (wrote, call.statement, sql(call)) {
                // What it gave is not asked here: the check of the whole trial says where it differs.
                let _ = engine.run(number, &sql, &limits);
            }
        }
    }

    /// A call that runs no statement: the schema, or a tool that is none of ours.
    fn without_statement(
        &self,
        archive: &Archive,
        snapshot: &OpenSnapshot,
        call: &ToolCall,
        outcome: Option<&Outcome>,
    ) -> Result<ThenAndNow, ArchiveError> {
        let then = then(archive, outcome)?;
        let is_schema = self.tool(call) == "get_schema";
        let (now, verdict) = match (&then, is_schema) {
            (Then::Text(text), true) => {
                let verdict = self.judge_schema(text, snapshot);
                (Then::Text(snapshot.schema_text().to_owned()), Some(verdict))
            }
            _ => (Then::Nothing("it runs no statement".to_owned()), None),
        };
        Ok(ThenAndNow { sql: String::new(), then, now, verdict })
    }
}

fn then(archive: &Archive, outcome: Option<&Outcome>) -> Result<Then, ArchiveError> {
    Ok(match outcome {
        None => Then::Nothing("the archive has no result for it".to_owned()),
        Some(Outcome::Error(error)) => Then::Error(archive.blobs().words(&error.text)?),
        Some(Outcome::Result(result)) => match &result.result {
            None => Then::Text(archive.blobs().words(&result.text)?),
            Some(record) => {
                let bytes = archive.blobs().get(&record.sha256)?;
                let (columns, rows) = parse_result(&bytes).map_err(|reason| {
                    ArchiveError::damaged(&archive.blobs().path(&record.sha256), None, reason)
                })?;
                let cut: Option<Cut> = record.truncated;
                let rows = ResultSet { columns, rows, changed_rows: record.changed_rows, cut };
                Then::Rows { result: rows, elapsed: result.elapsed_us.map(Duration::from_micros) }
            }
        },
    })
}
