//! Writing files: whole or not at all, or one more piece at the end. Other rooms' files (archives, packs) are written there.

use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place and moves it there. Where one is there already and must not be replaced, the error's kind is
/// [`io::ErrorKind::AlreadyExists`].
pub(super) fn whole(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::new(tempfile::NamedTempFile::new_in(folder_of(path))?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let kept = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    kept.map(drop).map_err(|error| error.error)
}

/// Writes a value as JSON in place of what was there, and makes the folder.
pub(super) fn json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    std::fs::create_dir_all(folder_of(path))?;
    whole(path, true, |file| serde_json::to_writer(file, value).map_err(io::Error::from))
}

/// Adds a piece to a file, and makes file and folder. One write, so that two workbenches don't mix their pieces.
pub(super) fn append(path: &Path, piece: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder_of(path))?;
    OpenOptions::new().create(true).append(true).open(path)?.write_all(piece)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}
