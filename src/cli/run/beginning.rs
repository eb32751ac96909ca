//! A run that begins: its packs, its snapshots, its plan, its folder.

use super::super::choose_run::{failure, runs_folder};
use super::super::choose_snapshot::{open, store};
use super::super::failure::Failure;
use super::actor::{self, ChosenActor, ContextFile};
use super::settings::TrialSettings;
use super::{Arguments, Prepared};
use crate::archive::{ContextRecord, RunWriter, Secrets};
use crate::harness::{Actor, Clock, RunPlan};
use crate::pack::{Pack, find as find_pack};
use crate::query::OpenSnapshot;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a run is to be about, as the command line says.
pub(in super::super) struct Wanted<'a> {
    pub(in super::super) packs: &'a [String],
    pub(in super::super) tasks: &'a [String],
    pub(in super::super) sizes: &'a [String],
    pub(in super::super) trials: u32,
    pub(in super::super) settings: &'a TrialSettings,
}

/// What is to be done, and by whom, as the command line says.
pub(super) fn with_actor(
    arguments: &Arguments,
    secrets: &Secrets,
) -> Result<(RunPlan, ChosenActor), Failure> {
    let plan = planned(&Wanted {
        packs: &arguments.pack,
        tasks: &arguments.task,
        sizes: &arguments.size,
        trials: arguments.trials,
        settings: &arguments.settings,
    })?;
    let chosen = actor::chosen(&arguments.actor, &plan, secrets)?;
    Ok((plan, chosen))
}

/// Begins a run as the command line says.
pub(super) fn begun(
    arguments: &Arguments,
    clock: &dyn Clock,
    secrets: &Secrets,
) -> Result<Prepared, Failure> {
    let (plan, chosen) = with_actor(arguments, secrets)?;
    let contexts = chosen.contexts.iter().map(ContextFile::record).collect();
    let writer = created(
        &plan,
        chosen.actor.as_ref(),
        chosen.word,
        contexts,
        arguments.out.as_deref(),
        clock,
        secrets.and(chosen.secrets),
    )?;
    for file in &chosen.contexts {
        writer.blobs().put(file.text.as_bytes()).map_err(|error| failure(&error))?;
    }
    Ok((writer, plan, chosen.actor))
}

/// The plan of a run that is to begin.
pub(in super::super) fn planned(wanted: &Wanted<'_>) -> Result<RunPlan, Failure> {
    let names: Vec<String> = if wanted.packs.is_empty() {
        ["visibility", "cross-vendor"].map(str::to_owned).to_vec()
    } else {
        wanted.packs.to_vec()
    };
    let packs = names.iter().map(|name| find_pack(name)).collect::<Result<Vec<Pack>, _>>();
    let packs = packs.map_err(|problem| Failure::Input(problem.to_string()))?;
    let snapshots = snapshots(wanted.sizes, &packs)?;
    let mut plan = RunPlan::new(packs, snapshots, wanted.tasks).map_err(|error| Failure::input(&error))?;
    plan.trials = wanted.trials;
    wanted.settings.apply(&mut plan)?;
    Ok(plan)
}

/// The run of a plan, begun in the folder that was asked for, or in one of its own that is called by this word and the time.
pub(in super::super) fn created(
    plan: &RunPlan,
    actor: &dyn Actor,
    word: &str,
    contexts: Vec<ContextRecord>,
    out: Option<&Path>,
    clock: &dyn Clock,
    secrets: Secrets,
) -> Result<RunWriter, Failure> {
    let name = format!("{word}-{}", clock.wall().strftime("%Y%m%dT%H%M%SZ"));
    let folder = match (out, runs_folder()) {
        (Some(folder), _) => folder.to_owned(),
        (None, Some(runs)) => free(&runs, &name),
        (None, None) => {
            return Err(Failure::Input("there is no data folder for the run; give --out DIR".to_owned()));
        }
    };
    let head = plan.head(name, actor, contexts, clock);
    RunWriter::create(&folder, head, secrets).map_err(|error| failure(&error))
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
