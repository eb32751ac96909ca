//! `casebook completions` and `casebook man`: made from the definition of the command line.

use super::definition;
use super::failure::Failure;
use std::io::Write;

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook completions bash > ~/.local/share/bash-completion/completions/casebook
  casebook completions zsh > ~/.zfunc/_casebook
  casebook completions fish > ~/.config/fish/completions/casebook.fish")]
pub(super) struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition(), "casebook", &mut text);
    out.write_all(&text)?;
    Ok(())
}
