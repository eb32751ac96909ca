//! `casebook mcp`: tasks for any client of the Model Context Protocol, into an evidence archive.

use super::choose_run::{failure, find};
use super::failure::Failure;
use super::mcp_attach::{attach, unlocked_stdout};
use super::run::beginning::{Wanted, created, planned};
use super::run::resuming::{reopened, same_actor};
use super::run::settings::TrialSettings;
use super::run::{over, secrets};
use super::watched::watched;
use crate::agent::mcp::{HttpServer, McpOverHttp, McpOverStdio, idle_of};
use crate::archive::RunWriter;
use crate::harness::{Actor, Cancel, Clock, RunOutcome, RunPlan, RunProgress, SystemClock, execute};
use crate::pack::embedded;
use crate::text::visible::visible;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Trials that are open over HTTP at a time, where `--jobs` says nothing.
const MAX_OPEN: usize = 256;
/// How often it is looked for trials to print.
const TICK: Duration = Duration::from_millis(50);
/// How long the server answers after the trial that it is over, where nothing else is said.
const LINGER: Duration = Duration::from_mins(10);

/// Arguments of `casebook mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook mcp --task V-AWS-04                        one trial, for the client on stdin and stdout
  casebook mcp --task V-AWS-04 --snapshot medium --out ./run
  casebook mcp --http --pack visibility               a URL for each task, as JSON lines
  casebook mcp --http 8080 --task V-AWS-01,V-AWS-04 --trials 3
  casebook mcp --http --resume ./run

Nothing but the protocol is written to stdout, or with --http one JSON object a trial; messages go to stderr. docs/agents.md
says how clients are connected.")]
pub(super) struct Arguments {
    /// Task by id; with --http it can be given more than once [default: with --http all of the packs]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    task: Vec<String>,
    /// Pack by name or folder; can be given more than once [default: the built-in ones that hold the tasks]
    #[arg(long, value_name = "PACK")]
    pack: Vec<String>,
    /// Snapshot by name or revision [default: small]
    #[arg(long, value_name = "NAME", value_delimiter = ',', visible_alias = "size")]
    snapshot: Vec<String>,
    /// Serve over HTTP on this machine, on this port or a free one: each trial has a URL of its own
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    http: Option<u16>,
    /// Attempts at each task
    #[arg(long, value_name = "N", default_value_t = 1, requires = "http", value_parser = clap::value_parser!(u32).range(1..=1000))]
    trials: u32,
    /// Trials that are open at a time [default: all, up to 256]
    #[arg(long, value_name = "N", requires = "http")]
    jobs: Option<usize>,
    /// Folder for the run: new or empty [default: one in the data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with a run that was stopped; it keeps its settings
    #[arg(long, value_name = "RUN", conflicts_with_all = ["task", "snapshot", "trials", "out", "seed", "mode", "tools", "isolate", "idle", "steps", "calls", "seconds", "tokens", "cost", "statement_seconds"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    settings: TrialSettings,
    /// Seconds without a request after which a trial that began ends; 0 for no end
    #[arg(long = "max-idle-seconds", value_name = "SECONDS", default_value_t = 600.0)]
    idle: f64,
    /// Carry the protocol between stdin and stdout and the socket of a trial that runs elsewhere: for agents that
    /// `run --actor command` starts, which find this command in the file that `CASEBOOK_MCP_CONFIG` names
    #[arg(long, value_name = "SOCKET", exclusive = true)]
    attach: Option<PathBuf>,
    /// File for messages, which are added to it, in place of stderr
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Serves.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(socket) = &arguments.attach {
        return attach(socket);
    }
    let log = Log::open(arguments)?;
    match arguments.http {
        None => over_stdio(arguments, &log),
        Some(port) => over_http(arguments, port, &log, out),
    }
}

/// One trial for the client on standard input and output.
fn over_stdio(arguments: &Arguments, log: &Log) -> Result<(), Failure> {
    let stdout = unlocked_stdout()?;
    let client = |idle| Ok(McpOverStdio::new(std::io::stdin(), stdout, idle));
    let job = Job::new(arguments, client)?;
    if job.plan.tasks.len() != 1 || job.plan.trials != 1 {
        return Err(Failure::Input(
            "the client on stdin and stdout works on one trial: name one task on one snapshot; --http serves many"
                .to_owned(),
        ));
    }
    let Job { writer, plan, actor, idle } = job;
    let writer = writer.created(&plan, &actor, "mcp")?;
    let cancel = Cancel::default();
    let linger = |_: &RunOutcome| actor.linger(&cancel, idle.unwrap_or(LINGER));
    go(writer, &plan, &actor, 1, &cancel, log, linger)
}

/// Each trial behind a URL of its own.
fn over_http(arguments: &Arguments, port: u16, log: &Log, out: &mut dyn Write) -> Result<(), Failure> {
    let (tell, opened) = crossbeam_channel::unbounded();
    let client = |idle| {
        let server = HttpServer::start(port).map_err(|error| {
            Failure::Input(format!("can't listen on port {port} of this machine: {error}"))
        })?;
        Ok(McpOverHttp::new(server, idle, tell))
    };
    let Job { writer, plan, actor, .. } = Job::new(arguments, client)?;
    let writer = writer.created(&plan, &actor, "mcp")?;
    let cancel = Cancel::default();
    let all = plan.tasks.len() * usize::try_from(plan.trials).unwrap_or(1);
    let jobs = arguments.jobs.unwrap_or_else(|| all.min(MAX_OPEN));
    std::thread::scope(|scope| {
        let (plan, actor, cancelled) = (&plan, &actor, &cancel);
        let linger = |_: &RunOutcome| actor.linger(cancelled);
        let going = scope.spawn(move || go(writer, plan, actor, jobs, cancelled, log, linger));
        let mut printed = Ok(());
        while !going.is_finished() || !opened.is_empty() {
            let Ok(trial) = opened.recv_timeout(TICK) else { continue };
            printed = printed.and_then(|()| print(&trial, out));
            if printed.is_err() {
                // Nobody learns the URLs: nobody will come.
                cancelled.stop();
            }
        }
        let ended = going.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        printed.and(ended)
    })
}

fn print(trial: &impl serde::Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}", crate::text::json::compact(trial)?)?;
    Ok(out.flush()?)
}

/// Does the trials of a run, and ends it.
fn go(
    writer: RunWriter,
    plan: &RunPlan,
    actor: &dyn Actor,
    jobs: usize,
    cancel: &Cancel,
    log: &Log,
    linger: impl FnOnce(&RunOutcome),
) -> Result<(), Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let folder = writer.folder().display().to_string();
    log.say(&format!("recording in {folder}"));
    let latest = Mutex::new(RunProgress::default());
    let progress = |now: &RunProgress| {
        now.clone_into(&mut latest.lock().unwrap_or_else(PoisonError::into_inner));
    };
    let text = || {
        let now = latest.lock().unwrap_or_else(PoisonError::into_inner);
        format!("{} of {} trials, {} open", now.done, now.total, now.running)
    };
    watched(
        text,
        || cancel.stop(),
        || {
            let outcome = execute(&writer, plan, actor, jobs, &clock, cancel, &progress)
                .map_err(|error| over(error, writer.folder()))?;
            if outcome == RunOutcome::Stopped {
                linger(&outcome);
                let http = if actor.record().settings.get("transport").is_some_and(|it| it == "http") {
                    "--http "
                } else {
                    ""
                };
                return Err(Failure::Interrupted(format!(
                    "stopped; `casebook mcp {http}--resume {folder}` goes on"
                )));
            }
            // Ended before anybody is waited for: what comes now changes nothing any more.
            let run = writer.finish(clock.wall().to_string()).map_err(|error| failure(&error))?;
            let endings = run.end.iter().flat_map(|end| &end.endings);
            let endings: Vec<String> = endings.map(|(word, count)| format!("{count} {word}")).collect();
            log.say(&format!(
                "{}; casebook verify {folder} checks it, casebook replay {folder} --check repeats it",
                endings.join(", ")
            ));
            linger(&outcome);
            Ok(())
        },
    )
}

/// A run that is to be done.
struct Job<A> {
    writer: Opening,
    plan: RunPlan,
    actor: A,
    idle: Option<Duration>,
}

/// A run that is made once all is known to be right, or one that is there.
enum Opening {
    New { out: Option<PathBuf> },
    Old(Box<RunWriter>),
}

impl<A: Actor> Job<A> {
    fn new(
        arguments: &Arguments,
        client: impl FnOnce(Option<Duration>) -> Result<A, Failure>,
    ) -> Result<Self, Failure> {
        if let Some(asked) = &arguments.resume {
            let (writer, plan) = reopened(&find(asked), &arguments.pack, secrets())?;
            let idle = idle_of(&writer.run().actor);
            let actor = client(idle)?;
            same_actor(writer.run(), writer.folder(), &actor)?;
            return Ok(Self { writer: Opening::Old(Box::new(writer)), plan, actor, idle });
        }
        let idle = idle(arguments.idle)?;
        let packs = packs(arguments)?;
        let plan = planned(&Wanted {
            packs: &packs,
            tasks: &arguments.task,
            sizes: &arguments.snapshot,
            trials: arguments.trials,
            settings: &arguments.settings,
        })?;
        let writer = Opening::New { out: arguments.out.clone() };
        Ok(Self { writer, plan, actor: client(idle)?, idle })
    }
}

impl Opening {
    fn created(self, plan: &RunPlan, actor: &dyn Actor, word: &str) -> Result<RunWriter, Failure> {
        match self {
            Self::Old(writer) => Ok(*writer),
            Self::New { out } => {
                let clock = SystemClock::default();
                created(plan, actor, word, Vec::new(), out.as_deref(), &clock, secrets())
            }
        }
    }
}

/// The packs that are named, or the built-in ones that hold the tasks that are.
fn packs(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    if !arguments.pack.is_empty() || arguments.task.is_empty() {
        return Ok(arguments.pack.clone());
    }
    let all = embedded().map_err(|problem| Failure::Input(problem.to_string()))?;
    let holds = |pack: &crate::pack::Pack| arguments.task.iter().any(|task| pack.task(task).is_some());
    Ok(all.into_iter().filter(holds).map(|pack| pack.id).collect())
}

fn idle(seconds: f64) -> Result<Option<Duration>, Failure> {
    if seconds == 0.0 {
        return Ok(None);
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(idle) if seconds <= 1e9 => Ok(Some(idle)),
        _ => Err(Failure::Input(format!(
            "--max-idle-seconds {seconds} is none: give a number above 0, or 0 for no end"
        ))),
    }
}

/// Where messages go: never to stdout.
struct Log(Mutex<Box<dyn Write + Send>>);

impl Log {
    fn open(arguments: &Arguments) -> Result<Self, Failure> {
        let Some(path) = &arguments.log else {
            return Ok(Self(Mutex::new(Box::new(std::io::stderr()))));
        };
        let file = File::options().create(true).append(true).open(path);
        let file =
            file.map_err(|error| Failure::Input(format!("can't write {}: {error}", path.display())))?;
        Ok(Self(Mutex::new(Box::new(file))))
    }

    fn say(&self, text: &str) {
        // A log that can't be written leaves nothing to do.
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(log, "casebook: {}", visible(text)).and_then(|()| log.flush());
    }
}
