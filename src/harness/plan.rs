//! What a run is to do: which tasks of which packs, on which snapshots, how often, under which limits.

use super::prompts::system_prompt;
use super::{Actor, Cancel, Clock, TrialSetup};
use crate::archive::{
    AGENT_HOST, ContextRecord, PackRecord, PlannedTask, RUN_FORMAT, RevisionRecord, RunFile,
};
use crate::domain::trial::{INVESTIGATION, Mode, ToolSet, TrialName, is_task_name};
use crate::domain::trial_limits::TrialLimits;
use crate::domain::{Revision, TaskBrief};
use crate::pack::Pack;
use crate::query::{EngineHost, OpenSnapshot};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A run before it is begun, or what is needed to go on with one.
#[derive(Debug)]
pub struct RunPlan {
    /// The packs.
    pub packs: Vec<Pack>,
    /// The snapshots, open.
    pub snapshots: Vec<Arc<OpenSnapshot>>,
    /// What is to be done, in order.
    pub tasks: Vec<PlannedTask>,
    /// Attempts at each.
    pub trials: u32,
    /// Whether help is given.
    pub mode: Mode,
    /// The tools.
    pub tools: ToolSet,
    /// Limits of each trial.
    pub limits: TrialLimits,
    /// Where the statements of its trials run.
    pub host: EngineHost,
    /// Seed of the run.
    pub seed: u64,
}

/// Why a plan is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A task is not in any of the packs.
    #[error("no task '{0}' in the chosen packs; `casebook tasks` lists them")]
    NoTask(String),
    /// A task's id can't be a folder.
    #[error("the task '{0}' can't be recorded: its id must be 1 to 64 letters, digits, '-', '_' and '.'")]
    BadTask(String),
    /// A pack's id names investigations.
    #[error("a pack can't be called 'investigation': that is where work without a task is recorded")]
    ReservedPack,
    /// Two packs have the same id.
    #[error("two of the packs are called '{0}'")]
    TwoPacks(String),
    /// There is nothing to do.
    #[error("the run has nothing to do: no task, no snapshot or no attempt was chosen")]
    Empty,
    /// A run to go on with has another pack.
    #[error(
        "pack '{id}' is not the one that the run began with ({began} then, {now} now); check out that version of it"
    )]
    OtherPack {
        /// The pack.
        id: String,
        /// Its digest then.
        began: String,
        /// Its digest now.
        now: String,
    },
}

impl RunPlan {
    /// All these tasks on all these snapshots; every task of the packs where none is named.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn new(
        packs: Vec<Pack>,
        snapshots: Vec<Arc<OpenSnapshot>>,
        wanted: &[String],
    ) -> Result<Self, PlanError> {
        for (nth, pack) in packs.iter().enumerate() {
            if pack.id == INVESTIGATION {
                return Err(PlanError::ReservedPack);
            }
            if packs[..nth].iter().any(|other| other.id == pack.id) {
                return Err(PlanError::TwoPacks(pack.id.clone()));
            }
        }
        if let Some(unknown) = wanted.iter().find(|id| packs.iter().all(|pack| pack.task(id).is_none())) {
            return Err(PlanError::NoTask(unknown.chars().take(80).collect()));
        }
        let is_wanted =
            |task: &TaskBrief| wanted.is_empty() || wanted.iter().any(|id| task.id.eq_ignore_ascii_case(id));
        let mut tasks = Vec::new();
        for snapshot in &snapshots {
            for pack in &packs {
                for (task, _) in pack.tasks.iter().filter(|(task, _)| is_wanted(task)) {
                    if !is_task_name(&task.id) {
                        return Err(PlanError::BadTask(task.id.chars().take(80).collect()));
                    }
                    let revision = snapshot.manifest.revision;
                    tasks.push(PlannedTask { revision, pack: pack.id.clone(), task: task.id.clone() });
                }
            }
        }
        if tasks.is_empty() {
            return Err(PlanError::Empty);
        }
        let practice = packs.iter().all(|pack| pack.practice);
        Ok(Self {
            packs,
            snapshots,
            tasks,
            trials: 1,
            mode: if practice { Mode::Practice } else { Mode::Scored },
            tools: ToolSet::Three,
            limits: TrialLimits::default(),
            host: EngineHost::InProcess,
            seed: 0,
        })
    }

    /// What is needed to go on with a run.
    ///
    /// # Errors
    /// [`PlanError::OtherPack`] where a pack was changed since.
    pub fn of_run(
        run: &RunFile,
        packs: Vec<Pack>,
        snapshots: Vec<Arc<OpenSnapshot>>,
    ) -> Result<Self, PlanError> {
        for record in &run.packs {
            let Some(pack) = packs.iter().find(|pack| pack.id == record.id) else {
                return Err(PlanError::NoTask(record.id.clone()));
            };
            if pack.digest != record.digest {
                let short = |digest: &str| digest.chars().take(12).collect();
                return Err(PlanError::OtherPack {
                    id: pack.id.clone(),
                    began: short(&record.digest),
                    now: short(&pack.digest),
                });
            }
        }
        Ok(Self {
            packs,
            snapshots,
            tasks: run.plan.clone(),
            trials: run.trials,
            mode: run.mode,
            tools: run.tools,
            limits: run.limits,
            host: EngineHost::isolated(run.isolate),
            seed: run.seed,
        })
    }

    /// The head of the run.
    pub fn head(
        &self,
        name: String,
        actor: &dyn Actor,
        contexts: Vec<ContextRecord>,
        clock: &dyn Clock,
    ) -> RunFile {
        let sha256 = |text: &str| hex::encode(Sha256::digest(text));
        RunFile {
            format: RUN_FORMAT,
            run: name,
            started: clock.wall().to_string(),
            casebook: env!("CARGO_PKG_VERSION").to_owned(),
            mode: self.mode,
            tools: self.tools,
            actor: actor.record(),
            packs: self
                .packs
                .iter()
                .map(|pack| PackRecord {
                    id: pack.id.clone(),
                    version: pack.version.clone(),
                    digest: pack.digest.clone(),
                    system_prompt: sha256(&system_prompt(pack, self.tools)),
                    brief_layout: sha256(&pack.brief_layout),
                    rubric: pack.rubric_version.clone(),
                })
                .collect(),
            revisions: self
                .snapshots
                .iter()
                .map(|snapshot| {
                    let manifest = &snapshot.manifest;
                    RevisionRecord {
                        revision: manifest.revision,
                        name: manifest.name.clone(),
                        organisation: manifest.organisation.clone(),
                        release_date: manifest.release_date.to_string(),
                        sqlite_sha256: manifest.sqlite.sha256.clone(),
                    }
                })
                .collect(),
            limits: self.limits,
            isolate: self.host.is_isolated(),
            build: (!crate::pack::HAS_VAULTS).then(|| AGENT_HOST.to_owned()),
            seed: self.seed,
            trials: self.trials,
            plan: self.tasks.clone(),
            contexts,
            end: None,
            digest: String::new(),
        }
    }

    /// What a trial of the run is made of: all that the run's configuration fixes, and these.
    pub fn setup(
        &self,
        name: TrialName,
        question: Option<String>,
        snapshot: &Arc<OpenSnapshot>,
        clock: &Arc<dyn Clock>,
        cancel: &Cancel,
    ) -> TrialSetup {
        TrialSetup {
            seed: self.seed_of(&name),
            name,
            mode: self.mode,
            tools: self.tools,
            limits: self.limits,
            question,
            snapshot: Arc::clone(snapshot),
            host: self.host.clone(),
            clock: Arc::clone(clock),
            cancel: cancel.clone(),
        }
    }

    /// The seed of a trial of the run.
    pub fn seed_of(&self, trial: &TrialName) -> u64 {
        trial_seed(self.seed, trial)
    }

    /// The pack of this id.
    pub(super) fn pack(&self, id: &str) -> Option<&Pack> {
        self.packs.iter().find(|pack| pack.id == id)
    }

    /// The snapshot of this revision.
    pub(super) fn snapshot(&self, revision: Revision) -> Option<&Arc<OpenSnapshot>> {
        self.snapshots.iter().find(|snapshot| snapshot.manifest.revision == revision)
    }

    /// The attempts that are still to be made, given the last number of each task and how many of them count.
    pub(super) fn open_trials(&self, made: &BTreeMap<PlaceOfTask, (u32, u32)>) -> Vec<TrialName> {
        let mut open = Vec::new();
        // Attempt by attempt, so that a run that is stopped early has tried everything about as often.
        for round in 1..=self.trials {
            for task in &self.tasks {
                let place = (task.revision, task.pack.clone(), task.task.clone());
                let (last, done) = made.get(&place).copied().unwrap_or((0, 0));
                if done < round {
                    let number = last.saturating_add(round - done);
                    open.push(TrialName { revision: place.0, pack: place.1, task: place.2, number });
                }
            }
        }
        open
    }
}

/// A task on a revision.
pub(super) type PlaceOfTask = (Revision, String, String);

/// The seed of a trial: it follows from the run's and from what the trial is.
pub(super) fn trial_seed(run: u64, name: &TrialName) -> u64 {
    let text = format!("{run}\0{}\0{}\0{}\0{}", name.revision, name.pack, name.task, name.number);
    let digest = Sha256::digest(text);
    let (first, _) = digest.split_at(8);
    first.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}
