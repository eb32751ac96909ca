//! A tar or zip of a package as the source of an import.
//!
//! An archive is hostile until read: only the two files of a package are taken, at the top or in one folder, and nothing
//! is written under a name from the archive.

use super::Job;
use crate::snapshot::manifest::MAX_MANIFEST_BYTES;
use crate::snapshot::sqlite_file::FileKind;
use crate::snapshot::{DATA_FILE, ImportError, MANIFEST_FILE};
use crate::text::visible::visible;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};

/// An archive may unpack to this many times its own size, and 64 KiB: a package's data is compressed already.
const MAX_GROWTH: u64 = 20;
/// A record that describes the next file (PAX: times, owners) is at most this long.
const MAX_RECORD: u64 = 1 << 20;

/// Unpacks the two files of the package into the job's package folder.
pub(super) fn unpack(job: &Job<'_>, kind: &FileKind) -> Result<(), ImportError> {
    let file = File::open(job.path)
        .map_err(|source| ImportError::Unreadable { path: job.path.to_owned(), source })?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let mut taker =
        Taker { job, seen: HashSet::new(), folder: None, room: size.saturating_mul(MAX_GROWTH) + (64 << 10) };
    match kind {
        FileKind::Zip => taker.zip(file)?,
        FileKind::Zstandard => {
            let decoder = zstd::Decoder::new(file).map_err(|error| taker.refuse(error.to_string()))?;
            // Headers and padding come on top of the two files.
            let most = taker.room + MAX_RECORD;
            taker.tar(decoder.take(most))?;
        }
        _ => taker.tar(BufReader::new(file))?,
    }
    for name in [MANIFEST_FILE, DATA_FILE] {
        if !taker.seen.contains(name) {
            return Err(taker.refuse(format!("{name} is missing: it is no snapshot package")));
        }
    }
    Ok(())
}

struct Taker<'t, 'j> {
    job: &'t Job<'j>,
    seen: HashSet<&'static str>,
    /// The one folder that the files lie in, once known.
    folder: Option<String>,
    /// Bytes that may still be unpacked.
    room: u64,
}

impl Taker<'_, '_> {
    fn refuse(&self, reason: impl Into<String>) -> ImportError {
        ImportError::Archive { path: self.job.path.to_owned(), reason: reason.into() }
    }

    fn tar(&mut self, reader: impl Read) -> Result<(), ImportError> {
        let mut archive = tar::Archive::new(reader);
        // Raw: the reader would otherwise take long names and PAX records into memory, as long as they say they are.
        let entries = archive.entries().map_err(|error| self.refuse(error.to_string()))?.raw(true);
        for entry in entries {
            let mut entry = entry.map_err(|error| self.refuse(format!("it is damaged: {error}")))?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let kind = entry.header().entry_type();
            if kind.is_dir() {
                self.target(&format!("{}/{MANIFEST_FILE}", name.trim_end_matches('/')))?;
            } else if kind.is_file() {
                self.take(&name, entry)?;
            } else if kind.is_pax_local_extensions() || kind.is_pax_global_extensions() {
                self.check_record(&mut entry)?;
            } else if kind.is_gnu_longname() || kind.is_gnu_longlink() {
                return Err(self.refuse("a file in it has a longer name than those of a package"));
            } else {
                return Err(self.refuse(format!("'{}' is a link or a device", visible(&name))));
            }
        }
        Ok(())
    }

    /// A PAX record may give times and owners, which nobody needs, but no other name or size than the header's.
    fn check_record(&self, record: &mut impl Read) -> Result<(), ImportError> {
        let mut bytes = Vec::new();
        let damaged = |error: io::Error| self.refuse(format!("it is damaged: {error}"));
        record.take(MAX_RECORD + 1).read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 > MAX_RECORD {
            return Err(self.refuse("a record in it is longer than 1 MiB: it is no honest package"));
        }
        for extension in tar::PaxExtensions::new(&bytes) {
            let key = extension.map_err(damaged)?.key_bytes().to_vec();
            if matches!(key.as_slice(), b"path" | b"size" | b"linkpath") || key.starts_with(b"GNU.sparse") {
                let key = String::from_utf8_lossy(&key).into_owned();
                return Err(self
                    .refuse(format!("a record in it gives another {key} than the header; pack it plainly")));
            }
        }
        Ok(())
    }

    fn zip(&mut self, file: File) -> Result<(), ImportError> {
        let mut archive =
            zip::ZipArchive::new(BufReader::new(file)).map_err(|error| self.refuse(error.to_string()))?;
        // Twice the same name, or a file under another name than the directory says: readers differ in what they take.
        if archive.has_duplicate_names() {
            return Err(self.refuse("a name is there twice"));
        }
        archive
            .validate_header_consistency()
            .map_err(|error| self.refuse(format!("it contradicts itself: {error}")))?;
        for index in 0..archive.len() {
            let entry =
                archive.by_index(index).map_err(|error| self.refuse(format!("it is damaged: {error}")))?;
            let name = entry.name().map_err(|error| self.refuse(error.to_string()))?.into_owned();
            if entry.is_symlink() {
                return Err(self.refuse(format!("'{}' is a link", visible(&name))));
            }
            if entry.is_dir() {
                self.target(&format!("{}/{MANIFEST_FILE}", name.trim_end_matches('/')))?;
            } else {
                self.take(&name, entry)?;
            }
        }
        Ok(())
    }

    /// Which of the two files a name means. Anything that climbs, is absolute, or is not part of a package is refused.
    fn target(&mut self, name: &str) -> Result<&'static str, ImportError> {
        let shown = visible(name);
        if name.contains('\\') || name.contains('\0') || name.starts_with('/') || name.contains(':') {
            return Err(self.refuse(format!("the path '{shown}' leaves the archive")));
        }
        let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            return Err(self.refuse(format!("the path '{shown}' leaves the archive")));
        }
        let (folder, file) = match parts.as_slice() {
            [file] => (String::new(), *file),
            [folder, file] => ((*folder).to_owned(), *file),
            _ => return Err(self.refuse(format!("'{shown}' is no part of a package"))),
        };
        let known = [MANIFEST_FILE, DATA_FILE].into_iter().find(|known| *known == file);
        let Some(known) = known else {
            return Err(self.refuse(format!("'{shown}' is no part of a package")));
        };
        if self.folder.get_or_insert_with(|| folder.clone()) != &folder {
            return Err(self.refuse("its files lie in different folders"));
        }
        Ok(known)
    }

    fn take(&mut self, name: &str, entry: impl Read) -> Result<(), ImportError> {
        let target = self.target(name)?;
        if !self.seen.insert(target) {
            return Err(self.refuse(format!("{target} is there twice")));
        }
        let limit = if target == MANIFEST_FILE { MAX_MANIFEST_BYTES.min(self.room) } else { self.room };
        let path = self.job.package.join(target);
        let store = |source| ImportError::Store { path: path.clone(), source };
        let mut file = File::create(&path).map_err(store)?;
        let mut reader = Tracked { inner: entry.take(limit + 1), failure: None };
        let copied = io::copy(&mut reader, &mut file);
        if let Some(error) = reader.failure {
            return Err(self.refuse(format!("it is damaged: {error}")));
        }
        let copied = copied.map_err(store)?;
        if copied > limit {
            return Err(
                self.refuse(format!("{target} unpacks to more than {limit} bytes: it is no honest package"))
            );
        }
        self.room -= copied;
        file.sync_all().map_err(store)
    }
}

/// Remembers that reading failed, to tell a damaged archive from a full disk.
struct Tracked<R> {
    inner: R,
    failure: Option<String>,
}

impl<R: Read> Read for Tracked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).inspect_err(|error| self.failure = Some(error.to_string()))
    }
}
