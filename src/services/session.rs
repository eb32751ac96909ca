//! The state machine with services behind it: what every driver shares, whether a person, a script or a test sits before it.
//!
//! Not here: where events come from, what time it is, what is drawn.

use super::{Answered, Config, Services};
use crate::workbench::effect::{Drive, Effect};
use crate::workbench::event::{Event, Moment};
use crate::workbench::{Workbench, update};
use crossbeam_channel::{Receiver, unbounded};

/// The workbench at work.
#[derive(Debug)]
pub struct Session {
    /// The state.
    pub state: Workbench,
    services: Services,
    answers: Receiver<Answered>,
}

impl Session {
    /// A session over a state that has just begun.
    pub fn start(state: Workbench, config: Config) -> Self {
        let (sender, answers) = unbounded();
        Self { state, services: Services::start(config, sender), answers }
    }

    /// Where services answer, to be waited for among other things. What comes from it goes to [`Session::dispatch`].
    pub const fn answers(&self) -> &Receiver<Answered> {
        &self.answers
    }

    /// An event at a moment: changes the state, has done what is to be done, and gives what the driver has to do.
    pub fn dispatch(&mut self, at: Moment, event: Event) -> Vec<Drive> {
        let mut drives = Vec::new();
        for effect in update(&mut self.state, at, event) {
            match effect {
                Effect::Drive(drive) => drives.push(drive),
                other => self.services.carry_out(other),
            }
        }
        drives
    }

    /// What writes unsaved work when the process is about to end by a panic.
    pub fn last_wishes(&self) -> impl Fn() + Send + Sync + 'static {
        self.services.last_wishes()
    }

    /// Ends: writes what is left, leaves the open trial. Gives what could not be written.
    pub fn close(self) -> Vec<String> {
        self.services.close()
    }
}
