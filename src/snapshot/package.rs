//! A package opened: its manifest, and its data on demand.

use super::checksum::{HashingWriter, sha256};
use super::manifest::MAX_MANIFEST_BYTES;
use super::{FileDigest, Manifest, PackageError};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

/// The manifest's file name.
pub const MANIFEST_FILE: &str = "manifest.json";
/// The data's file name: one SQLite database, compressed with Zstandard.
pub const DATA_FILE: &str = "data.sqlite.zst";
/// The largest database that is unpacked, in bytes: it is held in memory.
pub(super) const MAX_DATABASE_BYTES: u64 = 16 << 30;

/// Zstandard level: about a tenth larger than the highest level makes it, ten times as fast.
const LEVEL: i32 = 12;
/// From this many bytes on, a level that is ten times as fast again matters more than the size.
const LARGE: u64 = 512 << 20;
const LEVEL_OF_LARGE: i32 = 3;

/// Where an opened package lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Inside the binary: the bytes of its data file.
    Embedded(&'static [u8]),
    /// In a folder.
    Folder(PathBuf),
}

/// An opened package. The manifest has been checked; the data is read and checked when asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The manifest.
    pub manifest: Manifest,
    /// Where it lies.
    pub source: Source,
}

impl Snapshot {
    /// Opens a package in a folder. Only the manifest is read.
    ///
    /// # Errors
    /// [`PackageError`] where the manifest can't be read or is not sound.
    pub fn open(folder: &Path) -> Result<Self, PackageError> {
        let manifest = read_bounded(&folder.join(MANIFEST_FILE), MAX_MANIFEST_BYTES)?;
        Ok(Self { manifest: Manifest::parse(&manifest)?, source: Source::Folder(folder.to_owned()) })
    }

    /// The bytes of `data.sqlite.zst`, checked against the manifest.
    ///
    /// # Errors
    /// [`PackageError`] where they can't be read or are not those of the manifest.
    pub fn compressed(&self) -> Result<Vec<u8>, PackageError> {
        let bytes = match &self.source {
            Source::Embedded(bytes) => bytes.to_vec(),
            Source::Folder(folder) => read_bounded(&folder.join(DATA_FILE), self.manifest.compressed.bytes)?,
        };
        let found = FileDigest { sha256: sha256(&bytes), bytes: bytes.len() as u64 };
        fits(["its size in bytes", "its SHA-256"], &found, &self.manifest.compressed)?;
        Ok(bytes)
    }

    /// The bytes of the SQLite database, checked against the manifest.
    ///
    /// # Errors
    /// [`PackageError`] where the data can't be read, can't be unpacked, or is not that of the manifest.
    pub fn data(&self) -> Result<Vec<u8>, PackageError> {
        self.unpack(&self.compressed()?)
    }

    /// Unpacks what [`Snapshot::compressed`] gave.
    ///
    /// # Errors
    /// As [`Snapshot::data`].
    pub(super) fn unpack(&self, compressed: &[u8]) -> Result<Vec<u8>, PackageError> {
        let wanted = &self.manifest.sqlite;
        if wanted.bytes > MAX_DATABASE_BYTES {
            let limit = MAX_DATABASE_BYTES >> 30;
            let reason = format!("it would have {} bytes; the limit is {limit} GiB", wanted.bytes);
            return Err(PackageError::Compression(reason));
        }
        let unpack = || -> io::Result<Vec<u8>> {
            // One byte more than promised is enough to see that it is too long: a bomb goes no further.
            let mut reader = zstd::Decoder::new(compressed)?.take(wanted.bytes + 1);
            let mut bytes = Vec::with_capacity(usize::try_from(wanted.bytes.min(1 << 28)).unwrap_or(0));
            reader.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = unpack().map_err(|error| PackageError::Compression(error.to_string()))?;
        let found = FileDigest { sha256: sha256(&bytes), bytes: bytes.len() as u64 };
        fits(["the size of the database in bytes", "the SHA-256 of the database"], &found, wanted)?;
        Ok(bytes)
    }
}

/// Compares size and digest with the manifest's; `labels` name the two.
fn fits(labels: [&'static str; 2], found: &FileDigest, wanted: &FileDigest) -> Result<(), PackageError> {
    let error =
        |what, found: String, wanted: String| PackageError::Digest { file: DATA_FILE, what, found, wanted };
    let [size, digest] = labels;
    if found.bytes != wanted.bytes {
        // Reading stops at the first byte too many, so a larger size is not known exactly.
        let more = if found.bytes > wanted.bytes { " or more" } else { "" };
        return Err(error(size, format!("{}{more}", found.bytes), wanted.bytes.to_string()));
    }
    if found.sha256 != wanted.sha256 {
        return Err(error(digest, found.sha256.clone(), wanted.sha256.clone()));
    }
    Ok(())
}

/// Reads a regular file of at most `limit` bytes; of a longer one, one byte more, so that its size shows as wrong.
fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, PackageError> {
    let read = || -> io::Result<Vec<u8>> {
        if !path.symlink_metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| PackageError::file("can't read", path, error))
}

/// Compresses a database file into `folder` as its data file and gives both digests. `step` hears how many bytes of the
/// database were done and may stop it by an error.
fn write_data(
    folder: &Path,
    database: &Path,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> Result<(FileDigest, FileDigest), PackageError> {
    let target = folder.join(DATA_FILE);
    let mut source =
        File::open(database).map_err(|error| PackageError::file("can't read", database, error))?;
    let mut write = || -> io::Result<(FileDigest, FileDigest)> {
        let file = HashingWriter::new(File::create(&target)?);
        let level = if source.metadata()?.len() < LARGE { LEVEL } else { LEVEL_OF_LARGE };
        let mut encoder = zstd::Encoder::new(file, level)?;
        encoder.include_checksum(true)?;
        let sqlite = super::checksum::copy(&mut source, &mut encoder, step)?;
        let (file, compressed) = encoder.finish()?.finish();
        file.sync_all()?;
        Ok((sqlite, compressed))
    };
    write().map_err(|error| PackageError::file("can't write", &target, error))
}

/// Makes a package of a database at rest, in an empty folder. The sizes, digests and the revision of `draft` are set here;
/// everything else is taken as it is. `step` hears how many bytes of the database were done and may stop it by an error.
///
/// # Errors
/// [`PackageError`] where a file can't be read or written, or `step` stopped it.
pub fn create_package(
    folder: &Path,
    database: &Path,
    draft: Manifest,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> Result<Manifest, PackageError> {
    let (sqlite, compressed) = write_data(folder, database, step)?;
    let manifest = Manifest { sqlite, compressed, ..draft }.sealed();
    write_manifest(folder, &manifest)?;
    Ok(manifest)
}

/// Writes the manifest of a package.
pub(super) fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), PackageError> {
    let target = folder.join(MANIFEST_FILE);
    let write = || -> io::Result<()> {
        let mut file = File::create(&target)?;
        file.write_all(&manifest.to_file())?;
        file.sync_all()
    };
    write().map_err(|error| PackageError::file("can't write", &target, error))
}
