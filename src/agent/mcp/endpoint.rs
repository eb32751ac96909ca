//! The protocol's side of a trial: where calls are handed in, and taken back.

use super::Offer;
use crate::harness::Reply;
use crate::query::Interrupter;
use crossbeam_channel::Sender;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// Calls that wait for their turn at one trial.
const MAX_WAITING: usize = 64;
/// Remarks on its clients that a trial takes: a client could fill the disk with them.
const MAX_NOTES: usize = 32;
/// Characters of what a client calls itself.
const MAX_NAME: usize = 100;

/// What the trial's thread is told.
#[derive(Debug)]
pub(super) enum Message {
    /// A call.
    Call(Call),
    /// Something to be noted: who the client is, what it read.
    Note(String),
    /// The client is gone, in these words.
    Left(super::Left),
}

/// A call that waits for its turn.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) number: u64,
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) answer: oneshot::Sender<Outcome>,
}

/// What came of a call.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was made, and recorded.
    Reply(Box<Reply>),
    /// It was taken back before its turn came.
    TakenBack,
    /// It was not made: the trial is over, or can't be recorded. In words.
    Over(String),
}

/// A call that was handed in.
#[derive(Debug)]
pub(super) struct HandedIn {
    pub(super) number: u64,
    pub(super) answer: oneshot::Receiver<Outcome>,
}

/// The protocol's side of a trial. Any number of connections share it.
#[derive(Debug, Clone)]
pub struct Endpoint(pub(super) Arc<Shared>);

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) offer: Offer,
    pub(super) state: Mutex<State>,
    /// Told when somebody begins to work, or leaves.
    pub(super) changed: Condvar,
    messages: Sender<Message>,
}

#[derive(Debug)]
pub(super) struct State {
    /// Whether anybody asked for more than what there is.
    pub(super) used: bool,
    /// Whether the client is gone.
    pub(super) left: bool,
    /// Calls that were handed in so far.
    pub(super) calls: u64,
    /// Those that wait or run.
    pub(super) waiting: usize,
    /// The one that runs.
    pub(super) running: Option<u64>,
    /// Those that were taken back before their turn.
    pub(super) taken_back: BTreeSet<u64>,
    /// Stops the running statement; there once the trial has begun.
    pub(super) interrupter: Option<Interrupter>,
    /// The last sign of a client.
    pub(super) last: Instant,
    /// Why nothing more is taken.
    pub(super) over: Option<String>,
    /// What was remarked already.
    noted: BTreeSet<String>,
    /// Requests that are under way, by their id as JSON, for clients that cancel them by another request.
    requests: Vec<(String, CancellationToken)>,
}

impl Shared {
    pub(super) fn new(offer: Offer, messages: Sender<Message>) -> Self {
        let state = State {
            used: false,
            left: false,
            calls: 0,
            waiting: 0,
            running: None,
            taken_back: BTreeSet::new(),
            interrupter: None,
            last: Instant::now(),
            over: None,
            noted: BTreeSet::new(),
            requests: Vec::new(),
        };
        Self { offer, state: Mutex::new(state), changed: Condvar::new(), messages }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Endpoint {
    /// What is offered.
    pub fn offer(&self) -> &Offer {
        &self.0.offer
    }

    /// How long ago a client gave the last sign; nothing while a call waits or runs.
    pub fn quiet(&self) -> Option<std::time::Duration> {
        let state = self.0.state();
        (state.waiting == 0).then(|| state.last.elapsed())
    }

    /// Says that the client is gone.
    pub fn left(&self, left: super::Left) {
        self.0.state().left = true;
        self.0.changed.notify_all();
        // If nobody listens any more, the trial is over already.
        let _ = self.0.messages.send(Message::Left(left));
    }

    /// A client gave a sign.
    pub(super) fn seen(&self) {
        self.0.state().last = Instant::now();
    }

    /// A client says what it is.
    pub(super) fn client(&self, name: &str, version: &str, protocol: &str) {
        let short = |text: &str| text.chars().take(MAX_NAME).collect::<String>();
        let client = format!("client: {} {}, protocol {}", short(name), short(version), short(protocol));
        self.note(client);
    }

    /// A client begins to work, or goes on with it: it reads a text.
    pub(super) fn reads(&self, what: &str) {
        self.used();
        self.note(format!("the client reads {what}"));
    }

    /// Remarks something, once.
    fn note(&self, text: String) {
        let mut state = self.0.state();
        if state.noted.len() < MAX_NOTES && state.noted.insert(text.clone()) {
            drop(state);
            let _ = self.0.messages.send(Message::Note(text));
        }
    }

    fn used(&self) {
        let mut state = self.0.state();
        state.last = Instant::now();
        state.used = true;
        self.0.changed.notify_all();
    }

    /// Hands in a call. Where nothing more is taken, says why.
    pub(super) fn hand_in(&self, tool: &str, arguments: Value) -> Result<HandedIn, String> {
        self.used();
        let mut state = self.0.state();
        if let Some(over) = &state.over {
            return Err(over.clone());
        }
        if state.waiting >= MAX_WAITING {
            return Err(format!("{MAX_WAITING} calls are waiting already; wait for their answers first"));
        }
        state.calls += 1;
        state.waiting += 1;
        let (answer, received) = oneshot::channel();
        let number = state.calls;
        // Sent while the state is held: whoever ends the trial then finds it in the queue.
        let call = Call { number, tool: tool.to_owned(), arguments, answer };
        let _ = self.0.messages.send(Message::Call(call));
        Ok(HandedIn { number, answer: received })
    }

    /// Takes a call back: its statement is stopped if it runs. A statement that is just beginning may miss it: call it again
    /// until the answer is there.
    pub(super) fn take_back(&self, number: u64) {
        let mut state = self.0.state();
        if state.running == Some(number) {
            // While the state is held no other call can begin, so no other one is stopped.
            if let Some(interrupter) = &state.interrupter {
                interrupter.interrupt();
            }
        } else {
            state.taken_back.insert(number);
        }
    }

    /// Notes a request that is under way.
    pub(super) fn request(&self, id: String, cancel: CancellationToken) {
        self.0.state().requests.push((id, cancel));
    }

    /// Forgets it.
    pub(super) fn request_ended(&self, id: &str) {
        let mut state = self.0.state();
        state.last = Instant::now();
        if let Some(at) = state.requests.iter().position(|(other, _)| other == id) {
            state.requests.swap_remove(at);
        }
    }

    /// Cancels the requests with this id.
    pub(super) fn cancel_request(&self, id: &str) {
        for (_, cancel) in self.0.state().requests.iter().filter(|(other, _)| other == id) {
            cancel.cancel();
        }
    }
}
