//! Proves a pack: its files have their form, its references run and read what they say, its truth is theirs, and nothing
//! that an actor may see gives an answer away.

mod leaks;
mod on_snapshot;
mod structure;
mod ways;

pub use ways::WaysFollowed;

use crate::pack::vault::{Truth, Vault};
use crate::pack::{Pack, PackProblem};
use crate::snapshot::{Manifest, Store};

/// A pack on one snapshot.
#[derive(Debug)]
pub struct SnapshotCheck {
    /// The snapshot.
    pub manifest: Manifest,
    /// The truth as the references give it now.
    pub truth: Truth,
    /// The slowest reference and how long it took, in milliseconds.
    pub slowest: Option<(String, u128)>,
    /// The accepted ways of links.
    pub ways: WaysFollowed,
}

/// What a check found.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// What is wrong; nothing if the pack is right.
    pub problems: Vec<PackProblem>,
    /// The snapshots that it was checked on.
    pub snapshots: Vec<SnapshotCheck>,
    /// Whether the pack keeps any truth; one that was just begun does not, and that is no problem.
    pub keeps_truth: bool,
}

/// Checks a pack on the snapshots that it names. `watch` hears of the snapshot and the task, and stops the check by
/// answering false. With `compare_truth`, the truth kept in the pack must be the one that the references give.
pub fn check_pack(
    pack: &Pack,
    store: &Store,
    compare_truth: bool,
    watch: &mut dyn FnMut(&str, &str) -> bool,
) -> CheckReport {
    let (vault, mut problems) = Vault::load(pack);
    structure::check(pack, &vault, &mut problems);
    let mut report = CheckReport { problems, snapshots: Vec::new(), keeps_truth: Truth::is_kept(pack) };
    for name in &pack.snapshots {
        let snapshot = match store.find(name) {
            Ok(snapshot) => snapshot,
            Err(error) => {
                report.problems.push(PackProblem::of_file("pack.toml", format!("snapshots: {error}")));
                continue;
            }
        };
        let checked = on_snapshot::check(pack, &vault, &snapshot, watch, &mut report.problems);
        let Some(checked) = checked else { continue };
        if compare_truth {
            on_snapshot::compare_truth(pack, &checked, &mut report.problems);
        }
        report.snapshots.push(checked);
    }
    leaks::check(pack, &vault, &report.snapshots, &mut report.problems);
    report
}
