//! Whether work is right: today whether a pack is; graders, judges and scorecards come here too.
//!
//! This room may look into the vault. It never changes evidence.

mod pack_check;

pub use pack_check::{CheckReport, SnapshotCheck, WaysFollowed, check_pack};
