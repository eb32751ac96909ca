//! `casebook practice`: the workbench on one task.

use super::failure::Failure;
use super::workbench;
use crate::pack::{embedded, find};
use crate::workbench::command::Invocation;
use std::io::Write;

/// Open the workbench on a case, as practice.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook practice                the practice cases
  casebook practice P-01           begins a practice case, or goes on with it
  casebook practice C-LV-01        any other case, as practice: hints and feedback, never counted as scored")]
pub(super) struct Arguments {
    /// The task; without one the practice cases are listed
    task: Option<String>,
    /// Snapshot by name [default: the pack's first]
    #[arg(long, value_name = "NAME")]
    snapshot: Option<String>,
    #[command(flatten)]
    workbench: workbench::WorkbenchChoice,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(task) = &arguments.task else {
        let wanted = Invocation::of("cases.filter").with("by", "pack").with("value", "practice");
        return workbench::open(&arguments.workbench, Some(wanted), out);
    };
    let mut packs = embedded().map_err(|problem| Failure::Input(problem.to_string()))?;
    for folder in &arguments.workbench.pack {
        packs.push(find(folder).map_err(|problem| Failure::Input(problem.to_string()))?);
    }
    if packs.iter().all(|pack| pack.task(task).is_none()) {
        return Err(Failure::Input(format!("no task '{task}'; `casebook tasks` lists them")));
    }
    let mut wanted = Invocation::of("cases.start").with("task", task.as_str()).with("mode", "practice");
    if let Some(snapshot) = &arguments.snapshot {
        wanted = wanted.with("snapshot", snapshot.as_str());
    }
    workbench::open(&arguments.workbench, Some(wanted), out)
}
