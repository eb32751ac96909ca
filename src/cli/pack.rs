//! `casebook pack`: list, show, check, and begin a new one.

use super::failure::Failure;
use super::output_width::output_width;
use super::pack_vault;
use crate::domain::{Complexity, Value};
use crate::pack::{Pack, embedded, find};
use crate::text::grid::grid;
use crate::text::json;
use crate::text::visible::visible;
use clap::Subcommand;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `casebook pack`.
#[derive(Debug, clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the built-in packs.
    #[command(after_help = "Example:\n  casebook pack list --json")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show what a pack is: version, digest, prompts, rubric, counts.
    #[command(after_help = "Example:\n  casebook pack show visibility")]
    Show {
        /// A name, or the folder of a pack
        pack: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Prove a pack: its files, its references on every snapshot, its truth; exit code 1 if anything is wrong.
    #[command(after_help = "\
Examples:
  casebook pack check visibility
  casebook pack check ./my-pack --write-truth")]
    Check {
        /// A name, or the folder of a pack
        pack: String,
        /// Write the truth that the references give into the pack's folder, if nothing else is wrong
        #[arg(long)]
        write_truth: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the commented beginning of a pack into a new folder.
    #[command(
        after_help = "Example:\n  casebook pack new ./my-pack && casebook pack check ./my-pack --write-truth"
    )]
    New {
        /// The folder; it must not exist
        folder: PathBuf,
    },
}

/// Runs the action.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.action {
        Action::List { json } => list(*json, out),
        Action::Show { pack, json } => show(&open(pack)?, *json, out),
        Action::Check { pack, write_truth, json } => pack_vault::check(pack, *write_truth, *json, out),
        Action::New { folder } => pack_vault::begin(folder, out),
    }
}

/// A pack by name or folder.
pub(super) fn open(pack: &str) -> Result<Pack, Failure> {
    find(pack).map_err(|problem| Failure::input(&problem))
}

fn object(pack: &Pack) -> serde_json::Value {
    json!({"id": pack.id, "version": pack.version, "title": pack.title, "description": pack.description,
        "access": pack.access, "practice": pack.practice, "tasks": pack.tasks.len(), "snapshots": pack.snapshots,
        "digest": pack.digest, "rubric_version": pack.rubric_version})
}

fn list(as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let packs = embedded().map_err(|problem| Failure::input(&problem))?;
    if as_json {
        out.write_all(json::pretty(&packs.iter().map(object).collect::<Vec<_>>())?.as_bytes())?;
        return Ok(());
    }
    let text = |text: &str| Value::Text(text.to_owned());
    let rows: Vec<Vec<Value>> = packs
        .iter()
        .map(|pack| {
            let tasks = i64::try_from(pack.tasks.len()).unwrap_or(i64::MAX);
            vec![
                text(&pack.id),
                text(&pack.version),
                Value::Integer(tasks),
                text(&pack.snapshots.join(", ")),
                text(&pack.description),
            ]
        })
        .collect();
    let columns = ["pack", "version", "tasks", "snapshots", "description"].map(str::to_owned);
    out.write_all(grid(&columns, &rows, output_width()).as_bytes())?;
    Ok(())
}

fn show(pack: &Pack, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if as_json {
        let mut object = object(pack);
        object["system_prompt"] = json!(pack.system_prompt);
        object["brief_layout"] = json!(pack.brief_layout);
        object["rubric"] = json!(pack.rubric);
        out.write_all(json::pretty(&object)?.as_bytes())?;
        return Ok(());
    }
    let of = |wanted: Complexity| pack.tasks.iter().filter(|(task, _)| task.complexity == wanted).count();
    let cross = pack.tasks.iter().filter(|(task, _)| task.is_cross_vendor()).count();
    let access = serde_json::to_value(pack.access)?;
    for (label, value) in [
        ("pack", format!("{} {}  {}", pack.id, pack.version, pack.title)),
        ("about", pack.description.clone()),
        ("access", access.as_str().unwrap_or_default().to_owned()),
        ("snapshots", pack.snapshots.join(", ")),
        (
            "tasks",
            format!(
                "{}: {} easy, {} medium, {} hard; {cross} across vendors",
                pack.tasks.len(),
                of(Complexity::Easy),
                of(Complexity::Medium),
                of(Complexity::Hard)
            ),
        ),
        ("rubric", format!("version {}, {} judged criteria", pack.rubric_version, pack.rubric.len())),
        ("digest", pack.digest.clone()),
    ] {
        writeln!(out, "{label:<10} {}", visible(&value))?;
    }
    Ok(())
}
