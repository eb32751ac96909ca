//! The demo run is what its script gives, to the byte, and what is built in is what lies in the repository.

use crate::support::files;
use casebook::agent::Script;
use casebook::archive::{RunWriter, Secrets, verify};
use casebook::domain::trial::Ending;
use casebook::harness::{Cancel, Clock, FixedClock, RunPlan, execute};
use casebook::pack;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const STARTED: &str = "2026-07-01T09:00:00Z";

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("demo")
}

/// Runs the script as the demo is made: one trial at a time, under a clock of its own.
fn made(to: &Path) {
    let text = fs::read_to_string(demo().join("script.jsonl")).unwrap();
    let script = Script::parse("demo-agent", &text, &hex::encode(Sha256::digest(&text))).unwrap();
    let tasks: BTreeSet<String> = script.parts.iter().filter_map(|part| part.target.task.clone()).collect();
    let tasks: Vec<String> = tasks.into_iter().collect();
    let packs = ["visibility", "cross-vendor"].map(|id| pack::find(id).unwrap()).into();
    let mut plan = RunPlan::new(packs, vec![crate::support::small()], &tasks).unwrap();
    plan.trials = 2;
    plan.limits.steps = Some(14);
    plan.limits.tool_calls = Some(24);
    let clock: Arc<dyn Clock> = Arc::new(FixedClock::new(
        STARTED.parse().unwrap(),
        Duration::from_millis(420),
        Duration::from_micros(2300),
    ));
    let head = plan.head("demo".into(), &script, Vec::new(), clock.as_ref());
    let writer = RunWriter::create(to, head, Secrets::default()).unwrap();
    execute(&writer, &plan, &script, 1, &clock, &Cancel::default(), &|_| {}).unwrap();
    writer.finish(clock.wall().to_string()).unwrap();
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    files(folder)
        .iter()
        .map(|file| {
            (file.strip_prefix(folder).unwrap().to_string_lossy().into_owned(), fs::read(file).unwrap())
        })
        .collect()
}

/// `UPDATE_DEMO=1 cargo test --test evidence demo` writes it, after `demo/make.py` has written the script.
#[test]
fn the_demo_run_is_what_its_script_gives() {
    let temporary = tempfile::tempdir().unwrap();
    let run = temporary.path().join("run");
    made(&run);
    let (wanted, kept) = (contents(&run), demo().join("run"));
    if std::env::var_os("UPDATE_DEMO").is_some() {
        let _ = fs::remove_dir_all(&kept);
        for (name, bytes) in &wanted {
            fs::create_dir_all(kept.join(name).parent().unwrap()).unwrap();
            fs::write(kept.join(name), bytes).unwrap();
        }
    }
    let kept = contents(&kept);
    assert_eq!(kept.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (name, bytes) in wanted {
        assert!(kept[&name] == bytes, "demo/run/{name} is not what the script gives");
    }
}

#[test]
fn what_is_built_in_is_whole_and_has_something_of_everything() {
    let temporary = tempfile::tempdir().unwrap();
    casebook::archive::demo::unpack(temporary.path()).unwrap();
    assert_eq!(contents(temporary.path()), contents(&demo().join("run")));
    let report = verify(temporary.path(), &|_| true).unwrap().unwrap();
    assert_eq!((report.trials, report.findings.as_slice()), (24, [].as_slice()));
    let archive = casebook::archive::Archive::open(temporary.path()).unwrap();
    let endings: BTreeSet<&str> = archive.trials.iter().map(|trial| Ending::word(trial.ending())).collect();
    assert_eq!(endings.into_iter().collect::<Vec<_>>(), ["answered", "error", "limit: steps"]);
}
