//! Files under `trials` that belong to no trial of the run.

use super::{Check, FindingKind};
use crate::archive::error::ArchiveError;
use crate::archive::layout::{TRIALS, relative};
use crate::archive::reader::Archive;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// No run has so many folders; a hostile one may.
const MAX_FOLDERS: usize = 1_000_000;

impl Check<'_> {
    pub(super) fn strays(&mut self, archive: &Archive) -> Result<(), ArchiveError> {
        let known: BTreeSet<PathBuf> = archive
            .trials
            .iter()
            .flat_map(|trial| {
                let traces = trial.segments.iter().map(|segment| segment.path.clone());
                traces.chain([archive.answer_path(&trial.name)])
            })
            .collect();
        let mut folders = vec![self.folder.join(TRIALS)];
        let mut looked_at = 0;
        while let Some(folder) = folders.pop() {
            looked_at += 1;
            if looked_at > MAX_FOLDERS || !(self.go_on)("files") {
                self.stopped = true;
                return Ok(());
            }
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(ArchiveError::read(&folder)(error)),
            };
            for entry in entries.flatten() {
                let path = entry.path();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder {
                    folders.push(path);
                } else if !known.contains(&path) && !entry.file_name().to_string_lossy().starts_with('.') {
                    let file = relative(self.folder, &path);
                    let reason = "it belongs to no trial of the run".to_owned();
                    self.found(FindingKind::Changed, &file, None, None, reason);
                }
            }
        }
        Ok(())
    }
}
