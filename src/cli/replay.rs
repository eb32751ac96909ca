//! `casebook replay`: a trace in the workbench, step by step; with `--check` every archived statement again, on the revision that
//! the trial saw, without a screen.

use super::choose_run::{RunChoice, find};
use super::choose_snapshot::{open, store};
use super::failure::Failure;
use super::watched::watched;
use super::workbench;
use crate::archive::RunFile;
use crate::archive::replay::{CallReplay, Conclusions, Replay, ReplayError, ReplayReport, junit};
use crate::domain::Revision;
use crate::domain::replay::ReplayVerdict;
use crate::domain::trial::ActorKind;
use crate::query::OpenSnapshot;
use crate::snapshot::{Facts, Snapshot, Store, import};
use crate::text::json;
use crate::text::visible::visible;
use crate::workbench::command::Invocation;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Arguments of `casebook replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook replay --demo                                    the built-in demo run, step by step
  casebook replay ./run-1                                   a run, or a trace of another program
  casebook replay ./run-1 --check                           without a screen: every statement again, compared
  casebook replay ./run-1 --check --json | jq .verdicts
  casebook replay ./run-1 --check --against cd4c0fa3ef8b     what another revision would change
  casebook replay --demo --check
  casebook replay log.eval --check --snapshot posture.sqlite          a trace of another program

Verdicts: match, match_reordered, prefix (the archive kept a cut result, and it agrees), same_error, differs,
not_replayable (with the reason). Exit code 1 if any call differs.")]
pub(super) struct Arguments {
    #[command(flatten)]
    run: RunChoice,
    #[command(flatten)]
    workbench: workbench::WorkbenchChoice,
    /// Run every statement again and compare, without a screen
    #[arg(long)]
    check: bool,
    /// Hold the run against this other revision (a snapshot's name or revision, a package or a SQLite file), and say what it changes
    #[arg(long, value_name = "REVISION", conflicts_with = "snapshot", requires = "check")]
    against: Option<String>,
    /// Take the data from this package (folder, name or revision) or SQLite file; it must be of the revision that the run names
    #[arg(long, value_name = "PACKAGE", requires = "check")]
    snapshot: Option<String>,
    /// The trial whose name begins so, such as 7784ff6f7d97/visibility/V-AWS-01; with --check all of them
    #[arg(long, value_name = "NAME")]
    trial: Option<String>,
    /// Threads [default: one a processor]
    #[arg(long, value_name = "N", requires = "check")]
    jobs: Option<usize>,
    /// Print one JSON object
    #[arg(long, requires = "check")]
    json: bool,
    /// Write `JUnit` XML to this file
    #[arg(long, value_name = "FILE", requires = "check")]
    junit: Option<PathBuf>,
}

/// Opens the trace in the workbench, or repeats the run and prints the verdicts.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    if arguments.check { check(arguments, out) } else { look(arguments, out) }
}

/// The workbench on the trace.
fn look(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut wanted = match arguments.run.given() {
        None => Invocation::of("replay.demo"),
        Some(path) => {
            let found = find(path);
            if !found.exists() {
                return Err(Failure::Input(format!(
                    "there is nothing at {}, and no run has that name; `casebook runs list` shows the runs of this machine",
                    path.display()
                )));
            }
            Invocation::of("replay.open").with("path", found.display().to_string())
        }
    };
    if let Some(trial) = &arguments.trial {
        wanted = wanted.with("trial", trial.as_str());
    }
    workbench::open(&arguments.workbench, Some(wanted), out)
}

fn check(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let chosen = arguments.run.find_or_import()?;
    let archive = chosen.open()?;
    let snapshots = Snapshots::new(arguments, &archive.run)?;
    let against = snapshots.against;
    if let Some(only) = &arguments.trial
        && !archive.trials.iter().any(|trial| trial.name.to_string().starts_with(only.as_str()))
    {
        return Err(Failure::Input(format!(
            "no trial's name begins with '{only}'; `casebook runs show` lists them"
        )));
    }
    let (stopped, done, total) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let text =
        || format!("{} of {} trials replayed", done.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
    let progress = |now: usize, all: usize| {
        done.fetch_max(now, Ordering::Relaxed);
        total.store(all, Ordering::Relaxed);
        !stopped.load(Ordering::Relaxed)
    };
    let replay = Replay {
        archive: &archive,
        snapshot: &|revision| snapshots.get(revision),
        against,
        only: arguments.trial.as_deref(),
        jobs: arguments.jobs.unwrap_or_else(super::jobs),
        progress: &progress,
    };
    let report = watched(text, || stopped.store(true, Ordering::Relaxed), || replay.run()).map_err(
        |error| match error {
            ReplayError::Stopped { .. } => Failure::Interrupted(error.to_string()),
            other => Failure::input(&other),
        },
    )?;
    if let Some(path) = &arguments.junit {
        let xml = junit(&report)?;
        std::fs::write(path, xml)
            .map_err(|error| Failure::Input(format!("can't write {}: {error}", path.display())))?;
    }
    if arguments.json {
        out.write_all(json::pretty(&report)?.as_bytes())?;
    } else {
        print(&report, out)?;
    }
    if report.differs() { Err(Failure::Check) } else { Ok(()) }
}

/// The snapshots of a replay, each opened once.
struct Snapshots<'r> {
    run: &'r RunFile,
    forced: Option<Arc<OpenSnapshot>>,
    against: Option<Revision>,
    open: Mutex<BTreeMap<Revision, Arc<OpenSnapshot>>>,
}

impl<'r> Snapshots<'r> {
    fn new(arguments: &Arguments, run: &'r RunFile) -> Result<Self, Failure> {
        let given = match (&arguments.against, &arguments.snapshot) {
            (Some(asked), _) | (None, Some(asked)) => Some(given(asked, run)?),
            (None, None) => None,
        };
        let against = arguments.against.as_ref().and(given.as_ref()).map(|it| it.manifest.revision);
        Ok(Self { run, forced: given, against, open: Mutex::default() })
    }

    fn get(&self, revision: Revision) -> Result<Arc<OpenSnapshot>, String> {
        if let Some(forced) = &self.forced {
            let given = forced.manifest.revision;
            if self.against.is_some() || given == revision || self.is_database_of(forced, revision) {
                return Ok(Arc::clone(forced));
            }
            return Err(format!(
                "the run is of revision {}, the package of {}; a trace is replayed on what it saw. To see what the other \
                 revision would change, use --against {}",
                revision.short(),
                given.short(),
                given.short()
            ));
        }
        if self.run.actor.kind == ActorKind::Imported && revision == Revision::from_bytes([0; 32]) {
            return Err("the trace names no revision, so nothing says what it saw; hold it against a snapshot with --against \
                        REVISION or --against FILE"
                .to_owned());
        }
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(snapshot) = all.get(&revision) {
            return Ok(Arc::clone(snapshot));
        }
        let snapshot = store().find(&revision.to_string()).map_err(|error| {
            format!(
                "the revision of the run is not here: {error}; `casebook snapshot import` brings it in, or --snapshot names a \
                 package or a SQLite file of it"
            )
        })?;
        let snapshot = Arc::new(OpenSnapshot::open(&snapshot).map_err(|error| error.to_string())?);
        all.insert(revision, Arc::clone(&snapshot));
        Ok(snapshot)
    }

    /// Whether a snapshot has the very database that the run names: other programs know no more of a revision, and the same
    /// file with another release date is another revision of ours.
    fn is_database_of(&self, snapshot: &OpenSnapshot, revision: Revision) -> bool {
        self.run.actor.kind == ActorKind::Imported
            && self.run.revisions.iter().any(|record| {
                record.revision == revision && record.sqlite_sha256 == snapshot.manifest.sqlite.sha256
            })
    }
}

/// What a user names: a package of the store, the folder of one, or a file, which is imported for this once.
fn given(asked: &str, run: &RunFile) -> Result<Arc<OpenSnapshot>, Failure> {
    let path = Path::new(asked);
    if !path.is_file() {
        return open(&package(asked)?);
    }
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::Input(format!("can't make a temporary folder: {error}")))?;
    // A bare database does not say when it was made. The day of the run is the nearest that is known.
    let today =
        run.started.get(..10).and_then(|day| day.parse().ok()).unwrap_or(jiff::civil::date(1970, 1, 1));
    let facts = Facts { name: Some("given".to_owned()), release_date: Some(today), ..Facts::default() };
    let store = Store::new(Some(folder.path()));
    let outcome = import(&store, path, &facts, SystemTime::now(), &mut |_| true)
        .map_err(|error| Failure::input(&error))?;
    // All of it is in memory then, so the folder may go.
    open(&outcome.snapshot)
}

/// A package by its folder, or one of the store.
fn package(asked: &str) -> Result<Snapshot, Failure> {
    let folder = Path::new(asked);
    if folder.is_dir() {
        return Snapshot::open(folder).map_err(|error| Failure::input(&error));
    }
    store().find(asked).map_err(|error| Failure::input(&error))
}

fn print(report: &ReplayReport, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(against) = report.against {
        writeln!(out, "held against another revision: {against}")?;
    }
    for trial in &report.trials {
        let notable: Vec<&CallReplay> = trial
            .calls
            .iter()
            .filter(|call| {
                matches!(call.verdict, ReplayVerdict::Differs(_) | ReplayVerdict::NotReplayable(_))
            })
            .collect();
        let same = trial.calls.len() - notable.len();
        writeln!(
            out,
            "{}: {same} of {} calls the same",
            visible(&trial.trial.to_string()),
            trial.calls.len()
        )?;
        for call in notable {
            let what = match &call.verdict {
                ReplayVerdict::Differs(difference) => difference.to_string(),
                ReplayVerdict::NotReplayable(not) => not.reason.clone(),
                _ => String::new(),
            };
            let what: String = what.lines().collect::<Vec<_>>().join(" ");
            let line = format!("  event {}: {}: {what}", call.event, call.verdict.word());
            writeln!(out, "{}", visible(&line))?;
        }
        if let Some(conclusions) = trial.conclusions.as_ref().filter(|it| it.changed()) {
            write_conclusions(conclusions, out)?;
        }
    }
    let counts: Vec<String> = report.verdicts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let counts = if counts.is_empty() { "no calls".to_owned() } else { counts.join(", ") };
    let trials = report.trials.len();
    writeln!(out, "{trials} {}: {counts}", if trials == 1 { "trial" } else { "trials" })?;
    Ok(())
}

fn write_conclusions(conclusions: &Conclusions, out: &mut dyn Write) -> Result<(), Failure> {
    let list = |values: &[String]| {
        let shown: Vec<&str> = values.iter().take(5).map(String::as_str).collect();
        let more = if values.len() > 5 { format!(" and {} more", values.len() - 5) } else { String::new() };
        shown.join(", ") + &more
    };
    let place = format!("{} of event {}", conclusions.column, conclusions.event);
    for (what, values) in [("no longer found", &conclusions.gone), ("found now", &conclusions.new)] {
        if !values.is_empty() {
            writeln!(out, "{}", visible(&format!("  answer, {place}: {what}: {}", list(values))))?;
        }
    }
    Ok(())
}
