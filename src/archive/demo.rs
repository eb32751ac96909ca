//! The demo run, compiled into the binary: a scripted agent over twelve tasks, with good, half, wrong, lost and failed trials.
//!
//! `demo/` holds its script and what the script was run into; a test makes it again to the byte. It shows right answers, so a build
//! without vaults does not hold it.

use super::error::ArchiveError;
#[cfg(feature = "vault")]
use include_dir::{Dir, DirEntry, include_dir};
#[cfg(feature = "vault")]
use std::fs;
use std::path::Path;

#[cfg(feature = "vault")]
static RUN: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/demo/run");

/// Writes the demo run into a folder.
///
/// # Errors
/// [`ArchiveError::Write`], or [`ArchiveError::NoDemo`] in a build without vaults.
#[cfg(feature = "vault")]
pub fn unpack(folder: &Path) -> Result<(), ArchiveError> {
    write(&RUN, folder)
}

/// Says that there is none.
///
/// # Errors
/// [`ArchiveError::NoDemo`].
#[cfg(not(feature = "vault"))]
pub const fn unpack(_: &Path) -> Result<(), ArchiveError> {
    Err(ArchiveError::NoDemo)
}

#[cfg(feature = "vault")]
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
