//! Carries out what the workbench wants done, on threads of its own, and answers by number.
//!
//! A trial has a thread that owns its copy and its record; files have one; what takes time and shares nothing has one a request.
//! Not here: what should be done (`workbench`), drawing, the terminal. Nothing here waits for the interface.

mod arrange;
mod catalogue;
mod drafts;
mod files;
mod joins;
mod kept;
mod opening;
mod own_trials;
mod pretty;
mod replay;
mod report;
mod session;
mod settings_file;
mod statistics;
mod take_out;
mod task_file;
mod trial_thread;
mod writing;

use crate::domain::Revision;
use crate::harness::Clock;
use crate::query::OpenSnapshot;
use crate::workbench::effect::{Ask, Effect, Tell};
use crate::workbench::panic_command::Place;
use crate::workbench::reply::Reply;
use crate::workbench::request::RequestId;
use crossbeam_channel::Sender;
use files::Files;
use replay::Traces;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use trial_thread::TrialThread;

pub use session::Session;
pub use settings_file::{OwnSettings, SettingsFile, config_folder, read_settings};

/// What services need to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where data is kept; `None` keeps nothing.
    pub data_folder: Option<PathBuf>,
    /// Packs in folders, beside the built-in ones.
    pub packs: Vec<String>,
    /// Time for records.
    pub clock: Arc<dyn Clock>,
    /// What the person is called in records.
    pub person: String,
}

/// An answer, with what was asked.
pub type Answered = (RequestId, Reply);

/// Snapshots that are open, by revision.
type Snapshots = Arc<Mutex<HashMap<Revision, Arc<OpenSnapshot>>>>;

/// All services.
#[derive(Debug)]
pub struct Services {
    config: Config,
    answers: Sender<Answered>,
    files: Files,
    snapshots: Snapshots,
    trial: Option<TrialThread>,
    traces: Traces,
}

impl Services {
    /// Starts services that answer to a channel.
    pub fn start(config: Config, answers: Sender<Answered>) -> Self {
        let files = Files::start(config.data_folder.clone(), answers.clone());
        let snapshots = Snapshots::default();
        let traces = Traces::new(config.clone(), Arc::clone(&snapshots), answers.clone());
        Self { config, answers, files, snapshots, trial: None, traces }
    }

    /// Carries out an effect. What concerns the driver is not done here.
    pub fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Ask(request, ask) => self.ask(request, ask),
            Effect::Tell(tell) => self.tell(tell),
            Effect::Drive(_) => {}
        }
    }

    fn ask(&mut self, request: RequestId, ask: Ask) {
        match ask {
            Ask::Catalogue => {
                let (data, packs) = (self.config.data_folder.clone(), self.config.packs.clone());
                self.work(request, move || Reply::Catalogue(catalogue::read(data.as_deref(), &packs)));
            }
            Ask::Kept => {
                let data = self.config.data_folder.clone();
                self.work(request, move || kept::read(data.as_deref()));
            }
            Ask::OwnTrials => {
                let data = self.config.data_folder.clone();
                self.work(request, move || Reply::OwnTrials(own_trials::read(data.as_deref())));
            }
            Ask::Open(opening) => {
                self.leave();
                self.files.flush();
                let plan = opening::Plan {
                    opening,
                    config: self.config.clone(),
                    snapshots: Arc::clone(&self.snapshots),
                };
                self.trial = Some(TrialThread::start(request, plan, &self.answers));
            }
            Ask::Leave => {
                self.leave();
                self.answer(request, Reply::Done(String::new()));
            }
            Ask::Run { sql, look } => match &self.trial {
                Some(trial) => trial.run(request, sql, look),
                None => self.answer(request, Reply::Failed("no case is open".to_owned())),
            },
            Ask::Submit(answer) => match &self.trial {
                Some(trial) => trial.submit(request, answer),
                None => self.answer(request, Reply::Failed("no case is open".to_owned())),
            },
            Ask::Arrange(arrangement) => {
                self.work(request, move || Reply::Arranged(Arc::new(arrange::order(&arrangement))));
            }
            Ask::Statistics { result, rows, column } => {
                self.work(request, move || Reply::Statistics(statistics::count(&result, &rows, column)));
            }
            Ask::Joins { revision, table, column } => {
                let (snapshots, data) = (Arc::clone(&self.snapshots), self.config.data_folder.clone());
                self.work(request, move || {
                    joins::suggest(&snapshots, data.as_deref(), revision, &table, &column)
                });
            }
            Ask::Pretty(text) => self.work(request, move || Reply::Pretty(pretty::pretty(&text))),
            Ask::Render(selection) => self.work(request, move || take_out::render(&selection)),
            Ask::Export { selection, path, replace } => {
                self.work(request, move || take_out::export(&selection, &path, replace));
            }
            Ask::Panic(Place::Case) => match &self.trial {
                Some(trial) => trial.panic(request),
                None => self.answer(request, Reply::Failed("no case is open".to_owned())),
            },
            Ask::Panic(_) => self.work(request, || panic!("as the command workbench.panic asked for")),
            Ask::WriteText { path, text, replace } => {
                self.work(request, move || take_out::write_text(&path, &text, replace));
            }
            Ask::ReadText(path) => self.work(request, move || take_out::read_text(&path)),
            Ask::Report { run, path, replace } => {
                let data = self.config.data_folder.clone();
                self.work(request, move || report::write(data.as_deref(), &run, &path, replace));
            }
            Ask::SaveTask(draft) => {
                let data = self.config.data_folder.clone();
                self.work(request, move || task_file::save(data.as_deref(), &draft));
            }
            Ask::TraceChoices => self.trace(request, Traces::choices),
            Ask::TraceOpen(place) => self.trace(request, move |traces| traces.open(&place)),
            Ask::TraceShow(index) => self.trace(request, move |traces| traces.show(index)),
            Ask::TraceDetail(event) => self.trace(request, move |traces| traces.detail(event)),
            Ask::TraceCompare { event, sql } => {
                self.trace(request, move |traces| traces.compare(event, sql.as_deref()));
            }
            Ask::TraceReplay => self.trace(request, Traces::replay),
            Ask::MinimalEvidence { pack, task } => {
                self.trace(request, move |traces| traces.evidence(&pack, &task));
            }
        }
    }

    fn tell(&self, tell: Tell) {
        match tell {
            Tell::Cancel => {
                if let Some(trial) = &self.trial {
                    trial.cancel();
                }
            }
            Tell::Draft { run, draft } => self.files.draft(run, draft),
            Tell::DropDraft { run } => self.files.drop_draft(run),
            Tell::Keep(kept) => self.files.keep(kept),
            Tell::Remember(entry) => self.files.remember(entry),
        }
    }

    /// Does something with traces.
    fn trace(&self, request: RequestId, work: impl FnOnce(&Traces) -> Reply + Send + 'static) {
        let traces = self.traces.clone();
        self.work(request, move || work(&traces));
    }

    /// Does work on a thread of its own. A panic of it becomes an answer, so that nobody waits for ever.
    fn work(&self, request: RequestId, work: impl FnOnce() -> Reply + Send + 'static) {
        let answers = self.answers.clone();
        let spawned = std::thread::Builder::new().name("casebook-work".to_owned()).spawn(move || {
            let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
                Reply::Failed("that failed inside casebook; please report it with what you did".to_owned())
            });
            // Nobody listens any more when the workbench has ended.
            let _ = answers.send((request, reply));
        });
        if spawned.is_err() {
            self.answer(request, Reply::Failed("the system gives no more threads".to_owned()));
        }
    }

    fn answer(&self, request: RequestId, reply: Reply) {
        let _ = self.answers.send((request, reply));
    }

    /// Leaves the open trial: its segment ends, and it can be gone on with.
    fn leave(&mut self) {
        if let Some(trial) = self.trial.take() {
            trial.leave();
        }
    }

    /// Writes what is left and ends: drafts, the open trial. What can't be written is said.
    pub fn close(mut self) -> Vec<String> {
        self.leave();
        self.files.close()
    }

    /// A handle that writes what is left, for a process that is about to end by a panic.
    pub fn last_wishes(&self) -> impl Fn() + Send + Sync + 'static {
        let files = self.files.handle();
        move || drop(files.flush())
    }
}

/// A snapshot, opened once for all trials.
fn open_snapshot(
    snapshots: &Snapshots,
    data_folder: Option<&std::path::Path>,
    revision: Revision,
) -> Result<Arc<OpenSnapshot>, String> {
    let mut open = snapshots.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(snapshot) = open.get(&revision) {
        return Ok(Arc::clone(snapshot));
    }
    let store = crate::snapshot::Store::new(data_folder);
    let found = store.find(&revision.to_string()).map_err(|error| error.to_string())?;
    let snapshot = Arc::new(OpenSnapshot::open(&found).map_err(|error| error.to_string())?);
    open.insert(revision, Arc::clone(&snapshot));
    Ok(snapshot)
}
