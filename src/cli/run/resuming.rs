//! A run that was stopped and goes on: everything it began with is found again, or it is refused.

use super::super::choose_run::failure;
use super::super::choose_snapshot::{open, store};
use super::super::failure::Failure;
use super::{Arguments, Prepared, actor};
use crate::archive::{Blobs, RunFile, RunWriter, Secrets};
use crate::harness::{Actor, RunPlan};
use crate::pack::{Pack, find as find_pack};
use std::path::Path;

/// Goes on with the run in a folder.
pub(super) fn resumed(folder: &Path, arguments: &Arguments, secrets: &Secrets) -> Result<Prepared, Failure> {
    let (run, plan) = read(folder, &arguments.pack)?;
    let chosen = actor::of_run(&arguments.actor, &run, &plan, &Blobs::of_run(folder))?;
    same_actor(&run, folder, chosen.actor.as_ref())?;
    let secrets = secrets.and(chosen.secrets);
    let writer = RunWriter::resume(folder, secrets).map_err(|error| failure(&error))?;
    Ok((writer, plan, chosen.actor))
}

/// Opens the run in a folder again. Packs that are not built in are named by `packs`.
pub(in super::super) fn reopened(
    folder: &Path,
    packs: &[String],
    secrets: Secrets,
) -> Result<(RunWriter, RunPlan), Failure> {
    let (_, plan) = read(folder, packs)?;
    let writer = RunWriter::resume(folder, secrets).map_err(|error| failure(&error))?;
    Ok((writer, plan))
}

/// The head of a run that has not ended, and its plan.
fn read(folder: &Path, packs: &[String]) -> Result<(RunFile, RunPlan), Failure> {
    let run = RunFile::load(folder).map_err(|error| failure(&error))?;
    if run.end.is_some() {
        return Err(Failure::Input(format!(
            "{} has ended: there is nothing to go on with",
            folder.display()
        )));
    }
    // A private pack lies in a folder that the archive does not know: it is named again.
    let packs: Vec<Pack> = run
        .packs
        .iter()
        .map(|record| {
            let given =
                packs.iter().filter_map(|asked| find_pack(asked).ok()).find(|pack| pack.id == record.id);
            given.map_or_else(|| find_pack(&record.id), Ok)
        })
        .collect::<Result<_, _>>()
        .map_err(|problem| Failure::Input(format!("{problem}; give the run's pack with --pack")))?;
    let mut snapshots = Vec::new();
    for record in &run.revisions {
        let found = store().find(&record.revision.to_string()).map_err(|error| Failure::input(&error))?;
        snapshots.push(open(&found)?);
    }
    let plan = RunPlan::of_run(&run, packs, snapshots).map_err(|error| Failure::input(&error))?;
    Ok((run, plan))
}

/// Refuses to go on with another actor than the run began with.
pub(in super::super) fn same_actor(run: &RunFile, folder: &Path, actor: &dyn Actor) -> Result<(), Failure> {
    if actor.record() != run.actor {
        let reason = format!(
            "{} can't be gone on with: the actor is not what it began with (the truth of a pack was changed since, or --replay-exchanges was given then and not now?); begin a new run",
            folder.display()
        );
        return Err(Failure::Input(reason));
    }
    Ok(())
}
