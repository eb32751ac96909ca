//! Files that hold one trial a document: a file that is one, or one a line, or the elements of an array.

use super::builder::Reading;
use super::error::{ImportError, in_part};
use super::source::Source;
use super::{Content, Opened, atif, mini_swe_agent, openai, swe_agent};
use crate::domain::foreign::{ForeignFormat, ForeignTrial, LogHeader, Loss, TrialEntry};
use std::ops::Range;

/// The documents of a file.
#[derive(Debug)]
pub(super) struct Documents {
    format: ForeignFormat,
    ranges: Vec<Range<u64>>,
}

impl Documents {
    /// Opens documents. The first is read at once if it is no longer than `at_once`: the head is what it says.
    pub(super) fn open(
        source: &Source,
        format: ForeignFormat,
        ranges: Vec<Range<u64>>,
        at_once: u64,
    ) -> Result<Opened, ImportError> {
        let entry =
            |range: &Range<u64>| TrialEntry { bytes: Some(range.end - range.start), ..TrialEntry::default() };
        let mut trials: Vec<TrialEntry> = ranges.iter().map(entry).collect();
        let documents = Self { format, ranges };
        let mut header = LogHeader::default();
        if documents.ranges.first().is_some_and(|first| first.end - first.start <= at_once) {
            let (first, _) = documents.trial(source, 0)?;
            header = head_of(&first, trials.len() == 1);
            trials[0].task_id.clone_from(&first.facts.task_id);
            trials[0].epoch = first.facts.epoch;
        }
        let content = Content::Documents(documents);
        Ok(Opened { format, content, header, trials, loss: Loss::default() })
    }

    /// Reads a trial, counted from 0.
    pub(super) fn trial(&self, source: &Source, nth: usize) -> Result<(ForeignTrial, Loss), ImportError> {
        let part = (self.ranges.len() > 1).then(|| format!("document {}", nth + 1));
        let parsed = source.json(self.ranges[nth].clone(), part.as_deref())?;
        let document = &parsed.value;
        if !document.is_object() && !document.is_array() {
            return Err(ImportError::Invalid {
                name: source.name.clone(),
                place: in_part(part.as_deref()),
                format: self.format,
                reason: "it must be an object".to_owned(),
                advice: "",
            });
        }
        let reading = Reading { name: &source.name, part };
        let (trial, mut loss) = match self.format {
            ForeignFormat::Atif => atif::read(&reading, document)?,
            ForeignFormat::OpenaiResponses => openai::responses::read(&reading, document)?,
            ForeignFormat::SweAgent => swe_agent::read(&reading, document)?,
            ForeignFormat::MiniSweAgent => mini_swe_agent::read(&reading, document)?,
            _ => openai::chat::read(&reading, document)?,
        };
        for oddity in parsed.oddities {
            loss.deviate(reading.part.as_deref().unwrap_or_default(), oddity);
        }
        Ok((trial, loss))
    }
}

/// What the first trial says of the whole file.
pub(super) fn head_of(trial: &ForeignTrial, is_only: bool) -> LogHeader {
    let facts = &trial.facts;
    LogHeader {
        task: if is_only { facts.task_id.clone() } else { None },
        agent: facts.agent.clone(),
        model: facts.model.clone(),
        revision: facts.revision.clone(),
        started: facts.started.clone(),
        ..LogHeader::default()
    }
}
