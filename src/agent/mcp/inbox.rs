//! The trial's side: it makes the calls that clients hand in, one after the other, in the thread of the trial.

use super::Offer;
use super::endpoint::{Endpoint, Message, Outcome, Shared};
use crate::harness::{Cancel, Over, Trial};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often it is looked whether somebody stopped the trial or its time is over.
const TICK: Duration = Duration::from_millis(50);

/// The trial's side of an [`Endpoint`]. When it is dropped, nothing more is taken.
#[derive(Debug)]
pub struct Inbox {
    shared: Arc<Shared>,
    messages: Receiver<Message>,
}

/// Why a client is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// It ended the connection, or the connection broke; in words.
    Connection(String),
    /// Its process ended.
    Process,
}

/// How serving came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Served {
    /// The trial is over.
    Over,
    /// The client is gone, and the trial has not ended.
    Left(Left),
}

/// The two sides of a trial that is offered to clients.
pub fn endpoint(offer: Offer) -> (Endpoint, Inbox) {
    let (sender, messages) = crossbeam_channel::unbounded();
    let shared = Arc::new(Shared::new(offer, sender));
    (Endpoint(Arc::clone(&shared)), Inbox { shared, messages })
}

/// Serves clients until the trial is over or they are gone. Without a sign of any for `idle`, the trial ends.
///
/// # Errors
/// [`Over`]: evidence can't be written, or the trial ended by a limit or because somebody stopped it.
pub fn serve(trial: &mut Trial<'_>, inbox: &Inbox, idle: Option<Duration>) -> Result<Served, Over> {
    inbox.begin(trial);
    let served = serve_until_over(trial, inbox, idle);
    inbox.close(&match &served {
        Ok(Served::Left(_)) => "the trial is over: its client left".to_owned(),
        Ok(Served::Over) => over_text(trial.ending().map_or("ended", crate::domain::trial::Ending::word)),
        Err(Over::Ended(ending)) => over_text(ending.word()),
        Err(error) => format!("the trial is over: {error}"),
    });
    served
}

fn over_text(how: &str) -> String {
    format!("the trial is over ({how}): nothing more is taken or recorded")
}

fn serve_until_over(trial: &mut Trial<'_>, inbox: &Inbox, idle: Option<Duration>) -> Result<Served, Over> {
    loop {
        match inbox.messages.recv_timeout(TICK) {
            Ok(Message::Call(call)) => {
                if !inbox.is_wanted(call.number) {
                    let _ = call.answer.send(Outcome::TakenBack);
                    continue;
                }
                let made = trial.call(&call.tool, &call.arguments);
                inbox.made();
                // The client may be gone; what it called is recorded all the same.
                let _ = call.answer.send(match &made {
                    Ok(reply) => Outcome::Reply(Box::new(reply.clone())),
                    Err(Over::Ended(ending)) => Outcome::Over(over_text(ending.word())),
                    Err(error) => Outcome::Over(format!("the call can't be recorded: {error}")),
                });
                made?;
                if trial.ending().is_some() {
                    return Ok(Served::Over);
                }
            }
            Ok(Message::Note(text)) => trial.note(&text)?,
            Ok(Message::Left(left)) => return Ok(Served::Left(left)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                trial.look_up()?;
                if let Some(most) = idle
                    && inbox.is_quiet_for(most)
                {
                    return Err(trial.idle(most.as_secs_f64()));
                }
            }
        }
    }
}

impl Inbox {
    /// Waits until somebody begins to work, or is gone before. `false` if the run was stopped first.
    pub fn wait(&self, cancel: &Cancel) -> bool {
        let mut state = self.shared.state();
        while !state.used && !state.left {
            if cancel.is_stopped() {
                return false;
            }
            let waited = self.shared.changed.wait_timeout(state, TICK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        !cancel.is_stopped()
    }

    /// Ends it: whatever waits and whatever comes is answered with why.
    pub fn close(&self, why: &str) {
        let mut state = self.shared.state();
        let why = state.over.get_or_insert_with(|| why.to_owned()).clone();
        for message in self.messages.try_iter() {
            if let Message::Call(call) = message {
                state.waiting = state.waiting.saturating_sub(1);
                let _ = call.answer.send(Outcome::Over(why.clone()));
            }
        }
    }

    fn begin(&self, trial: &mut Trial<'_>) {
        let interrupter = trial.engine().interrupter();
        let mut state = self.shared.state();
        state.interrupter = Some(interrupter);
        state.last = std::time::Instant::now();
    }

    /// Takes the next call: `false` if it was taken back.
    fn is_wanted(&self, number: u64) -> bool {
        let mut state = self.shared.state();
        if state.taken_back.remove(&number) {
            state.waiting = state.waiting.saturating_sub(1);
            return false;
        }
        state.running = Some(number);
        true
    }

    fn made(&self) {
        let mut state = self.shared.state();
        state.running = None;
        state.waiting = state.waiting.saturating_sub(1);
        state.last = std::time::Instant::now();
    }

    fn is_quiet_for(&self, most: Duration) -> bool {
        let state = self.shared.state();
        state.waiting == 0 && state.last.elapsed() >= most
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.close("the trial is over");
    }
}
