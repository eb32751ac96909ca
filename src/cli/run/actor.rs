//! Who acts in a run: chosen by the command line when it begins, and by its record when it goes on.
//!
//! An actor kind is added in three places, all here: [`ActorChoice`] with its arguments in [`ActorArguments`], a line in
//! [`chosen`], a line in [`of_run`].

use super::super::choose_run::failure;
use super::super::failure::Failure;
use super::model::{self, ModelArguments};
use crate::agent::command::{CommandError, ExternalCommand};
use crate::agent::{Noop, Script};
use crate::archive::{Blobs, ContextRecord, RunFile, Secrets};
use crate::domain::trial::ActorKind;
use crate::harness::{Actor, RunPlan};
use crate::text::visible::visible;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The actor, and what some kinds of it need.
#[derive(Debug, clap::Args)]
pub(super) struct ActorArguments {
    /// Who acts
    #[arg(long, value_enum, required_unless_present = "resume")]
    actor: Option<ActorChoice>,
    /// The script of the actor `script`: JSON lines (docs/agents.md)
    #[arg(long, value_name = "FILE", required_if_eq("actor", "script"))]
    script: Option<PathBuf>,
    #[command(flatten)]
    model: ModelArguments,
    /// The program of the actor `command`, behind `--`, with its arguments (docs/agents.md)
    #[arg(last = true, value_name = "PROG", required_if_eq("actor", "command"))]
    command: Vec<String>,
}

/// An actor that was chosen.
pub(super) struct ChosenActor {
    /// The actor.
    pub(super) actor: Box<dyn Actor>,
    /// A word for the name of the run.
    pub(super) word: &'static str,
    /// The files that it was given.
    pub(super) contexts: Vec<ContextFile>,
    /// What it knows that must not be written.
    pub(super) secrets: Vec<String>,
}

/// A file that an actor was given, without secrets; the run keeps it as a blob.
pub(super) struct ContextFile {
    /// Its name.
    pub(super) name: String,
    /// What is in it.
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ActorChoice {
    /// A model, by the built-in loop
    Model,
    /// The tool calls of a file
    Script,
    /// The reference queries and the true answers
    Oracle,
    /// Nobody: an empty answer
    Noop,
    /// A program of yours, a process a trial: `--actor command -- PROG ARG…`
    Command,
}

impl ContextFile {
    /// What is kept of it in the head of the run.
    pub(super) fn record(&self) -> ContextRecord {
        let (sha256, bytes) = (hex::encode(Sha256::digest(&self.text)), self.text.len() as u64);
        ContextRecord { name: self.name.clone(), sha256, bytes }
    }
}

impl ChosenActor {
    pub(super) fn new(word: &'static str, actor: impl Actor + 'static) -> Self {
        Self { actor: Box::new(actor), word, contexts: Vec::new(), secrets: Vec::new() }
    }
}

/// The actor that the command line chooses for a plan.
pub(super) fn chosen(
    arguments: &ActorArguments,
    plan: &RunPlan,
    secrets: &Secrets,
) -> Result<ChosenActor, Failure> {
    match arguments.actor {
        Some(ActorChoice::Model) => model::chosen(&arguments.model, plan, secrets),
        Some(ActorChoice::Oracle) => Ok(ChosenActor::new("oracle", oracle(plan)?)),
        Some(ActorChoice::Script) => {
            let path = arguments.script.as_ref();
            let path = path.ok_or_else(|| Failure::Input("give --script FILE".to_owned()))?;
            // A secret in it is taken out before anything is done with it, so that going on does the same.
            let script =
                ContextFile { name: file_name(path), text: secrets.remove_from_lines(&read_text(path)?) };
            let actor = ChosenActor::new("script", script_actor(&script)?);
            Ok(ChosenActor { contexts: vec![script], ..actor })
        }
        Some(ActorChoice::Command) => {
            let command = ExternalCommand::new(arguments.command.clone());
            Ok(ChosenActor::new("command", started_elsewhere(command)?))
        }
        Some(ActorChoice::Noop) | None => Ok(ChosenActor::new("noop", Noop)),
    }
}

/// The actor that a run began with, made again from its record and its blobs.
pub(super) fn of_run(
    arguments: &ActorArguments,
    run: &RunFile,
    plan: &RunPlan,
    blobs: &Blobs,
) -> Result<ChosenActor, Failure> {
    match run.actor.kind {
        ActorKind::Model => model::of_run(&arguments.model, run, contexts(run, blobs)?),
        ActorKind::Oracle => Ok(ChosenActor::new("oracle", oracle(plan)?)),
        ActorKind::Noop => Ok(ChosenActor::new("noop", Noop)),
        ActorKind::Script => {
            let Some(script) = contexts(run, blobs)?.into_iter().next() else {
                return Err(Failure::Input("the run names no script: it can't be gone on with".to_owned()));
            };
            Ok(ChosenActor::new("script", script_actor(&script)?))
        }
        ActorKind::Command => {
            Ok(ChosenActor::new("command", started_elsewhere(ExternalCommand::of_record(&run.actor))?))
        }
        ActorKind::Mcp => Err(Failure::Input(
            "the run is one of MCP clients: go on with it by `casebook mcp --resume RUN`".to_owned(),
        )),
        ActorKind::Human | ActorKind::Imported => Err(Failure::Input(
            "only runs of a model, a program, a script, the oracle or nobody are gone on with here"
                .to_owned(),
        )),
    }
}

/// A program as an actor, with a word on arguments that it will not find where it runs.
fn started_elsewhere(command: Result<ExternalCommand, CommandError>) -> Result<ExternalCommand, Failure> {
    let command = command.map_err(|error| Failure::input(&error))?;
    for file in command.relative_files() {
        let text = format!(
            "the program runs in an empty folder: give '{file}' by its full path if it is a file to be read"
        );
        let _ = writeln!(std::io::stderr(), "casebook: {}", visible(&text));
    }
    Ok(command)
}

/// The files that the actor of a run was given.
fn contexts(run: &RunFile, blobs: &Blobs) -> Result<Vec<ContextFile>, Failure> {
    let file = |context: &ContextRecord| {
        let bytes = blobs.get(&context.sha256).map_err(|error| failure(&error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(ContextFile { name: context.name.clone(), text })
    };
    run.contexts.iter().map(file).collect()
}

#[cfg(feature = "vault")]
fn oracle(plan: &RunPlan) -> Result<Script, Failure> {
    let told: Vec<_> = plan
        .snapshots
        .iter()
        .map(|snapshot| (snapshot.manifest.revision, snapshot.manifest.schema_document()))
        .collect();
    crate::scoring::oracle(&plan.packs, &told, plan.tools)
        .map_err(|problem| Failure::Input(problem.to_string()))
}

#[cfg(not(feature = "vault"))]
fn oracle(_: &RunPlan) -> Result<Script, Failure> {
    Err(super::super::absent::absent("run --actor oracle"))
}

/// A text that an actor is made of.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let unreadable =
        |error: std::io::Error| Failure::Input(format!("can't read {}: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|_| Failure::Input(format!("{} is not UTF-8", path.display())))
}

fn script_actor(file: &ContextFile) -> Result<Script, Failure> {
    let digest = hex::encode(Sha256::digest(&file.text));
    Script::parse(&file.name, &file.text, &digest).map_err(|error| Failure::input(&error))
}

/// The last part of a path.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "script".to_owned(), |name| name.to_string_lossy().into_owned())
}
