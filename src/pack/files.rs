//! The files of a pack, wherever they lie: in the binary or in a folder.

use super::PackProblem;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// No file of a pack is longer.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Where a pack's files are.
#[derive(Debug, Clone)]
pub enum PackFiles {
    /// Inside the binary: path in the pack and text.
    Embedded(&'static [(&'static str, &'static str)]),
    /// In a folder.
    Folder(PathBuf),
}

impl PackFiles {
    /// The text of a file that must be there.
    pub(super) fn read(&self, path: &str) -> Result<String, PackProblem> {
        self.read_if_there(path)?
            .ok_or_else(|| PackProblem::of_file(path, "it is missing: every pack has one"))
    }

    /// The text of a file, or `None` where there is none.
    pub(super) fn read_if_there(&self, path: &str) -> Result<Option<String>, PackProblem> {
        match self {
            Self::Embedded(files) => {
                Ok(files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned()))
            }
            Self::Folder(folder) => read_text(&folder.join(path), path),
        }
    }

    /// The `.toml` files of a folder of the pack, in order.
    pub(super) fn list(&self, folder: &str) -> Result<Vec<String>, PackProblem> {
        let mut names: Vec<String> = match self {
            Self::Embedded(files) => files
                .iter()
                .filter(|(name, _)| name.starts_with(folder) && is_toml(name))
                .map(|(name, _)| (*name).to_owned())
                .collect(),
            Self::Folder(root) => {
                let entries = match std::fs::read_dir(root.join(folder)) {
                    Ok(entries) => entries,
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
                    Err(error) => {
                        return Err(PackProblem::of_file(folder, format!("can't be read: {error}")));
                    }
                };
                entries
                    .flatten()
                    .filter_map(|entry| entry.file_name().into_string().ok())
                    .filter(|name| is_toml(name) && !name.starts_with('.'))
                    .map(|name| format!("{folder}/{name}"))
                    .collect()
            }
        };
        names.sort();
        Ok(names)
    }
}

fn is_toml(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "toml")
}

fn read_text(path: &Path, name: &str) -> Result<Option<String>, PackProblem> {
    let unreadable = |error: std::io::Error| PackProblem::of_file(name, format!("can't be read: {error}"));
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(PackProblem::of_file(name, "it is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(PackProblem::of_file(name, "it is longer than 4 MiB: split it"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| PackProblem::of_file(name, "it is not UTF-8"))
}
