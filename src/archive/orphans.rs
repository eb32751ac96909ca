//! Segments that a killed process left: their traces are there, their lines in the ledger are not.

use super::chain::{NO_LINE, line_digest};
use super::error::ArchiveError;
use super::ledger::LedgerLine;
use super::reader::Archive;
use super::trace_reader::Trace;
use crate::domain::trace::{Counts, EventBody};
use crate::domain::trial::Ending;

/// What the ledger lacks. A segment whose last event says how it ended, ended so; any other was interrupted.
pub(super) fn orphans(archive: &Archive) -> Result<Vec<LedgerLine>, ArchiveError> {
    let mut found = Vec::new();
    for trial in &archive.trials {
        for segment in trial.segments.iter().filter(|segment| segment.ended.is_none()) {
            let trace = Trace::open(&segment.path)?;
            let mut line = LedgerLine {
                trial: trial.name.clone(),
                segment: segment.number,
                ending: Ending::Interrupted,
                lines: trace.len(),
                head: trace.last_line()?.map_or_else(|| NO_LINE.to_owned(), |line| line_digest(&line)),
                answer: None,
                counts: Counts::default(),
                milliseconds: 0,
                cut_bytes: trace.rest(),
                prev: String::new(),
            };
            for event in trace.events()? {
                line.milliseconds = event.t;
                match event.body {
                    EventBody::Answer(taken) => line.answer = Some(taken.sha256),
                    EventBody::Ended(ended) => (line.ending, line.counts) = (ended.ending, ended.counts),
                    _ => {}
                }
            }
            found.push(line);
        }
    }
    Ok(found)
}
