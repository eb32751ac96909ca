//! Who acts in a trial.

use super::{Cancel, Over, Prompts, Trial, TrialSetup};
use crate::archive::ActorRecord;
use crate::query::OpenSnapshot;

/// An actor. One works on many trials at once, each in its own thread.
pub trait Actor: Sync {
    /// What is kept of it with the run.
    fn record(&self) -> ActorRecord;

    /// Whether it reads the prompts; they are recorded then.
    fn reads_prompts(&self) -> bool;

    /// The prompts as this actor is told them: the pack's, unless it was given more.
    fn prompts(&self, prompts: Prompts, snapshot: &OpenSnapshot) -> Prompts {
        let _ = snapshot;
        prompts
    }

    /// Waits until somebody is there to act; the trial, and its clock, begin then. `false` means that nobody will come: the
    /// trial is not begun, and the run can be gone on with. Most actors are there at once.
    fn is_there(&self, _setup: &TrialSetup, _prompts: &Prompts, _cancel: &Cancel) -> bool {
        true
    }

    /// Works on a trial until it is over. Returning while it is not is an error of the actor.
    ///
    /// # Errors
    /// [`Over`], as the trial's methods say it; pass it on.
    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over>;
}
