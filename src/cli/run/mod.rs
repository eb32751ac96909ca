//! `casebook run`: an actor over tasks, into an evidence archive.

mod actor;
pub(super) mod beginning;
mod dry_run;
mod limits;
mod model;
mod report;
pub(super) mod resuming;
pub(super) mod settings;

use super::choose_run::{failure, find};
use super::failure::Failure;
use super::watched::watched;
use crate::archive::{RunWriter, Secrets};
use crate::harness::{Actor, Cancel, Clock, Over, RunOutcome, RunPlan, RunProgress, SystemClock, execute};
use beginning::begun;
use report::{finished, progress_text};
use resuming::resumed;
use settings::TrialSettings;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Arguments of `casebook run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook run --actor oracle --size all --out ./oracle
  casebook run --actor script --script calls.jsonl --pack visibility --task V-AWS-04 --trials 3
  casebook run --actor model --agent agent.toml --pack cross-vendor --trials 3 --max-cost 0.50 --out ./model
  casebook run --actor command --pack visibility --jobs 2 -- python3 $PWD/agent.py
  casebook run --resume ./oracle

The folder is an evidence archive (docs/archive.md): `casebook verify` and `casebook replay --check` work on it. Ctrl-C stops
after the statements that are running; --resume goes on, and repeats nothing that was finished.")]
pub(super) struct Arguments {
    #[command(flatten)]
    actor: actor::ActorArguments,
    /// Pack by name or folder; can be given more than once [default: visibility and cross-vendor]
    #[arg(long, value_name = "PACK")]
    pack: Vec<String>,
    /// Task by id; can be given more than once [default: all of the packs]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    task: Vec<String>,
    /// Snapshot by name or revision; `all` takes every one that the packs have truth for [default: small]
    #[arg(long, value_name = "SIZE", value_delimiter = ',', visible_alias = "snapshot")]
    size: Vec<String>,
    /// Attempts at each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    trials: u32,
    /// Folder for the run: new or empty [default: one in the data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with a run that was stopped; it keeps its settings
    #[arg(long, value_name = "RUN", conflicts_with_all = ["actor", "script", "command", "agent", "prices", "task", "size", "trials", "out", "seed", "mode", "tools", "isolate", "steps", "calls", "seconds", "tokens", "cost", "statement_seconds"])]
    resume: Option<PathBuf>,
    /// Trials at a time [default: one a processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    settings: TrialSettings,
    /// Check everything and say what would be done, without doing it
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// Print the head of the ended run as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs, or goes on.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let secrets = secrets();
    if arguments.dry_run {
        return dry_run::dry_run(arguments, &secrets, out);
    }
    let (writer, plan, actor) = match &arguments.resume {
        Some(asked) => resumed(&find(asked), arguments, &secrets)?,
        None => begun(arguments, clock.as_ref(), &secrets)?,
    };
    let folder = writer.folder().to_owned();
    let cancel = Cancel::default();
    let latest = Mutex::new(RunProgress::default());
    let progress = |now: &RunProgress| {
        now.clone_into(&mut latest.lock().unwrap_or_else(PoisonError::into_inner));
    };
    let text = || progress_text(&latest.lock().unwrap_or_else(PoisonError::into_inner));
    let jobs = arguments.jobs.unwrap_or_else(super::jobs);
    let outcome = watched(
        text,
        || cancel.stop(),
        || execute(&writer, &plan, actor.as_ref(), jobs, &clock, &cancel, &progress),
    );
    match outcome.map_err(|error| over(error, &folder))? {
        RunOutcome::Stopped => {
            let done = latest.lock().unwrap_or_else(PoisonError::into_inner).done;
            let total = plan.tasks.len() as u64 * u64::from(plan.trials);
            Err(Failure::Interrupted(format!(
                "stopped: {done} of {total} trials are done; `casebook run --resume {}` goes on",
                folder.display()
            )))
        }
        RunOutcome::Finished => {
            let run = writer.finish(clock.wall().to_string()).map_err(|error| failure(&error))?;
            finished(&run, &folder, arguments.json, out)
        }
    }
}

/// What must not be recorded.
pub(super) fn secrets() -> Secrets {
    Secrets::of_environment(
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    )
}

/// A run that could not be done.
pub(super) fn over(error: Over, folder: &Path) -> Failure {
    match error {
        Over::Archive(error) => failure(&error),
        Over::Outside(reason) => Failure::Outside(format!(
            "{reason}; nothing that was done is lost, `casebook run --resume {}` goes on",
            folder.display()
        )),
        other => Failure::input(&other),
    }
}

/// What a run needs to go.
type Prepared = (RunWriter, RunPlan, Box<dyn Actor>);
