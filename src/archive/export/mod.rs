//! Writing trials in the formats of other programs: one file a format.
//!
//! What is written comes from the archive alone, through the model of foreign traces; the interface's own calls are left out.
//! Not here: grades, and choosing by them.

pub mod atif;
pub mod chat;
pub mod inspect_scores;
mod wall;

use crate::domain::foreign::ForeignEvent;
use crate::domain::foreign::Mark;

/// Whether an event is one that the actor of the trial did, or was told, there and then.
fn is_own(event: &ForeignEvent) -> bool {
    !event.marks.iter().any(|mark| matches!(mark, Mark::Judge | Mark::Subagent))
}
