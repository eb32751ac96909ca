//! `casebook doctor`: what this machine and this terminal give, and what is wrong.

use super::failure::Failure;
use super::workbench;
use crate::query::{EngineHost, Environment, FrozenDatabase, Limits};
use crate::screen::theme::{Depth, SymbolChoice, Symbols};
use crate::services::{config_folder, read_settings};
use crate::snapshot::{Store, data_folder};
use crate::terminal::size;
use crate::text::visible::visible;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

/// Look at folders, settings, snapshots, packs and the terminal, and say what is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  casebook doctor                     exit code 1 where something is wrong")]
pub(super) struct Arguments {}

/// Lines of the report, and whether all is well.
struct Report<'o> {
    out: &'o mut dyn Write,
    faults: u32,
}

impl Report<'_> {
    fn good(&mut self, what: &str, says: &str) -> io::Result<()> {
        writeln!(self.out, "ok    {what:<12} {}", visible(says))
    }

    fn bad(&mut self, what: &str, says: &str) -> io::Result<()> {
        self.faults += 1;
        writeln!(self.out, "wrong {what:<12} {}", visible(says))
    }
}

pub(super) fn run(_: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut report = Report { out, faults: 0 };
    let build = if crate::pack::HAS_VAULTS { "" } else { " (agent-host: no vaults)" };
    report.good("casebook", &format!("{}{build}", env!("CARGO_PKG_VERSION")))?;
    folders(&mut report)?;
    settings(&mut report)?;
    contents(&mut report)?;
    isolation(&mut report)?;
    terminal(&mut report)?;
    if report.faults == 0 { Ok(()) } else { Err(Failure::Check) }
}

fn folders(report: &mut Report<'_>) -> io::Result<()> {
    match data_folder(|name| std::env::var_os(name)) {
        None => report.bad("data", "there is no folder for data: set CASEBOOK_DATA_DIR or HOME"),
        Some(folder) => match can_write(&folder) {
            Ok(()) => report.good("data", &folder.display().to_string()),
            Err(error) => report.bad(
                "data",
                &format!("{} can't be written: {error}; set CASEBOOK_DATA_DIR", folder.display()),
            ),
        },
    }
}

/// Whether a file can be made in a folder, or in what would hold it.
fn can_write(folder: &Path) -> io::Result<()> {
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(folder);
    tempfile::tempfile_in(there).map(drop)
}

fn settings(report: &mut Report<'_>) -> io::Result<()> {
    let folder = config_folder(|name| std::env::var_os(name));
    let shown = folder.as_ref().map_or_else(|| "none".to_owned(), |folder| folder.display().to_string());
    match read_settings(folder.as_deref()) {
        Ok(own) => {
            let mut problems = own.problems.clone();
            let library = workbench::library(&own, &mut problems);
            report.good(
                "settings",
                &format!("{shown}, {} themes, {} keys", library.all().len(), own.keymap.bindings().len()),
            )?;
            for problem in problems {
                report.bad("settings", &problem)?;
            }
            Ok(())
        }
        Err(error) => report.bad("keys", &error.to_string()),
    }
}

fn contents(report: &mut Report<'_>) -> io::Result<()> {
    match crate::pack::embedded() {
        Ok(packs) => {
            let tasks: usize = packs.iter().map(|pack| pack.tasks.len()).sum();
            report.good("packs", &format!("{} with {tasks} tasks", packs.len()))?;
        }
        Err(problem) => report.bad("packs", &problem.to_string())?,
    }
    match Store::new(data_folder(|name| std::env::var_os(name)).as_deref()).list() {
        Ok(entries) => {
            let broken: Vec<_> =
                entries.iter().filter_map(|it| it.snapshot.as_ref().err().map(|error| (it, error))).collect();
            report.good("snapshots", &format!("{}", entries.len() - broken.len()))?;
            for (entry, error) in broken {
                report.bad("snapshots", &format!("{}: {error}", entry.revision.short()))?;
            }
            Ok(())
        }
        Err(error) => report.bad("snapshots", &error.to_string()),
    }
}

/// Starts a worker, and asks what the kernel did not take from it.
fn isolation(report: &mut Report<'_>) -> io::Result<()> {
    match try_worker() {
        Ok(lacks) if lacks.is_empty() => {
            report.good("isolate", "a worker starts, without files, network and new processes")
        }
        Ok(lacks) => report.good("isolate", &format!("a worker starts, but {}", lacks.join("; "))),
        Err(reason) => report.bad("isolate", &reason),
    }
}

fn try_worker() -> Result<Vec<String>, String> {
    let frozen = FrozenDatabase::from_statements("").map_err(|error| error.to_string())?;
    let environment = Environment { today: jiff::civil::date(2000, 1, 1), seed: 0 };
    let engine = EngineHost::isolated(true).open(&frozen, environment, &Limits::default());
    engine.map(|mut engine| engine.take_notices()).map_err(|error| error.to_string())
}

fn terminal(report: &mut Report<'_>) -> io::Result<()> {
    let environment = workbench::environment();
    let term = environment.get("TERM").map_or("not set", String::as_str);
    let depth = Depth::choose(None, &environment);
    let signs = if Symbols::choose(SymbolChoice::Auto, &environment) == Symbols::UNICODE {
        "Unicode"
    } else {
        "ASCII"
    };
    report.good("terminal", &format!("TERM {term}, colours {}, signs {signs}", depth.name()))?;
    if !io::stdout().is_terminal() {
        return report.good("screen", "the output is no terminal; --plain and headless work without one");
    }
    match size::of(io::stdout()) {
        Some(size) if size.columns < 60 || size.rows < 16 => {
            report.bad("screen", &format!("{} × {}; 60 × 16 is the least", size.columns, size.rows))
        }
        Some(size) => report.good("screen", &format!("{} × {}", size.columns, size.rows)),
        None => report.good("screen", "its size is not known; it is asked for"),
    }
}
