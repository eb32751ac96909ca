//! Who acts in a trial.

use super::{Over, Prompts, Trial};
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

    /// Works on a trial until it is over. Returning while it is not is an error of the actor.
    ///
    /// # Errors
    /// [`Over`], as the trial's methods say it; pass it on.
    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over>;
}
