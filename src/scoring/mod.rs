//! Whether work is right: today whether a pack is; graders, judges and scorecards come here too.
//!
//! This room may look into the vault. It never changes evidence.

mod minimal_evidence;
mod oracle;
mod pack_check;

pub use minimal_evidence::minimal_evidence;
pub use oracle::oracle;
pub use pack_check::{CheckReport, SnapshotCheck, WaysFollowed, check_pack};
