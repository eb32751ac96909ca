//! Who acts in a trial.

use super::{Over, Trial};
use crate::archive::ActorRecord;

/// An actor. One works on many trials at once, each in its own thread.
pub trait Actor: Sync {
    /// What is kept of it with the run.
    fn record(&self) -> ActorRecord;

    /// Whether it reads the prompts; they are recorded then.
    fn reads_prompts(&self) -> bool;

    /// Works on a trial until it is over. Returning while it is not is an error of the actor.
    ///
    /// # Errors
    /// [`Over`], as the trial's methods say it; pass it on.
    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over>;
}
