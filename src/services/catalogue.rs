//! What there is to work on: packs and snapshots. What can't be read is said and left out.

use crate::pack::{Pack, embedded, find};
use crate::snapshot::{Manifest, Store};
use crate::workbench::reply::{Catalogue, PackSummary, SnapshotSummary};
use std::path::Path;

/// A pack by its id: a built-in one, else one of one's own, which is known by its folder.
pub(super) fn find_pack(id: &str, folders: &[String]) -> Option<Pack> {
    let own = || folders.iter().filter_map(|folder| find(folder).ok()).find(|own| own.id == id);
    find(id).ok().or_else(own)
}

pub(super) fn read(data_folder: Option<&Path>, folders: &[String]) -> Catalogue {
    let mut catalogue = Catalogue::default();
    match embedded() {
        Ok(packs) => {
            // Practice first: that is where a newcomer begins.
            let (practice, scored): (Vec<Pack>, Vec<Pack>) =
                packs.into_iter().partition(|pack| pack.practice);
            catalogue.packs.extend(practice.iter().chain(&scored).map(summary));
        }
        Err(problem) => catalogue.problems.push(problem.to_string()),
    }
    for folder in folders {
        match find(folder) {
            Ok(pack) if catalogue.packs.iter().any(|it| it.id == pack.id) => {
                catalogue.problems.push(format!("two packs are called '{}'; {folder} is left out", pack.id));
            }
            Ok(pack) => catalogue.packs.push(summary(&pack)),
            Err(problem) => catalogue.problems.push(problem.to_string()),
        }
    }
    match Store::new(data_folder).list() {
        Ok(entries) => {
            for entry in entries {
                match entry.snapshot {
                    Ok(snapshot) => catalogue.snapshots.push(snapshot_summary(&snapshot.manifest)),
                    Err(error) => {
                        let revision = entry.revision.short();
                        catalogue.problems.push(format!("the snapshot {revision} can't be opened: {error}"));
                    }
                }
            }
        }
        Err(error) => {
            catalogue.problems.push(error.to_string());
            catalogue
                .snapshots
                .extend(crate::snapshot::embedded().iter().map(|it| snapshot_summary(&it.manifest)));
        }
    }
    // The same revision may be built in and stored.
    let mut seen = std::collections::HashSet::new();
    catalogue.snapshots.retain(|snapshot| seen.insert(snapshot.revision));
    catalogue
}

fn summary(pack: &Pack) -> PackSummary {
    let mut tasks: Vec<_> = pack.tasks.iter().map(|(task, _)| task.clone()).collect();
    if !pack.practice {
        // Hints are for practice: a scored trial never holds them.
        for task in &mut tasks {
            task.hints.clear();
        }
    }
    PackSummary {
        id: pack.id.clone(),
        title: pack.title.clone(),
        practice: pack.practice,
        snapshots: pack.snapshots.clone(),
        tasks,
    }
}

pub(super) fn snapshot_summary(manifest: &Manifest) -> SnapshotSummary {
    let schema = manifest.schema_document();
    SnapshotSummary {
        name: manifest.name.clone(),
        revision: manifest.revision,
        organisation: manifest.organisation.clone(),
        release_date: manifest.release_date.to_string(),
        tables: schema.tables.len() as u64,
        rows: schema.tables.iter().map(|table| table.rows).sum(),
    }
}
