//! Trials whose statements run in a process of their own leave the same evidence, and say what happened to it.

use crate::support::{NOON, begin, files, plan, run_with, script};
use casebook::agent::Noop;
use casebook::archive::replay::Replay;
use casebook::archive::{RunFile, Secrets, verify};
use casebook::domain::trace::{EventBody, Text, ToolErrorKind};
use casebook::domain::trial::Ending;
use casebook::harness::RunPlan;
use casebook::query::{EngineHost, Worker};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

fn worker() -> EngineHost {
    EngineHost::Isolated(Worker { program: PathBuf::from(env!("CARGO_BIN_EXE_casebook")) })
}

const WORK: &str = r#"
{"tool": "get_schema"}
{"tool": "run_query", "arguments": {"sql": "CREATE TABLE mine AS SELECT id, random() AS r FROM okta_user LIMIT 5"}}
{"tool": "run_query", "arguments": {"sql": "SELECT count(*), min(r) FROM mine"}}
{"tool": "run_query", "arguments": {"sql": "SELECT * FROM nothing"}}
{"tool": "run_query", "arguments": {"sql": "ATTACH 'x' AS y"}}
{"tool": "run_query", "arguments": {"sql": "SELECT u.login FROM okta_user u JOIN okta_factor f ON f.user_id = u.id"}}
{"tool": "submit_answer", "arguments": {"verdict": "no", "subjects": [], "answer": "None."}}
"#;

#[test]
fn the_evidence_is_the_same_to_the_byte() {
    let here = run_with(&plan("V-AWS-01"), &script(WORK), Secrets::default(), NOON);
    let isolated = RunPlan { host: worker(), ..plan("V-AWS-01") };
    let there = run_with(&isolated, &script(WORK), Secrets::default(), NOON);
    assert_eq!((here.run.isolate, there.run.isolate), (false, true));
    let of = |folder: &std::path::Path| -> Vec<(PathBuf, Vec<u8>)> {
        let all = files(folder).into_iter();
        let named = all.map(|path| (path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap()));
        named.filter(|(name, _)| name.to_str() != Some("run.json")).collect()
    };
    assert!(of(&here.path).len() > 6);
    assert_eq!(of(&here.path), of(&there.path));
    let mut same = there.run.clone();
    same.isolate = false;
    same.digest.clone_from(&here.run.digest);
    assert_eq!(same, here.run);
}

/// A statement that is killed is a limit; the trial goes on with its writes, and the record says how.
#[test]
fn a_killed_statement_is_a_limit_and_the_trial_goes_on() {
    let like = format!("SELECT hex(zeroblob(500000)) LIKE '%0{}1'", "_".repeat(990));
    let lines = WORK
        .replace("ATTACH 'x' AS y", &like)
        .replace("SELECT * FROM nothing", "DELETE FROM mine WHERE r < 0");
    let lines = lines.replace("{\"tool\": \"submit", "{\"tool\": \"run_query\", \"arguments\": {\"sql\": \"SELECT count(*), sum(r / 1000) FROM mine\"}}\n{\"tool\": \"submit");
    let mut isolated = RunPlan { host: worker(), ..plan("V-AWS-01") };
    isolated.limits.statement.seconds = 0.4;
    let ran = run_with(&isolated, &script(&lines), Secrets::default(), NOON);
    let events = ran.events();
    let errors: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::ToolError(error) => Some(error),
            _ => None,
        })
        .collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].error, ToolErrorKind::Limit);
    let notes: Vec<&str> = events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::Note(words) => match &words.text {
                Text::Inline(text) => Some(text.as_str()),
                Text::Blob(_) => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("did not stop within 500ms of its deadline, and was killed"), "{notes:?}");
    assert!(notes[1].ends_with("the 2 statements that had written were repeated"), "{notes:?}");

    let archive = ran.archive();
    assert_eq!(archive.trials[0].ending(), Ending::Answered);
    assert_eq!(verify(&ran.path, &|_| true).unwrap().unwrap().findings, []);
    // In this process, from the start: what came after the kill is what comes without one.
    let snapshot = Arc::clone(&isolated.snapshots[0]);
    let replay = Replay {
        archive: &archive,
        snapshot: &|_| Ok(Arc::clone(&snapshot)),
        against: None,
        only: None,
        jobs: 1,
        progress: &|_, _| true,
    };
    let report = serde_json::to_value(replay.run().unwrap()).unwrap();
    let verdicts = &report["verdicts"];
    assert_eq!((&verdicts["match"], &verdicts["not_replayable"]), (&6.into(), &1.into()), "{verdicts}");
}

#[test]
fn a_run_that_goes_on_keeps_the_choice() {
    let isolated = RunPlan { host: EngineHost::isolated(true), ..plan("V-AWS-01") };
    let begun = begin(&isolated, &Noop, Secrets::default());
    let run = RunFile::load(begun.writer.folder()).unwrap();
    assert!(run.isolate);
    let (packs, snapshots) = (isolated.packs.clone(), isolated.snapshots.clone());
    let plan = RunPlan::of_run(&run, packs, snapshots).unwrap();
    assert_eq!(plan.host, EngineHost::isolated(true));
}
