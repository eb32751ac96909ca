//! `casebook pack`: list, show, check, and begin a new one.

use super::choose_snapshot::store;
use super::failure::Failure;
use super::interrupt::Interrupt;
use super::output_width::output_width;
use super::progress::ProgressLine;
use crate::domain::{Complexity, Value};
use crate::pack::vault::truth_file;
use crate::pack::{Pack, PackFiles, embedded, find, write_skeleton};
use crate::scoring::{CheckReport, check_pack};
use crate::text::grid::grid;
use crate::text::json;
use crate::text::visible::visible;
use clap::Subcommand;
use serde_json::json;
use std::io::{self, Write};
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
        Action::Check { pack, write_truth, json } => check(&open(pack)?, *write_truth, *json, out),
        Action::New { folder } => {
            write_skeleton(folder).map_err(|error| {
                Failure::Input(format!(
                    "can't write the pack '{}': {error}; choose a new folder",
                    folder.display()
                ))
            })?;
            let shown = folder.to_string_lossy();
            let shown = visible(&shown);
            writeln!(
                out,
                "wrote a pack of one task to {shown}; casebook pack check {shown} --write-truth proves it"
            )?;
            Ok(())
        }
    }
}

fn open(pack: &str) -> Result<Pack, Failure> {
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

fn check(pack: &Pack, write_truth: bool, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let interrupt = Interrupt::listen();
    let mut line = ProgressLine::new();
    let report = check_pack(pack, &store(), !write_truth, &mut |snapshot, task| {
        line.show(&format!("{snapshot}: {task}"));
        !interrupt.came()
    });
    drop(line);
    if interrupt.came() {
        return Err(Failure::Interrupted("the check was cancelled".to_owned()));
    }
    if write_truth && report.problems.is_empty() {
        store_truth(pack, &report)?;
    }
    if as_json {
        let snapshots: Vec<_> = report
            .snapshots
            .iter()
            .map(|it| {
                json!({"snapshot": it.manifest.name, "revision": it.manifest.revision, "tasks": it.truth.tasks.len(),
                    "truth": it.truth.digest, "slowest": it.slowest,
                    "ways": {"followed": it.ways.followed, "unfollowed": it.ways.unfollowed}})
            })
            .collect();
        let object = json!({"pack": pack.id, "version": pack.version, "right": report.problems.is_empty(),
            "keeps_truth": report.keeps_truth || write_truth, "problems": report.problems, "snapshots": snapshots});
        out.write_all(json::pretty(&object)?.as_bytes())?;
    } else {
        for problem in &report.problems {
            writeln!(out, "{}", visible(&problem.to_string()))?;
        }
        for it in &report.snapshots {
            let subjects: usize = it.truth.tasks.values().map(|truth| truth.subjects().len()).sum();
            let slowest = it
                .slowest
                .as_ref()
                .map_or_else(String::new, |(task, took)| format!(", slowest {task} {took} ms"));
            let ways = match (it.ways.followed, it.ways.unfollowed.len()) {
                (0, 0) => String::new(),
                (followed, 0) => format!(", {followed} other ways"),
                (followed, not) => format!(", {followed} other ways, {not} not followed"),
            };
            writeln!(
                out,
                "{} on {} ({}): {} reference{}, {subjects} subject{}{ways}{slowest}",
                visible(&pack.id),
                visible(&it.manifest.name),
                it.manifest.revision.short(),
                it.truth.tasks.len(),
                plural(it.truth.tasks.len()),
                plural(subjects)
            )?;
        }
        if !report.keeps_truth && !write_truth {
            writeln!(out, "{}: it keeps no answers yet; --write-truth keeps these", visible(&pack.id))?;
        }
        match report.problems.len() {
            0 => writeln!(out, "{}: right", visible(&pack.id))?,
            count => writeln!(out, "{}: {count} problem(s)", visible(&pack.id))?,
        }
    }
    if report.problems.is_empty() { Ok(()) } else { Err(Failure::Check) }
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Writes the truth beside the pack's other files.
fn store_truth(pack: &Pack, report: &CheckReport) -> Result<(), Failure> {
    let PackFiles::Folder(folder) = &pack.files else {
        return Err(Failure::Input(
            "the truth of a built-in pack is part of the program: give the pack's folder".to_owned(),
        ));
    };
    for it in &report.snapshots {
        let path = folder.join(truth_file(it.manifest.revision));
        let written =
            it.truth.to_file(pack, it.manifest.revision).and_then(|bytes| write_whole(&path, &bytes));
        written.map_err(|error| Failure::Input(format!("can't write '{}': {error}", path.display())))?;
    }
    Ok(())
}

/// Writes a file in one step: it is there whole, or as it was.
fn write_whole(path: &std::path::Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(std::path::Path::new("."));
    std::fs::create_dir_all(folder)?;
    // As readable as the pack's other files, not as private as a temporary one.
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
