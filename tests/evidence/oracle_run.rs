//! The oracle over all tasks at all sizes: it verifies, it replays, and on another clock it gives the same results.

use crate::support::{NOON, files, run_with};
use casebook::archive::replay::Replay;
use casebook::archive::{Archive, Secrets, verify};
use casebook::domain::trace::EventBody;
use casebook::harness::RunPlan;
use casebook::pack;
use casebook::query::OpenSnapshot;
use casebook::snapshot::embedded;
use std::collections::BTreeMap;
use std::sync::Arc;

fn plan(sizes: &[&str]) -> RunPlan {
    let snapshots = embedded()
        .into_iter()
        .filter(|snapshot| sizes.contains(&snapshot.manifest.name.as_str()))
        .map(|snapshot| Arc::new(OpenSnapshot::open(&snapshot).unwrap()))
        .collect();
    RunPlan::new(["visibility", "cross-vendor"].map(|id| pack::find(id).unwrap()).into(), snapshots, &[])
        .unwrap()
}

fn oracle(plan: &RunPlan) -> casebook::agent::Script {
    let told: Vec<_> =
        plan.snapshots.iter().map(|it| (it.manifest.revision, it.manifest.schema_document())).collect();
    casebook::scoring::oracle(&plan.packs, &told, plan.tools).unwrap()
}

/// Result hashes by trial, in order.
fn hashes(archive: &Archive) -> BTreeMap<String, Vec<String>> {
    archive
        .trials
        .iter()
        .map(|trial| {
            let events = archive
                .traces(trial)
                .unwrap()
                .iter()
                .flat_map(|trace| trace.events().unwrap())
                .collect::<Vec<_>>();
            let hashes = events.into_iter().filter_map(|event| match event.body {
                EventBody::ToolResult(result) => result.result.map(|record| record.sha256),
                EventBody::Answer(answer) => Some(answer.sha256),
                _ => None,
            });
            (trial.name.to_string(), hashes.collect())
        })
        .collect()
}

#[test]
fn all_tasks_at_all_sizes_verify_and_replay() {
    let plan = plan(&["small", "medium", "large"]);
    let ran = run_with(&plan, &oracle(&plan), Secrets::default(), NOON);
    let report = verify(&ran.path, &|_| true).unwrap().unwrap();
    assert_eq!((report.trials, report.findings.len()), (381, 0), "{:?}", report.findings.first());
    let archive = ran.archive();
    let replay = Replay {
        archive: &archive,
        snapshot: &|revision| {
            let found = plan.snapshots.iter().find(|it| it.manifest.revision == revision);
            found.cloned().ok_or_else(|| "none".to_owned())
        },
        against: None,
        only: None,
        jobs: 2,
        progress: &|_, _| true,
    };
    let verdicts = replay.run().unwrap().verdicts;
    assert_eq!(verdicts.into_iter().collect::<Vec<_>>(), [("match".to_owned(), 762)]);
}

#[test]
fn another_clock_gives_the_same_results_and_the_same_clock_the_same_bytes() {
    let plan = plan(&["small"]);
    let one = run_with(&plan, &oracle(&plan), Secrets::default(), NOON);
    let other = run_with(&plan, &oracle(&plan), Secrets::default(), "2031-12-31T23:59:59Z");
    assert_eq!(hashes(&one.archive()), hashes(&other.archive()));
    assert_eq!(hashes(&one.archive()).len(), 127);
    let again = run_with(&plan, &oracle(&plan), Secrets::default(), NOON);
    let bytes = |path: &std::path::Path| -> Vec<(String, Vec<u8>)> {
        files(path)
            .iter()
            .map(|file| {
                (
                    file.strip_prefix(path).unwrap().to_string_lossy().into_owned(),
                    std::fs::read(file).unwrap(),
                )
            })
            .collect()
    };
    assert_eq!(bytes(&one.path), bytes(&again.path));
}
