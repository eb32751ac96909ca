//! Files that are there whole or not at all, and files that are read up to a bound.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Writes a file beside its place and moves it there.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(folder)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A temporary file is its owner's alone; evidence is read by others, too, as the umask allows.
        let _ = file.as_file().set_permissions(fs::Permissions::from_mode(0o644));
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A file of lines that is only ever added to.
#[derive(Debug)]
pub(super) struct LineFile {
    file: File,
    /// Bytes of the whole lines.
    length: u64,
}

impl LineFile {
    /// Adds to this file behind so many bytes; what lies there is taken away.
    pub(super) fn behind(file: File, length: u64) -> io::Result<Self> {
        file.set_len(length)?;
        Ok(Self { file, length })
    }

    /// Adds a line; `line` ends in a line feed. What a write that failed left of it is taken away again, so that the next line
    /// does not stand in the middle of it.
    pub(super) fn add(&mut self, line: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(line) {
            // Best effort: a reader leaves out what stands behind the last line end.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Reads a regular file of at most so many bytes.
pub(super) fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it is longer than {} MiB", limit >> 20)));
    }
    Ok(bytes)
}
