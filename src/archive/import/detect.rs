//! Which format a file has, by its contents; its name says nothing.

use super::documents::Documents;
use super::error::ImportError;
use super::fields::text;
use super::inspect;
use super::limits::MAX_TRIALS;
use super::scan::{Parts, Scanner};
use super::source::Source;
use super::zip_file::ZipFile;
use super::{Content, Opened, atif, otlp};
use crate::domain::foreign::ForeignFormat;
use serde_json::Value;
use std::ops::Range;

/// How other kinds of files begin, and what to do about them.
const OTHERS: [(&[u8], &str); 6] = [
    (b"\x1f\x8b", "it is compressed with gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first"),
    (b"SQLite format 3\0", "it is a SQLite database: `casebook snapshot import` takes those"),
    (b"\x89PNG", "it is a picture"),
    (b"%PDF", "it is a PDF"),
    (b"PAR1", "it is a Parquet file: export its rows as JSON lines first"),
];
/// A first document of up to this size is read when a file is opened, so that the head says who acted on what.
const READ_AT_ONCE: u64 = 16 << 20;

/// Opens a file by what it holds.
pub(super) fn open(source: &Source) -> Result<Opened, ImportError> {
    if source.bytes == 0 {
        return Err(source.unknown("it is empty"));
    }
    let head = source.range(0..source.bytes.min(16))?;
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return open_zip(source);
    }
    if let Some((_, what)) = OTHERS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(source.unknown(*what));
    }
    let mut scanner = Scanner::new("samples", MAX_TRIALS);
    source.through(0, |bytes| scanner.feed(bytes))?;
    let parts = scanner.finish();
    if parts.too_many {
        return Err(ImportError::TooLarge {
            name: source.name.clone(),
            place: String::new(),
            what: "the number of its parts".to_owned(),
            limit: MAX_TRIALS.to_string(),
        });
    }
    open_json(source, parts)
}

fn open_zip(source: &Source) -> Result<Opened, ImportError> {
    let zip = ZipFile::open(source)?;
    if !inspect::is_log(&zip) {
        return Err(source.unknown("it is a zip, but has neither header.json nor samples"));
    }
    let (log, header, trials, loss) = inspect::open_zip(source, zip)?;
    Ok(Opened { format: ForeignFormat::InspectEval, content: Content::Inspect(log), header, trials, loss })
}

fn open_json(source: &Source, parts: Parts) -> Result<Opened, ImportError> {
    let first = match parts.documents.first() {
        Some(first) => first.clone(),
        // The one document there is was cut: the parser says where.
        None => 0..source.bytes,
    };
    let found = if parts.is_array { of_array(source, &parts)? } else { of_entries(source, &parts) };
    let Some(found) = found else {
        // Whatever is no JSON at all is told as such, with the place.
        if parts.entries.is_empty() && parts.elements.is_empty() {
            source.json(first, None)?;
        }
        let names: Vec<String> =
            parts.entries.iter().take(6).map(|(name, _)| name.chars().take(40).collect()).collect();
        let what = if names.is_empty() {
            "it is JSON without any of the names by which a format is known".to_owned()
        } else {
            format!("it is JSON with {}, which no format begins with", names.join(", "))
        };
        return Err(source.unknown(what));
    };
    if found == Found::Format(ForeignFormat::InspectJson) {
        return open_inspect(source, &parts);
    }
    if parts.documents.is_empty() {
        source.json(first, None)?;
    }
    let by_lines = parts.lines && !parts.is_array && (parts.cut || parts.documents.len() > 1);
    let cut = parts.cut && !parts.documents.is_empty() && !by_lines;
    let documents = if by_lines { lines(source)? } else { parts.documents };
    let (format, ranges): (ForeignFormat, Vec<Range<u64>>) = match found {
        Found::Format(format) => (format, if parts.is_array { parts.elements } else { documents }),
        // The list of all its messages is one conversation.
        Found::Whole(format) => (format, documents),
    };
    let mut opened = if format == ForeignFormat::Otlp {
        otlp::OtlpFile::open(source, ranges)?
    } else {
        Documents::open(source, format, ranges, READ_AT_ONCE)?
    };
    if cut {
        opened
            .loss
            .deviate("the last document", "it is cut: the file ends in the middle of it; it is left out");
    }
    Ok(opened)
}

/// The lines of a file that hold anything.
fn lines(source: &Source) -> Result<Vec<Range<u64>>, ImportError> {
    let mut lines = Vec::new();
    let (mut at, mut start, mut blank) = (0_u64, 0_u64, true);
    source.through(0, |bytes| {
        let mut from = 0;
        for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
            blank &= bytes[from..end].iter().all(u8::is_ascii_whitespace);
            if end < bytes.len() {
                let place = at + end as u64;
                if !blank {
                    lines.push(start..place);
                }
                (start, blank) = (place + 1, true);
            }
            from = (end + 1).min(bytes.len());
        }
        at += bytes.len() as u64;
        lines.len() <= MAX_TRIALS
    })?;
    if !blank {
        lines.push(start..source.bytes);
    }
    if lines.len() > MAX_TRIALS {
        return Err(ImportError::TooLarge {
            name: source.name.clone(),
            place: String::new(),
            what: "the number of its lines".to_owned(),
            limit: MAX_TRIALS.to_string(),
        });
    }
    Ok(lines)
}

fn open_inspect(source: &Source, parts: &Parts) -> Result<Opened, ImportError> {
    let (log, header, trials, mut loss) = inspect::open_json(source, parts)?;
    if parts.cut {
        loss.deviate(
            "the document",
            "the file ends in the middle of it; the samples that are whole are read",
        );
    }
    if parts.documents.len() > 1 {
        loss.deviate("the document", "something stands behind it; it is left out");
    }
    Ok(Opened { format: ForeignFormat::InspectJson, content: Content::Inspect(log), header, trials, loss })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Each document, or each element, is a trial.
    Format(ForeignFormat),
    /// The array is one trial.
    Whole(ForeignFormat),
}

fn of_entries(source: &Source, parts: &Parts) -> Option<Found> {
    let has = |name: &str| parts.entries.iter().any(|(entry, _)| entry == name);
    let value =
        |name: &str| parts.entries.iter().find(|(entry, _)| entry == name).map(|(_, range)| range.clone());
    if let Some(range) = value("schema_version")
        && let Ok(parsed) = source.json(range, Some("entry schema_version"))
        && parsed.value.as_str().is_some_and(atif::is_trajectory)
    {
        return Some(Found::Format(ForeignFormat::Atif));
    }
    by_names(&has).map(Found::Format)
}

fn of_array(source: &Source, parts: &Parts) -> Result<Option<Found>, ImportError> {
    let Some(first) = parts.elements.first() else { return Ok(None) };
    let parsed = source.json(first.clone(), Some("element 1"))?;
    let element = &parsed.value;
    if text(element, "schema_version").is_some_and(|version| atif::is_trajectory(&version)) {
        return Ok(Some(Found::Format(ForeignFormat::Atif)));
    }
    let has = |name: &str| element.get(name).is_some();
    if let Some(format) = by_names(&has) {
        return Ok((format != ForeignFormat::InspectJson).then_some(Found::Format(format)));
    }
    if element.get("type").is_some_and(Value::is_string) && !has("text") {
        return Ok(Some(Found::Whole(ForeignFormat::OpenaiResponses)));
    }
    Ok(has("role").then_some(Found::Whole(ForeignFormat::OpenaiChat)))
}

/// The format by the names of a document's entries.
fn by_names(has: &dyn Fn(&str) -> bool) -> Option<ForeignFormat> {
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    Some(match () {
        () if any(&["resourceSpans", "resource_spans"]) => ForeignFormat::Otlp,
        () if has("eval") && any(&["samples", "plan", "version", "status"]) => ForeignFormat::InspectJson,
        () if has("messages") && any(&["trajectory_format", "info"]) => ForeignFormat::MiniSweAgent,
        () if any(&["trajectory", "history"]) => ForeignFormat::SweAgent,
        () if has("messages") => ForeignFormat::OpenaiChat,
        () if any(&["input", "items", "output"]) && !has("role") => ForeignFormat::OpenaiResponses,
        () => return None,
    })
}
