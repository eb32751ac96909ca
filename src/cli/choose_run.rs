//! Which run a command works on: a folder, a run of this machine by its name, the demo, or a trace of another program.

use super::failure::Failure;
use super::import::import_into;
use crate::archive::demo::unpack;
use crate::archive::import::Strictness;
use crate::archive::{Archive, ArchiveError, find_run};
use crate::snapshot::data_folder;
use std::path::{Path, PathBuf};

/// The choice of a run.
#[derive(Debug, clap::Args)]
pub(super) struct RunChoice {
    /// Folder of a run, or the name of one in the data folder; where it is read only, also a file of another program's traces
    #[arg(value_name = "RUN", required_unless_present = "demo")]
    run: Option<PathBuf>,
    /// Take the built-in demo run
    #[arg(long, conflicts_with = "run")]
    demo: bool,
}

/// A run's folder; the demo and what was imported just now lie in a temporary one that goes with this.
#[derive(Debug)]
pub(super) struct ChosenRun {
    pub(super) folder: PathBuf,
    _unpacked: Option<tempfile::TempDir>,
}

impl RunChoice {
    /// What was given; `None` for the demo.
    pub(super) fn given(&self) -> Option<&Path> {
        self.run.as_deref()
    }

    /// Finds the folder; a trace of another program is imported on the way, into a temporary one.
    pub(super) fn find_or_import(&self) -> Result<ChosenRun, Failure> {
        if let Some(file) = self.run.as_deref().map(find).filter(|found| found.is_file()) {
            let folder = temporary()?;
            import_into(&[file], folder.path(), "imported", Strictness::Lenient)?;
            return Ok(ChosenRun { folder: folder.path().to_owned(), _unpacked: Some(folder) });
        }
        self.find()
    }

    /// Finds the folder.
    pub(super) fn find(&self) -> Result<ChosenRun, Failure> {
        if let Some(asked) = &self.run {
            return Ok(ChosenRun { folder: find(asked), _unpacked: None });
        }
        let folder = temporary()?;
        unpack(folder.path()).map_err(|error| Failure::input(&error))?;
        Ok(ChosenRun { folder: folder.path().to_owned(), _unpacked: Some(folder) })
    }
}

fn temporary() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|error| Failure::Input(format!("can't make a temporary folder: {error}")))
}

impl ChosenRun {
    /// Opens the run.
    pub(super) fn open(&self) -> Result<Archive, Failure> {
        Archive::open(&self.folder).map_err(|error| failure(&error))
    }
}

/// A folder as it was given, or that of a run with this name in the data folder.
pub(super) fn find(asked: &Path) -> PathBuf {
    find_run(asked, runs_folder().as_deref())
}

/// Where runs go that are not told where to.
pub(super) fn runs_folder() -> Option<PathBuf> {
    data_folder(|name| std::env::var_os(name)).map(|folder| folder.join("runs"))
}

/// A failure of an archive, with what to do about a folder that is none.
pub(super) fn failure(error: &ArchiveError) -> Failure {
    match error {
        ArchiveError::NotAnArchive { .. } => {
            Failure::Input(format!("{error}; `casebook runs list` shows the runs of this machine"))
        }
        other => Failure::input(other),
    }
}
