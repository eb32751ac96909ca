//! Foreign traces as archives: whole, verifiable, and the same when they are read back.

use crate::support::fixture;
use casebook::archive::import::{ForeignFile, Strictness};
use casebook::archive::imported::{ImportPlan, ImportReport, ImportRunError, import_run, read_trial};
use casebook::archive::{Archive, Secrets, verify};
use casebook::domain::foreign::{ForeignBody, ForeignTrial};
use casebook::domain::trial::{ActorKind, Ending, LimitKind};
use casebook::snapshot::Store;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Imports fixtures into a folder.
pub(crate) fn import(
    paths: &[&str],
    folder: &Path,
    secrets: Secrets,
) -> Result<ImportReport, ImportRunError> {
    let files: Vec<PathBuf> = paths.iter().map(|path| fixture(path)).collect();
    import_files(&files, folder, secrets, Strictness::Lenient)
}

pub(crate) fn import_files(
    files: &[PathBuf],
    folder: &Path,
    secrets: Secrets,
    strictness: Strictness,
) -> Result<ImportReport, ImportRunError> {
    let store = Store::new(None);
    let plan = ImportPlan {
        files,
        folder,
        name: "test".to_owned(),
        pack: "imported".to_owned(),
        strictness,
        store: &store,
        secrets,
        now: "2026-12-01T00:00:00Z".to_owned(),
    };
    import_run(&plan, &|_| true)
}

fn imported(paths: &[&str]) -> (TempDir, Archive, ImportReport) {
    let folder = tempfile::tempdir().unwrap();
    let report = import(paths, folder.path(), Secrets::default()).unwrap();
    let archive = Archive::open(folder.path()).unwrap();
    (folder, archive, report)
}

const ALL: [&str; 9] = [
    "inspect/osb-mini_3epochs.eval",
    "inspect/osb-mini_rescored_edited.eval",
    "atif/edge.trajectory.json",
    "atif/from-mini-swe-agent.trajectory.json",
    "otel/traces.otlp.jsonl",
    "openai/chat.jsonl",
    "openai/responses.jsonl",
    "sweagent/swe-agent_history-only.traj",
    "sweagent/mini-swe-agent_limits-exceeded.traj.json",
];

/// What must survive an archive: everything but where it stood and when to the last millisecond.
fn essence(trial: &ForeignTrial) -> Vec<String> {
    let mut lines: Vec<String> = trial
        .events
        .iter()
        .filter(|event| !matches!(event.body, ForeignBody::RunError { .. } | ForeignBody::Note { .. }))
        .map(|event| {
            let parent = event.parent.map(|parent| {
                let at = usize::try_from(parent).unwrap() - 1;
                trial.events[at].body.kind()
            });
            format!("{:?} {parent:?} {:?}", event.body, event.marks)
        })
        .collect();
    lines.push(format!("{:?}", crate::support::run_error(trial)));
    // A trial without a task has the name that the archive gave it.
    let facts = casebook::domain::foreign::TrialFacts { task_id: None, ..trial.facts.clone() };
    lines.push(format!("{facts:?}"));
    lines
}

#[test]
fn every_format_becomes_an_archive_that_is_sound_and_reads_back_the_same() {
    for path in ALL {
        let (folder, archive, report) = imported(&[path]);
        let found = verify(folder.path(), &|_| true).unwrap().unwrap();
        assert_eq!(found.findings, [], "{path}");
        assert_eq!(archive.run.actor.kind, ActorKind::Imported);
        let file = ForeignFile::open(&fixture(path), Strictness::Lenient).unwrap();
        assert_eq!(archive.trials.len(), file.log().trials.len(), "{path}");
        assert_eq!(report.trials, archive.trials.len() as u64);
        let mut read: Vec<Vec<String>> =
            archive.trials.iter().map(|trial| essence(&read_trial(&archive, trial).unwrap())).collect();
        for nth in 0..file.log().trials.len() {
            let wanted = essence(&file.trial(nth).unwrap().0);
            let at = read.iter().position(|it| *it == wanted).unwrap_or_else(|| {
                let other: Vec<_> = wanted.iter().zip(&read[0]).filter(|(one, other)| one != other).collect();
                panic!("{path}, trial {}: differs from the nearest in {other:#?}", nth + 1)
            });
            read.remove(at);
        }
        // The source itself is in it, byte for byte.
        let source = &report.sources[0];
        assert!(source.kept, "{path}");
        assert_eq!(archive.blobs().get(&source.sha256).unwrap(), std::fs::read(fixture(path)).unwrap());
    }
}

#[test]
fn endings_counts_and_names_are_those_of_the_trace() {
    let (_folder, archive, report) = imported(&["inspect/osb-mini_3epochs.eval"]);
    let of = |task: &str, number: u32| {
        archive.trials.iter().find(|it| it.name.task == task && it.name.number == number).unwrap()
    };
    assert_eq!(of("vis-001", 3).ending(), Ending::Answered);
    assert_eq!(of("err-006", 1).ending(), Ending::Error);
    assert_eq!(of("lim-007", 2).ending(), Ending::Limit(LimitKind::Messages));
    assert_eq!(
        archive.failure(of("err-006", 1)).unwrap().as_deref(),
        Some("RuntimeError('snapshot file vanished')")
    );
    let counts = of("vis-002", 1).last().unwrap().counts;
    assert_eq!((counts.steps, counts.tool_calls, counts.queries, counts.errors), (3, 3, 2, 1));
    assert_eq!((counts.input_tokens, counts.output_tokens), (Some(630), Some(69)));
    let revision = "8e2e7f8c74cc376be4fd89745c78a335f864b76c87290e6c7b3b326195bd69ca";
    assert_eq!(archive.run.revisions[0].sqlite_sha256, revision);
    assert_eq!(report.foreign_revisions, [format!("sha256:{revision}")]);
    assert_eq!(archive.run.plan.len(), 8);
    assert!(archive.run.started.starts_with("2026-11-30T02:52:1"), "{}", archive.run.started);
}

#[test]
fn the_same_import_gives_the_same_bytes() {
    let run = || {
        let (folder, archive, _) = imported(&["otel/traces.otlp.jsonl", "atif/edge.trajectory.json"]);
        (archive.run.digest.clone(), folder)
    };
    assert_eq!(run().0, run().0);
}

#[test]
fn a_secret_of_this_machine_reaches_no_archive() {
    let folder = tempfile::tempdir().unwrap();
    let secrets = Secrets::new(["AKIAEXAMPLE0000000A1".to_owned()]);
    let report =
        import(&["inspect/osb-mini_one-sample.json", "openai/chat.jsonl"], folder.path(), secrets).unwrap();
    assert!(report.sources.iter().all(|source| !source.kept && source.why_not.is_some()));
    let archive = Archive::open(folder.path()).unwrap();
    for trial in &archive.trials {
        let text = serde_json::to_string(&read_trial(&archive, trial).unwrap()).unwrap();
        assert!(!text.contains("AKIAEXAMPLE0000000A1"));
        assert!(trial.name.task != "vis-001" || text.contains("[secret removed]"));
    }
    assert_eq!(verify(folder.path(), &|_| true).unwrap().unwrap().findings, []);
}

#[test]
fn an_import_that_fails_or_is_stopped_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let invalid = fixture("atif/invalid.trajectory.json");
    let good = fixture("atif/edge.trajectory.json");
    let error =
        import_files(&[good, invalid], &out, Secrets::default(), Strictness::Strict).unwrap_err().to_string();
    assert!(error.contains("edge") && error.contains("no valid ATIF"), "{error}");
    assert!(!out.exists());
    let store = Store::new(None);
    let files = [fixture("inspect/osb-mini_3epochs.eval")];
    let plan = ImportPlan {
        files: &files,
        folder: folder.path(),
        name: "x".to_owned(),
        pack: "imported".to_owned(),
        strictness: Strictness::Lenient,
        store: &store,
        secrets: Secrets::default(),
        now: "2026-12-01T00:00:00Z".to_owned(),
    };
    let error = import_run(&plan, &|done| done < 3).unwrap_err();
    assert!(matches!(error, ImportRunError::Stopped(3)), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn one_unreadable_trial_does_not_cost_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chat.jsonl");
    let chat = std::fs::read_to_string(fixture("openai/chat.jsonl")).unwrap();
    let mut lines: Vec<&str> = chat.lines().collect();
    lines[2] = "{\"messages\": [1, 2, }";
    std::fs::write(&path, lines.join("\n")).unwrap();
    let out = folder.path().join("run");
    let report = import_files(&[path], &out, Secrets::default(), Strictness::Lenient).unwrap();
    assert_eq!((report.trials, report.left_out.len()), (6, 1));
    assert_eq!(report.left_out[0].trial, 3);
    assert!(report.left_out[0].reason.contains("document 3, line 1"), "{}", report.left_out[0].reason);
}
