//! The command line: one file a subcommand. Each turns arguments into a library call and its answer into output.
//!
//! Not here: logic. Output goes through writers, so that a closed pipe is an ending and not a panic.

#[cfg(not(feature = "vault"))]
mod absent;
mod analyze;
mod choose_run;
mod choose_snapshot;
mod completions;
mod doctor;
mod export;
mod failure;
mod headless;
mod import;
mod interrupt;
mod keys;
mod man;
mod mcp;
mod mcp_attach;
mod output_width;
mod pack;
#[cfg(feature = "vault")]
mod pack_vault;
mod practice;
mod progress;
mod query;
mod replay;
mod run;
mod runs;
mod schema;
mod snapshot;
#[cfg(feature = "vault")]
mod snapshot_generate;
#[cfg(feature = "vault")]
mod snapshot_rates;
mod tasks;
#[cfg(feature = "vault")]
mod tasks_vault;
mod themes;
mod verify;
mod watched;
mod workbench;

use crate::query::isolate;
#[cfg(not(feature = "vault"))]
use absent::{pack_vault, snapshot_generate, snapshot_rates, tasks_vault};
use clap::{CommandFactory as _, Parser, Subcommand};
use failure::Failure;
use std::io;
use std::process::ExitCode;

/// Investigate a frozen enterprise with SQL; every attempt becomes evidence that replays.
#[derive(Debug, Parser)]
#[command(name = "casebook", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  casebook                                 the workbench: pick a case, write SQL, answer
  casebook practice P-01                   the same, on one practice case
  casebook schema                          tables and columns of the built-in snapshot
  casebook query \"SELECT count(*) FROM okta_user\"
  casebook tasks --complexity hard         questions to answer
  casebook snapshot list

Exit codes: 0 done, 1 a check failed, 2 usage, 3 input unusable, 4 an outside service failed, 130 stopped by Ctrl-C.
CASEBOOK_DATA_DIR sets the folder for imported data.")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    workbench: workbench::WorkbenchChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the workbench on a case, as practice.
    Practice(practice::Arguments),
    /// Drive the workbench by JSON lines.
    Headless(headless::Arguments),
    /// Print the schema document: tables, row counts, columns.
    Schema(schema::Arguments),
    /// Run one SQL statement on a private copy of a snapshot.
    Query(query::Arguments),
    /// Say what statements read and how they join, without running them.
    Analyze(analyze::Arguments),
    /// List the tasks of the packs, and show one.
    Tasks(tasks::Arguments),
    /// List, show, check and begin packs of tasks.
    Pack(pack::Arguments),
    /// Run an actor over tasks into an evidence archive.
    Run(Box<run::Arguments>),
    /// Serve tasks to any client of the Model Context Protocol.
    Mcp(mcp::Arguments),
    /// List runs, and show one.
    Runs(runs::Arguments),
    /// Verify a run: every digest, line, answer and blob.
    Verify(verify::Arguments),
    /// Step through a trace; with --check repeat every statement on the revision it saw, and compare.
    Replay(replay::Arguments),
    /// Take traces of other programs into an evidence archive.
    Import(import::Arguments),
    /// Write trials of a run in the formats of other programs.
    Export(export::Arguments),
    /// List, show, verify, import, export and generate snapshots.
    Snapshot(snapshot::Arguments),
    /// List the keys of the workbench, and its commands.
    Keys(keys::Arguments),
    /// List the themes, and check one for contrast.
    Themes(themes::Arguments),
    /// Say what this machine and terminal give, and what is wrong.
    Doctor(doctor::Arguments),
    /// Print completions for a shell.
    Completions(completions::Arguments),
    /// Print the manual page.
    Man(man::Arguments),
}

/// Runs the program and gives its exit code.
pub fn main() -> ExitCode {
    // Before anything else: a worker opens nothing that it does not need, and starts for each trial.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == isolate::WORKER_ARGUMENT) {
        return isolate::serve();
    }
    crate::query::count_memory_by_statement();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap prints help and version to stdout (code 0) and mistakes to stderr (code 2).
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let Some(command) = arguments.command else {
        return ended(workbench::open(&arguments.workbench, None, &mut out), &mut out);
    };
    let result = match command {
        Command::Practice(arguments) => practice::run(&arguments, &mut out),
        Command::Headless(arguments) => headless::run(&arguments, &mut out),
        Command::Keys(arguments) => keys::run(&arguments, &mut out),
        Command::Themes(arguments) => themes::run(&arguments, &mut out),
        Command::Doctor(arguments) => doctor::run(&arguments, &mut out),
        Command::Completions(arguments) => completions::run(&arguments, &mut out),
        Command::Man(arguments) => man::run(&arguments, &mut out),
        Command::Schema(arguments) => schema::run(&arguments, &mut out),
        Command::Query(arguments) => query::run(&arguments, &mut out),
        Command::Analyze(arguments) => analyze::run(&arguments, &mut out),
        Command::Tasks(arguments) => tasks::run(&arguments, &mut out),
        Command::Pack(arguments) => pack::run(&arguments, &mut out),
        Command::Run(arguments) => run::run(&arguments, &mut out),
        Command::Mcp(arguments) => mcp::run(&arguments, &mut out),
        Command::Runs(arguments) => runs::run(&arguments, &mut out),
        Command::Verify(arguments) => verify::run(&arguments, &mut out),
        Command::Replay(arguments) => replay::run(&arguments, &mut out),
        Command::Import(arguments) => import::run(&arguments, &mut out),
        Command::Export(arguments) => export::run(&arguments, &mut out),
        Command::Snapshot(arguments) => snapshot::run(&arguments, &mut out),
    };
    ended(result, &mut out)
}

/// Flushes what was printed, and gives the exit code.
fn ended(result: Result<(), Failure>, out: &mut dyn io::Write) -> ExitCode {
    let result = result.and_then(|()| out.flush().map_err(Failure::from));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // What was printed before the failure is still worth having.
            let _ = out.flush();
            failure.report()
        }
    }
}

/// Threads for work that can be shared: one a processor.
fn jobs() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

/// The command's definition, for tests of its help.
pub fn definition() -> clap::Command {
    Arguments::command()
}
