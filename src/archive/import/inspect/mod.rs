//! Inspect's logs (version 2 of the log): a zip of JSON members, or one JSON document.
//!
//! A log opens by its head and the list of its samples; a sample is read when it is asked for. A log that was never closed
//! (the run crashed) has no head at its end: the journal's beginning tells what was started. `docs/traces.md` has the mapping.

mod attachments;
mod events;
mod header;
mod messages;
mod reductions;
mod sample;
mod scores;

pub use reductions::Reduction;

use super::builder::Reading;
use super::error::ImportError;
use super::fields;
use super::limits::MAX_TRIALS;
use super::scan::Parts;
use super::source::Source;
use super::zip_file::{Member, ZipFile};
use crate::domain::foreign::{ForeignFormat, ForeignTrial, LogHeader, Loss, TrialEntry};
use serde_json::{Map, Value};
use std::ops::Range;

const HEADER: &str = "header.json";
const START: &str = "_journal/start.json";
const REDUCTIONS: &str = "reductions.json";

/// A log.
#[derive(Debug)]
pub(super) enum InspectLog {
    /// A zip; the samples by their place in its directory.
    Zip(ZipFile, Vec<usize>),
    /// A document; the samples and the reductions by their ranges.
    Json(Vec<Range<u64>>, Option<Range<u64>>),
}

/// What opening a log gives.
pub(super) type Opened = (InspectLog, LogHeader, Vec<TrialEntry>, Loss);

/// Whether a zip is a log.
pub(super) fn is_log(zip: &ZipFile) -> bool {
    zip.members.iter().any(|member| matches!(&*member.name, HEADER | START) || is_sample(member))
}

fn is_sample(member: &Member) -> bool {
    member.name.strip_prefix("samples/").and_then(|name| name.strip_suffix(".json")).is_some()
}

/// Opens a zip.
pub(super) fn open_zip(source: &Source, zip: ZipFile) -> Result<Opened, ImportError> {
    let mut loss = Loss::default();
    for name in &zip.twice {
        loss.deviate(name.as_str(), "the zip holds this member twice; the last one counts");
    }
    let part = [HEADER, START].into_iter().find_map(|name| zip.member(name));
    let header = if let Some(member) = part {
        let parsed = source.parse(&ZipFile::read(source, member)?, Some(&member.name))?;
        for oddity in parsed.oddities.iter().filter(|it| !is_usual(it)) {
            loss.deviate(&*member.name, oddity.as_str());
        }
        header::read(&parsed.value, &mut loss)
    } else {
        LogHeader::default()
    };
    if zip.member(HEADER).is_none() {
        loss.deviate(
            HEADER,
            "it is not there: the log was never closed; its beginning and the samples that were written are read",
        );
        if part.is_none() {
            loss.miss("head of the log");
        }
    }
    let samples: Vec<usize> =
        zip.members.iter().enumerate().filter(|(_, member)| is_sample(member)).map(|(nth, _)| nth).collect();
    check_count(source, samples.len())?;
    let entries = samples.iter().map(|nth| entry(&zip.members[*nth])).collect();
    Ok((InspectLog::Zip(zip, samples), header, entries, loss))
}

/// Opens a document whose parts are known.
pub(super) fn open_json(source: &Source, parts: &Parts) -> Result<Opened, ImportError> {
    let mut loss = Loss::default();
    check_count(source, parts.elements.len())?;
    let mut head = Map::new();
    let mut reductions = None;
    for (name, range) in &parts.entries {
        match name.as_str() {
            "samples" => {}
            "reductions" => reductions = Some(range.clone()),
            _ => {
                let parsed = source.json(range.clone(), Some(&format!("entry {name}")))?;
                head.insert(name.clone(), parsed.value);
            }
        }
    }
    let header = header::read(&Value::Object(head), &mut loss);
    let entries = parts
        .elements
        .iter()
        .map(|range| TrialEntry { bytes: Some(range.end - range.start), ..TrialEntry::default() })
        .collect();
    Ok((InspectLog::Json(parts.elements.clone(), reductions), header, entries, loss))
}

impl InspectLog {
    /// Reads a sample, counted from 0.
    pub(super) fn trial(
        &self,
        source: &Source,
        header: &LogHeader,
        nth: usize,
    ) -> Result<(ForeignTrial, Loss), ImportError> {
        let (part, format, parsed) = match self {
            Self::Zip(zip, samples) => {
                let member = &zip.members[samples[nth]];
                let name = member.name.to_string();
                let parsed = source.parse(&ZipFile::read(source, member)?, Some(&name))?;
                (name, ForeignFormat::InspectEval, parsed)
            }
            Self::Json(samples, _) => {
                let name = format!("sample {}", nth + 1);
                let parsed = source.json(samples[nth].clone(), Some(&name))?;
                (name, ForeignFormat::InspectJson, parsed)
            }
        };
        if !parsed.value.is_object() {
            return Err(ImportError::Invalid {
                name: source.name.clone(),
                place: super::error::in_part(Some(&part)),
                format,
                reason: "a sample must be an object".to_owned(),
                advice: "",
            });
        }
        let reading = Reading { name: &source.name, part: Some(part) };
        let (trial, mut loss) = sample::read(&reading, header, &parsed.value)?;
        for oddity in parsed.oddities.iter().filter(|it| !is_usual(it)) {
            loss.deviate(reading.part.as_deref().unwrap_or_default(), oddity.as_str());
        }
        Ok((trial, loss))
    }

    /// What the log itself made of the scores of several attempts.
    pub(super) fn reductions(&self, source: &Source) -> Result<Vec<Reduction>, ImportError> {
        let parsed = match self {
            Self::Zip(zip, _) => match zip.member(REDUCTIONS) {
                Some(member) => source.parse(&ZipFile::read(source, member)?, Some(REDUCTIONS))?,
                None => return Ok(Vec::new()),
            },
            Self::Json(_, Some(range)) => source.json(range.clone(), Some("entry reductions"))?,
            Self::Json(_, None) => return Ok(Vec::new()),
        };
        Ok(reductions::read(&parsed.value))
    }
}

/// Inspect writes NaN as a bare word on purpose: a rule of the format, no deviation from it.
fn is_usual(oddity: &str) -> bool {
    oddity.starts_with("NaN")
}

fn check_count(source: &Source, count: usize) -> Result<(), ImportError> {
    if count <= MAX_TRIALS {
        return Ok(());
    }
    Err(ImportError::TooLarge {
        name: source.name.clone(),
        place: String::new(),
        what: format!("{count} samples"),
        limit: format!("{MAX_TRIALS} samples"),
    })
}

/// A sample as its name tells: `samples/<id>_epoch_<n>.json`.
fn entry(member: &Member) -> TrialEntry {
    let stem = member.name.trim_start_matches("samples/").trim_end_matches(".json");
    let (id, epoch) = match stem.rsplit_once("_epoch_") {
        Some((id, epoch)) => (id, epoch.parse().ok()),
        None => (stem, None),
    };
    TrialEntry {
        task_id: Some(id.to_owned()),
        epoch,
        member: Some(member.name.to_string()),
        bytes: Some(member.bytes),
    }
}

/// A list entry that is a text.
fn texts(value: &Value, name: &str) -> Vec<String> {
    fields::list(value, name).iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
