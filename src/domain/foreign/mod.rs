//! A trace that another program wrote, in one form for every format.
//!
//! A log holds trials, a trial holds events in order, each event says what happened and where in the source it stands. Absent
//! is "not recorded", never 0. What the source had and this form can't hold is counted in a [`Loss`]. Texts are kept word for
//! word, with all their control characters: whoever shows them makes them visible first.
//!
//! Not here: reading any format (`archive::import`), and our own traces ([`super::trace`]).

mod event;
mod log;
mod loss;
mod marks;
mod trial;

pub use event::{
    ForeignBody, ForeignEvent, JudgeCall, Mark, ModelStep, Policy, RawPointer, Score, ScoreEdit, ToolCall,
    ToolError, ToolResult, plain_tool_name,
};
pub use log::{ForeignFormat, ForeignLog, LogHeader, SourceFile, TrialEntry};
pub use loss::{Deviation, Loss, MAX_DEVIATIONS, MAX_LOSS_PATHS};
pub use marks::ImportedMarks;
pub use trial::{EndState, ForeignTrial, TrialFacts};
