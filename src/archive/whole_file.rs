//! Files that are there whole or not at all, and files that are read up to a bound.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Opens a file that must be a regular one. An archive may come from anybody: a link could lead to any file of this machine,
/// and opening a pipe would wait for ever.
pub(super) fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path).map_err(|error| {
        if error.raw_os_error() == Some(libc::ELOOP) { io::Error::other("it is a link") } else { error }
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// Opens a regular file to read it.
pub(super) fn read_regular(path: &Path) -> io::Result<File> {
    open_regular(path, OpenOptions::new().read(true))
}

/// Whether all folders between a run's folder and a file in it are folders, not links that lead elsewhere.
pub(super) fn without_links(run: &Path, file: &Path) -> io::Result<()> {
    for folder in file.ancestors().skip(1).take_while(|folder| *folder != run && folder.starts_with(run)) {
        match fs::symlink_metadata(folder) {
            Ok(found) if !found.is_dir() => {
                return Err(io::Error::other(format!("{} is no folder of the run", folder.display())));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

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
    let file = read_regular(path)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it is longer than {} MiB", limit >> 20)));
    }
    Ok(bytes)
}
