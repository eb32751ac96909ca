//! Opening a trial of a person: a run of its own with one trial, begun or gone on with.

use super::catalogue::find_pack;
use super::own_trials::RUNS;
use super::{Config, Snapshots, catalogue, drafts, open_snapshot};
use crate::agent::Human;
use crate::archive::{Archive, PlannedTask, RunFile, RunWriter, Secrets};
use crate::domain::trial::{Ending, INVESTIGATION, Mode, ToolSet, TrialName};
use crate::domain::trial_limits::TrialLimits;
use crate::harness::{Cancel, RunPlan, TrialSetup};
use crate::pack::Pack;
use crate::query::{EngineHost, OpenSnapshot};
use crate::workbench::effect::{Opening, Work};
use crate::workbench::reply::OpenedTrial;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be opened.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) opening: Opening,
    pub(super) config: Config,
    pub(super) snapshots: Snapshots,
}

/// A trial that is ready to begin, or over.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) writer: RunWriter,
    pub(super) setup: TrialSetup,
    pub(super) opened: OpenedTrial,
    /// The folder of the run.
    pub(super) folder: PathBuf,
}

/// What was opened.
#[derive(Debug)]
pub(super) enum Ready {
    /// Work can go on.
    Working(Box<Prepared>),
    /// The trial is over; it can be looked at.
    Over(Box<OpenedTrial>),
}

/// Prepares a trial, in the thread that will own it.
pub(super) fn prepare(plan: &Plan) -> Result<Ready, String> {
    let Plan { opening, config, snapshots } = plan;
    let Some(data_folder) = config.data_folder.as_deref() else {
        return Err("there is no data folder to record in; set CASEBOOK_DATA_DIR or HOME".to_owned());
    };
    let snapshot = open_snapshot(snapshots, Some(data_folder), opening.revision)?;
    let pack = pack(&opening.work, &config.packs)?;
    let runs = data_folder.join(RUNS);
    match &opening.resume {
        Some(run) => resumed(plan, &runs.join(run), run, pack, &snapshot, data_folder),
        None => begun(plan, &runs, pack, &snapshot, data_folder),
    }
}

fn pack(work: &Work, folders: &[String]) -> Result<Option<Pack>, String> {
    let Work::Task { pack, .. } = work else { return Ok(None) };
    find_pack(pack, folders)
        .map(Some)
        .ok_or_else(|| format!("the pack '{pack}' is not there any more; give its folder with --pack"))
}

fn run_plan(pack: Option<Pack>, snapshot: &Arc<OpenSnapshot>, task: PlannedTask, mode: Mode) -> RunPlan {
    RunPlan {
        packs: pack.into_iter().collect(),
        snapshots: vec![Arc::clone(snapshot)],
        tasks: vec![task],
        trials: 1,
        mode,
        tools: ToolSet::Three,
        limits: TrialLimits::of_person(),
        host: EngineHost::InProcess,
        seed: 0,
    }
}

fn begun(
    plan: &Plan,
    runs: &Path,
    pack: Option<Pack>,
    snapshot: &Arc<OpenSnapshot>,
    data_folder: &Path,
) -> Result<Ready, String> {
    let Plan { opening, config, .. } = plan;
    let revision = snapshot.manifest.revision;
    let stamp = config.clock.wall().strftime("%Y%m%dT%H%M%SZ").to_string();
    let (pack_id, task, question) = match (&opening.work, &pack) {
        (Work::Task { task, .. }, Some(pack)) => {
            let task = pack.task(task).ok_or_else(|| format!("the pack has no task '{task}' any more"))?;
            (pack.id.clone(), task.id.clone(), Some(task.question.clone()))
        }
        _ => (INVESTIGATION.to_owned(), stamp.clone(), None),
    };
    let planned = PlannedTask { revision, pack: pack_id.clone(), task: task.clone() };
    let run_plan = run_plan(pack, snapshot, planned, opening.mode);
    let actor = Human { name: config.person.clone() };
    // Two may begin in one second, also in two workbenches: who makes the folder has the name.
    let base = format!("human-{stamp}-{}", task.to_ascii_lowercase());
    for number in 1..1000 {
        let name = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        let folder = runs.join(&name);
        if folder.exists() {
            continue;
        }
        let head = run_plan.head(name.clone(), &actor, Vec::new(), config.clock.as_ref());
        let writer = match RunWriter::create(&folder, head, Secrets::default()) {
            Ok(writer) => writer,
            Err(crate::archive::ArchiveError::NotEmpty { .. }) => continue,
            Err(error) => return Err(error.to_string()),
        };
        let trial = TrialName { revision, pack: pack_id, task, number: 1 };
        let setup = setup(&run_plan, config, snapshot, trial, question);
        let opened = opened(data_folder, &name, &setup, snapshot, false);
        return Ok(Ready::Working(Box::new(Prepared { writer, setup, opened, folder })));
    }
    Err(format!("there are too many runs called {base}; remove some of {}", runs.display()))
}

fn resumed(
    plan: &Plan,
    folder: &Path,
    name: &str,
    pack: Option<Pack>,
    snapshot: &Arc<OpenSnapshot>,
    data_folder: &Path,
) -> Result<Ready, String> {
    let run = RunFile::load(folder).map_err(|error| error.to_string())?;
    let planned = run.plan.first().cloned().ok_or("the run has no task")?;
    let trial = TrialName { revision: planned.revision, pack: planned.pack, task: planned.task, number: 1 };
    let run_plan = RunPlan::of_run(&run, pack.into_iter().collect(), vec![Arc::clone(snapshot)])
        .map_err(|error| error.to_string())?;
    let question =
        run_plan.packs.first().and_then(|pack| pack.task(&trial.task)).map(|task| task.question.clone());
    let setup = setup(&run_plan, &plan.config, snapshot, trial, question);
    let archive = Archive::open(folder).map_err(|error| error.to_string())?;
    let is_over = archive.trial(&setup.name).is_some_and(|it| it.ending() == Ending::Answered);
    let mut opened = opened(data_folder, name, &setup, snapshot, true);
    if is_over {
        opened.answer = archive.answer(&setup.name).map_err(|error| error.to_string())?;
        return Ok(Ready::Over(Box::new(opened)));
    }
    let writer = RunWriter::resume(folder, Secrets::default()).map_err(|error| error.to_string())?;
    Ok(Ready::Working(Box::new(Prepared { writer, setup, opened, folder: folder.to_owned() })))
}

fn setup(
    plan: &RunPlan,
    config: &Config,
    snapshot: &Arc<OpenSnapshot>,
    trial: TrialName,
    question: Option<String>,
) -> TrialSetup {
    plan.setup(trial, question, snapshot, &config.clock, &Cancel::default())
}

fn opened(
    data_folder: &Path,
    run: &str,
    setup: &TrialSetup,
    snapshot: &Arc<OpenSnapshot>,
    resumed: bool,
) -> OpenedTrial {
    let (draft, problem) = match drafts::read(data_folder, run) {
        Ok(draft) => (draft, None),
        Err(problem) => (None, Some(problem)),
    };
    OpenedTrial {
        run: run.to_owned(),
        trial: setup.name.clone(),
        mode: setup.mode,
        snapshot: catalogue::snapshot_summary(&snapshot.manifest),
        schema: Arc::new(snapshot.manifest.schema_document()),
        draft,
        problem,
        answer: None,
        resumed,
    }
}
