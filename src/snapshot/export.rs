//! Export: a package as a folder, tar or zip, or its database as a plain SQLite file. The same package gives the same bytes.

use super::package::{DATA_FILE, MANIFEST_FILE};
use super::{PackageError, Snapshot};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// A package folder.
    Folder,
    /// A tar of the package.
    Tar,
    /// A zip of the package.
    Zip,
    /// The plain SQLite database.
    Sqlite,
}

impl ExportForm {
    /// The form that a target's ending asks for; a folder where it has none that is known.
    pub fn of(target: &Path) -> Self {
        match target.extension().and_then(|ending| ending.to_str()) {
            Some("tar") => Self::Tar,
            Some("zip") => Self::Zip,
            Some("sqlite" | "sqlite3" | "db") => Self::Sqlite,
            _ => Self::Folder,
        }
    }
}

/// Writes the package to `target`, whole or not at all. What is there is kept unless `replace` is set.
///
/// # Errors
/// [`PackageError`] where the package is damaged, the target exists, or it can't be written.
pub fn export(
    snapshot: &Snapshot,
    target: &Path,
    form: ExportForm,
    replace: bool,
) -> Result<(), PackageError> {
    let failed = |error| PackageError::file("can't write", target, error);
    if target.symlink_metadata().is_ok() && !replace {
        let reason = "it exists; choose another name or add --force";
        return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, reason)));
    }
    let manifest = snapshot.manifest.to_file();
    let compressed = snapshot.compressed()?;
    let data = snapshot.unpack(&compressed)?;
    let parent =
        target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    if form == ExportForm::Folder {
        return write_folder(parent, target, &manifest, &compressed).map_err(failed);
    }
    let write = || -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".casebook-export-").tempfile_in(parent)?;
        match form {
            ExportForm::Sqlite | ExportForm::Folder => file.write_all(&data)?,
            ExportForm::Tar => write_tar(file.as_file_mut(), &manifest, &compressed)?,
            ExportForm::Zip => write_zip(file.as_file_mut(), &manifest, &compressed)?,
        }
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        file.as_file().set_permissions(mode)?;
        file.as_file().sync_all()?;
        file.persist(target).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(failed)
}

fn write_folder(parent: &Path, target: &Path, manifest: &[u8], data: &[u8]) -> io::Result<()> {
    let staging = tempfile::Builder::new().prefix(".casebook-export-").tempdir_in(parent)?;
    let package = staging.path().join("package");
    fs::create_dir(&package)?;
    for (name, bytes) in [(MANIFEST_FILE, manifest), (DATA_FILE, data)] {
        let mut file = File::create(package.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    if target.symlink_metadata().is_ok() {
        // Only a package is replaced: --force on a wrong path must not remove somebody's folder.
        if !target.join(MANIFEST_FILE).is_file() || !super::verify::only_package_files(target) {
            return Err(io::Error::other("it exists and is no snapshot package; remove it by hand"));
        }
        fs::rename(target, staging.path().join("replaced"))?;
    }
    fs::rename(&package, target)
}

fn write_tar(file: &mut File, manifest: &[u8], data: &[u8]) -> io::Result<()> {
    let mut archive = tar::Builder::new(file);
    for (name, bytes) in [(MANIFEST_FILE, manifest), (DATA_FILE, data)] {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        archive.append_data(&mut header, name, bytes)?;
    }
    archive.finish()
}

fn write_zip(file: &mut File, manifest: &[u8], data: &[u8]) -> io::Result<()> {
    let mut archive = zip::ZipWriter::new(file);
    let options = zip::write::SimpleFileOptions::default()
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644)
        .large_file(data.len() > u32::MAX as usize / 2);
    let methods = [zip::CompressionMethod::Deflated, zip::CompressionMethod::Stored];
    for ((name, bytes), method) in [(MANIFEST_FILE, manifest), (DATA_FILE, data)].into_iter().zip(methods) {
        archive.start_file(name, options.compression_method(method))?;
        archive.write_all(bytes)?;
    }
    archive.finish()?;
    Ok(())
}
