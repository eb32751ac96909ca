//! `casebook keys`: all commands and their keys, from the table that the workbench itself uses.

use super::failure::Failure;
use super::workbench;
use crate::text::json;
use crate::workbench::command::{all, document};
use crate::workbench::keys::{CONTEXTS, DEFAULTS, shown};
use std::io::Write;

/// List the keys of the workbench, and the commands that they give.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook keys                       keys by context, your own included
  casebook keys --commands            every command with its arguments
  casebook keys --default > ~/.config/casebook/keys.toml")]
pub(super) struct Arguments {
    /// List commands instead of keys
    #[arg(long, conflicts_with = "default")]
    commands: bool,
    /// Print the default keymap as a file to begin your own from
    #[arg(long)]
    default: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "default")]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    if arguments.default {
        out.write_all(DEFAULTS.as_bytes())?;
        return Ok(());
    }
    if arguments.commands {
        return commands(arguments.json, out);
    }
    let own = workbench::own_settings()?;
    if arguments.json {
        out.write_all(json::pretty(&own.keymap.document())?.as_bytes())?;
        return Ok(());
    }
    for context in CONTEXTS {
        let bindings: Vec<_> =
            own.keymap.bindings().iter().filter(|binding| binding.context.name == context.name).collect();
        if bindings.is_empty() {
            continue;
        }
        writeln!(out, "{} [{}]", context.title, context.name)?;
        for binding in bindings {
            let arguments: Vec<String> =
                binding.gives.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let when = match binding.when.text() {
                "" => String::new(),
                when => format!("  (when {when})"),
            };
            writeln!(
                out,
                "  {:<16} {} {}{when}",
                shown(&binding.keys),
                binding.gives.command,
                arguments.join(" ")
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn commands(as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if as_json {
        out.write_all(json::pretty(&document())?.as_bytes())?;
        return Ok(());
    }
    for group in all() {
        writeln!(out, "{}", group.title)?;
        for command in group.commands {
            writeln!(out, "  {:<26} {}", command.id, command.doc)?;
            for argument in command.arguments {
                let needed = if argument.required { "" } else { ", optional" };
                writeln!(out, "      {:<22} {} ({}{needed})", argument.name, argument.doc, argument.wants())?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
