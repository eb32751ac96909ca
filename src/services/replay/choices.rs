//! Runs of this machine whose traces can be opened, newest first.

use crate::archive::Archive;
use crate::services::own_trials::RUNS;
use crate::workbench::replay::trace::TraceChoice;
use std::path::Path;

/// All runs. One that can't be read is left out; `casebook runs list` says why.
pub(super) fn read(data_folder: Option<&Path>) -> Vec<TraceChoice> {
    let Some(folder) = data_folder.map(|folder| folder.join(RUNS)) else { return Vec::new() };
    let mut found: Vec<(String, TraceChoice)> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(archive) = Archive::open(&entry.path()) else { continue };
        let run = &archive.run;
        let packs: Vec<&str> = run.packs.iter().map(|pack| pack.id.as_str()).collect();
        let state = if run.end.is_some() { "" } else { ", not ended" };
        found.push((
            run.started.clone(),
            TraceChoice {
                title: run.run.clone(),
                about: format!("{} {}, {}{state}", run.actor.name, run.started, packs.join(" ")),
                aside: match archive.trials.len() {
                    1 => "1 trial".to_owned(),
                    count => format!("{count} trials"),
                },
                path: entry.path().display().to_string(),
            },
        ));
    }
    found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| other.1.title.cmp(&one.1.title)));
    found.into_iter().map(|(_, choice)| choice).collect()
}
