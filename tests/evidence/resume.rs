//! Going on: a person's trial in segments, runs that were stopped, two writers.

use crate::support::{NOON, begin, clock, plan, script, small};
use casebook::agent::Noop;
use casebook::archive::{Archive, ArchiveError, RunWriter, Secrets, verify};
use casebook::domain::trace::{EventBody, Text};
use casebook::domain::trial::{Ending, INVESTIGATION, Mode, ToolSet, TrialName};
use casebook::domain::trial_limits::TrialLimits;
use casebook::harness::{Cancel, Over, Trial, TrialSetup, execute, resume_trial};
use casebook::query::EngineHost;
use serde_json::json;

fn setup() -> TrialSetup {
    TrialSetup {
        name: TrialName {
            revision: small().manifest.revision,
            pack: INVESTIGATION.to_owned(),
            task: "mine".to_owned(),
            number: 1,
        },
        mode: Mode::Practice,
        tools: ToolSet::Three,
        limits: TrialLimits::of_person(),
        seed: 11,
        question: None,
        snapshot: small(),
        host: EngineHost::InProcess,
        clock: clock(NOON),
        cancel: Cancel::default(),
    }
}

fn query(trial: &mut Trial<'_>, sql: &str) -> String {
    trial.call("run_query", &json!({"sql": sql})).unwrap().text
}

#[test]
fn a_person_s_trial_goes_on_where_it_was_left() {
    let begun = begin(&plan("V-AWS-01"), &Noop, Secrets::default());
    let mut trial = Trial::begin(&begun.writer, setup()).unwrap();
    query(&mut trial, "CREATE TABLE mine AS SELECT id, random() AS r FROM okta_user");
    let before = query(&mut trial, "SELECT sum(r % 1000), count(*) FROM mine");
    query(&mut trial, "SELECT nothing");
    trial.end().unwrap();
    // The next segment sees what the first wrote, random numbers included, and counts on.
    let mut trial = resume_trial(&begun.writer, setup()).unwrap();
    assert_eq!(query(&mut trial, "SELECT sum(r % 1000), count(*) FROM mine"), before);
    assert_eq!((trial.counts().queries, trial.counts().errors), (4, 1));
    query(&mut trial, "DELETE FROM mine WHERE r % 2 = 0");
    let after = query(&mut trial, "SELECT count(*) FROM mine");
    drop(trial);
    // That one was killed: it has no last line and no entry in the ledger. A process that comes later knows of it.
    let folder = begun.writer.folder().to_owned();
    drop(begun.writer);
    let writer = RunWriter::resume(&folder, Secrets::default()).unwrap();
    let mut trial = resume_trial(&writer, setup()).unwrap();
    assert_eq!(query(&mut trial, "SELECT count(*) FROM mine"), after);
    trial.final_message("done").unwrap();
    trial.end().unwrap();
    assert!(matches!(resume_trial(&writer, setup()), Err(Over::Ended(Ending::Answered))));
    let archive = Archive::open(&folder).unwrap();
    let traces = archive.traces(&archive.trials[0]).unwrap();
    let seqs: Vec<u64> =
        traces.iter().flat_map(|trace| trace.events().unwrap()).map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    let segments: Vec<u32> = traces
        .iter()
        .map(|trace| match trace.event(1).unwrap().body {
            EventBody::Brief(brief) => brief.segment,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(segments, [1, 2, 3]);
    writer.finish(NOON.to_owned()).unwrap();
    let findings = verify(&folder, &|_| true).unwrap().unwrap().findings;
    // The plan of this test names another task that nobody made.
    let others: Vec<_> =
        findings.iter().filter(|finding| !finding.reason.contains("still to be made")).collect();
    assert_eq!(others, Vec::<&casebook::archive::Finding>::new());
}

#[test]
fn finished_trials_are_never_repeated() {
    let mut plan = plan("V-AWS-01");
    plan.trials = 3;
    let script = script(
        "{\"tool\": \"run_query\", \"arguments\": {\"sql\": \"SELECT random()\"}}\n{\"final\": \"x\"}",
    );
    let begun = begin(&plan, &script, Secrets::default());
    let cancel = Cancel::default();
    // Stopped as soon as the first has ended.
    let stop = cancel.clone();
    let watch = move |progress: &casebook::harness::RunProgress| {
        if progress.done == 1 {
            stop.stop();
        }
    };
    execute(&begun.writer, &plan, &script, 1, &clock(NOON), &cancel, &watch).unwrap();
    let done: Vec<_> = begun.writer.segments();
    assert_eq!(done.len(), 1);
    execute(&begun.writer, &plan, &script, 1, &clock(NOON), &Cancel::default(), &|_| {}).unwrap();
    let lines = begun.writer.segments();
    assert_eq!(lines[0], done[0]);
    assert_eq!(lines.iter().map(|line| line.trial.number).collect::<Vec<_>>(), [1, 2, 3]);
    // Each attempt has a seed of its own.
    let archive = Archive::open(begun.writer.folder()).unwrap();
    let texts: std::collections::BTreeSet<String> = archive
        .trials
        .iter()
        .map(|trial| match &archive.traces(trial).unwrap()[0].event(3).unwrap().body {
            EventBody::ToolResult(result) => match &result.text {
                Text::Inline(text) => text.clone(),
                Text::Blob(_) => panic!(),
            },
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts.len(), 3);
}

#[test]
fn one_writes_and_the_other_is_told() {
    let begun = begin(&plan("V-AWS-01"), &Noop, Secrets::default());
    let error = RunWriter::resume(begun.writer.folder(), Secrets::default()).unwrap_err();
    assert!(matches!(error, ArchiveError::Busy { .. }), "{error}");
    let head = plan("V-AWS-01").head("other".into(), &Noop, Vec::new(), clock(NOON).as_ref());
    let error = RunWriter::create(begun.writer.folder(), head, Secrets::default()).unwrap_err();
    assert!(error.to_string().contains("is not empty"), "{error}");
}
