//! The demo run, compiled into the binary: a scripted agent over twelve tasks, with good, half, wrong, lost and failed trials.
//!
//! `demo/` holds its script and what the script was run into; a test makes it again to the byte.

use super::error::ArchiveError;
use include_dir::{Dir, DirEntry, include_dir};
use std::fs;
use std::path::Path;

static RUN: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/demo/run");

/// Writes the demo run into a folder.
///
/// # Errors
/// [`ArchiveError::Write`].
pub fn unpack(folder: &Path) -> Result<(), ArchiveError> {
    write(&RUN, folder)
}

fn write(from: &Dir<'_>, folder: &Path) -> Result<(), ArchiveError> {
    for entry in from.entries() {
        let path = folder.join(entry.path());
        let written = match entry {
            DirEntry::Dir(inner) => {
                fs::create_dir_all(&path).map_err(ArchiveError::write(&path))?;
                write(inner, folder)?;
                Ok(())
            }
            DirEntry::File(file) => fs::write(&path, file.contents()),
        };
        written.map_err(ArchiveError::write(&path))?;
    }
    Ok(())
}
