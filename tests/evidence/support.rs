//! Runs for tests: a script on the small snapshot, under a clock that nobody's machine disturbs.

use casebook::agent::Script;
use casebook::archive::{Archive, RunFile, RunWriter, Secrets, Trace};
use casebook::domain::trace::Event;
use casebook::domain::trial::TrialName;
use casebook::harness::{Actor, Cancel, Clock, FixedClock, RunPlan, execute};
use casebook::pack;
use casebook::query::OpenSnapshot;
use casebook::snapshot::{Manifest, Origin, Snapshot, create_package, embedded};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

/// The small snapshot, opened once.
pub(crate) fn small() -> Arc<OpenSnapshot> {
    static SMALL: OnceLock<Arc<OpenSnapshot>> = OnceLock::new();
    Arc::clone(SMALL.get_or_init(|| {
        let snapshot = embedded().into_iter().find(|it| it.manifest.name == "small").unwrap();
        Arc::new(OpenSnapshot::open(&snapshot).unwrap())
    }))
}

/// A copy of the small snapshot after these statements, as a package of its own.
pub(crate) fn drifted(sql: &str) -> (TempDir, Arc<OpenSnapshot>) {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = embedded().into_iter().find(|it| it.manifest.name == "small").unwrap();
    let database = folder.path().join("work.sqlite");
    fs::write(&database, snapshot.data().unwrap()).unwrap();
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    let package = folder.path().join("package");
    fs::create_dir(&package).unwrap();
    let of = &snapshot.manifest;
    let draft = Manifest {
        organisation: of.organisation.clone(),
        company_domains: of.company_domains.clone(),
        ..Manifest::draft("drifted".into(), Origin::Imported, of.release_date, of.tables.clone())
    };
    create_package(&package, &database, draft, &mut |_| Ok(())).unwrap();
    let open = OpenSnapshot::open(&Snapshot::open(&package).unwrap()).unwrap();
    (folder, Arc::new(open))
}

/// A clock that stands at a day and goes on by a millisecond whenever it is read.
pub(crate) fn clock(start: &str) -> Arc<dyn Clock> {
    Arc::new(FixedClock::new(start.parse().unwrap(), Duration::from_millis(1), Duration::from_millis(1)))
}

pub(crate) const NOON: &str = "2026-07-01T12:00:00Z";

/// A plan for one task of the visibility pack.
pub(crate) fn plan(task: &str) -> RunPlan {
    RunPlan::new(vec![pack::find("visibility").unwrap()], vec![small()], &[task.to_owned()]).unwrap()
}

/// A run that is begun and not executed.
pub(crate) struct Begun {
    pub(crate) folder: TempDir,
    pub(crate) writer: RunWriter,
}

pub(crate) fn begin(plan: &RunPlan, actor: &dyn Actor, secrets: Secrets) -> Begun {
    let folder = tempfile::tempdir().unwrap();
    let head = plan.head("test".into(), actor, Vec::new(), clock(NOON).as_ref());
    let writer = RunWriter::create(&folder.path().join("run"), head, secrets).unwrap();
    Begun { folder, writer }
}

/// A run that is over.
pub(crate) struct Ran {
    _folder: TempDir,
    pub(crate) path: PathBuf,
    pub(crate) run: RunFile,
}

pub(crate) fn run_with(plan: &RunPlan, actor: &dyn Actor, secrets: Secrets, start: &str) -> Ran {
    let Begun { folder, writer } = begin(plan, actor, secrets);
    let clock = clock(start);
    execute(&writer, plan, actor, 1, &clock, &Cancel::default(), &|_| {}).unwrap();
    let path = writer.folder().to_owned();
    let run = writer.finish(clock.wall().to_string()).unwrap();
    Ran { _folder: folder, path, run }
}

/// A run of these lines on one task.
pub(crate) fn run(lines: &str) -> Ran {
    run_with(&plan("V-AWS-01"), &script(lines), Secrets::default(), NOON)
}

pub(crate) fn script(lines: &str) -> Script {
    Script::parse("test", lines, "").unwrap()
}

impl Ran {
    pub(crate) fn archive(&self) -> Archive {
        Archive::open(&self.path).unwrap()
    }

    /// All events of the only trial.
    pub(crate) fn events(&self) -> Vec<Event> {
        let archive = self.archive();
        assert_eq!(archive.trials.len(), 1);
        archive
            .traces(&archive.trials[0])
            .unwrap()
            .iter()
            .flat_map(|trace| Trace::events(trace).unwrap())
            .collect()
    }

    pub(crate) fn name(&self) -> TrialName {
        self.archive().trials[0].name.clone()
    }
}

/// All files under a folder, hidden ones left out, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

/// A copy of a folder.
pub(crate) fn copied(from: &Path) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("run");
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
    }
    (folder, to)
}
