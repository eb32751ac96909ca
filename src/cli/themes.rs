//! `casebook themes`: the themes there are, and whether one of your own is readable.

use super::failure::Failure;
use super::workbench;
use crate::text::visible::visible;
use std::io::Write;

/// List the themes, and check one for contrast.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook themes
  casebook themes --check ledger      every text at least 4.5:1 on its ground

docs/themes.md says how to write one.")]
pub(super) struct Arguments {
    /// Check the contrast of a theme; exit code 1 if it is too low anywhere
    #[arg(long, value_name = "NAME")]
    check: Option<String>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let own = workbench::own_settings()?;
    let mut problems = own.problems.clone();
    let library = workbench::library(&own, &mut problems);
    if let Some(name) = &arguments.check {
        let faults = library.check(name).map_err(|error| Failure::input(&error))?;
        for fault in &faults {
            writeln!(out, "{}", visible(fault))?;
        }
        if faults.is_empty() {
            writeln!(out, "{name}: readable")?;
            return Ok(());
        }
        return Err(Failure::Check);
    }
    for theme in library.all() {
        let title = &theme.title;
        let mode = theme.mode.map_or("", |mode| mode.name());
        writeln!(out, "{:<16} {:<6} {}", visible(&theme.name), mode, visible(title))?;
    }
    for problem in problems {
        writeln!(out, "{}", visible(&problem))?;
    }
    Ok(())
}
