//! What came of repeating a run.

use crate::domain::Revision;
use crate::domain::replay::ReplayVerdict;
use crate::domain::trial::TrialName;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// All trials.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReplayReport {
    /// The run.
    pub run: String,
    /// The other revision that it was held against.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub against: Option<Revision>,
    /// Calls by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// The trials.
    pub trials: Vec<TrialReplay>,
}

/// One trial.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrialReplay {
    /// Which.
    pub trial: TrialName,
    /// Its calls that read something, in order.
    pub calls: Vec<CallReplay>,
    /// What becomes of the subjects of its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conclusions: Option<Conclusions>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CallReplay {
    /// The event of the call.
    pub event: u64,
    /// Its segment.
    pub segment: u32,
    /// The call's name.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: ReplayVerdict,
    /// Microseconds that it took now.
    pub elapsed_us: u64,
}

/// What becomes of the subjects of an answer: they are looked for in the column of the call that shows most of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Conclusions {
    /// The event of that call.
    pub event: u64,
    /// The column.
    pub column: String,
    /// Subjects that were in it and are not any more.
    pub gone: Vec<String>,
    /// Values that were not in it and are now.
    pub new: Vec<String>,
}

impl Conclusions {
    /// Whether the answer would be another one.
    pub const fn changed(&self) -> bool {
        !self.gone.is_empty() || !self.new.is_empty()
    }
}

impl ReplayReport {
    pub(super) fn new(run: String, against: Option<Revision>, trials: Vec<TrialReplay>) -> Self {
        let mut verdicts = BTreeMap::new();
        for call in trials.iter().flat_map(|trial| &trial.calls) {
            *verdicts.entry(call.verdict.word().to_owned()).or_insert(0) += 1;
        }
        Self { run, against, verdicts, trials }
    }

    /// Whether any call came out differently.
    pub fn differs(&self) -> bool {
        self.trials.iter().flat_map(|trial| &trial.calls).any(CallReplay::differs)
    }
}

impl CallReplay {
    /// Whether it came out differently.
    pub const fn differs(&self) -> bool {
        matches!(self.verdict, ReplayVerdict::Differs(_))
    }
}
