//! A trial: the tools that an actor has, the limits it works under, the recorder that notes all it does; and runs of many.
//!
//! Everything that happens in a trial happens through [`Trial`], so that nothing is unrecorded. Not here: who acts
//! (`agent`), what is on disk (`archive`), what a right answer is. This room never sees a vault.

mod actor;
mod cancel;
mod clock;
mod plan;
mod prompts;
mod result_table;
mod run;
mod segments;
mod tools;
mod trial;
mod trial_call;

pub use actor::Actor;
pub use cancel::{Cancel, Watched};
pub use clock::{Clock, FixedClock, SystemClock};
pub use plan::{PlanError, RunPlan};
pub use prompts::{Prompts, brief_text, system_prompt};
pub use result_table::{Table, result_table};
pub use run::{RunOutcome, RunProgress, execute};
pub use segments::resume_trial;
pub use tools::{Tool, ToolDefinition, definitions};
pub use trial::{Over, StepWords, Trial, TrialSetup};
pub use trial_call::{Reply, ReplyKind};
