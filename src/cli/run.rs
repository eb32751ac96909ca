//! `casebook run`: an actor over tasks, into an evidence archive.

use super::choose_run::{failure, find, runs_folder};
use super::choose_snapshot::{open, store};
use super::failure::Failure;
use super::watched::watched;
use crate::agent::{Noop, Script};
use crate::archive::{Archive, ContextRecord, RunFile, RunWriter, Secrets};
use crate::domain::trial::{ActorKind, Mode, ToolSet};
use crate::harness::{Actor, Cancel, Clock, Over, RunOutcome, RunPlan, RunProgress, SystemClock, execute};
use crate::pack::{Pack, find as find_pack};
use crate::query::OpenSnapshot;
use crate::text::visible::visible;
use sha2::{Digest as _, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Arguments of `casebook run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook run --actor oracle --size all --out ./oracle
  casebook run --actor script --script calls.jsonl --pack visibility --task V-AWS-04 --trials 3
  casebook run --resume ./oracle

The folder is an evidence archive (docs/archive.md): `casebook verify` and `casebook replay --check` work on it. Ctrl-C stops
after the statements that are running; --resume goes on, and repeats nothing that was finished.")]
pub(super) struct Arguments {
    /// Who acts
    #[arg(long, value_enum, required_unless_present = "resume")]
    actor: Option<ActorChoice>,
    /// The script of the actor `script`: JSON lines (docs/agents.md)
    #[arg(long, value_name = "FILE", required_if_eq("actor", "script"))]
    script: Option<PathBuf>,
    /// Pack by name or folder; can be given more than once [default: visibility and cross-vendor]
    #[arg(long, value_name = "PACK")]
    pack: Vec<String>,
    /// Task by id; can be given more than once [default: all of the packs]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    task: Vec<String>,
    /// Snapshot by name or revision; `all` takes every one that the packs have truth for [default: small]
    #[arg(long, value_name = "SIZE", value_delimiter = ',', visible_alias = "snapshot")]
    size: Vec<String>,
    /// Attempts at each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    trials: u32,
    /// Folder for the run: new or empty [default: one in the data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with a run that was stopped; it keeps its settings
    #[arg(long, value_name = "RUN", conflicts_with_all = ["actor", "script", "task", "size", "trials", "out", "seed", "mode", "tools", "steps", "calls", "seconds", "tokens", "cost", "statement_seconds"])]
    resume: Option<PathBuf>,
    /// Trials at a time [default: one a processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Seed of the run, from which the seed of every trial follows
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Whether help is given [default: scored; practice for a practice pack]
    #[arg(long, value_enum)]
    mode: Option<ModeChoice>,
    /// Three tools, or the two of the benchmark's paper, where the final message is the answer
    #[arg(long, value_enum, default_value = "three")]
    tools: ToolChoice,
    #[command(flatten)]
    limits: LimitChoice,
    /// Print the head of the ended run as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ActorChoice {
    /// The tool calls of a file
    Script,
    /// The reference queries and the true answers
    Oracle,
    /// Nobody: an empty answer
    Noop,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ModeChoice {
    Scored,
    Practice,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ToolChoice {
    Three,
    Two,
}

/// Limits of each trial.
#[derive(Debug, clap::Args)]
struct LimitChoice {
    /// Model steps of a trial
    #[arg(long = "max-steps", value_name = "N")]
    steps: Option<u64>,
    /// Tool calls of a trial
    #[arg(long = "max-calls", value_name = "N")]
    calls: Option<u64>,
    /// Seconds of a trial
    #[arg(long = "max-seconds", value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Tokens of a trial, in and out
    #[arg(long = "max-tokens", value_name = "N")]
    tokens: Option<u64>,
    /// US dollars of a trial
    #[arg(long = "max-cost", value_name = "DOLLARS")]
    cost: Option<f64>,
    /// Seconds of a statement
    #[arg(long = "max-statement-seconds", value_name = "SECONDS")]
    statement_seconds: Option<f64>,
}

/// Runs, or goes on.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let secrets = Secrets::of_environment(
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    );
    let (writer, plan, actor) = match &arguments.resume {
        Some(asked) => resumed(&find(asked), arguments, secrets)?,
        None => begun(arguments, clock.as_ref(), secrets)?,
    };
    let folder = writer.folder().to_owned();
    let cancel = Cancel::default();
    let latest = Mutex::new(RunProgress::default());
    let progress = |now: &RunProgress| {
        now.clone_into(&mut latest.lock().unwrap_or_else(PoisonError::into_inner));
    };
    let text = || progress_text(&latest.lock().unwrap_or_else(PoisonError::into_inner));
    let jobs = arguments.jobs.unwrap_or_else(super::jobs);
    let outcome = watched(
        text,
        || cancel.stop(),
        || execute(&writer, &plan, actor.as_ref(), jobs, &clock, &cancel, &progress),
    );
    match outcome.map_err(over)? {
        RunOutcome::Stopped => {
            let done = latest.lock().unwrap_or_else(PoisonError::into_inner).done;
            let total = plan.tasks.len() as u64 * u64::from(plan.trials);
            Err(Failure::Interrupted(format!(
                "stopped: {done} of {total} trials are done; `casebook run --resume {}` goes on",
                folder.display()
            )))
        }
        RunOutcome::Finished => {
            let run = writer.finish(clock.wall().to_string()).map_err(|error| failure(&error))?;
            finished(&run, &folder, arguments.json, out)
        }
    }
}

fn over(error: Over) -> Failure {
    match error {
        Over::Archive(error) => failure(&error),
        other => Failure::input(&other),
    }
}

type Prepared = (RunWriter, RunPlan, Box<dyn Actor>);

fn begun(arguments: &Arguments, clock: &dyn Clock, secrets: Secrets) -> Result<Prepared, Failure> {
    let names: Vec<String> = if arguments.pack.is_empty() {
        ["visibility", "cross-vendor"].map(str::to_owned).to_vec()
    } else {
        arguments.pack.clone()
    };
    let packs = names.iter().map(|name| find_pack(name)).collect::<Result<Vec<Pack>, _>>();
    let packs = packs.map_err(|problem| Failure::Input(problem.to_string()))?;
    let snapshots = snapshots(&arguments.size, &packs)?;
    let mut plan = RunPlan::new(packs, snapshots, &arguments.task).map_err(|error| Failure::input(&error))?;
    plan.trials = arguments.trials;
    plan.seed = arguments.seed;
    plan.tools = match arguments.tools {
        ToolChoice::Three => ToolSet::Three,
        ToolChoice::Two => ToolSet::Two,
    };
    match arguments.mode {
        Some(ModeChoice::Scored) => plan.mode = Mode::Scored,
        Some(ModeChoice::Practice) => plan.mode = Mode::Practice,
        None => {}
    }
    arguments.limits.apply(&mut plan)?;
    let script = match &arguments.script {
        // A secret in it is taken out before anything is done with it, so that going on does the same.
        Some(path) => Some((path.clone(), secrets.remove_from_lines(&read_script(path)?))),
        None => None,
    };
    let (actor, kind): (Box<dyn Actor>, &str) = match arguments.actor {
        Some(ActorChoice::Oracle) => (Box::new(oracle(&plan)?), "oracle"),
        Some(ActorChoice::Script) => {
            let (path, text) =
                script.as_ref().ok_or_else(|| Failure::Input("give --script FILE".to_owned()))?;
            (Box::new(script_actor(path, text)?), "script")
        }
        Some(ActorChoice::Noop) | None => (Box::new(Noop), "noop"),
    };
    let name = format!("{kind}-{}", clock.wall().strftime("%Y%m%dT%H%M%SZ"));
    let folder = match (&arguments.out, runs_folder()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(runs)) => free(&runs, &name),
        (None, None) => {
            return Err(Failure::Input("there is no data folder for the run; give --out DIR".to_owned()));
        }
    };
    let contexts = script
        .iter()
        .map(|(path, text)| ContextRecord {
            name: file_name(path),
            sha256: hex::encode(Sha256::digest(text)),
            bytes: text.len() as u64,
        })
        .collect();
    let head = plan.head(name, actor.as_ref(), contexts, clock);
    let writer = RunWriter::create(&folder, head, secrets).map_err(|error| failure(&error))?;
    if let Some((_, text)) = &script {
        writer.blobs().put(text.as_bytes()).map_err(|error| failure(&error))?;
    }
    Ok((writer, plan, actor))
}

/// A folder of this name that is not there yet: two runs may begin in one second.
fn free(runs: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let names = std::iter::once(name.to_owned()).chain(numbered);
    names.map(|name| runs.join(name)).find(|folder| !folder.exists()).unwrap_or_else(|| runs.join(name))
}

fn resumed(folder: &Path, arguments: &Arguments, secrets: Secrets) -> Result<Prepared, Failure> {
    let run = RunFile::load(folder).map_err(|error| failure(&error))?;
    if run.end.is_some() {
        return Err(Failure::Input(format!(
            "{} has ended: there is nothing to go on with",
            folder.display()
        )));
    }
    // A private pack lies in a folder that the archive does not know: it is named again.
    let packs: Vec<Pack> = run
        .packs
        .iter()
        .map(|record| {
            let given = arguments
                .pack
                .iter()
                .filter_map(|asked| find_pack(asked).ok())
                .find(|pack| pack.id == record.id);
            given.map_or_else(|| find_pack(&record.id), Ok)
        })
        .collect::<Result<_, _>>()
        .map_err(|problem| Failure::Input(format!("{problem}; give the run's pack with --pack")))?;
    let mut snapshots = Vec::new();
    for record in &run.revisions {
        let found = store().find(&record.revision.to_string()).map_err(|error| Failure::input(&error))?;
        snapshots.push(open(&found)?);
    }
    let plan = RunPlan::of_run(&run, packs, snapshots).map_err(|error| Failure::input(&error))?;
    let writer = RunWriter::resume(folder, secrets).map_err(|error| failure(&error))?;
    let actor: Box<dyn Actor> = match run.actor.kind {
        ActorKind::Oracle => Box::new(oracle(&plan)?),
        ActorKind::Noop => Box::new(Noop),
        ActorKind::Script => {
            let Some(context) = run.contexts.first() else {
                return Err(Failure::Input("the run names no script: it can't be gone on with".to_owned()));
            };
            let bytes = writer.blobs().get(&context.sha256).map_err(|error| failure(&error))?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Box::new(script_actor(Path::new(&context.name), &text)?)
        }
        _ => {
            return Err(Failure::Input(
                "only runs of a script, the oracle or nobody are gone on with here".to_owned(),
            ));
        }
    };
    if actor.record() != run.actor {
        let reason = format!(
            "{} can't be gone on with: the actor is not what it began with (the truth of a pack was changed since?); begin a new run",
            folder.display()
        );
        return Err(Failure::Input(reason));
    }
    Ok((writer, plan, actor))
}

impl LimitChoice {
    fn apply(&self, plan: &mut RunPlan) -> Result<(), Failure> {
        let seconds = |given: Option<f64>| match given {
            Some(given) if !(given > 0.0 && given <= 1e9) => {
                Err(Failure::Input(format!("a limit of {given} is none: give a number above 0")))
            }
            given => Ok(given),
        };
        let limits = &mut plan.limits;
        limits.steps = self.steps.or(limits.steps);
        limits.tool_calls = self.calls.or(limits.tool_calls);
        limits.seconds = seconds(self.seconds)?.or(limits.seconds);
        limits.tokens = self.tokens.or(limits.tokens);
        limits.cost = seconds(self.cost)?.or(limits.cost);
        if let Some(given) = seconds(self.statement_seconds)? {
            limits.statement.seconds = given;
        }
        Ok(())
    }
}

/// The snapshots by name; `all` are those of the packs.
fn snapshots(asked: &[String], packs: &[Pack]) -> Result<Vec<Arc<OpenSnapshot>>, Failure> {
    let mut names: Vec<String> = Vec::new();
    for asked in asked {
        if asked == "all" {
            names.extend(packs.iter().flat_map(|pack| pack.snapshots.iter().cloned()));
        } else {
            names.push(asked.clone());
        }
    }
    if names.is_empty() {
        // The first that all packs are written for.
        let first = packs.first().and_then(|pack| pack.snapshots.first());
        names.push(first.cloned().unwrap_or_else(|| "small".to_owned()));
    }
    let mut chosen: Vec<Arc<OpenSnapshot>> = Vec::new();
    for name in names {
        let found = store().find(&name).map_err(|error| Failure::input(&error))?;
        if chosen.iter().all(|it| it.manifest.revision != found.manifest.revision) {
            chosen.push(open(&found)?);
        }
    }
    Ok(chosen)
}

fn oracle(plan: &RunPlan) -> Result<Script, Failure> {
    let told: Vec<_> = plan
        .snapshots
        .iter()
        .map(|snapshot| (snapshot.manifest.revision, snapshot.manifest.schema_document()))
        .collect();
    crate::scoring::oracle(&plan.packs, &told, plan.tools)
        .map_err(|problem| Failure::Input(problem.to_string()))
}

fn read_script(path: &Path) -> Result<String, Failure> {
    let unreadable =
        |error: std::io::Error| Failure::Input(format!("can't read {}: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|_| Failure::Input(format!("{} is not UTF-8", path.display())))
}

fn script_actor(path: &Path, text: &str) -> Result<Script, Failure> {
    let digest = hex::encode(Sha256::digest(text));
    Script::parse(&file_name(path), text, &digest).map_err(|error| Failure::input(&error))
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "script".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn progress_text(progress: &RunProgress) -> String {
    use std::fmt::Write as _;
    // Writing to a String can't fail.
    let RunProgress { total, done, running, failed, cost, left, .. } = progress;
    let mut text = format!("{done} of {total} trials, {running} running");
    if *failed > 0 {
        let _ = write!(text, ", {failed} failed");
    }
    if let Some(cost) = cost {
        let _ = write!(text, ", ${cost:.2}");
    }
    if let Some(left) = left {
        let _ = write!(text, ", {} s left", left.as_secs());
    }
    text
}

fn finished(run: &RunFile, folder: &Path, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        out.write_all(crate::text::json::pretty(run)?.as_bytes())?;
        return Ok(());
    }
    let end = run.end.iter().flat_map(|end| &end.endings);
    let endings: Vec<String> = end.map(|(word, count)| format!("{count} {word}")).collect();
    let place = folder.display().to_string();
    writeln!(out, "{}", visible(&format!("{}: {}", run.run, endings.join(", "))))?;
    say_errors(folder, out)?;
    writeln!(
        out,
        "{}",
        visible(&format!(
            "in {place}; casebook verify {place} checks it, casebook replay {place} --check repeats it"
        ))
    )?;
    Ok(())
}

/// Failed trials that are named at the end of a run; `casebook runs show` names them all.
const NAMED: usize = 5;

/// Why trials failed.
fn say_errors(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let archive = Archive::open(folder).map_err(|error| failure(&error))?;
    let errors =
        archive.trials.iter().filter_map(|trial| Some((&trial.name, super::runs::failure(&archive, trial)?)));
    let errors: Vec<String> = errors
        .map(|(name, error)| format!("{name} failed: {}", error.lines().collect::<Vec<_>>().join(" ")))
        .collect();
    for text in errors.iter().take(NAMED) {
        writeln!(out, "{}", visible(text))?;
    }
    if errors.len() > NAMED {
        writeln!(out, "and {} more; casebook runs show names them", errors.len() - NAMED)?;
    }
    Ok(())
}
