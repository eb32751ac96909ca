//! `casebook import`: traces of other programs as an evidence archive.

use super::choose_run::{failure, runs_folder};
use super::choose_snapshot::store;
use super::failure::Failure;
use super::watched::watched;
use crate::archive::Secrets;
use crate::archive::import::{ForeignFile, Strictness};
use crate::archive::imported::{ImportPlan, ImportReport, ImportRunError, SourceRecord, import_run};
use crate::domain::foreign::Loss;
use crate::domain::is_short_name;
use crate::text::json;
use crate::text::visible::visible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Lines of each part of a report that are printed without --loss.
const FEW: usize = 5;

/// Arguments of `casebook import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook import log.eval --out ./run-1
  casebook import *.trajectory.json --strict
  casebook import traces.jsonl --loss                everything that was lost, missing or wrong
  casebook import log.eval --check --json            only look, write nothing

Formats, found by the contents: Inspect .eval and JSON, ATIF 1.0 to 1.8, OTLP/JSON and JSONL GenAI spans, OpenAI chat and
Responses JSONL, SWE-agent and mini-swe-agent trajectories. The archive verifies, replays and shows like any other run.")]
#[allow(clippy::struct_excessive_bools)] // flags of a command
pub(super) struct Arguments {
    /// Files of any of the formats; all become trials of one run
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Folder for the run: new or empty [default: one in the data folder]
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Pack that the tasks belong to
    #[arg(long, value_name = "NAME", default_value = "imported")]
    pack: String,
    /// Refuse what breaks a rule of its format, with the reason
    #[arg(long)]
    strict: bool,
    /// Only read everything and report; write nothing
    #[arg(long)]
    check: bool,
    /// Print all of what was lost, missing or wrong
    #[arg(long)]
    loss: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Imports, and prints what came of it.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    if !is_short_name(&arguments.pack) {
        let text = "a pack's name must be lower-case letters, digits, '-', '_' and '.', 64 at most";
        return Err(Failure::Input(format!("'{}' can't be the name of a pack: {text}", arguments.pack)));
    }
    if arguments.check {
        return check(arguments, out);
    }
    let folder = match (&arguments.out, runs_folder()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(runs)) => free(&runs, &run_name(&arguments.files)),
        (None, None) => {
            return Err(Failure::Input("there is no data folder for the run; give --out DIR".to_owned()));
        }
    };
    let report = import_into(&arguments.files, &folder, &arguments.pack, strictness(arguments.strict))?;
    if arguments.json {
        out.write_all(json::pretty(&report)?.as_bytes())?;
    } else {
        print(&report, arguments.loss, out)?;
    }
    Ok(())
}

const fn strictness(strict: bool) -> Strictness {
    if strict { Strictness::Strict } else { Strictness::Lenient }
}

/// Imports files into a folder, with a line that tells how far it is.
pub(super) fn import_into(
    files: &[PathBuf],
    folder: &Path,
    pack: &str,
    strictness: Strictness,
) -> Result<ImportReport, Failure> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let store = store();
    let plan = ImportPlan {
        files,
        folder,
        name: run_name(files),
        pack: pack.to_owned(),
        strictness,
        store: &store,
        secrets: Secrets::of_environment(variables),
        now: jiff::Timestamp::now().to_string(),
    };
    let (stopped, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let text = || format!("{} trials imported", done.load(Ordering::Relaxed));
    let go_on = |now: u64| {
        done.store(now, Ordering::Relaxed);
        !stopped.load(Ordering::Relaxed)
    };
    watched(text, || stopped.store(true, Ordering::Relaxed), || import_run(&plan, &go_on)).map_err(|error| {
        match error {
            ImportRunError::Stopped(_) => Failure::Interrupted(error.to_string()),
            ImportRunError::Archive(error) => failure(&error),
            other => Failure::input(&other),
        }
    })
}

/// The run's name: that of the first file, without its ending.
fn run_name(files: &[PathBuf]) -> String {
    let stem = files.first().and_then(|path| path.file_stem()).unwrap_or_default().to_string_lossy();
    let fits = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(fits).take(64).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "imported".to_owned() } else { name.to_owned() }
}

fn free(runs: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let names = std::iter::once(name.to_owned()).chain(numbered);
    names.map(|name| runs.join(name)).find(|folder| !folder.exists()).unwrap_or_else(|| runs.join(name))
}

#[derive(serde::Serialize)]
struct Checked {
    file: String,
    format: crate::domain::foreign::ForeignFormat,
    header: crate::domain::foreign::LogHeader,
    trials: usize,
    events: usize,
    unreadable: Vec<String>,
    loss: Loss,
}

/// Reads everything and writes nothing. Exit code 1 if anything could not be read.
fn check(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut sound = true;
    for path in &arguments.files {
        let file =
            ForeignFile::open(path, strictness(arguments.strict)).map_err(|error| Failure::input(&error))?;
        let log = file.log();
        let mut checked = Checked {
            file: log.file.name.clone(),
            format: log.format,
            header: log.header.clone(),
            trials: log.trials.len(),
            events: 0,
            unreadable: Vec::new(),
            loss: file.loss().clone(),
        };
        for nth in 0..log.trials.len() {
            match file.trial(nth) {
                Ok((trial, loss)) => {
                    checked.events += trial.events.len();
                    checked.loss.add(loss);
                }
                Err(error) => checked.unreadable.push(error.to_string()),
            }
        }
        sound &= checked.unreadable.is_empty();
        if arguments.json {
            out.write_all(json::pretty(&checked)?.as_bytes())?;
        } else {
            let text = format!("{log}, {} events", checked.events);
            writeln!(out, "{}", visible(&text))?;
            for reason in &checked.unreadable {
                writeln!(out, "{}", visible(&format!("  can't be read: {reason}")))?;
            }
            write_loss(&checked.loss, arguments.loss, out)?;
        }
    }
    if sound { Ok(()) } else { Err(Failure::Check) }
}

fn print(report: &ImportReport, all: bool, out: &mut dyn Write) -> Result<(), Failure> {
    for source in &report.sources {
        let SourceRecord { name, format, trials, sha256, .. } = source;
        let word = if *trials == 1 { "trial" } else { "trials" };
        let kept = match &source.why_not {
            None => String::new(),
            Some(reason) => format!("; the file itself is not kept: {reason}"),
        };
        let digest = sha256.get(..12).unwrap_or_default();
        writeln!(out, "{}", visible(&format!("{name}: {format}, {trials} {word}, sha256 {digest}{kept}")))?;
    }
    for left in &report.left_out {
        let text = format!("left out: trial {} of {}: {}", left.trial, left.file, left.reason);
        writeln!(out, "{}", visible(&text.lines().collect::<Vec<_>>().join(" ")))?;
    }
    for name in &report.revisions {
        writeln!(out, "revision: {} (in the store)", visible(name))?;
    }
    for text in &report.foreign_revisions {
        writeln!(out, "{}", visible(&format!("revision: {text} is not in the store")))?;
        writeln!(out, "  `casebook snapshot import` brings it in; replay also takes --snapshot FILE")?;
    }
    if report.without_revision > 0 {
        writeln!(out, "revision: {} trials name none; replay needs --against", report.without_revision)?;
    }
    write_loss(&report.loss, all, out)?;
    let place = report.folder.display().to_string();
    writeln!(out, "{}", visible(&format!("imported into {place}: {} trials", report.trials)))?;
    Ok(())
}

/// The report of what was lost: its counts, and the first of each kind.
fn write_loss(loss: &Loss, all: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let most = if all { usize::MAX } else { FEW };
    let mut part = |title: &str, entries: &[(String, u64)], count: u64| -> Result<(), Failure> {
        if entries.is_empty() {
            return Ok(());
        }
        writeln!(out, "{title}: {count}")?;
        for (text, times) in entries.iter().take(most) {
            let times = if *times == 1 { String::new() } else { format!(" ({times} times)") };
            writeln!(out, "{}", visible(&format!("  {text}{times}")))?;
        }
        if entries.len() > most {
            writeln!(out, "  and {} more kinds; --loss lists them", entries.len() - most)?;
        }
        Ok(())
    };
    let most_first = |map: &std::collections::BTreeMap<String, u64>| {
        let mut list: Vec<(String, u64)> = map.iter().map(|(text, count)| (text.clone(), *count)).collect();
        list.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        list
    };
    let sum = |list: &[(String, u64)]| list.iter().map(|(_, count)| count).sum();
    let dropped = most_first(&loss.dropped);
    part("not held by our model (the source file has it)", &dropped, sum(&dropped))?;
    let missing = most_first(&loss.missing);
    part("not recorded", &missing, sum(&missing))?;
    let deviations: Vec<(String, u64)> =
        loss.deviations.iter().map(|it| (format!("{}: {}", it.place, it.what), 1)).collect();
    part("breaks the rules of its format", &deviations, loss.deviation_count())
}
