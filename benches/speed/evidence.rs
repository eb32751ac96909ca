//! Recording, replaying and opening evidence.
//!
//! Targets: at most 50 µs an event without fsync; the replay of a whole run at most 1.3 times the bare SQLite time of its
//! statements, both cores used; an archive of 1 GB opens in a second and in 100 MB.

use crate::measure;
use casebook::agent::Noop;
use casebook::archive::replay::Replay;
use casebook::archive::{Archive, RunWriter, Secrets, Trace, TrialWriter};
use casebook::domain::trace::{Counts, Ended, EventBody, Text, Words};
use casebook::domain::trial::{Ending, TrialName};
use casebook::domain::{ResultSet, Revision, Value};
use casebook::harness::{Cancel, Clock, RunPlan, SystemClock, execute};
use casebook::pack;
use casebook::query::OpenSnapshot;
use casebook::snapshot::embedded;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    recording(&folder.path().join("recording"));
    replaying(&folder.path().join("replaying"));
    opening(&folder.path().join("opening"));
}

fn plan(sizes: &[&str]) -> RunPlan {
    let snapshots = embedded()
        .into_iter()
        .filter(|snapshot| sizes.contains(&snapshot.manifest.name.as_str()))
        .map(|snapshot| Arc::new(OpenSnapshot::open(&snapshot).unwrap()))
        .collect();
    RunPlan::new(["visibility", "cross-vendor"].map(|id| pack::find(id).unwrap()).into(), snapshots, &[])
        .unwrap()
}

fn begin(folder: &Path, plan: &RunPlan) -> RunWriter {
    let head = plan.head("bench".into(), &Noop, Vec::new(), &SystemClock::default());
    // As many secrets as a machine may have: every line is looked through for them.
    let secrets = Secrets::new((0..8).map(|n| format!("sk-bench-0123456789abcdef-{n}")));
    RunWriter::create(folder, head, secrets).unwrap()
}

fn name(plan: &RunPlan, number: u32) -> TrialName {
    let task = plan.tasks[0].clone();
    TrialName { revision: task.revision, pack: task.pack, task: task.task, number }
}

fn note(text: &str) -> EventBody {
    EventBody::Note(Words { text: Text::Inline(text.to_owned()) })
}

fn each(what: &str, events: u32, work: impl FnOnce()) {
    let started = Instant::now();
    work();
    println!("{what:<44} {:>12.1?} an event", started.elapsed() / events);
}

fn recording(folder: &Path) {
    let plan = plan(&["small"]);
    let writer = begin(folder, &plan);
    let mut trial = TrialWriter::begin(&writer, name(&plan, 1), 1).unwrap();
    let text = "A remark of two hundred bytes, as a model makes one between its calls. ".repeat(3);
    each("recording: an event of 200 bytes", 20_000, || {
        for t in 0..20_000 {
            trial.append(t, None, note(&text)).unwrap();
        }
    });
    let row =
        |n: i64| vec![Value::Integer(n), Value::Text(format!("user{n}@larkfield.example")), Value::Null];
    each("recording: a new result of 40 rows, as a blob", 2000, || {
        for t in 0..2000_u32 {
            let rows = (0..40).map(|n| row(i64::from(t) * 40 + n)).collect();
            let columns = ["n", "login", "x"].map(str::to_owned).to_vec();
            let result = ResultSet { columns, rows, changed_rows: 0, cut: None };
            trial.result(&result).unwrap();
            trial.append(u64::from(t), None, note("result")).unwrap();
        }
    });
}

fn replaying(folder: &Path) {
    let plan = plan(&["small", "medium", "large"]);
    let told: Vec<_> =
        plan.snapshots.iter().map(|it| (it.manifest.revision, it.manifest.schema_document())).collect();
    let oracle = casebook::scoring::oracle(&plan.packs, &told, plan.tools).unwrap();
    let head = plan.head("bench".into(), &oracle, Vec::new(), &SystemClock::default());
    let writer = RunWriter::create(folder, head, Secrets::default()).unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    execute(&writer, &plan, &oracle, 2, &clock, &Cancel::default(), &|_| {}).unwrap();
    let archive = Archive::open(folder).unwrap();
    let statements = statements(&archive);
    let bare: BTreeMap<Revision, Connection> = embedded()
        .into_iter()
        .map(|snapshot| {
            let path = folder.join(format!("{}.sqlite", snapshot.manifest.name));
            std::fs::write(&path, snapshot.data().unwrap()).unwrap();
            let connection = Connection::open(&path).unwrap();
            connection.execute_batch("PRAGMA mmap_size = 1000000000; PRAGMA temp_store = MEMORY").unwrap();
            (snapshot.manifest.revision, connection)
        })
        .collect();
    let snapshot =
        |revision| Ok(Arc::clone(plan.snapshots.iter().find(|it| it.manifest.revision == revision).unwrap()));
    let replay = |jobs| {
        let (against, only) = (None, None);
        Replay { archive: &archive, snapshot: &snapshot, against, only, jobs, progress: &|_, _| true }
            .run()
            .unwrap()
    };
    for jobs in [1, 2] {
        let (ours, theirs) = measure::in_turn(
            5,
            || assert!(!replay(jobs).differs()),
            || {
                for (revision, sql) in &statements {
                    let mut statement = bare[revision].prepare(sql).unwrap();
                    let width = statement.column_count();
                    let mut rows = statement.query([]).unwrap();
                    let mut all: Vec<Vec<rusqlite::types::Value>> = Vec::new();
                    while let Some(row) = rows.next().unwrap() {
                        all.push((0..width).map(|index| row.get(index).unwrap()).collect());
                    }
                    std::hint::black_box(all);
                }
            },
        );
        let what = format!("replay of {} trials, {jobs} thread(s)", archive.trials.len());
        measure::report(&what, ours, "bare SQLite, one thread", theirs);
    }
}

fn statements(archive: &Archive) -> Vec<(Revision, String)> {
    let mut found = Vec::new();
    for trial in &archive.trials {
        for event in archive.traces(trial).unwrap().iter().flat_map(|trace| trace.events().unwrap()) {
            if let EventBody::ToolCall(call) = event.body
                && call.statement.is_some()
            {
                found.push((trial.name.revision, call.arguments["sql"].as_str().unwrap().to_owned()));
            }
        }
    }
    found
}

/// 20 trials of 50,000 events, 1 KB each.
fn opening(folder: &Path) {
    let mut plan = plan(&["small"]);
    plan.trials = 20;
    let writer = begin(folder, &plan);
    let text = "x".repeat(830);
    for number in 1..=20 {
        let mut trial = TrialWriter::begin(&writer, name(&plan, number), 1).unwrap();
        for t in 0..50_000 {
            trial.append(t, None, note(&text)).unwrap();
        }
        trial.end(50_000, Ended { ending: Ending::Answered, counts: Counts::default() }).unwrap();
    }
    writer.finish("2026-07-01T00:00:00Z".into()).unwrap();
    let before = resident();
    let started = Instant::now();
    let archive = Archive::open(folder).unwrap();
    let opened = started.elapsed();
    let bytes: u64 =
        archive.trials.iter().map(|trial| std::fs::metadata(&trial.segments[0].path).unwrap().len()).sum();
    let started = Instant::now();
    let traces: Vec<Trace> =
        archive.trials.iter().map(|trial| archive.traces(trial).unwrap().remove(0)).collect();
    let indexed = started.elapsed();
    let (mut read, mut at) = (Duration::ZERO, 1);
    for _ in 0..1000 {
        at = at * 7919 % 50_000 + 1;
        let started = Instant::now();
        std::hint::black_box(traces[7].event(at).unwrap());
        read += started.elapsed();
    }
    #[allow(clippy::cast_precision_loss)] // about 1e9
    let gigabytes = bytes as f64 / 1e9;
    println!(
        "opening {gigabytes:.2} GB: head and list of trials {opened:.1?}, index of all lines {indexed:.1?}, an event {:.1?}",
        read / 1000
    );
    println!("memory for it: {} MB", (resident().saturating_sub(before)) >> 20);
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) << 10
}
