//! Finding a run by its folder, or by its name among those of this machine.

use super::layout::RUN_FILE;
use std::path::{Path, PathBuf};

/// A folder as it was given, or that of a run with this name in the folder of runs.
pub fn find_run(asked: &Path, runs: Option<&Path>) -> PathBuf {
    if !asked.exists()
        && asked.components().count() == 1
        && let Some(named) = runs.map(|folder| folder.join(asked))
        && named.join(RUN_FILE).exists()
    {
        return named;
    }
    asked.to_owned()
}
