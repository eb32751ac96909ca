//! `casebook` without a subcommand: the workbench, in a terminal or line by line.

use super::failure::Failure;
use crate::harness::SystemClock;
use crate::headless::{Clocked, Runner, plain};
use crate::screen::theme::{ChosenTheme, Depth, Environment, Library, SymbolChoice, Symbols, Wanted};
use crate::services::{Config, OwnSettings, Session, config_folder, read_settings};
use crate::snapshot::data_folder;
use crate::terminal::interactive::{Launch, Left, run as run_interactive};
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::settings::Settings;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// How the workbench is opened.
#[derive(Debug, Default, clap::Args)]
pub(super) struct WorkbenchChoice {
    /// Work line by line, without a screen: for screen readers and dumb terminals
    #[arg(long)]
    pub(super) plain: bool,
    /// Theme by name, or dark, light, auto; `casebook themes` lists them
    #[arg(long, value_name = "NAME")]
    pub(super) theme: Option<String>,
    /// Folder of a pack of your own, beside the built-in ones; may be given again
    #[arg(long, value_name = "FOLDER")]
    pub(super) pack: Vec<String>,
}

/// What the configuration folder says.
pub(super) fn own_settings() -> Result<OwnSettings, Failure> {
    let folder = config_folder(|name| std::env::var_os(name));
    read_settings(folder.as_deref()).map_err(|error| Failure::input(&error))
}

/// The environment, as far as it is text.
pub(super) fn environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The themes: built in, and the person's own; what is wrong with these is added to the problems.
pub(super) fn library(own: &OwnSettings, problems: &mut Vec<String>) -> Library {
    let (library, faults) = Library::new(&own.themes);
    problems.extend(faults.into_iter().map(|fault| fault.to_string()));
    library
}

/// A state that has just begun.
pub(super) fn state(own: &OwnSettings, library: &Library, theme: Option<&str>) -> Workbench {
    let settings = Settings {
        mouse: own.file.mouse.unwrap_or(true),
        completion: own.file.completion.unwrap_or(true),
        themes: library.all().iter().map(|file| (file.name.clone(), file.title.clone())).collect(),
        theme: theme.or(own.file.theme.as_deref()).unwrap_or("auto").to_owned(),
        panic_tests: std::env::var_os("CASEBOOK_TEST_PANIC").is_some(),
    };
    Workbench::new(settings, Arc::new(own.keymap.clone()))
}

/// What services need.
pub(super) fn config(own: &OwnSettings, packs: &[String]) -> Config {
    Config {
        data_folder: data_folder(|name| std::env::var_os(name)),
        packs: own.file.packs.iter().chain(packs).cloned().collect(),
        clock: Arc::new(SystemClock::default()),
        person: own.file.name.clone().unwrap_or_default(),
    }
}

/// Opens the workbench; `wanted` is done once the packs are read.
pub(super) fn open(
    arguments: &WorkbenchChoice,
    wanted: Option<Invocation>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let own = own_settings()?;
    let mut problems = own.problems.clone();
    let library = library(&own, &mut problems);
    let mut state = state(&own, &library, arguments.theme.as_deref());
    state.wanted = wanted;
    let config = config(&own, &arguments.pack);
    if arguments.plain {
        let runner = Runner::start(Session::start(state, config), Clocked::Real);
        return Ok(plain::run(runner, &problems, &mut io::stdin().lock(), out)?);
    }
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return Err(Failure::Input(
            "the workbench needs a terminal; `casebook --plain` works line by line, `casebook headless` is driven by JSON \
             lines, and `casebook --help` lists all commands"
                .to_owned(),
        ));
    }
    let environment = environment();
    let symbols = own.file.symbols.as_deref().and_then(SymbolChoice::named).unwrap_or_default();
    let symbols = Symbols::choose(symbols, &environment);
    let depth = Depth::choose(own.file.colours.as_deref().and_then(Depth::named), &environment);
    let wanted = Wanted {
        theme: Some(state.settings.theme.clone()),
        dark: own.file.dark_theme.clone(),
        light: own.file.light_theme.clone(),
    };
    let term = environment.get("TERM").cloned();
    let theme = ChosenTheme::new(library, wanted, depth, symbols, environment);
    let report = config.data_folder.clone().unwrap_or_else(std::env::temp_dir).join("panic.txt");
    let left = run_interactive(Launch { state, config, theme, term, report, problems })
        .map_err(|error| Failure::Input(format!("the terminal can't be used: {error}")))?;
    finished(&left)
}

fn finished(left: &Left) -> Result<(), Failure> {
    for problem in &left.problems {
        // Nothing is left to do where stderr can't be written.
        let _ = writeln!(io::stderr(), "casebook: {}", crate::text::visible::visible(problem));
    }
    if left.code == 0 { Ok(()) } else { Err(Failure::Signal(left.code)) }
}

/// Where a log goes.
pub(super) fn create_log(path: &PathBuf) -> Result<std::fs::File, Failure> {
    std::fs::File::create(path)
        .map_err(|error| Failure::Input(format!("can't write {}: {error}", path.display())))
}
