//! Whether a run is what was written, and whole. Every byte of the evidence is covered: `run.json` and the answers by a
//! digest, lines by the chain whose heads stand in the ledger and in `run.json`, blobs by their names.

use super::blobs::Blobs;
use super::chain::{NO_LINE, line_digest};
use super::error::ArchiveError;
use super::layout::{ANSWER_FILE, LEDGER_FILE, RUN_FILE, relative};
use super::ledger::{self, LedgerLine};
use super::reader::{Archive, Segment, TrialRecord};
use super::run_file::RunFile;
use super::trace_reader::{Trace, parse};
use super::whole_file::read_bounded;
use crate::domain::trace::{BlobName, Event, EventBody, Text};
use crate::domain::trial::{Ending, TrialName};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is wrong, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The bytes are not those that were written.
    Changed,
    /// Something that was written is not there.
    Missing,
    /// Something was begun and not ended, or never begun.
    Incomplete,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Finding {
    /// In a word.
    pub kind: FindingKind,
    /// The file, from the run's folder.
    pub file: String,
    /// The trial that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<TrialName>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// In a sentence.
    pub reason: String,
}

/// What was looked at, and what is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerifyReport {
    /// Trials.
    pub trials: u64,
    /// Lines of traces.
    pub lines: u64,
    /// Blobs.
    pub blobs: u64,
    /// All that is wrong, in the order of files.
    pub findings: Vec<Finding>,
}

/// Looks at every byte of a run. `go_on` is asked between files.
///
/// # Errors
/// [`ArchiveError::NotAnArchive`] or [`ArchiveError::Format`]: there is nothing to verify. What is wrong inside of an archive
/// is a finding. `None` where `go_on` said no.
pub fn verify(folder: &Path, go_on: &dyn Fn(&str) -> bool) -> Result<Option<VerifyReport>, ArchiveError> {
    let mut check = Check { folder, report: VerifyReport::default(), wanted: BTreeMap::new() };
    let run = match RunFile::load(folder) {
        Ok(run) => run,
        Err(error @ (ArchiveError::NotAnArchive { .. } | ArchiveError::Format { .. })) => return Err(error),
        Err(error) => {
            check.failed(FindingKind::Changed, RUN_FILE, None, &error);
            return Ok(Some(check.report));
        }
    };
    let ledger = check.ledger(&run)?;
    let archive = Archive::with(folder, run, ledger)?;
    for trial in &archive.trials {
        if !go_on(&trial.name.to_string()) {
            return Ok(None);
        }
        check.trial(&archive, trial)?;
    }
    check.whole(&archive);
    if !check.blobs(archive.blobs(), go_on)? {
        return Ok(None);
    }
    check.report.findings.sort_by(|one, other| {
        (&one.file, one.line, one.kind, &one.reason).cmp(&(
            &other.file,
            other.line,
            other.kind,
            &other.reason,
        ))
    });
    Ok(Some(check.report))
}

struct Check<'f> {
    folder: &'f Path,
    report: VerifyReport,
    /// Blobs that an event names: by whom, and how many bytes or rows it has.
    wanted: BTreeMap<String, Wanted>,
}

struct Wanted {
    trial: TrialName,
    file: String,
    line: u64,
    bytes: Option<u64>,
    rows: Option<u64>,
}

impl Check<'_> {
    fn found(
        &mut self,
        kind: FindingKind,
        file: &str,
        trial: Option<&TrialName>,
        line: Option<u64>,
        reason: String,
    ) {
        let finding = Finding { kind, file: file.to_owned(), trial: trial.cloned(), line, reason };
        if !self.report.findings.contains(&finding) {
            self.report.findings.push(finding);
        }
    }

    /// An error as a finding.
    fn failed(&mut self, kind: FindingKind, file: &str, trial: Option<&TrialName>, error: &ArchiveError) {
        let (line, reason) = match error {
            ArchiveError::Damaged { line, reason, .. } => (*line, reason.clone()),
            ArchiveError::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                return self.found(FindingKind::Missing, file, trial, None, "it is not there".to_owned());
            }
            ArchiveError::Read { source, .. } => (None, source.to_string()),
            other => (None, other.to_string()),
        };
        self.found(kind, file, trial, line, reason);
    }

    /// The ledger, against itself and against what `run.json` keeps of it.
    fn ledger(&mut self, run: &RunFile) -> Result<Vec<LedgerLine>, ArchiveError> {
        let text = ledger::look_through(&self.folder.join(LEDGER_FILE))?;
        for (line, reason) in &text.wrong {
            self.found(FindingKind::Changed, LEDGER_FILE, None, Some(*line), reason.clone());
        }
        let lines = text.lines.len() as u64;
        if text.rest > 0 {
            let reason = format!("{} behind the last whole line", bytes(text.rest));
            let kind = if run.end.is_some() { FindingKind::Changed } else { FindingKind::Incomplete };
            self.found(kind, LEDGER_FILE, None, Some(lines + 1), reason);
        }
        let Some(end) = &run.end else { return Ok(text.lines) };
        let kept = end.segments.len() as u64;
        if lines < kept && text.wrong.is_empty() {
            let reason = format!("{} of {kept} lines are not there", kept - lines);
            self.found(FindingKind::Missing, LEDGER_FILE, None, Some(lines + 1), reason);
        }
        for (nth, (line, kept)) in (1_u64..).zip(text.lines.iter().zip(&end.segments)) {
            if line != kept {
                let reason = "it is not what run.json keeps of it".to_owned();
                self.found(FindingKind::Changed, LEDGER_FILE, Some(&kept.trial), Some(nth), reason);
            }
        }
        if text.head != end.ledger_head && text.wrong.is_empty() && lines >= kept {
            let reason = "its last line is not the one that run.json names".to_owned();
            self.found(FindingKind::Changed, LEDGER_FILE, None, Some(lines.max(1)), reason);
        }
        // What the run says of itself is the better copy: traces are checked against it.
        Ok(end.segments.clone())
    }

    fn trial(&mut self, archive: &Archive, trial: &TrialRecord) -> Result<(), ArchiveError> {
        self.report.trials += 1;
        let mut before = (NO_LINE.to_owned(), 0);
        let mut answer = None;
        for segment in &trial.segments {
            let file = relative(self.folder, &segment.path);
            match Trace::open(&segment.path) {
                Ok(trace) => before = self.segment(&file, trial, segment, &trace, before, &mut answer)?,
                Err(error) => self.failed(FindingKind::Changed, &file, Some(&trial.name), &error),
            }
            if let Some(digest) = segment.ended.as_ref().and_then(|line| line.answer.clone()) {
                answer = Some(digest);
            }
        }
        self.answer(archive, trial, answer);
        Ok(())
    }

    /// One trace: every line of it. Gives the digest and number of its last event.
    fn segment(
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
                    if event.seq != seq + 1 {
                        let reason = format!("it is event {}, but {} was to come", event.seq, seq + 1);
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
            self.wanted.entry(blob.to_owned()).or_insert_with(|| Wanted {
                trial: trial.name.clone(),
                file: file.to_owned(),
                line,
                bytes,
                rows,
            });
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

    fn answer(&mut self, archive: &Archive, trial: &TrialRecord, wanted: Option<String>) {
        let path = archive.answer_path(&trial.name);
        let file = relative(self.folder, &path);
        let name = Some(&trial.name);
        let bytes = match read_bounded(&path, u64::MAX - 1) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if wanted.is_some() {
                    self.found(FindingKind::Missing, &file, name, None, "it is not there".to_owned());
                }
                return;
            }
            Err(error) => return self.found(FindingKind::Changed, &file, name, None, error.to_string()),
        };
        match wanted {
            // A process that was killed before it could say so: the attempt is made again.
            None if trial.ending() == Ending::Interrupted => {}
            None => {
                let reason = format!("there is {ANSWER_FILE}, but no event says that an answer was taken");
                self.found(FindingKind::Changed, &file, name, None, reason);
            }
            Some(digest) if hex::encode(Sha256::digest(&bytes)) != digest => {
                let reason = "its bytes are not those that the trace names".to_owned();
                self.found(FindingKind::Changed, &file, name, None, reason);
            }
            Some(_) => {
                if let Err(error) = archive.answer(&trial.name) {
                    self.failed(FindingKind::Changed, &file, name, &error);
                }
            }
        }
    }

    /// What of the plan never began, and counts.
    fn whole(&mut self, archive: &Archive) {
        let run = &archive.run;
        for task in &run.plan {
            let done = archive
                .trials
                .iter()
                .filter(|trial| {
                    let name = &trial.name;
                    (name.revision, &name.pack, &name.task) == (task.revision, &task.pack, &task.task)
                        && trial.ending() != Ending::Interrupted
                })
                .count();
            let missing = usize::try_from(run.trials).unwrap_or(usize::MAX).saturating_sub(done);
            if missing > 0 {
                let reason = format!("{missing} of {} trials are still to be made", run.trials);
                let place = format!("trials/{}/{}/{}", task.revision.short(), task.pack, task.task);
                self.found(FindingKind::Incomplete, &place, None, None, reason);
            }
        }
        if run.end.is_none() {
            let reason = "the run has not ended: `casebook run --resume` goes on with it".to_owned();
            self.found(FindingKind::Incomplete, RUN_FILE, None, None, reason);
        }
    }

    /// All blobs, whoever names them. Gives whether it came to the end.
    fn blobs(&mut self, blobs: &Blobs, go_on: &dyn Fn(&str) -> bool) -> Result<bool, ArchiveError> {
        let (names, others) = blobs.all()?;
        for path in others {
            let file = relative(self.folder, &path);
            self.found(FindingKind::Changed, &file, None, None, "no blob has this name".to_owned());
        }
        let there: BTreeSet<&String> = names.iter().collect();
        for name in &names {
            if !go_on(&format!("blob {}", &name[..name.len().min(12)])) {
                return Ok(false);
            }
            self.report.blobs += 1;
            let file = relative(self.folder, &blobs.path(name));
            let wanted = self.wanted.get(name).map(|it| (it.trial.clone(), it.line, it.bytes, it.rows));
            let (trial, line) =
                wanted.as_ref().map_or((None, None), |(trial, line, ..)| (Some(trial), Some(*line)));
            match blobs.get(name) {
                Err(error) => {
                    let reason = match &error {
                        ArchiveError::Damaged { reason, .. } => reason.clone(),
                        other => other.to_string(),
                    };
                    self.found(FindingKind::Changed, &file, trial, line, reason);
                }
                Ok(contents) => {
                    let Some((_, _, bytes, rows)) = &wanted else { continue };
                    let counted = memchr::memchr_iter(b'\n', &contents).count() as u64;
                    if bytes.is_some_and(|bytes| bytes != contents.len() as u64)
                        || rows.is_some_and(|rows| rows + 1 != counted)
                    {
                        let reason = "it is not as long as the event says that names it".to_owned();
                        self.found(FindingKind::Changed, &file, trial, line, reason);
                    }
                }
            }
        }
        let missing: Vec<(String, TrialName, u64, String)> = self
            .wanted
            .iter()
            .filter(|(name, _)| !there.contains(name))
            .map(|(name, wanted)| {
                (
                    relative(self.folder, &blobs.path(name)),
                    wanted.trial.clone(),
                    wanted.line,
                    wanted.file.clone(),
                )
            })
            .collect();
        for (file, trial, line, trace) in missing {
            let reason = format!("it is not there; line {line} of {trace} names it");
            self.found(FindingKind::Missing, &file, Some(&trial), Some(line), reason);
        }
        Ok(true)
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte stands".to_owned() } else { format!("{count} bytes stand") }
}
