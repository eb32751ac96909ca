//! Drafts on disk: one file a run, written whole beside it and then renamed.

use super::kept::{read_text, set_aside};
use super::writing;
use crate::workbench::draft::Draft;
use std::io;
use std::path::{Path, PathBuf};

/// Where drafts lie.
const FOLDER: &str = "drafts";

fn path_of(data_folder: &Path, run: &str) -> PathBuf {
    data_folder.join(FOLDER).join(format!("{run}.json"))
}

/// Writes a draft.
pub(super) fn write(data_folder: &Path, run: &str, draft: &Draft) -> io::Result<()> {
    writing::json(&path_of(data_folder, run), draft)
}

/// Removes a draft.
pub(super) fn remove(data_folder: &Path, run: &str) -> io::Result<()> {
    match std::fs::remove_file(path_of(data_folder, run)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The draft of a run; one that can't be read is moved aside, in words.
pub(super) fn read(data_folder: &Path, run: &str) -> Result<Option<Draft>, String> {
    let path = path_of(data_folder, run);
    let text = match read_text(&path) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(None),
        Err(reason) => return Err(set_aside(&path, &reason)),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| set_aside(&path, &error.to_string()))
}
