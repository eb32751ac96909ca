//! A person at the workbench: acts by the workbench's commands, so this only says who it was.

use crate::archive::ActorRecord;
use crate::domain::trial::ActorKind;
use crate::harness::{Actor, Over, Trial};
use std::collections::BTreeMap;

/// The person at the workbench.
#[derive(Debug, Clone, Default)]
pub struct Human {
    /// What the person is called; may be empty.
    pub name: String,
}

impl Actor for Human {
    fn record(&self) -> ActorRecord {
        let name = if self.name.is_empty() { "human".to_owned() } else { self.name.clone() };
        // A person can look elsewhere: nothing confines one to the tools.
        ActorRecord { kind: ActorKind::Human, name, confined: false, settings: BTreeMap::new() }
    }

    fn reads_prompts(&self) -> bool {
        false
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        trial.fail("a person acts at the workbench; `casebook run` can't do it")
    }
}
