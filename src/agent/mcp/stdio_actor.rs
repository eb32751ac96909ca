//! A client on standard input and output: one trial a process.

use super::stdio::serve_streams;
use super::{Endpoint, Inbox, Left, Offer, Served, endpoint, record, serve};
use crate::archive::ActorRecord;
use crate::domain::trial::ToolSet;
use crate::harness::{Actor, Cancel, Over, Prompts, Trial, TrialSetup};
use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// How long a connection may take to end once it is told to.
const GRACE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(20);

type Streams = (Box<dyn Read + Send>, Box<dyn Write + Send>);

/// The client at the other end of two streams. It works on one trial.
pub struct McpOverStdio {
    idle: Option<Duration>,
    stop: CancellationToken,
    streams: Mutex<Option<Streams>>,
    serving: Mutex<Option<(Endpoint, JoinHandle<()>)>>,
    inbox: Mutex<Option<Inbox>>,
}

impl McpOverStdio {
    /// The client that writes `input` and reads `output`. Its trial ends without a sign of it for `idle`.
    pub fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        idle: Option<Duration>,
    ) -> Self {
        Self {
            idle,
            stop: CancellationToken::new(),
            streams: Mutex::new(Some((Box::new(input), Box::new(output)))),
            serving: Mutex::new(None),
            inbox: Mutex::new(None),
        }
    }

    /// Goes on answering, after the trial, that it is over: until the client closes the connection, is quiet for `most`, or
    /// the run is stopped. A server that vanishes is taken for a crash.
    pub fn linger(&self, cancel: &Cancel, most: Duration) {
        let Some((endpoint, thread)) = self.serving.lock().unwrap_or_else(PoisonError::into_inner).take()
        else {
            return;
        };
        while !thread.is_finished()
            && !cancel.is_stopped()
            && endpoint.quiet().is_none_or(|quiet| quiet < most)
        {
            std::thread::sleep(TICK);
        }
        self.stop.cancel();
        let told = Instant::now();
        while !thread.is_finished() && told.elapsed() < GRACE {
            std::thread::sleep(TICK);
        }
    }
}

impl std::fmt::Debug for McpOverStdio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpOverStdio").field("idle", &self.idle).finish_non_exhaustive()
    }
}

impl Actor for McpOverStdio {
    fn record(&self) -> ActorRecord {
        record("stdio", self.idle)
    }

    fn reads_prompts(&self) -> bool {
        true
    }

    fn is_there(&self, setup: &TrialSetup, prompts: &Prompts, cancel: &Cancel) -> bool {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((input, output)) = streams else { return false };
        let (endpoint, inbox) = endpoint(Offer::new(setup, prompts));
        let (served, stop) = (endpoint.clone(), self.stop.clone());
        let thread = std::thread::spawn(move || {
            serve_streams(&served, input, output, &stop, |why| served.left(Left::Connection(why)));
        });
        *self.serving.lock().unwrap_or_else(PoisonError::into_inner) = Some((endpoint, thread));
        let is_there = inbox.wait(cancel);
        *self.inbox.lock().unwrap_or_else(PoisonError::into_inner) = is_there.then_some(inbox);
        is_there
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        let inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(inbox) = inbox else { return trial.fail("there is no client for this trial") };
        match serve(trial, &inbox, self.idle)? {
            Served::Over => Ok(()),
            Served::Left(Left::Connection(why)) => {
                let hint = match trial.setup().tools {
                    ToolSet::Three => "",
                    ToolSet::Two => {
                        " (with two tools the final message is the answer, and this protocol does not carry it)"
                    }
                };
                trial.fail(&format!("the client left without an answer: {why}{hint}"))
            }
            Served::Left(Left::Process) => trial.fail("the client's process ended without an answer"),
        }
    }
}
