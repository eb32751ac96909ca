//! The fixtures, and what every test asks of a trial.

use casebook::archive::import::{ForeignFile, ImportError, Strictness};
use casebook::domain::foreign::{ForeignBody, ForeignTrial, Loss, Mark};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A fixture by its path under `tests/fixtures/traces`.
pub(crate) fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/traces").join(path)
}

/// A fixture, opened leniently.
pub(crate) fn open(path: &str) -> ForeignFile {
    ForeignFile::open(&fixture(path), Strictness::Lenient).unwrap()
}

/// All trials of a fixture.
pub(crate) fn trials(path: &str) -> Vec<(ForeignTrial, Loss)> {
    let file = open(path);
    (0..file.log().trials.len()).map(|nth| file.trial(nth).unwrap()).collect()
}

/// Bytes as a file, opened.
pub(crate) fn of_bytes(bytes: &[u8], strictness: Strictness) -> Result<ForeignFile, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    std::fs::write(&path, bytes).unwrap();
    ForeignFile::open(&path, strictness)
}

/// What the makers of the fixtures expect. They wrote `NaN` as a bare word.
pub(crate) fn expected(path: &str) -> Value {
    let text = std::fs::read_to_string(fixture(path)).unwrap().replace(": NaN", ": {\"real\": \"NaN\"}");
    serde_json::from_str(&text).unwrap()
}

/// Tool errors that count.
pub(crate) fn tool_errors(trial: &ForeignTrial) -> Vec<&casebook::domain::foreign::ToolError> {
    trial
        .counted()
        .filter_map(|event| match &event.body {
            ForeignBody::ToolError(error) => Some(error),
            _ => None,
        })
        .collect()
}

/// Reasoning that counts.
pub(crate) fn reasoning(trial: &ForeignTrial) -> usize {
    trial.counted().filter(|event| matches!(event.body, ForeignBody::Reasoning { .. })).count()
}

/// The error that ended a trial.
pub(crate) fn run_error(trial: &ForeignTrial) -> Option<&str> {
    trial.events.iter().find_map(|event| match &event.body {
        ForeignBody::RunError { text } => Some(text.as_str()),
        _ => None,
    })
}

/// Events with a mark.
pub(crate) fn marked(trial: &ForeignTrial, mark: Mark) -> usize {
    trial.events.iter().filter(|event| event.marks.contains(&mark)).count()
}

/// Usage as `expected.json` writes it; what no step said is null there as here.
pub(crate) fn usage(trial: &ForeignTrial) -> Value {
    let usage = trial.usage();
    json!({
        "input_total": usage.input, "cached": usage.cached, "output": usage.output,
        // Runs without reasoning are written as 0 there; here nobody said so.
        "reasoning": usage.reasoning.unwrap_or(0)
    })
}

/// What must hold of every trial, whatever its format.
pub(crate) fn is_sound(trial: &ForeignTrial) {
    for (event, seq) in trial.events.iter().zip(1..) {
        assert_eq!(event.seq, seq);
        assert!(event.parent.is_none_or(|parent| parent < seq), "event {seq}");
        assert!(event.end_ms.is_none() || event.end_ms >= event.start_ms, "event {seq}: {event:?}");
    }
    let text = serde_json::to_string(trial).unwrap();
    let again: ForeignTrial = serde_json::from_str(&text).unwrap();
    assert_eq!(*trial, again);
}
