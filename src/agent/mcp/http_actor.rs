//! Clients over HTTP: each trial has a door of its own, and begins when somebody comes through it.

use super::{HttpServer, Inbox, Left, Offer, Served, endpoint, record, serve};
use crate::archive::ActorRecord;
use crate::domain::trial::TrialName;
use crate::harness::{Actor, Cancel, Over, Prompts, Trial, TrialSetup};
use crossbeam_channel::Sender;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the server goes on after the last request once everything is over, and at most.
const LINGER: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(20);

/// A trial that can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opened {
    /// The trial's folder under `trials`.
    pub trial: String,
    /// Which it is.
    #[serde(flatten)]
    pub name: TrialName,
    /// Where it is.
    pub url: String,
    /// The token, for clients that send it as bearer token to the URL without it.
    pub token: String,
}

/// Clients over HTTP.
#[derive(Debug)]
pub struct McpOverHttp {
    server: HttpServer,
    idle: Option<Duration>,
    opened: Sender<Opened>,
    inboxes: Mutex<HashMap<TrialName, Inbox>>,
}

impl McpOverHttp {
    /// Clients of this server. `opened` is told of every trial that can be reached.
    pub fn new(server: HttpServer, idle: Option<Duration>, opened: Sender<Opened>) -> Self {
        Self { server, idle, opened, inboxes: Mutex::default() }
    }

    /// Goes on answering for a moment, so that the last answers arrive.
    pub fn linger(&self, cancel: &Cancel) {
        let began = Instant::now();
        while !cancel.is_stopped() && self.server.quiet() < LINGER && began.elapsed() < LONGEST {
            std::thread::sleep(TICK);
        }
    }
}

impl Actor for McpOverHttp {
    fn record(&self) -> ActorRecord {
        record("http", self.idle)
    }

    fn reads_prompts(&self) -> bool {
        true
    }

    fn is_there(&self, setup: &TrialSetup, prompts: &Prompts, cancel: &Cancel) -> bool {
        let (endpoint, inbox) = endpoint(Offer::new(setup, prompts));
        // Without random numbers there is no token, and nobody can come.
        let Ok(door) = self.server.open(endpoint) else { return false };
        let name = setup.name.clone();
        let opened = Opened { trial: name.to_string(), name, token: door.token().to_owned(), url: door.url };
        // Where nobody hears of it, nobody will come, until the run is stopped.
        let _ = self.opened.send(opened);
        let is_there = inbox.wait(cancel);
        if is_there {
            let mut inboxes = self.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
            inboxes.insert(setup.name.clone(), inbox);
        }
        is_there
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        let mut inboxes = self.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
        let inbox = inboxes.remove(&trial.setup().name);
        drop(inboxes);
        let Some(inbox) = inbox else { return trial.fail("there is no client for this trial") };
        match serve(trial, &inbox, self.idle)? {
            Served::Over => Ok(()),
            Served::Left(Left::Connection(why)) => {
                trial.fail(&format!("the client left without an answer: {why}"))
            }
            Served::Left(Left::Process) => trial.fail("the client's process ended without an answer"),
        }
    }
}
