//! The limits of each trial, as they are given on the command line.

use super::super::failure::Failure;
use crate::harness::RunPlan;

/// Limits of each trial.
#[derive(Debug, clap::Args)]
pub(super) struct LimitChoice {
    /// Model steps of a trial
    #[arg(long = "max-steps", value_name = "N")]
    steps: Option<u64>,
    /// Tool calls of a trial
    #[arg(long = "max-calls", value_name = "N")]
    calls: Option<u64>,
    /// Seconds of a trial
    #[arg(long = "max-seconds", value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Tokens of a trial, in and out
    #[arg(long = "max-tokens", value_name = "N")]
    tokens: Option<u64>,
    /// US dollars of a trial
    #[arg(long = "max-cost", value_name = "DOLLARS")]
    cost: Option<f64>,
    /// Seconds of a statement
    #[arg(long = "max-statement-seconds", value_name = "SECONDS")]
    statement_seconds: Option<f64>,
}

impl LimitChoice {
    /// Puts the given limits in place of the plan's.
    pub(super) fn apply(&self, plan: &mut RunPlan) -> Result<(), Failure> {
        let seconds = |given: Option<f64>| match given {
            Some(given) if !(given > 0.0 && given <= 1e9) => {
                Err(Failure::Input(format!("a limit of {given} is none: give a number above 0")))
            }
            given => Ok(given),
        };
        let limits = &mut plan.limits;
        limits.steps = self.steps.or(limits.steps);
        limits.tool_calls = self.calls.or(limits.tool_calls);
        limits.seconds = seconds(self.seconds)?.or(limits.seconds);
        limits.tokens = self.tokens.or(limits.tokens);
        limits.cost = seconds(self.cost)?.or(limits.cost);
        if let Some(given) = seconds(self.statement_seconds)? {
            limits.statement.seconds = given;
        }
        Ok(())
    }
}
