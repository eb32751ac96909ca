//! How every trial of a run is done, as the command line says.

use super::super::failure::Failure;
use super::limits::LimitChoice;
use crate::domain::trial::{Mode, ToolSet};
use crate::harness::RunPlan;
use crate::query::EngineHost;

/// How every trial is done.
#[derive(Debug, clap::Args)]
pub(in super::super) struct TrialSettings {
    /// Seed of the run, from which the seed of every trial follows
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Whether help is given [default: scored; practice for a practice pack]
    #[arg(long, value_enum)]
    mode: Option<ModeChoice>,
    /// Three tools, or the two of the benchmark's paper: results as plain text, the final message is the answer
    #[arg(long, value_enum, default_value = "three")]
    tools: ToolChoice,
    /// Run the statements of each trial in a process of its own, which is killed when it does not stop (docs/guard.md)
    #[arg(long)]
    isolate: bool,
    #[command(flatten)]
    limits: LimitChoice,
}

/// Whether help is given.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ModeChoice {
    Scored,
    Practice,
}

/// Which tools there are.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ToolChoice {
    Three,
    Two,
}

impl TrialSettings {
    /// Puts what was given in place of the plan's.
    pub(super) fn apply(&self, plan: &mut RunPlan) -> Result<(), Failure> {
        plan.seed = self.seed;
        plan.host = EngineHost::isolated(self.isolate);
        plan.tools = match self.tools {
            ToolChoice::Three => ToolSet::Three,
            ToolChoice::Two => ToolSet::Two,
        };
        match self.mode {
            Some(ModeChoice::Scored) => plan.mode = Mode::Scored,
            Some(ModeChoice::Practice) => plan.mode = Mode::Practice,
            None => {}
        }
        self.limits.apply(plan)
    }
}
