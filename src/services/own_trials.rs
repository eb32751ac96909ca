//! The trials of the person at the workbench, from the heads and ledgers of the runs on this machine.

use crate::archive::Archive;
use crate::domain::trial::ActorKind;
use crate::workbench::reply::OwnTrial;
use std::path::Path;

/// Where runs lie.
pub(super) const RUNS: &str = "runs";

/// Own trials, newest first. A run that can't be read is left out; `casebook runs list` says why.
pub(super) fn read(data_folder: Option<&Path>) -> Vec<OwnTrial> {
    let Some(folder) = data_folder else { return Vec::new() };
    let mut own = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder.join(RUNS)) else { return own };
    for entry in entries.flatten() {
        let Some(run) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let Ok(archive) = Archive::open(&entry.path()) else { continue };
        if archive.run.actor.kind != ActorKind::Human {
            continue;
        }
        for trial in &archive.trials {
            let queries = trial.last().map_or(0, |line| line.counts.queries);
            own.push(OwnTrial {
                run: run.clone(),
                trial: trial.name.clone(),
                mode: archive.run.mode,
                ending: trial.ending(),
                started: archive.run.started.clone(),
                queries,
            });
        }
    }
    own.sort_by(|one, other| other.started.cmp(&one.started).then(other.run.cmp(&one.run)));
    own
}
