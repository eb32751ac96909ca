//! Where the subjects of an answer first appeared in what the actor was given.

use crate::archive::{Archive, parse_result};
use crate::domain::Value;
use crate::domain::trace::{Event, EventBody};
use crate::workbench::replay::trace::{SubjectPlace, SubjectSeen};
use std::collections::HashMap;

/// No more subjects are looked for.
const MOST: usize = 10_000;
/// Results together are read up to so many bytes.
const BYTES: usize = 256 << 20;

/// So many that no cell is equal to are looked for within cells.
const WITHIN: usize = 200;
/// Shorter ones are in too many cells by accident.
const LEAST: usize = 4;

/// Each subject, with where it first appeared. Case and white space around it are ignored. A cell that is the subject counts
/// before one that only has it in a longer text.
pub(super) fn seen(archive: &Archive, events: &[(u32, Event)], subjects: &[String]) -> Vec<SubjectSeen> {
    let mut missing: HashMap<String, Vec<usize>> = HashMap::new();
    let mut found: Vec<SubjectSeen> = Vec::new();
    for subject in subjects.iter().take(MOST) {
        missing.entry(fold(subject)).or_default().push(found.len());
        found.push(SubjectSeen { subject: subject.clone(), first: None });
    }
    let mut take = |places: Vec<usize>, place: &SubjectPlace| {
        for nth in places {
            found[nth].first = Some(place.clone());
        }
    };
    each_cell(archive, events, |cell, place| {
        if let Some(places) = missing.remove(cell) {
            take(places, place);
        }
        !missing.is_empty()
    });
    missing.retain(|subject, _| subject.chars().count() >= LEAST);
    if missing.is_empty() || missing.len() > WITHIN {
        return found;
    }
    each_cell(archive, events, |cell, place| {
        let within: Vec<String> = missing.keys().filter(|it| cell.contains(it.as_str())).cloned().collect();
        for subject in within {
            if let Some(places) = missing.remove(&subject) {
                take(places, place);
            }
        }
        !missing.is_empty()
    });
    found
}

/// Gives every cell of every result, folded, with its place, for as long as that is wanted.
fn each_cell(
    archive: &Archive,
    events: &[(u32, Event)],
    mut goes_on: impl FnMut(&str, &SubjectPlace) -> bool,
) {
    let mut read = 0;
    for (_, event) in events {
        let EventBody::ToolResult(result) = &event.body else { continue };
        let (Some(record), Some(call)) = (&result.result, event.parent) else { continue };
        let Ok(bytes) = archive.blobs().get(&record.sha256) else { continue };
        read += bytes.len();
        if read > BYTES {
            return;
        }
        let Ok((columns, rows)) = parse_result(&bytes) else { continue };
        let mut place = SubjectPlace { event: call, row: None, column: None };
        for (row, values) in (1..).zip(&rows) {
            place.row = Some(row);
            for (value, column) in values.iter().zip(&columns) {
                if matches!(value, Value::Null) {
                    continue;
                }
                place.column = Some(column.clone());
                if !goes_on(&fold(&value.to_text()), &place) {
                    return;
                }
            }
        }
    }
}

fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}
