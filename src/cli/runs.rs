//! `casebook runs`: the runs of this machine, and what is in one.

use super::choose_run::{RunChoice, runs_folder};
use super::failure::Failure;
use super::output_width::output_width;
use crate::archive::{Archive, RunFile, TrialRecord};
use crate::domain::trace::Counts;
use crate::domain::trial::{ActorKind, Ending};
use crate::domain::{Revision, Value};
use crate::text::grid::grid;
use crate::text::json;
use crate::text::visible::visible;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `casebook runs`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List runs
    #[command(after_help = "Examples:\n  casebook runs list\n  casebook runs list ./evidence")]
    List {
        /// Folders that hold runs, or are one [default: the data folder's `runs`]
        folders: Vec<PathBuf>,
        /// Print one JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Show a run: its settings, and every trial with how it ended
    #[command(after_help = "Examples:\n  casebook runs show ./run-1\n  casebook runs show --demo --json")]
    Show {
        #[command(flatten)]
        run: RunChoice,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Lists or shows.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.command {
        Command::List { folders, json } => list(folders, *json, out),
        Command::Show { run, json } => show(&run.find_or_import()?.open()?, *json, out),
    }
}

#[derive(serde::Serialize)]
struct Listed {
    run: String,
    folder: String,
    started: String,
    actor: String,
    tasks: usize,
    trials: u64,
    endings: BTreeMap<String, u64>,
    ended: bool,
}

fn list(folders: &[PathBuf], json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let folders: Vec<PathBuf> =
        if folders.is_empty() { runs_folder().into_iter().collect() } else { folders.to_vec() };
    let (mut listed, mut broken) = (Vec::new(), Vec::new());
    for folder in &folders {
        for run in runs_in(folder)? {
            match Archive::open(&run) {
                Ok(archive) => listed.push(summary(&archive)),
                Err(error) => broken.push(error.to_string()),
            }
        }
    }
    listed.sort_by(|one, other| (&one.started, &one.run).cmp(&(&other.started, &other.run)));
    if json {
        for run in &listed {
            writeln!(out, "{}", json::compact(run)?)?;
        }
    } else if listed.is_empty() && !broken.is_empty() {
        // What is wrong with them is said below.
    } else if listed.is_empty() {
        let places: Vec<String> = folders.iter().map(|it| it.display().to_string()).collect();
        let text = format!("no runs in {}; `casebook run` makes one", places.join(", "));
        writeln!(out, "{}", visible(&text))?;
    } else {
        let columns = ["run", "started", "actor", "tasks", "trials", "endings", "folder"].map(str::to_owned);
        let text = |text: &str| Value::Text(text.to_owned());
        let count = |count: u64| Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
        let rows: Vec<Vec<Value>> = listed
            .iter()
            .map(|run| {
                vec![
                    text(&run.run),
                    text(run.started.get(..19).unwrap_or(&run.started)),
                    text(&run.actor),
                    count(run.tasks as u64),
                    count(run.trials),
                    text(&endings(&run.endings, run.ended)),
                    text(&run.folder),
                ]
            })
            .collect();
        out.write_all(grid(&columns, &rows, output_width()).as_bytes())?;
    }
    out.flush()?;
    for error in broken {
        let _ = writeln!(std::io::stderr(), "casebook: {}", visible(&error));
    }
    Ok(())
}

fn endings(counts: &BTreeMap<String, u64>, ended: bool) -> String {
    let mut parts: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    if !ended {
        parts.push("not ended".to_owned());
    }
    parts.join(", ")
}

/// The folder itself if it is a run, else its subfolders that are.
fn runs_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_run = |folder: &Path| folder.join(crate::archive::RUN_FILE).is_file();
    if is_run(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let unreadable =
        |error: std::io::Error| Failure::Input(format!("can't read {}: {error}", folder.display()));
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error)
            if error.kind() == std::io::ErrorKind::NotFound && Some(folder) == runs_folder().as_deref() =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(unreadable(error)),
    };
    let mut runs: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_run(path)).collect();
    runs.sort();
    Ok(runs)
}

fn actor(run: &RunFile) -> String {
    let kind = serde_json::to_value(run.actor.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default().to_owned();
    let plain = matches!(run.actor.kind, ActorKind::Oracle | ActorKind::Noop | ActorKind::Human);
    if plain || run.actor.name == kind { kind } else { format!("{kind}: {}", run.actor.name) }
}

fn summary(archive: &Archive) -> Listed {
    let mut endings = BTreeMap::new();
    for trial in &archive.trials {
        *endings.entry(trial.ending().word().to_owned()).or_insert(0) += 1;
    }
    Listed {
        run: archive.run.run.clone(),
        folder: archive.folder().display().to_string(),
        started: archive.run.started.clone(),
        actor: actor(&archive.run),
        tasks: archive.run.plan.len(),
        trials: archive.trials.len() as u64,
        endings,
        ended: archive.run.end.is_some(),
    }
}

#[derive(serde::Serialize)]
struct Shown<'a> {
    folder: String,
    run: &'a RunFile,
    trials: Vec<ShownTrial<'a>>,
    open: u64,
}

#[derive(serde::Serialize)]
struct ShownTrial<'a> {
    trial: String,
    #[serde(flatten)]
    name: &'a crate::domain::trial::TrialName,
    ending: &'static str,
    segments: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<&'a Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subjects: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn shown<'a>(archive: &'a Archive, trial: &'a TrialRecord) -> ShownTrial<'a> {
    // A damaged answer is what `verify` is for; here the trial is still listed.
    let answer = archive.answer(&trial.name).ok().flatten();
    ShownTrial {
        trial: trial.name.to_string(),
        name: &trial.name,
        ending: trial.ending().word(),
        segments: trial.segments.len(),
        counts: trial.last().map(|line| &line.counts),
        milliseconds: trial.last().map(|line| line.milliseconds),
        verdict: answer.as_ref().and_then(|answer| answer.verdict).map(crate::domain::trial::Verdict::name),
        subjects: answer.as_ref().and_then(|answer| answer.subjects.as_ref()).map(Vec::len),
        error: failure(archive, trial),
    }
}

/// Why a trial ended in an error.
pub(super) fn failure(archive: &Archive, trial: &TrialRecord) -> Option<String> {
    // What can't be read is for `verify` to say.
    if trial.ending() == Ending::Error { archive.failure(trial).ok().flatten() } else { None }
}

/// What trials of one table have in common.
fn place<'t>(trial: &'t ShownTrial<'_>) -> (Revision, &'t str) {
    (trial.name.revision, &trial.name.pack)
}

/// Narrow enough for 80 columns.
fn trial_table(trials: &[ShownTrial<'_>]) -> String {
    let columns = ["task", "n", "ended", "verdict", "subjects", "steps", "queries", "errors", "seconds"];
    let number = |count: u64| Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
    let text = |text: Option<&str>| Value::Text(text.unwrap_or("–").to_owned());
    let row = |trial: &ShownTrial<'_>| {
        let of = |count: fn(&Counts) -> u64| trial.counts.map_or(text(None), |counts| number(count(counts)));
        #[allow(clippy::cast_precision_loss)] // milliseconds of one trial
        let seconds = trial.milliseconds.map(|it| (it as f64 / 100.0).round() / 10.0);
        vec![
            Value::Text(trial.name.task.clone()),
            number(u64::from(trial.name.number)),
            Value::Text(trial.ending.to_owned()),
            text(trial.verdict.map(|verdict| if verdict == "not_applicable" { "n/a" } else { verdict })),
            trial.subjects.map_or(text(None), |count| number(count as u64)),
            of(|it| it.steps),
            of(|it| it.queries),
            of(|it| it.errors),
            seconds.map_or(text(None), Value::Real),
        ]
    };
    let rows: Vec<Vec<Value>> = trials.iter().map(row).collect();
    grid(&columns.map(str::to_owned), &rows, output_width())
}

fn show(archive: &Archive, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let trials: Vec<ShownTrial<'_>> = archive.trials.iter().map(|trial| shown(archive, trial)).collect();
    if as_json {
        let folder = archive.folder().display().to_string();
        let shown = Shown { folder, run: &archive.run, trials, open: archive.open_trials() };
        out.write_all(json::pretty(&shown)?.as_bytes())?;
        return Ok(());
    }
    let run = &archive.run;
    let line = |out: &mut dyn Write, name: &str, text: &str| writeln!(out, "{name:<10} {}", visible(text));
    line(out, "run", &run.run)?;
    line(out, "started", &run.started)?;
    line(
        out,
        "ended",
        run.end.as_ref().map_or("not yet; `casebook run --resume` goes on with it", |end| &end.ended),
    )?;
    line(out, "actor", &(actor(run) + if run.actor.confined { "" } else { " (not confined to the tools)" }))?;
    for revision in &run.revisions {
        let text = format!(
            "{} {} ({}, {})",
            revision.revision.short(),
            revision.name,
            revision.organisation,
            revision.release_date
        );
        line(out, "revision", &text)?;
    }
    for pack in &run.packs {
        line(
            out,
            "pack",
            &format!("{} {} ({})", pack.id, pack.version, pack.digest.get(..12).unwrap_or_default()),
        )?;
    }
    line(out, "seed", &run.seed.to_string())?;
    for part in trials.chunk_by(|one, other| place(one) == place(other)) {
        let Some(first) = part.first() else { continue };
        let name = run.revisions.iter().find(|it| it.revision == first.name.revision).map(|it| &it.name);
        let name = name.map_or("", String::as_str);
        let text = format!("{} {name}, {}", first.name.revision.short(), first.name.pack);
        writeln!(out, "\n{}", visible(&text))?;
        out.write_all(trial_table(part).as_bytes())?;
    }
    for (trial, error) in trials.iter().filter_map(|trial| Some((&trial.trial, trial.error.as_ref()?))) {
        let text = format!("{trial} failed: {}", error.lines().collect::<Vec<_>>().join(" "));
        writeln!(out, "{}", visible(&text))?;
    }
    let unfinished = archive.trials.iter().filter(|trial| trial.ending() == Ending::Interrupted).count();
    if archive.open_trials() > 0 {
        writeln!(
            out,
            "{} trials are still to be made ({unfinished} were interrupted)",
            archive.open_trials()
        )?;
    }
    Ok(())
}
