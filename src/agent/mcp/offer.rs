//! What a client is offered of a trial before it begins: its texts and its tools.

use crate::domain::SchemaDocument;
use crate::domain::trial::{ToolSet, TrialName};
use crate::domain::trial_limits::ShownLimits;
use crate::harness::{Prompts, TrialSetup};

/// The texts and tools of a trial.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Which trial it is.
    pub name: TrialName,
    /// The tools.
    pub tools: ToolSet,
    /// The prompts.
    pub prompts: Prompts,
    /// What `get_schema` shows.
    pub schema_text: String,
    /// The same as data.
    pub schema: SchemaDocument,
    /// How much of a result is shown.
    pub shown: ShownLimits,
    /// Seconds of a statement.
    pub statement_seconds: f64,
}

impl Offer {
    /// What a trial of this kind offers.
    pub fn new(setup: &TrialSetup, prompts: &Prompts) -> Self {
        Self {
            name: setup.name.clone(),
            tools: setup.tools,
            prompts: prompts.clone(),
            schema_text: setup.snapshot.schema_text().to_owned(),
            schema: setup.snapshot.manifest.schema_document(),
            shown: setup.limits.shown,
            statement_seconds: setup.limits.statement.seconds,
        }
    }

    /// Everything that somebody needs to begin: the system prompt, then the brief.
    pub fn instructions(&self) -> String {
        format!("{}\n{}", self.prompts.system, self.prompts.brief)
    }
}
