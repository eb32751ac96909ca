//! Writing a run: its head, its blobs, its ledger. Trials write beside each other, each its own trace.

use super::blobs::Blobs;
use super::error::ArchiveError;
use super::layout::{LEDGER_FILE, LOCK_FILE, RUN_FILE};
use super::ledger::{Ledger, LedgerLine};
use super::orphans::orphans;
use super::reader::Archive;
use super::run_file::{RunEnd, RunFile};
use super::secrets::Secrets;
use super::whole_file::{open_regular, write_whole};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A run that is being written.
#[derive(Debug)]
pub struct RunWriter {
    folder: PathBuf,
    run: RunFile,
    secrets: Secrets,
    blobs: Blobs,
    ledger: Mutex<(Ledger, Vec<LedgerLine>)>,
    _lock: File,
}

impl RunWriter {
    /// Begins a run in a folder that is not there yet, or empty.
    ///
    /// # Errors
    /// [`ArchiveError::NotEmpty`], [`ArchiveError::Write`].
    pub fn create(folder: &Path, run: RunFile, secrets: Secrets) -> Result<Self, ArchiveError> {
        let unmade = |source| ArchiveError::Create { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(unmade)?;
        check_empty(folder)?;
        let lock = lock(folder)?;
        // Somebody may have been faster.
        check_empty(folder)?;
        let run = clean(run, &secrets);
        let path = folder.join(RUN_FILE);
        write_whole(&path, &run.to_file()).map_err(ArchiveError::write(&path))?;
        Self::over(folder, run, secrets, lock)
    }

    /// Goes on with a run that was stopped. Segments that a killed process left without a line in the ledger get one.
    ///
    /// # Errors
    /// [`ArchiveError`] where it is none, is damaged, or somebody else writes it.
    pub fn resume(folder: &Path, secrets: Secrets) -> Result<Self, ArchiveError> {
        let run = RunFile::load(folder)?;
        let lock = lock(folder)?;
        let writer = Self::over(folder, run, secrets, lock)?;
        for line in orphans(&Archive::open(folder)?)? {
            writer.segment_ended(line)?;
        }
        Ok(writer)
    }

    fn over(folder: &Path, run: RunFile, secrets: Secrets, lock: File) -> Result<Self, ArchiveError> {
        let ledger = Ledger::open(&folder.join(LEDGER_FILE))?;
        Ok(Self {
            folder: folder.to_owned(),
            run,
            secrets,
            blobs: Blobs::of_run(folder),
            ledger: Mutex::new(ledger),
            _lock: lock,
        })
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its head.
    pub const fn run(&self) -> &RunFile {
        &self.run
    }

    /// Its blobs.
    pub const fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// What must not be written.
    pub const fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The segments that have ended.
    pub fn segments(&self) -> Vec<LedgerLine> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    /// Notes that a segment has ended.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub(super) fn segment_ended(&self, line: LedgerLine) -> Result<LedgerLine, ArchiveError> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let line = ledger.0.add(line)?;
        ledger.1.push(line.clone());
        Ok(line)
    }

    /// Changes the head of a run that is being written: an import learns what a file holds while it reads it. It reaches the
    /// disk when the run ends.
    pub fn amend(&mut self, change: impl FnOnce(&mut RunFile)) {
        change(&mut self.run);
        self.run = clean(self.run.clone(), &self.secrets);
    }

    /// Ends the run. `ended` is the wall time, RFC 3339 in UTC.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn finish(mut self, ended: String) -> Result<RunFile, ArchiveError> {
        let ledger = self.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut last: BTreeMap<_, &LedgerLine> = BTreeMap::new();
        for line in &ledger.1 {
            last.insert(&line.trial, line);
        }
        let mut endings = BTreeMap::new();
        for line in last.values() {
            *endings.entry(line.ending.word().to_owned()).or_insert(0) += 1;
        }
        let ledger_head = ledger.0.head().to_owned();
        self.run.end = Some(RunEnd { ended, endings, ledger_head, segments: ledger.1 });
        let path = self.folder.join(RUN_FILE);
        write_whole(&path, &self.run.to_file()).map_err(ArchiveError::write(&path))?;
        RunFile::load(&self.folder)
    }
}

/// The folder holds nothing yet, but perhaps the lock of somebody who begins.
fn check_empty(folder: &Path) -> Result<(), ArchiveError> {
    let entries = fs::read_dir(folder).map_err(ArchiveError::read(folder))?;
    if entries.flatten().any(|entry| entry.file_name() != LOCK_FILE) {
        return Err(ArchiveError::NotEmpty { path: folder.to_owned() });
    }
    Ok(())
}

/// Whether a process is writing a run at this moment. Where the file system knows no locks nobody can tell: then it is not.
pub fn is_being_written(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join(LOCK_FILE)) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Takes the folder for this process, until the file is dropped.
fn lock(folder: &Path) -> Result<File, ArchiveError> {
    let path = folder.join(LOCK_FILE);
    let file = open_regular(&path, OpenOptions::new().create(true).append(true))
        .map_err(ArchiveError::write(&path))?;
    // A file system without locks says so: there is nobody to ask then.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(ArchiveError::Busy { path: folder.to_owned() });
    }
    Ok(file)
}

/// The head of a run without secrets in what a user names.
fn clean(mut run: RunFile, secrets: &Secrets) -> RunFile {
    let names = run.contexts.iter_mut().map(|context| &mut context.name);
    for name in names.chain([&mut run.actor.name, &mut run.run]) {
        *name = secrets.remove(name).into_owned();
    }
    for value in run.actor.settings.values_mut() {
        *value = secrets.remove_from(value.take());
    }
    run
}
