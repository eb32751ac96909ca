//! `casebook man`: manual pages, made from the definition of the command line.

use super::definition;
use super::failure::Failure;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Print the manual page, or write one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook man | man -l -
  casebook man --out ~/.local/share/man/man1")]
pub(super) struct Arguments {
    /// Folder that gets a page for each command
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(folder) = &arguments.out else {
        clap_mangen::Man::new(definition()).render(out)?;
        return Ok(());
    };
    let unwritten = |path: &Path, error: std::io::Error| {
        Failure::Input(format!("can't write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, error))?;
    let mut pages = vec![("casebook".to_owned(), definition())];
    while let Some((name, command)) = pages.pop() {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            pages.push((format!("{name}-{}", below.get_name()), below.clone()));
        }
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        clap_mangen::Man::new(command).title(name).render(&mut page)?;
        std::fs::write(&path, page).map_err(|error| unwritten(&path, error))?;
    }
    writeln!(out, "pages are in {}", folder.display())?;
    Ok(())
}
