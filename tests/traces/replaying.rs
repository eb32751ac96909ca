//! Replaying foreign calls: the verdicts that plain Python and SQLite give.

use crate::archives::import;
use crate::support::{expected, fixture};
use casebook::archive::replay::{Replay, ReplayReport};
use casebook::archive::{Archive, Secrets};
use casebook::query::OpenSnapshot;
use casebook::snapshot::{Facts, Store, import as import_snapshot};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

fn snapshot(file: &str) -> Arc<OpenSnapshot> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(Some(folder.path()));
    let facts = Facts { release_date: Some(jiff::civil::date(2026, 7, 1)), ..Facts::default() };
    let path = fixture(file);
    let outcome = import_snapshot(&store, &path, &facts, SystemTime::UNIX_EPOCH, &mut |_| true).unwrap();
    Arc::new(OpenSnapshot::open(&outcome.snapshot).unwrap())
}

fn replay(run: &Path, snapshot: &Arc<OpenSnapshot>, against: bool) -> ReplayReport {
    let archive = Archive::open(run).unwrap();
    let against = against.then_some(snapshot.manifest.revision);
    let get = |_| Ok(Arc::clone(snapshot));
    let replay =
        Replay { archive: &archive, snapshot: &get, against, only: None, jobs: 2, progress: &|_, _| true };
    replay.run().unwrap()
}

/// Verdicts by call.
fn verdicts(report: &ReplayReport) -> BTreeMap<String, String> {
    let calls = report.trials.iter().flat_map(|trial| &trial.calls);
    calls.map(|call| (call.call.clone(), call.verdict.word().to_owned())).collect()
}

fn of<'r>(report: &'r ReplayReport, id: &str) -> &'r casebook::archive::replay::CallReplay {
    report.trials.iter().flat_map(|it| &it.calls).find(|it| it.call == id).unwrap()
}

/// Our words for the fixtures'.
fn word(theirs: &str) -> &str {
    match theirs {
        "match_prefix" => "prefix",
        "match_error" => "same_error",
        "not_replayed_write" | "no_archived_result" => "not_replayable",
        other => other,
    }
}

#[test]
fn each_call_has_the_verdict_of_the_fixtures() {
    let expected = expected("inspect/expected_replay.json");
    let (exact, drifted) = (snapshot("inspect/posture.sqlite"), snapshot("inspect/posture_drifted.sqlite"));
    let revision = |name: &str| expected[name].as_str().unwrap().trim_start_matches("sha256:").to_owned();
    assert_eq!(exact.manifest.sqlite.sha256, revision("exact_revision"));
    assert_eq!(drifted.manifest.sqlite.sha256, revision("drifted_revision"));
    let folder = tempfile::tempdir().unwrap();
    import(&["inspect/osb-mini_3epochs.eval"], folder.path(), Secrets::default()).unwrap();
    for (name, snapshot, against) in [("exact", &exact, false), ("drifted", &drifted, true)] {
        let report = replay(folder.path(), snapshot, against);
        let found = verdicts(&report);
        for call in expected["calls"].as_array().unwrap() {
            let id = call["call"].as_str().unwrap();
            assert_eq!(
                found[id],
                word(call[name].as_str().unwrap()),
                "{id} on {name}: {:?}",
                of(&report, id)
            );
        }
        assert_eq!(expected["calls"].as_array().unwrap().len(), 16);
    }
}

#[test]
fn a_changed_cell_is_named() {
    let folder = tempfile::tempdir().unwrap();
    import(&["openai/chat.jsonl"], folder.path(), Secrets::default()).unwrap();
    let report = replay(folder.path(), &snapshot("inspect/posture_drifted.sqlite"), true);
    let call =
        report.trials.iter().flat_map(|it| &it.calls).find(|it| it.call == "call_vis-002_1_1_0").unwrap();
    let text = serde_json::to_string(&call.verdict).unwrap();
    assert!(text.contains("\"row\":3") && text.contains("di.oke@acme.example"), "{text}");
}

#[test]
fn all_formats_have_the_same_verdicts() {
    let exact = snapshot("inspect/posture.sqlite");
    let verdicts_of = |paths: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        import(paths, folder.path(), Secrets::default()).unwrap();
        let mut found = verdicts(&replay(folder.path(), &exact, false));
        found.retain(|call, _| !call.contains("big-004") && call.contains("_1_"));
        found
    };
    let runs = ["vis-001", "vis-002", "xv-003", "uni-005", "err-006", "lim-007", "rej-008"];
    let atif: Vec<String> = runs.iter().map(|run| format!("atif/{run}-e1.trajectory.json")).collect();
    let atif: Vec<&str> = atif.iter().map(String::as_str).collect();
    let wanted = verdicts_of(&atif);
    assert_eq!(wanted.len(), 15);
    assert_eq!(wanted["call_vis-002_1_0_1"], "same_error");
    for path in ["openai/chat.jsonl", "openai/responses.jsonl", "otel/traces.otlp.json"] {
        assert_eq!(verdicts_of(&[path]), wanted, "{path}");
    }
}
