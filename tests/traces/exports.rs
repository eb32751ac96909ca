//! Exports: what goes out comes in again as the same steps, calls, queries, errors and answer.

use crate::archives::import_files;
use crate::support::{fixture, is_sound, run_error};
use casebook::archive::demo::unpack;
use casebook::archive::export::{atif, chat, inspect_scores};
use casebook::archive::import::{ForeignFile, Strictness};
use casebook::archive::imported::{read_log, read_trial};
use casebook::archive::{Archive, Secrets};
use casebook::domain::foreign::{ForeignBody, ForeignTrial};
use serde_json::Value;
use std::path::Path;

/// Steps, calls with what came of them, errors, the answer.
fn acts(trial: &ForeignTrial) -> Vec<String> {
    let mut lines: Vec<String> = trial
        .counted()
        .filter_map(|event| match &event.body {
            ForeignBody::ModelStep(step) => {
                Some(format!("step {:?} {:?} {:?}", step.text, step.model, step.usage))
            }
            ForeignBody::Reasoning { text, .. } => Some(format!("reasoning {text:?}")),
            ForeignBody::UserMessage { text } => Some(format!("user {text:?}")),
            ForeignBody::SystemPrompt { text } => Some(format!("system {text:?}")),
            ForeignBody::ToolCall(call) => {
                let outcome = trial.outcome(event.seq).map(|it| it.body.clone());
                let outcome = outcome.map(|body| match body {
                    ForeignBody::ToolResult(it) => format!("result {:?}", it.text),
                    ForeignBody::ToolError(it) => format!("error {:?} {:?}", it.error, it.text),
                    other => panic!("{other:?}"),
                });
                // ATIF asks for an id; a call that had none gets one.
                let id = call.id.as_ref().filter(|id| !id.starts_with("call-"));
                Some(format!(
                    "call {id:?} {} {} {:?} {outcome:?}",
                    call.name, call.arguments, call.raw_arguments
                ))
            }
            _ => None,
        })
        .collect();
    lines.push(format!("answer {:?}", trial.answer()));
    lines.push(format!("error {:?}", run_error(trial)));
    lines.push(format!("{:?} {:?}", trial.facts.task_id, trial.facts.epoch));
    lines
}

/// Line by line, so that a difference can be seen.
fn same(found: &[String], wanted: &[String]) {
    for (found, wanted) in found.iter().zip(wanted) {
        assert_eq!(found, wanted);
    }
    assert_eq!(found.len(), wanted.len());
}

fn back(document: &Value) -> ForeignTrial {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    std::fs::write(&path, document.to_string()).unwrap();
    let file = ForeignFile::open(&path, Strictness::Strict).unwrap();
    file.trial(0).unwrap().0
}

fn trials(run: &Path) -> Vec<ForeignTrial> {
    let archive = Archive::open(run).unwrap();
    assert!(read_log(&archive).agent.is_some());
    archive.trials.iter().map(|trial| read_trial(&archive, trial).unwrap()).collect()
}

#[test]
fn our_own_runs_survive_atif() {
    let folder = tempfile::tempdir().unwrap();
    unpack(folder.path()).unwrap();
    let all = trials(folder.path());
    assert!(all.iter().map(|it| it.queries().count()).sum::<usize>() > 5);
    for trial in all {
        is_sound(&trial);
        let document = atif::trajectory(&trial, "demo");
        assert_eq!(document["schema_version"], "ATIF-v1.7");
        let steps = document["steps"].as_array().unwrap();
        assert!(steps.iter().zip(1..).all(|(step, number)| step["step_id"] == number));
        same(&acts(&back(&document)), &acts(&trial));
    }
}

#[test]
fn foreign_runs_survive_atif_too() {
    for path in [
        "inspect/osb-mini_3epochs.eval",
        "otel/traces.otlp.json",
        "openai/responses.jsonl",
        "sweagent/swe-agent_test-repo.traj",
        "sweagent/mini-swe-agent_submitted.traj.json",
    ] {
        let folder = tempfile::tempdir().unwrap();
        import_files(&[fixture(path)], folder.path(), Secrets::default(), Strictness::Lenient).unwrap();
        for trial in trials(folder.path()) {
            let again = back(&atif::trajectory(&trial, "x"));
            same(&acts(&again), &acts(&trial));
            let scores = |trial: &ForeignTrial| -> Vec<ForeignBody> {
                let all = trial.events.iter().map(|it| it.body.clone());
                all.filter(|it| matches!(it, ForeignBody::Score(_))).collect()
            };
            assert_eq!(scores(&again), scores(&trial), "{path}");
            assert_eq!(again.facts.end_state, trial.facts.end_state, "{path}");
            assert_eq!(again.facts.revision, trial.facts.revision, "{path}");
        }
    }
}

#[test]
fn chat_lines_hold_every_act_of_a_model() {
    let folder = tempfile::tempdir().unwrap();
    import_files(
        &[fixture("inspect/osb-mini_3epochs.eval")],
        folder.path(),
        Secrets::default(),
        Strictness::Lenient,
    )
    .unwrap();
    for trial in trials(folder.path()) {
        let line = chat::conversation(&trial);
        let again = back(&line);
        // A chat keeps words, calls and results; an error of a tool is a result there.
        assert_eq!(again.queries().collect::<Vec<_>>(), trial.queries().collect::<Vec<_>>());
        assert_eq!(again.model_steps().count(), trial.model_steps().count());
        assert_eq!((again.answer(), run_error(&again)), (trial.answer(), run_error(&trial)));
        for message in line["messages"].as_array().unwrap() {
            assert!(matches!(message["role"].as_str(), Some("system" | "user" | "assistant" | "tool")));
        }
    }
}

#[test]
fn scores_go_back_to_inspect_as_edits() {
    let folder = tempfile::tempdir().unwrap();
    let path = fixture("inspect/osb-mini_rescored_edited.eval");
    import_files(&[path], folder.path(), Secrets::default(), Strictness::Lenient).unwrap();
    let all = trials(folder.path());
    let trial = all.iter().find(|it| it.facts.task_id.as_deref() == Some("vis-002")).unwrap();
    let edits = inspect_scores::edits(trial, "casebook", "exported", "2026-12-01T00:00:00Z");
    let edit = edits.iter().find(|it| it["score_name"] == "answer_correctness_judge_b").unwrap();
    assert_eq!((&edit["sample_id"], &edit["epoch"]), (&Value::from("vis-002"), &Value::from(1)));
    assert_eq!(edit["edit"]["value"], 0.5);
    assert_eq!(edit["edit"]["provenance"]["author"], "expert-1");
    assert_eq!(edit["edit"]["metadata"], "UNCHANGED");
    let other = edits.iter().find(|it| it["score_name"] == "answer_correctness_judge_a").unwrap();
    assert_eq!(other["edit"]["provenance"]["author"], "mockllm/judge-a");
}
