//! A program of somebody else: one process a trial, with an MCP endpoint of its own (`docs/agents.md`).
//!
//! The program gets the brief on its standard input and in its environment, works in an empty folder, and is killed with its
//! whole process group when the trial is over. Nothing confines it beside: it runs as whoever runs us.

mod find_program;
mod process;
mod socket;

use super::mcp::{HttpServer, Left, Offer, Served, endpoint, serve};
use crate::archive::{ActorRecord, SECRET_REMOVED};
use crate::domain::trial::ActorKind;
use crate::harness::{Actor, Cancel, Over, Prompts, Trial, TrialSetup};
use find_program::find_program;
use process::Process;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a program may go on after its answer before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// Why a program can't be an actor.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// No program was named.
    #[error("no program was given; name it behind `--`: `--actor command -- PROG ARG…`")]
    Empty,
    /// It is not there.
    #[error("there is no program '{0}' that can be run; give its path, or the name of one in PATH")]
    NotFound(String),
    /// A secret stood among its arguments when the run began.
    #[error(
        "the run's program was given a secret as an argument, which is not recorded: begin a new run, with the secret in the environment"
    )]
    Secret,
    /// The endpoint can't be served.
    #[error("can't serve the program's endpoint on this machine: {0}")]
    Server(#[from] std::io::Error),
}

/// A program with its arguments.
#[derive(Debug)]
pub struct ExternalCommand {
    command: Vec<String>,
    program: PathBuf,
    server: HttpServer,
    offers: Mutex<HashMap<crate::domain::trial::TrialName, Offer>>,
}

impl ExternalCommand {
    /// The program that stands first, with the others as its arguments.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn new(command: Vec<String>) -> Result<Self, CommandError> {
        let name = command.first().ok_or(CommandError::Empty)?;
        let program = find_program(name).ok_or_else(|| CommandError::NotFound(name.clone()))?;
        Ok(Self { command, program, server: HttpServer::start(0)?, offers: Mutex::default() })
    }

    /// The program that a run began with, by the record that [`Actor::record`] gave.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn of_record(record: &ActorRecord) -> Result<Self, CommandError> {
        let command = record.settings.get("command").and_then(|command| command.as_array());
        let texts = command.into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned));
        let command: Vec<String> = texts.collect();
        if command.iter().any(|text| text.contains(SECRET_REMOVED)) {
            return Err(CommandError::Secret);
        }
        Self::new(command)
    }

    /// Arguments that name a file here: the program runs in another folder and will not find them.
    pub fn relative_files(&self) -> impl Iterator<Item = &str> {
        let arguments = self.command.iter().skip(1).map(String::as_str);
        arguments
            .filter(|it| !it.starts_with('-') && !it.starts_with('/') && std::path::Path::new(it).is_file())
    }
}

impl Actor for ExternalCommand {
    fn record(&self) -> ActorRecord {
        let name = self.program.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        let settings = BTreeMap::from([("command".to_owned(), self.command.clone().into())]);
        ActorRecord { kind: ActorKind::Command, name, confined: false, settings }
    }

    fn reads_prompts(&self) -> bool {
        true
    }

    fn is_there(&self, setup: &TrialSetup, prompts: &Prompts, _cancel: &Cancel) -> bool {
        let mut offers = self.offers.lock().unwrap_or_else(PoisonError::into_inner);
        offers.insert(setup.name.clone(), Offer::new(setup, prompts));
        true
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        let offer = self.offers.lock().unwrap_or_else(PoisonError::into_inner).remove(&trial.setup().name);
        let Some(offer) = offer else { return trial.fail("the program was not offered this trial") };
        let (endpoint, inbox) = endpoint(offer);
        let door = match self.server.open(endpoint.clone()) {
            Ok(door) => door,
            Err(error) => return trial.fail(&format!("the program's endpoint can't be opened: {error}")),
        };
        let arguments = self.command.get(1..).unwrap_or_default();
        let mut process = match Process::start(&self.program, arguments, &endpoint, &door) {
            Ok(process) => process,
            Err(error) => {
                let name = self.program.display();
                return trial.fail(&format!("{name} can't be started: {error}"));
            }
        };
        let served = serve(trial, &inbox, None);
        if let Ok(Served::Over) = served {
            process.wait_for(GRACE);
        }
        let end = process.end();
        // Whatever became of the trial, what became of the program belongs to its record.
        trial.remark(&end.text().replace(door.token(), "[token removed]"))?;
        match served? {
            Served::Left(Left::Process) if end.is_success() && !end.stdout.trim().is_empty() => {
                trial.final_message(&end.stdout.trim().replace(door.token(), "[token removed]"))
            }
            Served::Left(_) => trial.fail(&format!("the program ended without an answer: {}", end.text())),
            Served::Over => Ok(()),
        }
    }
}
