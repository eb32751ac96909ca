//! Writing a segment of a trial: events as chained lines, each written whole before the next is begun.

use super::canonical_result::CanonicalResult;
use super::chain::{NO_LINE, line_digest};
use super::error::ArchiveError;
use super::layout::{ANSWER_FILE, is_safe, trace_file, trial_folder};
use super::ledger::LedgerLine;
use super::secrets::Secrets;
use super::whole_file::{LineFile, open_regular, without_links, write_whole};
use super::writer::RunWriter;
use super::{canonical_result, trace_reader};
use crate::domain::trace::{Ended, Event, EventBody, Text};
use crate::domain::trial::{Answer, TrialName};
use crate::domain::{ResultSet, Value};
use sha2::{Digest as _, Sha256};
use std::fs::{self, OpenOptions};
use std::path::PathBuf;

/// A segment that is being written.
#[derive(Debug)]
pub struct TrialWriter<'r> {
    run: &'r RunWriter,
    name: TrialName,
    segment: u32,
    folder: PathBuf,
    path: PathBuf,
    file: LineFile,
    head: String,
    seq: u64,
    lines: u64,
    answer: Option<String>,
}

impl<'r> TrialWriter<'r> {
    /// Begins a segment. The first begins the trial; a later one goes on behind the last whole line of the one before.
    ///
    /// # Errors
    /// [`ArchiveError`]: the name can't be a folder, the segment is there already, the one before is not.
    pub fn begin(run: &'r RunWriter, name: TrialName, segment: u32) -> Result<Self, ArchiveError> {
        let folder = trial_folder(run.folder(), &name);
        let path = folder.join(trace_file(segment));
        if !is_safe(&name) {
            return Err(ArchiveError::damaged(
                &path,
                None,
                format!("'{}' can't be the name of a folder", name.task),
            ));
        }
        without_links(run.folder(), &path).map_err(ArchiveError::write(&path))?;
        fs::create_dir_all(&folder).map_err(ArchiveError::write(&folder))?;
        let (head, seq) = if segment > 1 {
            let before = folder.join(trace_file(segment - 1));
            let trace = trace_reader::Trace::open(&before)?;
            let line = trace
                .last_line()?
                .ok_or_else(|| ArchiveError::damaged(&before, None, "it has no whole line"))?;
            (line_digest(&line), trace_reader::parse(&before, trace.len(), &line)?.seq)
        } else {
            (NO_LINE.to_owned(), 0)
        };
        let file = open_regular(&path, OpenOptions::new().create_new(true).append(true))
            .and_then(|file| LineFile::behind(file, 0))
            .map_err(ArchiveError::write(&path))?;
        Ok(Self { run, name, segment, folder, path, file, head, seq, lines: 0, answer: None })
    }

    /// Which trial it is.
    pub const fn name(&self) -> &TrialName {
        &self.name
    }

    /// Adds an event at so many milliseconds and gives its number.
    ///
    /// # Errors
    /// [`ArchiveError::Write`]. The line may then be there in part; readers leave it out.
    pub fn append(&mut self, t: u64, parent: Option<u64>, body: EventBody) -> Result<u64, ArchiveError> {
        let seq = self.seq + 1;
        let body = without_secrets(body, self.run.secrets());
        let event = Event { seq, t, parent, body, prev: self.head.clone() };
        // Nothing in an event is beyond JSON.
        let mut line = serde_json::to_string(&event).unwrap_or_default();
        let head = line_digest(line.as_bytes());
        line.push('\n');
        self.file.add(line.as_bytes()).map_err(ArchiveError::write(&self.path))?;
        (self.head, self.seq, self.lines) = (head, seq, self.lines + 1);
        Ok(seq)
    }

    /// Keeps a text, without secrets.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn text(&self, text: &str) -> Result<Text, ArchiveError> {
        self.run.blobs().put_text(&self.run.secrets().remove(text))
    }

    /// Keeps a result and gives its canonical form, and whether a secret was taken out of it.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn result(&self, result: &ResultSet) -> Result<(CanonicalResult, bool), ArchiveError> {
        let secrets = self.run.secrets();
        let mut canonical = canonical_result(result);
        let removed = std::str::from_utf8(&canonical.bytes).is_ok_and(|text| secrets.are_in(text));
        if removed {
            let mut clean = result.clone();
            let texts = clean.rows.iter_mut().flatten().filter_map(|value| match value {
                Value::Text(text) => Some(text),
                _ => None,
            });
            for text in clean.columns.iter_mut().chain(texts) {
                *text = secrets.remove(text).into_owned();
            }
            canonical = canonical_result(&clean);
        }
        self.run.blobs().put(&canonical.bytes)?;
        Ok((canonical, removed))
    }

    /// Keeps the answer and gives the SHA-256 of its file.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn answer(&mut self, answer: &Answer) -> Result<String, ArchiveError> {
        let secrets = self.run.secrets();
        let mut answer = answer.clone();
        answer.answer = secrets.remove(&answer.answer).into_owned();
        for subject in answer.subjects.iter_mut().flatten() {
            *subject = secrets.remove(subject).into_owned();
        }
        answer.facts = answer.facts.map(|facts| {
            let clean =
                |(name, value): (String, _)| (secrets.remove(&name).into_owned(), secrets.remove_from(value));
            facts.into_iter().map(clean).collect()
        });
        let text = serde_json::to_string_pretty(&answer).unwrap_or_default() + "\n";
        let path = self.folder.join(ANSWER_FILE);
        write_whole(&path, text.as_bytes()).map_err(ArchiveError::write(&path))?;
        let digest = hex::encode(Sha256::digest(text.as_bytes()));
        self.answer = Some(digest.clone());
        Ok(digest)
    }

    /// Ends the segment: the last event, then its line in the ledger.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn end(mut self, t: u64, ended: Ended) -> Result<LedgerLine, ArchiveError> {
        self.append(t, None, EventBody::Ended(ended))?;
        self.run.segment_ended(LedgerLine {
            trial: self.name,
            segment: self.segment,
            ending: ended.ending,
            lines: self.lines,
            head: self.head,
            answer: self.answer,
            counts: ended.counts,
            milliseconds: t,
            cut_bytes: 0,
            prev: String::new(),
        })
    }
}

/// What an actor or a provider can name freely, without secrets. Texts and arguments were cleaned when they were taken.
fn without_secrets(mut body: EventBody, secrets: &Secrets) -> EventBody {
    let clean = |text: &mut String| *text = secrets.remove(text).into_owned();
    match &mut body {
        EventBody::ToolCall(call) => {
            clean(&mut call.id);
            clean(&mut call.tool);
        }
        EventBody::ToolResult(result) => clean(&mut result.id),
        EventBody::ToolError(error) => clean(&mut error.id),
        EventBody::ModelStep(step) => {
            step.model.iter_mut().chain(&mut step.stop_reason).for_each(clean);
        }
        _ => {}
    }
    body
}
