//! Going on with a person's trial: a new segment on a copy that is rebuilt by repeating what was written.

use super::trial::Before;
use super::{Over, Trial, TrialSetup};
use crate::archive::{Archive, ArchiveError, RunWriter};
use crate::domain::trace::{Counts, EventBody, ToolErrorKind};
use crate::domain::trial::Ending;
use std::collections::HashMap;

/// Goes on with a trial whose last segment was left without an answer.
///
/// # Errors
/// [`Over::Ended`] where it has ended for good, [`Over::Archive`] where it is not there or damaged, [`Over::Open`].
pub fn resume_trial(run: &RunWriter, setup: TrialSetup) -> Result<Trial<'_>, Over> {
    let archive = Archive::open(run.folder())?;
    let Some(record) = archive.trial(&setup.name) else {
        return Trial::begin(run, setup);
    };
    match record.ending() {
        Ending::Interrupted => {}
        ending => return Err(Over::Ended(ending)),
    }
    let mut engine = setup.open_engine()?;
    let mut before = Before::default();
    let mut statements: HashMap<String, (u64, String)> = HashMap::new();
    for trace in archive.traces(record)? {
        before.segments += 1;
        for event in trace.events()? {
            match event.body {
                EventBody::ToolCall(call) => {
                    before.calls += 1;
                    count_call(&mut before.counts, call.ui, call.statement.is_some());
                    if let Some(number) = call.statement {
                        before.statements = number;
                        let sql = call.arguments.get("sql").and_then(|sql| sql.as_str()).unwrap_or_default();
                        statements.insert(call.id, (number, sql.to_owned()));
                    }
                }
                EventBody::ToolResult(result) => {
                    let wrote = result.result.is_some_and(|result| result.wrote);
                    if let Some((number, sql)) = statements.remove(&result.id)
                        && wrote
                    {
                        engine.run(number, &sql, &(&setup.limits.statement).into()).map_err(|error| {
                            let reason = format!("statement {number} can't be repeated: {error}");
                            ArchiveError::Damaged {
                                path: trace.path().to_owned(),
                                line: Some(event.seq),
                                reason,
                            }
                        })?;
                    }
                }
                EventBody::ToolError(error) if error.error != ToolErrorKind::Cancelled => {
                    before.counts.errors += 1;
                }
                EventBody::ModelStep(step) => {
                    before.counts.steps += 1;
                    if let Some(usage) = &step.usage {
                        before.counts.add_usage(usage);
                    }
                }
                _ => {}
            }
        }
    }
    Trial::begin_segment(run, setup, engine, before)
}

const fn count_call(counts: &mut Counts, ui: bool, is_statement: bool) {
    if !ui {
        counts.tool_calls += 1;
        if is_statement {
            counts.queries += 1;
        }
    }
}
