//! One call of a trial beside the same call run now, with the rows of both: what a person compares.

use super::ReplayError;
use super::foreign_table;
use super::trial::{Outcome, TrialCalls, limits};
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
    /// Whether another program wrote the trace: its cells may be texts where ours have types.
    pub is_foreign: bool,
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
        /// Whether these are all.
        is_whole: bool,
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
        let own = call.sql().unwrap_or_default();
        let sql = instead.unwrap_or(&own);
        let is_foreign = self.foreign.is_some();
        let then = match then(archive, outcome)? {
            Then::Text(text) if is_foreign => self.table(event, text),
            then => then,
        };
        if instead.is_none()
            && let Some(verdict) = outcome.and_then(|outcome| self.not_begun(outcome))
        {
            let why = "it did not come to its end then, and is not run again".to_owned();
            let (now, verdict) = (Then::Nothing(why), Some(verdict));
            return Ok(Some(ThenAndNow { sql: own, then, now, verdict, is_foreign }));
        }
        let now = engine.run(number, sql, &limits(archive));
        let verdict = match (instead, outcome) {
            (None, Some(outcome)) => {
                Some(self.judge(archive, event, outcome, now.as_ref().map(|it| &it.result))?)
            }
            _ => None,
        };
        let now = match now {
            Ok(answer) => Then::Rows {
                elapsed: Some(answer.elapsed),
                is_whole: answer.result.cut.is_none(),
                result: answer.result,
            },
            Err(QueryError::Interrupted { .. }) => Then::Nothing("it was stopped".to_owned()),
            Err(error) => Then::Error(error.to_string()),
        };
        Ok(Some(ThenAndNow { sql: sql.to_owned(), then, now, verdict, is_foreign }))
    }

    /// What another program kept of a result as rows, where it can be read as such.
    fn table(&self, event: u64, text: String) -> Then {
        let is_cut = self.foreign.as_ref().is_some_and(|cut| cut.contains(&event));
        let Some(table) = foreign_table::read(&text, is_cut) else { return Then::Text(text) };
        let cells = table.rows.iter().map(Vec::len).max().unwrap_or(0);
        let columns =
            table.columns.unwrap_or_else(|| (1..=cells).map(|nth| format!("column {nth}")).collect());
        let result = ResultSet { columns, rows: table.rows, changed_rows: 0, cut: None };
        Then::Rows { result, elapsed: None, is_whole: table.whole }
    }

    /// Repeats the statements before an event that wrote.
    fn write_up_to(&self, archive: &Archive, engine: &mut SqliteEngine, event: u64) {
        let limits = limits(archive);
        for (_, seq, call) in self.calls.iter().take_while(|(_, seq, _)| *seq < event) {
            let wrote = matches!(self.outcomes.get(seq), Some(Outcome::Result(result))
                if result.result.as_ref().is_some_and(|record| record.wrote));
            if let (true, Some(number), Some(sql)) = (wrote, call.statement, call.sql()) {
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
        Ok(ThenAndNow { sql: String::new(), then, now, verdict, is_foreign: self.foreign.is_some() })
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
                Then::Rows {
                    result: rows,
                    elapsed: result.elapsed_us.map(Duration::from_micros),
                    is_whole: cut.is_none(),
                }
            }
        },
    })
}
