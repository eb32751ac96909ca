//! Contents by hash: full results, long texts, exchanges with providers. Each lies compressed under its own SHA-256.
//!
//! A blob's file is one Zstandard frame with a checksum, and behind it a frame that decompressors skip: the SHA-256 of the
//! first frame's bytes. So a changed byte is found even where the contents would still unpack to the same.

use super::error::ArchiveError;
use super::layout::BLOBS;
use super::whole_file::{open_regular, read_bounded, without_links};
use crate::domain::trace::{BlobName, Text};
use sha2::{Digest as _, Sha256};
use std::cell::Cell;
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Fast, and within a tenth of the size of the slower levels for rows of text.
const LEVEL: i32 = 3;
/// No blob is longer: a result of 64 MiB is at most six times as long in JSON.
const MAX_BYTES: u64 = 512 << 20;
/// A skippable frame of 32 bytes.
const TRAILER_HEAD: [u8; 8] = [0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0];
const TRAILER: usize = TRAILER_HEAD.len() + 32;
/// Texts up to this length stand in their event.
const INLINE: usize = 2048;

/// The blobs of one run.
#[derive(Debug)]
pub struct Blobs {
    folder: PathBuf,
    /// Those that this process has written or seen.
    known: Mutex<HashSet<String>>,
}

impl Blobs {
    /// The blobs of the run in a folder.
    pub fn of_run(run: &Path) -> Self {
        Self { folder: run.join(BLOBS), known: Mutex::default() }
    }

    /// Where a blob lies.
    pub fn path(&self, sha256: &str) -> PathBuf {
        let fan = sha256.get(..2).unwrap_or("xx");
        self.folder.join(fan).join(format!("{sha256}.zst"))
    }

    /// Keeps these bytes; does nothing if they are there.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn put(&self, bytes: &[u8]) -> Result<BlobName, ArchiveError> {
        let name = BlobName { blob: hex::encode(Sha256::digest(bytes)), bytes: bytes.len() as u64 };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(&name.blob) {
            return Ok(name);
        }
        let path = self.path(&name.blob);
        if !path.is_file() {
            without_links(self.folder.parent().unwrap_or(&self.folder), &path)
                .map_err(ArchiveError::write(&path))?;
            packed(bytes).and_then(|file| write_new(&path, &file)).map_err(ArchiveError::write(&path))?;
        }
        known.insert(name.blob.clone());
        Ok(name)
    }

    /// Keeps a text: in the event if it is short, else as a blob.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn put_text(&self, text: &str) -> Result<Text, ArchiveError> {
        if text.len() <= INLINE {
            return Ok(Text::Inline(text.to_owned()));
        }
        self.put(text.as_bytes()).map(Text::Blob)
    }

    /// The contents of a blob, checked against its name.
    ///
    /// # Errors
    /// [`ArchiveError::Read`] where it can't be read, [`ArchiveError::Damaged`] where it is not what its name says.
    pub fn get(&self, sha256: &str) -> Result<Vec<u8>, ArchiveError> {
        let path = self.path(sha256);
        let wrong = |reason: &str| ArchiveError::damaged(&path, None, reason);
        if sha256.len() != 64
            || !sha256.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        {
            return Err(wrong("no blob can have this name"));
        }
        let bytes = read_bounded(&path, MAX_BYTES).map_err(ArchiveError::read(&path))?;
        let contents = unpacked(&bytes).map_err(|reason| wrong(&reason))?;
        if hex::encode(Sha256::digest(&contents)) != sha256 {
            return Err(wrong("its contents are not those of its name"));
        }
        Ok(contents)
    }

    /// The words of a text.
    ///
    /// # Errors
    /// As [`Blobs::get`].
    pub fn words(&self, text: &Text) -> Result<String, ArchiveError> {
        match text {
            Text::Inline(words) => Ok(words.clone()),
            Text::Blob(name) => {
                let bytes = self.get(&name.blob)?;
                String::from_utf8(bytes)
                    .map_err(|_| ArchiveError::damaged(&self.path(&name.blob), None, "it is no text"))
            }
        }
    }

    /// The names of all blobs, in order. Files that can't be one are given by their path.
    pub(super) fn all(&self) -> Result<(Vec<String>, Vec<PathBuf>), ArchiveError> {
        let (mut names, mut others) = (Vec::new(), Vec::new());
        let fans = match fs::read_dir(&self.folder) {
            Ok(fans) => fans,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((names, others)),
            Err(error) => return Err(ArchiveError::read(&self.folder)(error)),
        };
        for fan in fans {
            let fan = fan.map_err(ArchiveError::read(&self.folder))?.path();
            let Ok(files) = fs::read_dir(&fan) else {
                others.push(fan);
                continue;
            };
            for file in files {
                let path = file.map_err(ArchiveError::read(&fan))?.path();
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                match name.strip_suffix(".zst") {
                    Some(name) if self.path(name) == path => names.push(name.to_owned()),
                    // What a killed write left.
                    None if name.starts_with('.') => {}
                    _ => others.push(path),
                }
            }
        }
        names.sort();
        others.sort();
        Ok((names, others))
    }
}

/// Writes a blob beside its place and moves it there. No other thread of this process writes the same one (`known` is locked),
/// and no other process writes this run; so the name of the part can be fixed, which saves the search for a free one.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let part = part.with_file_name(format!(".{}", part.file_name().unwrap_or_default().to_string_lossy()));
    let create = || open_regular(&part, OpenOptions::new().create(true).write(true).truncate(true));
    let mut file = match create() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(path.parent().unwrap_or(path))?;
            create()?
        }
        other => other?,
    };
    file.write_all(bytes)?;
    fs::rename(&part, path)
}

thread_local! {
    /// Its tables cost more than a small blob takes.
    static COMPRESSOR: Cell<Option<zstd::bulk::Compressor<'static>>> = const { Cell::new(None) };
}

fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = COMPRESSOR.take().map_or_else(new_compressor, Ok)?;
    let frame = compressor.compress(bytes);
    COMPRESSOR.set(Some(compressor));
    frame.map(with_trailer)
}

fn new_compressor() -> io::Result<zstd::bulk::Compressor<'static>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    Ok(compressor)
}

fn with_trailer(mut file: Vec<u8>) -> Vec<u8> {
    let digest = Sha256::digest(&file);
    file.extend(TRAILER_HEAD);
    file.extend(digest);
    file
}

fn unpacked(file: &[u8]) -> Result<Vec<u8>, String> {
    let Some(length) = file.len().checked_sub(TRAILER) else { return Err("it is cut".to_owned()) };
    let (frame, trailer) = file.split_at(length);
    if trailer[..TRAILER_HEAD.len()] != TRAILER_HEAD
        || trailer[TRAILER_HEAD.len()..] != *Sha256::digest(frame)
    {
        return Err("its bytes are not those that were written".to_owned());
    }
    let mut contents = Vec::new();
    zstd::Decoder::new(frame)
        .and_then(|decoder| decoder.take(MAX_BYTES + 1).read_to_end(&mut contents))
        .map_err(|error| format!("it can't be unpacked: {error}"))?;
    if contents.len() as u64 > MAX_BYTES {
        return Err(format!("it unpacks to more than {} MiB", MAX_BYTES >> 20));
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::{packed, unpacked};

    #[test]
    fn any_changed_byte_of_a_blob_is_found_and_any_decompressor_reads_it() {
        let contents = b"login\tstatus\n".repeat(40);
        let file = packed(&contents).unwrap();
        assert_eq!(unpacked(&file).unwrap(), contents);
        assert_eq!(zstd::decode_all(file.as_slice()).unwrap(), contents);
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                assert!(unpacked(&changed).is_err(), "byte {at}, bit {bit}");
            }
        }
        assert!(unpacked(&file[..file.len() - 1]).is_err());
        assert!(unpacked(&[]).is_err());
    }
}
