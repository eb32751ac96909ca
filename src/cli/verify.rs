//! `casebook verify`: whether a run is what was written, and whole.

use super::choose_run::{RunChoice, failure};
use super::choose_snapshot::store;
use super::failure::Failure;
use super::watched::watched;
use crate::archive::{Finding, FindingKind, RunFile, VerifyReport, verify};
use crate::text::json;
use crate::text::visible::visible;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `casebook verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook verify ./run-1
  casebook verify ./run-1 --json | jq '.findings[]'

Every digest, every line of every trace, every answer and every blob is looked at. Exit code 1 if anything was changed, is
missing, or was begun and not ended.")]
pub(super) struct Arguments {
    #[command(flatten)]
    run: RunChoice,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(serde::Serialize)]
struct Printed<'a> {
    sound: bool,
    #[serde(flatten)]
    report: &'a VerifyReport,
    revisions_not_here: Vec<String>,
}

/// Verifies the run and prints what is wrong.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let chosen = arguments.run.find()?;
    let (stopped, at) = (AtomicBool::new(false), Mutex::new(String::new()));
    let text = || format!("verifying {}", at.lock().map(|at| at.clone()).unwrap_or_default());
    let go_on = |what: &str| {
        if let Ok(mut at) = at.lock() {
            what.clone_into(&mut at);
        }
        !stopped.load(Ordering::Relaxed)
    };
    let report = watched(text, || stopped.store(true, Ordering::Relaxed), || verify(&chosen.folder, &go_on))
        .map_err(|error| failure(&error))?
        .ok_or_else(|| Failure::Interrupted("stopped; nothing was changed".to_owned()))?;
    let revisions_not_here = not_here(&chosen.folder);
    if arguments.json {
        let sound = report.findings.is_empty();
        out.write_all(json::pretty(&Printed { sound, report: &report, revisions_not_here })?.as_bytes())?;
    } else {
        for finding in &report.findings {
            writeln!(out, "{}", visible(&line(finding)))?;
        }
        let VerifyReport { trials, lines, blobs, findings, more } = &report;
        if *more > 0 {
            writeln!(out, "and {more} more")?;
        }
        let verdict = match findings.len() {
            0 => "sound".to_owned(),
            1 => "1 finding".to_owned(),
            more => format!("{more} findings"),
        };
        let trials = if *trials == 1 { "1 trial".to_owned() } else { format!("{trials} trials") };
        writeln!(out, "{trials}, {lines} lines, {blobs} blobs: {verdict}")?;
        for revision in revisions_not_here {
            writeln!(
                out,
                "{}",
                visible(&format!("not in the store: {revision}; the run can be read, but not replayed"))
            )?;
        }
    }
    if report.findings.is_empty() { Ok(()) } else { Err(Failure::Check) }
}

fn line(finding: &Finding) -> String {
    let kind = match finding.kind {
        FindingKind::Changed => "changed",
        FindingKind::Missing => "missing",
        FindingKind::Incomplete => "incomplete",
    };
    let place = finding.line.map_or_else(String::new, |line| format!(", line {line}"));
    let trial = finding.trial.as_ref().map_or_else(String::new, |trial| format!(" (trial {trial})"));
    format!("{kind}: {}{place}{trial}: {}", finding.file, finding.reason)
}

/// Revisions of the run that the store does not have.
fn not_here(folder: &std::path::Path) -> Vec<String> {
    let Ok(run) = RunFile::load(folder) else { return Vec::new() };
    let store = store();
    run.revisions
        .iter()
        .filter(|record| store.find(&record.revision.to_string()).is_err())
        .map(|record| format!("{} ({})", record.revision.short(), record.name))
        .collect()
}
