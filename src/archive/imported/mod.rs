//! Foreign traces as an archive of ours: so that they can be verified, replayed, shown, scored and labelled like any other.
//!
//! Texts are taken over word for word. A result is what the source kept of it, a text; there are no rows to hash. What our
//! kinds of events can't hold stands in `imported` events, as JSON of `domain::foreign`. The source file itself is kept as a
//! blob where it is small enough and holds no secret of this machine; its SHA-256 is kept in any case.
//!
//! Not here: reading the formats (`import`), writing them (`export`).

mod names;
mod read_back;
mod revisions;
mod trial;

pub use read_back::{read_log, read_trial};
pub use revisions::{foreign_revision, is_known};

use super::error::ArchiveError;
use super::import::{ForeignFile, ImportError, Strictness};
use super::run_file::{ActorRecord, ContextRecord, PlannedTask, RUN_FORMAT, RunFile};
use super::secrets::Secrets;
use super::writer::RunWriter;
use crate::domain::foreign::Loss;
use crate::domain::trial::{ActorKind, Mode, ToolSet};
use crate::domain::trial_limits::TrialLimits;
use crate::snapshot::Store;
use names::Names;
use revisions::Revisions;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Source files up to this size are kept whole in the archive.
pub const KEPT_BYTES: u64 = 64 << 20;
/// The setting of an imported run that lists its sources.
pub const SOURCES: &str = "sources";

/// What to import, and into what.
#[derive(Debug)]
pub struct ImportPlan<'p> {
    /// The files, in order.
    pub files: &'p [PathBuf],
    /// The folder of the new run: not there yet, or empty.
    pub folder: &'p Path,
    /// Name of the run.
    pub name: String,
    /// The pack that the tasks belong to.
    pub pack: String,
    /// Whether what breaks a rule of its format is refused.
    pub strictness: Strictness,
    /// Where revisions are looked for.
    pub store: &'p Store,
    /// What must not be written.
    pub secrets: Secrets,
    /// Wall time, RFC 3339: for what says no time of its own.
    pub now: String,
}

/// Why an import came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum ImportRunError {
    /// A file can't be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The archive can't be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It was stopped.
    #[error("stopped after {0} trials; nothing was kept")]
    Stopped(u64),
    /// There is no trial in any of the files.
    #[error("there is no trial in {0}; nothing was written")]
    Empty(String),
}

/// A source of an imported run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceRecord {
    /// The file's name.
    pub name: String,
    /// Its format.
    pub format: crate::domain::foreign::ForeignFormat,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// Whether the archive holds all of it.
    pub kept: bool,
    /// Why not, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// Trials that were taken from it.
    pub trials: u64,
}

/// A trial that could not be read; a lenient import leaves it out.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// The file.
    pub file: String,
    /// Which trial of it, from 1.
    pub trial: usize,
    /// Why.
    pub reason: String,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ImportReport {
    /// Name of the run.
    pub run: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Trials in it.
    pub trials: u64,
    /// Where they came from.
    pub sources: Vec<SourceRecord>,
    /// Revisions that the store has, by name.
    pub revisions: Vec<String>,
    /// Revisions that it has not, as the sources write them; and how many trials name none.
    pub foreign_revisions: Vec<String>,
    /// Trials that name no revision.
    pub without_revision: u64,
    /// What could not be read.
    pub left_out: Vec<LeftOut>,
    /// What was lost, missing and wrong.
    pub loss: Loss,
}

/// Imports files into a new archive. `go_on` is told of each trial and asked whether to go on. On any error nothing is left
/// of the folder's contents.
///
/// # Errors
/// [`ImportRunError`].
pub fn import_run(
    plan: &ImportPlan<'_>,
    go_on: &dyn Fn(u64) -> bool,
) -> Result<ImportReport, ImportRunError> {
    import(plan, |import| import.files(go_on))
}

/// Imports one trial of an open file into a new archive, to be looked at: the file itself is neither kept nor read through for
/// its digest, and the plan's files are not asked for. On any error nothing is left of the folder's contents.
///
/// # Errors
/// [`ImportRunError`].
pub fn import_one(
    plan: &ImportPlan<'_>,
    file: &ForeignFile,
    nth: usize,
) -> Result<ImportReport, ImportRunError> {
    import(plan, |import| import.one(file, nth))
}

fn import(
    plan: &ImportPlan<'_>,
    fill: impl FnOnce(&mut Import<'_>) -> Result<(), ImportRunError>,
) -> Result<ImportReport, ImportRunError> {
    let was_there = plan.folder.is_dir();
    let writer = RunWriter::create(plan.folder, head(plan), plan.secrets.clone())?;
    let mut import = Import::new(plan, &writer);
    let done = match fill(&mut import) {
        Ok(()) => {
            let Done { report, revisions, tasks, times } = import.done();
            finish(writer, plan, &report, revisions, tasks, times).map(|()| report)
        }
        Err(error) => {
            drop(writer);
            Err(error)
        }
    };
    if done.is_err() {
        clear(plan.folder, was_there);
    }
    done
}

/// Takes away what a failed import wrote; the folder was empty before, or not there.
fn clear(folder: &Path, keep_folder: bool) {
    // Best effort: what is left can be seen, and has no end in its head.
    if keep_folder {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    } else {
        let _ = fs::remove_dir_all(folder);
    }
}

fn head(plan: &ImportPlan<'_>) -> RunFile {
    RunFile {
        format: RUN_FORMAT,
        run: plan.name.clone(),
        started: plan.now.clone(),
        casebook: env!("CARGO_PKG_VERSION").to_owned(),
        mode: Mode::Scored,
        tools: ToolSet::Three,
        actor: ActorRecord {
            kind: ActorKind::Imported,
            name: "imported".to_owned(),
            // Nobody here saw what else it could reach.
            confined: false,
            settings: BTreeMap::new(),
        },
        packs: Vec::new(),
        revisions: Vec::new(),
        limits: TrialLimits::default(),
        isolate: false,
        build: None,
        seed: 0,
        trials: 1,
        plan: Vec::new(),
        contexts: Vec::new(),
        end: None,
        digest: String::new(),
    }
}

/// Earliest beginning and latest end that the sources name.
type Times = (Option<String>, Option<String>);

struct Done {
    report: ImportReport,
    revisions: Revisions,
    tasks: Vec<PlannedTask>,
    times: (Times, Option<String>),
}

fn finish(
    mut writer: RunWriter,
    plan: &ImportPlan<'_>,
    report: &ImportReport,
    revisions: Revisions,
    tasks: Vec<PlannedTask>,
    ((started, ended), actor): (Times, Option<String>),
) -> Result<(), ImportRunError> {
    let ended = ended.or_else(|| started.clone()).unwrap_or_else(|| plan.now.clone());
    writer.amend(|run| {
        run.revisions = revisions.records();
        run.plan = tasks;
        if let Some(started) = started {
            run.started = started;
        }
        if let Some(actor) = actor {
            run.actor.name = actor;
        }
        run.contexts = report
            .sources
            .iter()
            .filter(|source| source.kept)
            .map(|source| ContextRecord {
                name: source.name.clone(),
                sha256: source.sha256.clone(),
                bytes: source.bytes,
            })
            .collect();
        run.actor.settings.insert(SOURCES.to_owned(), value(&report.sources));
        run.actor.settings.insert("loss".to_owned(), value(&report.loss));
    });
    writer.finish(ended)?;
    Ok(())
}

/// Texts and numbers, all of which JSON can hold.
fn value<T: serde::Serialize>(of: &T) -> serde_json::Value {
    serde_json::to_value(of).unwrap_or_default()
}

struct Import<'p> {
    plan: &'p ImportPlan<'p>,
    writer: &'p RunWriter,
    names: Names,
    revisions: Revisions,
    report: ImportReport,
    tasks: Vec<PlannedTask>,
    started: Option<String>,
    ended: Option<String>,
    actor: Option<String>,
}

impl<'p> Import<'p> {
    fn new(plan: &'p ImportPlan<'p>, writer: &'p RunWriter) -> Self {
        let report = ImportReport {
            run: plan.name.clone(),
            folder: plan.folder.to_owned(),
            trials: 0,
            sources: Vec::new(),
            revisions: Vec::new(),
            foreign_revisions: Vec::new(),
            without_revision: 0,
            left_out: Vec::new(),
            loss: Loss::default(),
        };
        Self {
            plan,
            writer,
            names: Names::default(),
            revisions: Revisions::default(),
            report,
            tasks: Vec::new(),
            started: None,
            ended: None,
            actor: None,
        }
    }

    fn files(&mut self, go_on: &dyn Fn(u64) -> bool) -> Result<(), ImportRunError> {
        for path in self.plan.files {
            let file = ForeignFile::open(path, self.plan.strictness)?;
            self.report.loss.add(file.loss().clone());
            let before = self.report.trials;
            for nth in 0..file.log().trials.len() {
                if !go_on(self.report.trials) {
                    return Err(ImportRunError::Stopped(self.report.trials));
                }
                self.trial(&file, nth)?;
            }
            let source = self.source(&file, path, self.report.trials - before)?;
            self.report.sources.push(source);
        }
        let names: Vec<String> = self.plan.files.iter().map(|it| it.display().to_string()).collect();
        self.some(&names.join(", "))
    }

    fn one(&mut self, file: &ForeignFile, nth: usize) -> Result<(), ImportRunError> {
        self.report.loss.add(file.loss().clone());
        self.trial(file, nth)?;
        self.some(&file.log().file.name)
    }

    /// Refuses an import that took nothing from these.
    fn some(&self, names: &str) -> Result<(), ImportRunError> {
        if self.report.trials > 0 {
            return Ok(());
        }
        let why = self.report.left_out.first().map(|it| format!(" ({})", it.reason)).unwrap_or_default();
        Err(ImportRunError::Empty(format!("{names}{why}")))
    }

    fn done(mut self) -> Done {
        self.report.revisions = self.revisions.known();
        self.report.foreign_revisions = self.revisions.foreign();
        Done {
            report: self.report,
            revisions: self.revisions,
            tasks: self.tasks,
            times: ((self.started, self.ended), self.actor),
        }
    }

    fn trial(&mut self, file: &ForeignFile, nth: usize) -> Result<(), ImportRunError> {
        let (trial, loss) = match file.trial(nth) {
            Ok(read) => read,
            Err(error) if self.plan.strictness == Strictness::Lenient => {
                let file = file.log().file.name.clone();
                self.report.left_out.push(LeftOut { file, trial: nth + 1, reason: error.to_string() });
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        self.report.loss.add(loss);
        let facts = &trial.facts;
        let revision = self.revisions.find(self.plan.store, facts.revision.as_deref());
        if facts.revision.is_none() {
            self.report.without_revision += 1;
        }
        let entry = &file.log().trials[nth];
        let task = facts.task_id.as_deref().or(entry.task_id.as_deref()).or(facts.id.as_deref());
        let epoch = facts.epoch.or(entry.epoch);
        let name = self.names.trial(revision, &self.plan.pack, task, epoch);
        let task = PlannedTask { revision, pack: name.pack.clone(), task: name.task.clone() };
        if self.names.is_first(&name) {
            self.tasks.push(task);
        }
        if self.actor.is_none() {
            self.actor = facts.agent.clone().or_else(|| facts.model.clone());
        }
        earliest(&mut self.started, facts.started.as_deref());
        latest(&mut self.ended, facts.ended.as_deref().or(facts.started.as_deref()));
        trial::write(self.writer, name, &trial, &self.plan.now)?;
        self.report.trials += 1;
        Ok(())
    }

    /// Keeps the file, if that can be.
    fn source(&self, file: &ForeignFile, path: &Path, trials: u64) -> Result<SourceRecord, ImportRunError> {
        let log = file.log();
        let mut record = SourceRecord {
            name: log.file.name.clone(),
            format: log.format,
            bytes: log.file.bytes,
            sha256: file.sha256()?,
            kept: false,
            why_not: None,
            trials,
        };
        if log.file.bytes > KEPT_BYTES {
            record.why_not = Some(format!("it is larger than {} MiB", KEPT_BYTES >> 20));
            return Ok(record);
        }
        let bytes = fs::read(path).map_err(|source| ImportError::Read { path: path.to_owned(), source })?;
        if self.plan.secrets.are_in(&String::from_utf8_lossy(&bytes)) {
            record.why_not = Some("it holds a secret of this machine's environment".to_owned());
            return Ok(record);
        }
        record.kept = self.writer.blobs().put(&bytes)?.blob == record.sha256;
        if !record.kept {
            record.why_not = Some("it changed while it was read".to_owned());
        }
        Ok(record)
    }
}

fn instant(text: &str) -> Option<i64> {
    super::moment::moment(text)
}

fn earliest(known: &mut Option<String>, other: Option<&str>) {
    let Some(time) = other.and_then(instant) else { return };
    if known.as_deref().and_then(instant).is_none_or(|known| time < known) {
        *known = super::moment::wall_time(time);
    }
}

fn latest(known: &mut Option<String>, other: Option<&str>) {
    let Some(time) = other.and_then(instant) else { return };
    if known.as_deref().and_then(instant).is_none_or(|known| time > known) {
        *known = super::moment::wall_time(time);
    }
}
