//! OpenTelemetry spans of the GenAI conventions, as OTLP/JSON: one request, or one a line. A trial is a trace.
//!
//! Spans of a trace may stand in any order and in any request, children before their parents. Old and new names of attributes
//! are read, and values both as JSON text and as structured values. The conventions leave contents out unless somebody asks for
//! them: steps without words are normal, and told as missing.

mod any_value;
mod messages;
mod span;
mod trace;

use super::builder::Reading;
use super::documents::head_of;
use super::error::{ImportError, in_part};
use super::limits::{MAX_SPAN_TREES, MAX_SPANS, MAX_TRIALS};
use super::source::Source;
use super::{Content, Opened};
use crate::domain::foreign::{ForeignFormat, ForeignTrial, LogHeader, Loss, TrialEntry};
use serde_json::Value;
use span::Span;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A file of spans.
#[derive(Debug)]
pub(super) struct OtlpFile {
    documents: Vec<Range<u64>>,
    traces: Vec<Trace>,
    /// The document that was read last: the traces of one document are mostly asked for one after the other.
    last: Mutex<Option<(usize, Arc<Value>)>>,
}

/// Where the spans of a trace stand.
#[derive(Debug, Default)]
struct Trace {
    id: String,
    documents: Vec<usize>,
}

impl OtlpFile {
    /// Opens a file: which traces it has, and where their spans stand.
    pub(super) fn open(source: &Source, documents: Vec<Range<u64>>) -> Result<Opened, ImportError> {
        let mut file = Self { documents, traces: Vec::new(), last: Mutex::default() };
        let (mut known, mut loss, mut spans): (HashMap<String, usize>, _, usize) =
            (HashMap::new(), Loss::default(), 0);
        for nth in 0..file.documents.len() {
            let document = match file.document(source, nth, &mut loss) {
                Ok(document) => document,
                // A request that was cut or broken does not cost the others.
                Err(error @ ImportError::Json { .. }) if file.documents.len() > 1 => {
                    loss.deviate(file.part(nth).unwrap_or_default(), format!("it is left out: {error}"));
                    continue;
                }
                Err(error) => return Err(error),
            };
            span::each(&document, &mut |_, span, _| {
                spans += 1;
                let Some(id) = span.get("traceId").or_else(|| span.get("trace_id")).and_then(Value::as_str)
                else {
                    loss.deviate(file.part(nth).unwrap_or_default(), "a span names no trace; it is left out");
                    return;
                };
                let id: String = id.chars().take(64).collect();
                let place = *known.entry(id.clone()).or_insert_with(|| {
                    file.traces.push(Trace { id, documents: Vec::new() });
                    file.traces.len() - 1
                });
                if file.traces[place].documents.last() != Some(&nth) {
                    file.traces[place].documents.push(nth);
                }
            });
            if spans > MAX_SPANS || file.traces.len() > MAX_TRIALS {
                return Err(ImportError::TooLarge {
                    name: source.name.clone(),
                    place: String::new(),
                    what: format!("{spans} spans"),
                    limit: format!("{MAX_SPANS} spans, {MAX_TRIALS} traces"),
                });
            }
        }
        let mut trials: Vec<TrialEntry> = file
            .traces
            .iter()
            .map(|trace| TrialEntry { member: Some(format!("trace {}", trace.id)), ..TrialEntry::default() })
            .collect();
        let mut header = LogHeader::default();
        if !file.traces.is_empty() {
            let (first, _) = file.trial(source, 0)?;
            header = head_of(&first, trials.len() == 1);
            trials[0].task_id.clone_from(&first.facts.task_id);
            trials[0].epoch = first.facts.epoch;
        }
        Ok(Opened { format: ForeignFormat::Otlp, content: Content::Otlp(file), header, trials, loss })
    }

    /// Reads a trace, counted from 0.
    pub(super) fn trial(&self, source: &Source, nth: usize) -> Result<(ForeignTrial, Loss), ImportError> {
        let trace = &self.traces[nth];
        let reading = Reading { name: &source.name, part: Some(format!("trace {}", trace.id)) };
        let (mut spans, mut loss, mut bytes) = (Vec::new(), Loss::default(), 0);
        for nth in &trace.documents {
            let document = self.document(source, *nth, &mut loss)?;
            span::each(&document, &mut |pointer, value, resource| {
                // Beyond the bound nothing more is taken; the error follows.
                if bytes <= MAX_SPAN_TREES
                    && let Some(span) = Span::read(value, &trace.id, self.part(*nth), pointer, resource)
                {
                    bytes += span.bytes();
                    spans.push(span);
                }
            });
            if bytes > MAX_SPAN_TREES {
                return Err(ImportError::TooLarge {
                    name: source.name.clone(),
                    place: in_part(reading.part.as_deref()),
                    what: "what its spans hold".to_owned(),
                    limit: format!("{} MiB", MAX_SPAN_TREES >> 20),
                });
            }
        }
        let (trial, more) = trace::read(&reading, spans)?;
        loss.add(more);
        Ok((trial, loss))
    }

    fn part(&self, nth: usize) -> Option<String> {
        (self.documents.len() > 1).then(|| format!("document {}", nth + 1))
    }

    fn document(&self, source: &Source, nth: usize, loss: &mut Loss) -> Result<Arc<Value>, ImportError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, document)) = &*last
            && *known == nth
        {
            return Ok(Arc::clone(document));
        }
        // The old one goes first: two at once would be too many.
        *last = None;
        let part = self.part(nth);
        let parsed = source.json(self.documents[nth].clone(), part.as_deref())?;
        for oddity in parsed.oddities {
            loss.deviate(part.as_deref().unwrap_or_default(), oddity);
        }
        let document = Arc::new(parsed.value);
        *last = Some((nth, Arc::clone(&document)));
        Ok(document)
    }
}
