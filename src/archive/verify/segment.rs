//! One trace of a trial.

use super::{Check, FindingKind, bytes};
use crate::archive::chain::line_digest;
use crate::archive::error::ArchiveError;
use crate::archive::reader::{Segment, TrialRecord};
use crate::archive::trace_reader::{Trace, parse};
use crate::domain::trace::{BlobName, Event, EventBody, Text};
use crate::domain::trial::Ending;

/// Lines between two questions whether to go on.
const ASK_EVERY: u64 = 4096;

impl Check<'_> {
    /// One trace: every line of it. Gives the digest and number of its last event.
    pub(super) fn segment(
        &mut self,
        file: &str,
        trial: &TrialRecord,
        segment: &Segment,
        trace: &Trace,
        before: (String, u64),
        answer: &mut Option<String>,
    ) -> Result<(String, u64), ArchiveError> {
        let name = Some(&trial.name);
        let (mut head, mut seq) = before;
        let mut ended = None;
        for (number, line) in (1_u64..).zip(trace.lines()?) {
            let line = match line {
                Ok(line) => line,
                Err(error) => {
                    self.failed(FindingKind::Changed, file, name, &error);
                    return Ok((head, seq));
                }
            };
            self.report.lines += 1;
            if number % ASK_EVERY == 0 && !(self.go_on)(file) {
                self.stopped = true;
                return Ok((head, seq));
            }
            match parse(trace.path(), number, &line) {
                Err(error) => self.failed(FindingKind::Changed, file, name, &error),
                Ok(event) => {
                    if event.prev != head {
                        // Whichever of the two was changed: the one before, unless this is the first.
                        let (line, reason) = if number == 1 {
                            (1, "it does not name the line that the trial had before it".to_owned())
                        } else {
                            (number - 1, "its bytes are not those that the next line names".to_owned())
                        };
                        self.found(FindingKind::Changed, file, name, Some(line), reason);
                    }
                    if event.seq != seq.saturating_add(1) {
                        let reason =
                            format!("it is event {}, but {} was to come", event.seq, seq.saturating_add(1));
                        self.found(FindingKind::Changed, file, name, Some(number), reason);
                    }
                    seq = event.seq;
                    ended = self.event(file, trial, number, event, answer).or(ended);
                }
            }
            head = line_digest(&line);
        }
        self.end_of(file, trial, segment, trace, &head, ended);
        Ok((head, seq))
    }

    /// The end of a trace, against the ledger.
    fn end_of(
        &mut self,
        file: &str,
        trial: &TrialRecord,
        segment: &Segment,
        trace: &Trace,
        head: &str,
        ended: Option<Ending>,
    ) {
        let name = Some(&trial.name);
        let whole = trace.len();
        if trace.rest() != segment.ended.as_ref().map_or(0, |line| line.cut_bytes) {
            let reason = format!("it was cut: {} behind the last whole line", bytes(trace.rest()));
            let kind = if segment.ended.is_some() { FindingKind::Changed } else { FindingKind::Incomplete };
            self.found(kind, file, name, Some(whole + 1), reason);
        }
        let Some(line) = &segment.ended else {
            let reason = match ended {
                Some(_) => "it ended, but the ledger does not know it: the run was stopped in between",
                None => "it was stopped after this line: nothing tells how it would have ended",
            };
            return self.found(FindingKind::Incomplete, file, name, Some(whole), reason.to_owned());
        };
        if whole < line.lines {
            let reason = format!("{} of {} lines are not there", line.lines - whole, line.lines);
            self.found(FindingKind::Missing, file, name, Some(whole + 1), reason);
        } else if whole > line.lines {
            let reason = format!("it has {whole} lines, but the ledger knows {}", line.lines);
            self.found(FindingKind::Changed, file, name, Some(line.lines + 1), reason);
        } else if *head != line.head {
            let reason = "its bytes are not those that the ledger names".to_owned();
            self.found(FindingKind::Changed, file, name, Some(whole), reason);
        } else if ended.unwrap_or(Ending::Interrupted) != line.ending {
            let reason = "how it ended is not what the ledger says".to_owned();
            self.found(FindingKind::Changed, file, name, Some(whole), reason);
        }
    }

    /// What an event refers to; gives how the segment ended, if it says so.
    fn event(
        &mut self,
        file: &str,
        trial: &TrialRecord,
        line: u64,
        event: Event,
        answer: &mut Option<String>,
    ) -> Option<Ending> {
        let mut want = |blob: &str, bytes: Option<u64>, rows: Option<u64>| {
            self.want(blob, Some(&trial.name), file, Some(line), (bytes, rows));
        };
        let mut want_text = |text: &Text| {
            if let Text::Blob(BlobName { blob, bytes }) = text {
                want(blob, Some(*bytes), None);
            }
        };
        match event.body {
            EventBody::SystemPrompt(words)
            | EventBody::UserMessage(words)
            | EventBody::Note(words)
            | EventBody::Error(words) => want_text(&words.text),
            EventBody::Reasoning(reasoning) => want_text(&reasoning.text),
            EventBody::ToolError(error) => want_text(&error.text),
            EventBody::Imported(imported) => want_text(&imported.json),
            EventBody::ModelStep(step) => {
                want_text(&step.text);
                if let Some(exchange) = step.exchange {
                    want(&exchange.blob, Some(exchange.bytes), None);
                }
            }
            EventBody::ToolResult(result) => {
                want_text(&result.text);
                if let Some(record) = result.result {
                    want(&record.sha256, None, Some(record.rows));
                }
            }
            EventBody::Answer(taken) => *answer = Some(taken.sha256),
            EventBody::Ended(ended) => return Some(ended.ending),
            EventBody::Brief(_) | EventBody::ToolCall(_) | EventBody::Limit(_) => {}
        }
        None
    }
}
