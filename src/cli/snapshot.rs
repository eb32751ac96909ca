//! `casebook snapshot`: list, show, verify, import, export.

use super::choose_snapshot::store;
use super::failure::Failure;
use super::interrupt::Interrupt;
use super::output_width::output_width;
use super::progress::ProgressLine;
use crate::domain::Value;
use crate::snapshot::{
    ExportForm, Facts, ImportError, Manifest, Problem, Progress, Snapshot, Source, export, import,
    verify_folder,
};
use crate::text::grid::grid;
use crate::text::json;
use crate::text::visible::visible;
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

/// Arguments of `casebook snapshot`.
#[derive(Debug, clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the snapshots: built-in ones and those in the store.
    #[command(after_help = "Example:\n  casebook snapshot list --json")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show the manifest of a snapshot.
    #[command(after_help = "Example:\n  casebook snapshot show small")]
    Show {
        /// Name, revision (or its first digits), or SHA-256 of the SQLite file
        name: String,
        /// Print the manifest as JSON
        #[arg(long)]
        json: bool,
    },
    /// Recompute every digest and count of a snapshot; exit code 1 if anything differs.
    #[command(
        after_help = "Examples:\n  casebook snapshot verify small\n  casebook snapshot verify ./package\n  casebook snapshot verify --all"
    )]
    Verify {
        /// Name, revision, or the folder of a package
        #[arg(required_unless_present = "all")]
        name: Option<String>,
        /// Verify all that `list` shows
        #[arg(long, conflicts_with = "name")]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a package, an archive of one, a SQLite database or a folder of CSV files into the store.
    #[command(after_help = "\
Examples:
  casebook snapshot import ./acme.tar
  casebook snapshot import steampipe.sqlite --release-date 2026-06-30 --organisation 'Acme'

The source is only read. Everything is checked first; on any error nothing is left in the store.")]
    Import(ImportArguments),
    /// Invent an enterprise of any size, seed and kind.
    #[command(after_help = "\
Examples:
  casebook snapshot generate --size large --out ./large
  casebook snapshot generate --people 1200 --seed 7 --archetype bank --release-date 2026-06-30 --out ./bank

The same arguments give the same bytes. The defaults are those of the built-in snapshots.")]
    Generate(super::snapshot_generate::Arguments),
    /// Count the mess in generated snapshots, as a Markdown table: wanted and got.
    #[command(after_help = "Example:\n  casebook snapshot rates small medium large")]
    Rates(super::snapshot_rates::Arguments),
    /// Write a snapshot as a package folder, .tar, .zip or plain .sqlite.
    #[command(
        after_help = "Examples:\n  casebook snapshot export small small.zip\n  casebook snapshot export large large.sqlite"
    )]
    Export {
        /// Name, revision, or SHA-256 of the SQLite file
        name: String,
        /// Where to; the ending chooses the form, a folder without one
        target: PathBuf,
        /// The form, whatever the ending
        #[arg(long = "as", value_enum)]
        form: Option<Form>,
        /// Replace what is there
        #[arg(long)]
        force: bool,
    },
}

#[derive(Debug, clap::Args)]
struct ImportArguments {
    /// A package folder, .tar, .tar.zst or .zip, a SQLite database, or a folder of CSV files
    path: PathBuf,
    /// Short name [default: from the file's name]
    #[arg(long)]
    name: Option<String>,
    /// Name of the organisation [default: the short name]
    #[arg(long)]
    organisation: Option<String>,
    /// "Today" of the data, YYYY-MM-DD; needed for a database or CSV files
    #[arg(long, value_name = "DATE")]
    release_date: Option<jiff::civil::Date>,
    /// An e-mail domain of the company; may be repeated
    #[arg(long = "domain", value_name = "DOMAIN")]
    domains: Vec<String>,
    /// A JSON object of table name to one-sentence description
    #[arg(long, value_name = "FILE.json")]
    descriptions: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    Folder,
    Tar,
    Zip,
    Sqlite,
}

/// Runs the action.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.action {
        Action::List { json } => list(*json, out),
        Action::Show { name, json } => show(name, *json, out),
        Action::Verify { name, json, .. } => verify(name.as_deref(), *json, out),
        Action::Import(arguments) => take_in(arguments, out),
        Action::Generate(arguments) => super::snapshot_generate::run(arguments, out),
        Action::Rates(arguments) => super::snapshot_rates::run(arguments, out),
        Action::Export { name, target, form, force } => {
            let snapshot = find(name)?;
            let form = match form {
                None => ExportForm::of(target),
                Some(Form::Folder) => ExportForm::Folder,
                Some(Form::Tar) => ExportForm::Tar,
                Some(Form::Zip) => ExportForm::Zip,
                Some(Form::Sqlite) => ExportForm::Sqlite,
            };
            export(&snapshot, target, form, *force).map_err(|error| Failure::input(&error))?;
            writeln!(
                out,
                "wrote {} to {}",
                visible(&snapshot.manifest.name),
                visible(&target.to_string_lossy())
            )?;
            Ok(())
        }
    }
}

fn find(name: &str) -> Result<Snapshot, Failure> {
    store().find(name).map_err(|error| Failure::input(&error))
}

const fn place(source: &Source) -> &'static str {
    match source {
        Source::Embedded(_) => "built in",
        Source::Folder(_) => "store",
    }
}

fn rows_in(manifest: &Manifest) -> u64 {
    manifest.tables.iter().map(|table| table.rows).sum()
}

fn list(as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let entries = store().list().map_err(|error| Failure::input(&error))?;
    if as_json {
        let objects: Vec<_> = entries
            .iter()
            .map(|entry| match &entry.snapshot {
                Ok(snapshot) => json!({
                    "name": snapshot.manifest.name,
                    "revision": entry.revision,
                    "organisation": snapshot.manifest.organisation,
                    "release_date": snapshot.manifest.release_date,
                    "tables": snapshot.manifest.tables.len(),
                    "rows": rows_in(&snapshot.manifest),
                    "bytes": snapshot.manifest.sqlite.bytes,
                    "place": place(&snapshot.source),
                }),
                Err(error) => json!({"revision": entry.revision, "broken": error.to_string()}),
            })
            .collect();
        out.write_all(json::pretty(&objects)?.as_bytes())?;
        return Ok(());
    }
    let text = |text: String| Value::Text(text);
    let number = |number: u64| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let rows: Vec<Vec<Value>> = entries
        .iter()
        .map(|entry| match &entry.snapshot {
            Ok(snapshot) => {
                let manifest = &snapshot.manifest;
                vec![
                    text(manifest.name.clone()),
                    text(entry.revision.short()),
                    text(manifest.organisation.clone()),
                    text(manifest.release_date.to_string()),
                    number(manifest.tables.len() as u64),
                    number(rows_in(manifest)),
                    text(place(&snapshot.source).to_owned()),
                ]
            }
            Err(error) => {
                let mut row =
                    vec![text("(broken)".to_owned()), text(entry.revision.short()), text(error.to_string())];
                row.resize(7, text(" ".to_owned()));
                row
            }
        })
        .collect();
    let columns = ["name", "revision", "organisation", "today", "tables", "rows", "place"].map(str::to_owned);
    out.write_all(grid(&columns, &rows, output_width()).as_bytes())?;
    Ok(())
}

fn show(name: &str, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let snapshot = find(name)?;
    let manifest = &snapshot.manifest;
    if as_json {
        out.write_all(json::pretty(manifest)?.as_bytes())?;
        return Ok(());
    }
    let size = |bytes: u64| {
        if bytes < 1 << 20 { format!("{} KiB", bytes.div_ceil(1024)) } else { format!("{} MiB", bytes >> 20) }
    };
    let mut facts = vec![
        ("name", manifest.name.clone()),
        ("organisation", manifest.organisation.clone()),
        ("today", manifest.release_date.to_string()),
        ("revision", manifest.revision.to_string()),
        ("place", place(&snapshot.source).to_owned()),
        ("database", size(manifest.sqlite.bytes)),
        ("SHA-256", manifest.sqlite.sha256.clone()),
        ("compressed", size(manifest.compressed.bytes)),
    ];
    let optional = [
        ("size", manifest.size.clone()),
        ("seed", manifest.seed.map(|seed| seed.to_string())),
        ("generator", manifest.generator.clone()),
    ];
    facts.extend(optional.into_iter().filter_map(|(label, value)| Some((label, value?))));
    if !manifest.company_domains.is_empty() {
        facts.push(("domains", manifest.company_domains.join(", ")));
    }
    facts.extend(manifest.notes.iter().map(|note| ("note", note.clone())));
    for (label, value) in facts {
        writeln!(out, "{label:<13} {}", visible(&value))?;
    }
    writeln!(out)?;
    let rows: Vec<Vec<Value>> = manifest
        .tables
        .iter()
        .map(|table| {
            vec![
                Value::Text(table.name.clone()),
                Value::Integer(i64::try_from(table.rows).unwrap_or(i64::MAX)),
                Value::Integer(i64::try_from(table.columns.len()).unwrap_or(i64::MAX)),
                Value::Text(if table.description.is_empty() {
                    " ".to_owned()
                } else {
                    table.description.clone()
                }),
            ]
        })
        .collect();
    let columns = ["table", "rows", "columns", "description"].map(str::to_owned);
    out.write_all(grid(&columns, &rows, output_width()).as_bytes())?;
    Ok(())
}

fn verify(name: Option<&str>, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut verified: Vec<(String, Vec<Problem>)> = Vec::new();
    match name {
        // A path is one only where it looks like one, so that a folder called like a snapshot does not hide it.
        Some(name) if name.contains(std::path::MAIN_SEPARATOR) || name == "." => {
            let folder = PathBuf::from(name);
            if !folder.is_dir() {
                return Err(Failure::Input(format!("'{name}' is no folder of a package")));
            }
            verified.push((name.to_owned(), verify_folder(&folder)));
        }
        Some(name) => {
            let snapshot = find(name)?;
            verified.push((snapshot.manifest.name.clone(), snapshot.problems()));
        }
        None => {
            for entry in store().list().map_err(|error| Failure::input(&error))? {
                verified.push(match entry.snapshot {
                    Ok(snapshot) => (
                        format!("{} {}", snapshot.manifest.name, entry.revision.short()),
                        snapshot.problems(),
                    ),
                    Err(error) => {
                        let file = crate::snapshot::MANIFEST_FILE.to_owned();
                        (entry.revision.short(), vec![Problem { file, error }])
                    }
                });
            }
        }
    }
    if as_json {
        let problem = |problem: &Problem| json!({"file": problem.file, "error": problem.error.to_string()});
        let objects: Vec<_> = verified
            .iter()
            .map(|(name, problems)| {
                json!({"snapshot": name, "sound": problems.is_empty(),
                    "problems": problems.iter().map(problem).collect::<Vec<_>>()})
            })
            .collect();
        out.write_all(json::pretty(&objects)?.as_bytes())?;
    } else {
        for (name, problems) in &verified {
            if problems.is_empty() {
                writeln!(out, "{}: sound", visible(name))?;
            }
            for problem in problems {
                writeln!(
                    out,
                    "{}: {}: {}",
                    visible(name),
                    problem.file,
                    visible(&problem.error.to_string())
                )?;
            }
        }
    }
    if verified.iter().all(|(_, problems)| problems.is_empty()) { Ok(()) } else { Err(Failure::Check) }
}

fn take_in(arguments: &ImportArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let facts = Facts {
        name: arguments.name.clone(),
        organisation: arguments.organisation.clone(),
        release_date: arguments.release_date,
        company_domains: arguments.domains.clone(),
        descriptions: arguments.descriptions.as_ref().map(descriptions).transpose()?.unwrap_or_default(),
    };
    let interrupt = Interrupt::listen();
    let mut line = ProgressLine::new();
    let outcome =
        import(&store(), &arguments.path, &facts, SystemTime::now(), &mut |progress: Progress<'_>| {
            let percent = (progress.done * 100).checked_div(progress.total);
            line.show(&percent.map_or_else(
                || progress.step.to_owned(),
                |percent| format!("{} {percent} %", progress.step),
            ));
            !interrupt.came()
        });
    drop(line);
    let outcome = outcome.map_err(|error| match error {
        ImportError::Cancelled => Failure::Interrupted(error.to_string()),
        other => Failure::input(&other),
    })?;
    let manifest = &outcome.snapshot.manifest;
    if arguments.json {
        let object = json!({"name": manifest.name, "revision": manifest.revision, "tables": manifest.tables.len(),
            "rows": rows_in(manifest), "already_there": outcome.already_there, "notes": outcome.notes});
        out.write_all(json::pretty(&object)?.as_bytes())?;
        return Ok(());
    }
    let verb = if outcome.already_there { "was there already" } else { "imported" };
    writeln!(
        out,
        "{verb}: {} ({}), revision {}, tables: {}, rows: {}",
        manifest.name,
        visible(&manifest.organisation),
        manifest.revision.short(),
        manifest.tables.len(),
        rows_in(manifest)
    )?;
    for note in &outcome.notes {
        writeln!(out, "note: {}", visible(note))?;
    }
    Ok(())
}

fn descriptions(path: &PathBuf) -> Result<BTreeMap<String, String>, Failure> {
    let unusable = |reason: String| {
        Failure::Input(format!("the descriptions '{}' can't be used: {reason}", path.display()))
    };
    let bytes = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| unusable(format!("they are no JSON object of texts: {error}")))
}
