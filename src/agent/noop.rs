//! Nobody: no call, an empty answer. What it gets, everybody gets.

use crate::archive::ActorRecord;
use crate::domain::trial::ActorKind;
use crate::harness::{Actor, Over, Trial};
use std::collections::BTreeMap;

/// The actor that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Noop;

impl Actor for Noop {
    fn record(&self) -> ActorRecord {
        ActorRecord {
            kind: ActorKind::Noop,
            name: "noop".to_owned(),
            confined: true,
            settings: BTreeMap::new(),
        }
    }

    fn reads_prompts(&self) -> bool {
        false
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        trial.final_message("")
    }
}
