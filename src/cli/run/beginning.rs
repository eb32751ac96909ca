//! A run that begins: its packs, its snapshots, its plan, its folder.

use super::super::choose_run::{failure, runs_folder};
use super::super::choose_snapshot::{open, store};
use super::super::failure::Failure;
use super::actor::{self, ChosenActor, ContextFile};
use super::{Arguments, ModeChoice, Prepared, ToolChoice};
use crate::archive::{RunWriter, Secrets};
use crate::domain::trial::{Mode, ToolSet};
use crate::harness::{Clock, RunPlan};
use crate::pack::{Pack, find as find_pack};
use crate::query::{EngineHost, OpenSnapshot};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be done, and by whom, as the command line says.
pub(super) fn planned(arguments: &Arguments, secrets: &Secrets) -> Result<(RunPlan, ChosenActor), Failure> {
    let names: Vec<String> = if arguments.pack.is_empty() {
        ["visibility", "cross-vendor"].map(str::to_owned).to_vec()
    } else {
        arguments.pack.clone()
    };
    let packs = names.iter().map(|name| find_pack(name)).collect::<Result<Vec<Pack>, _>>();
    let packs = packs.map_err(|problem| Failure::Input(problem.to_string()))?;
    let snapshots = snapshots(&arguments.size, &packs)?;
    let mut plan = RunPlan::new(packs, snapshots, &arguments.task).map_err(|error| Failure::input(&error))?;
    plan.trials = arguments.trials;
    plan.seed = arguments.seed;
    plan.host = EngineHost::isolated(arguments.isolate);
    plan.tools = match arguments.tools {
        ToolChoice::Three => ToolSet::Three,
        ToolChoice::Two => ToolSet::Two,
    };
    match arguments.mode {
        Some(ModeChoice::Scored) => plan.mode = Mode::Scored,
        Some(ModeChoice::Practice) => plan.mode = Mode::Practice,
        None => {}
    }
    arguments.limits.apply(&mut plan)?;
    let chosen = actor::chosen(&arguments.actor, &plan, secrets)?;
    Ok((plan, chosen))
}

/// Begins a run as the command line says.
pub(super) fn begun(
    arguments: &Arguments,
    clock: &dyn Clock,
    secrets: &Secrets,
) -> Result<Prepared, Failure> {
    let (plan, chosen) = planned(arguments, secrets)?;
    let name = format!("{}-{}", chosen.word, clock.wall().strftime("%Y%m%dT%H%M%SZ"));
    let folder = match (&arguments.out, runs_folder()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(runs)) => free(&runs, &name),
        (None, None) => {
            return Err(Failure::Input("there is no data folder for the run; give --out DIR".to_owned()));
        }
    };
    let contexts = chosen.contexts.iter().map(ContextFile::record).collect();
    let head = plan.head(name, chosen.actor.as_ref(), contexts, clock);
    let secrets = secrets.and(chosen.secrets);
    let writer = RunWriter::create(&folder, head, secrets).map_err(|error| failure(&error))?;
    for file in &chosen.contexts {
        writer.blobs().put(file.text.as_bytes()).map_err(|error| failure(&error))?;
    }
    Ok((writer, plan, chosen.actor))
}

/// A folder of this name that is not there yet: two runs may begin in one second.
fn free(runs: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let names = std::iter::once(name.to_owned()).chain(numbered);
    names.map(|name| runs.join(name)).find(|folder| !folder.exists()).unwrap_or_else(|| runs.join(name))
}

/// The snapshots by name; `all` are those of the packs.
fn snapshots(asked: &[String], packs: &[Pack]) -> Result<Vec<Arc<OpenSnapshot>>, Failure> {
    let mut names: Vec<String> = Vec::new();
    for asked in asked {
        if asked == "all" {
            names.extend(packs.iter().flat_map(|pack| pack.snapshots.iter().cloned()));
        } else {
            names.push(asked.clone());
        }
    }
    if names.is_empty() {
        // The first that all packs are written for.
        let first = packs.first().and_then(|pack| pack.snapshots.first());
        names.push(first.cloned().unwrap_or_else(|| "small".to_owned()));
    }
    let mut chosen: Vec<Arc<OpenSnapshot>> = Vec::new();
    for name in names {
        let found = store().find(&name).map_err(|error| Failure::input(&error))?;
        if chosen.iter().all(|it| it.manifest.revision != found.manifest.revision) {
            chosen.push(open(&found)?);
        }
    }
    Ok(chosen)
}
