//! `casebook export`: trials of a run in the formats of other programs.

use super::choose_run::{RunChoice, failure};
use super::failure::Failure;
use crate::archive::export::{atif, chat, inspect_scores};
use crate::archive::imported::read_trial;
use crate::archive::{Archive, TrialRecord};
use crate::domain::foreign::ForeignTrial;
use crate::domain::trial::{ActorKind, Ending};
use crate::harness::definitions;
use crate::text::json;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `casebook export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook export ./run-1 --format atif --out ./trajectories      a file a trial
  casebook export ./run-1 --format chat --answered > train.jsonl
  casebook export ./run-1 --format atif --trial 7784ff6f7d97/visibility/V-AWS-01/1
  casebook export ./run-1 --format inspect-scores                 what Inspect's edit_score takes, an edit a line

atif is ATIF-v1.7; what it has no place for stands in `extra`. Without --out, trials are printed one a line.")]
pub(super) struct Arguments {
    #[command(flatten)]
    run: RunChoice,
    /// Format to write
    #[arg(long, value_enum)]
    format: Format,
    /// Only trials whose name begins so
    #[arg(long, value_name = "NAME")]
    trial: Option<String>,
    /// Only trials that ended with an answer
    #[arg(long)]
    answered: bool,
    /// Folder for ATIF files (new or empty), or the file for lines [default: standard output]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Harbor's trajectories, version 1.7
    Atif,
    /// Chat messages with tools and facts, a trial a line
    Chat,
    /// Scores as edits of an Inspect log, an edit a line
    InspectScores,
}

/// Writes the trials.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let chosen = arguments.run.find_or_import()?;
    let archive = chosen.open()?;
    let trials: Vec<&TrialRecord> = archive
        .trials
        .iter()
        .filter(|trial| {
            arguments.trial.as_ref().is_none_or(|only| trial.name.to_string().starts_with(only.as_str()))
        })
        .filter(|trial| !arguments.answered || trial.ending() == Ending::Answered)
        .collect();
    if trials.is_empty() {
        let reason = "no trial of the run fits; `casebook runs show` lists them";
        return Err(Failure::Input(reason.to_owned()));
    }
    if arguments.format == Format::Atif
        && let Some(folder) = &arguments.out
    {
        return files(&archive, &trials, folder, out);
    }
    let mut lines = Vec::new();
    for trial in &trials {
        let read = read(&archive, trial)?;
        for line in of_trial(&archive, &read, arguments.format) {
            lines.push(json::compact(&line)?);
        }
    }
    let count = lines.len();
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    match &arguments.out {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            let unwritten = |error| Failure::Input(format!("can't write {}: {error}", path.display()));
            std::fs::write(path, text).map_err(unwritten)?;
            writeln!(out, "{count} lines of {} trials", trials.len())?;
        }
    }
    Ok(())
}

fn read(archive: &Archive, trial: &TrialRecord) -> Result<ForeignTrial, Failure> {
    let mut read = read_trial(archive, trial).map_err(|error| failure(&error))?;
    if read.facts.tools.is_empty() && archive.run.actor.kind != ActorKind::Imported {
        read.facts.tools = definitions(archive.run.tools)
            .into_iter()
            .map(|tool| {
                json!({"type": "function", "function": {"name": tool.name, "description": tool.description,
                    "parameters": tool.arguments}})
            })
            .collect();
    }
    Ok(read)
}

fn of_trial(archive: &Archive, trial: &ForeignTrial, format: Format) -> Vec<serde_json::Value> {
    let run = &archive.run;
    match format {
        Format::Atif => vec![atif::trajectory(trial, &run.run)],
        Format::Chat => vec![chat::conversation(trial)],
        Format::InspectScores => {
            let time = run.end.as_ref().map_or(run.started.as_str(), |end| &end.ended);
            inspect_scores::edits(trial, "casebook", &format!("exported from {}", run.run), time)
        }
    }
}

/// A file a trial, named after it.
fn files(
    archive: &Archive,
    trials: &[&TrialRecord],
    folder: &std::path::Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let unwritten = |path: &std::path::Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Failure::Input(format!("can't write {path}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(unwritten(folder))?;
    if std::fs::read_dir(folder).map_err(unwritten(folder))?.next().is_some() {
        return Err(Failure::Input(format!(
            "{} is not empty; choose another folder with --out",
            folder.display()
        )));
    }
    for trial in trials {
        let name = trial.name.to_string().replace('/', "_") + ".trajectory.json";
        let path = folder.join(name);
        let document = atif::trajectory(&read(archive, trial)?, &archive.run.run);
        std::fs::write(&path, json::pretty(&document)?).map_err(unwritten(&path))?;
    }
    let word = if trials.len() == 1 { "trajectory" } else { "trajectories" };
    writeln!(out, "{} {word} in {}", trials.len(), folder.display())?;
    Ok(())
}
