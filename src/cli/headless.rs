//! `casebook headless`: the workbench driven by JSON lines.

use super::failure::Failure;
use super::workbench;
use crate::harness::{Clock, FixedClock, SystemClock};
use crate::headless::{Clocked, Runner};
use crate::services::Session;
use crate::text::json;
use crate::workbench::command::document;
use jiff::Timestamp;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Drive the workbench by JSON lines: a request a line in, an answer a line out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook headless < script.jsonl
  echo '{\"command\":\"cases.start\",\"arguments\":{\"task\":\"P-01\"}}' | casebook headless
  casebook headless --list-commands

docs/headless.md has the whole protocol with a worked session. Time is counted by events unless --real-clock is given, so that
the same script gives the same state.")]
pub(super) struct Arguments {
    /// Use the machine's clock in records and messages
    #[arg(long)]
    real_clock: bool,
    /// Write every request to a file: given as input again, it gives the same state
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print all commands with their arguments as JSON, and end
    #[arg(long)]
    list_commands: bool,
    /// Folder of a pack of your own, beside the built-in ones; may be given again
    #[arg(long, value_name = "FOLDER")]
    pack: Vec<String>,
}

/// Where time begins when it is counted by events.
const BEGINNING: Timestamp = Timestamp::UNIX_EPOCH;

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    if arguments.list_commands {
        out.write_all(json::pretty(&document())?.as_bytes())?;
        return Ok(());
    }
    let own = workbench::own_settings()?;
    let mut problems = own.problems.clone();
    let library = workbench::library(&own, &mut problems);
    let state = workbench::state(&own, &library, None);
    let mut config = workbench::config(&own, &arguments.pack);
    let step = Duration::from_millis(1);
    let clock: Arc<dyn Clock> = if arguments.real_clock {
        Arc::new(SystemClock::default())
    } else {
        Arc::new(FixedClock::new(BEGINNING, step, step))
    };
    config.clock = clock;
    let clocked = if arguments.real_clock { Clocked::Real } else { Clocked::ByEvents };
    let mut log = arguments.log.as_ref().map(workbench::create_log).transpose()?;
    let mut runner = Runner::start(Session::start(state, config), clocked);
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    let done = runner.run(&mut BufReader::new(io::stdin().lock()), out, log);
    problems.extend(runner.close());
    for problem in problems {
        // Nothing is left to do where stderr can't be written.
        let _ = writeln!(io::stderr(), "casebook: {}", crate::text::visible::visible(&problem));
    }
    Ok(done?)
}
