//! The same seven runs from several formats: the same steps, calls, queries, errors and answer.

use crate::support::{run_error, trials};
use casebook::domain::foreign::{ForeignBody, ForeignTrial};
use std::collections::BTreeMap;

const RUNS: [&str; 7] = ["vis-001", "vis-002", "xv-003", "uni-005", "err-006", "lim-007", "rej-008"];

/// What must be the same whatever the format: the events of the actor and what came of them.
fn run(trial: &ForeignTrial) -> Vec<String> {
    let mut lines = Vec::new();
    for event in trial.counted() {
        lines.push(match &event.body {
            ForeignBody::SystemPrompt { text } => format!("system: {text}"),
            ForeignBody::UserMessage { text } => format!("user: {text}"),
            ForeignBody::ModelStep(step) => format!("step: {}", step.text),
            ForeignBody::Reasoning { text, .. } => format!("reasoning: {text}"),
            ForeignBody::ToolCall(call) => {
                // In some formats all calls of a step stand before their results, in others each before its own.
                let outcome = trial.outcome(event.seq).map(|outcome| match &outcome.body {
                    // A chat has no errors of tools: they are results in these words.
                    ForeignBody::ToolResult(result) => result.text.clone(),
                    ForeignBody::ToolError(error) => error.text.clone(),
                    other => panic!("{other:?}"),
                });
                format!("call {:?} {} {}: {outcome:?}", call.id, call.name, call.arguments)
            }
            _ => continue,
        });
    }
    lines.push(format!("answer: {:?}", trial.answer()));
    lines.push(format!("error: {:?}", run_error(trial)));
    lines
}

fn runs(path: &str) -> BTreeMap<String, ForeignTrial> {
    trials(path)
        .into_iter()
        .map(|(trial, _)| trial)
        .filter(|trial| trial.facts.epoch == Some(1))
        .map(|trial| (trial.facts.task_id.clone().unwrap(), trial))
        .collect()
}

/// The runs by format.
pub(crate) fn by_format() -> Vec<(&'static str, BTreeMap<String, ForeignTrial>)> {
    let atif = RUNS
        .iter()
        .map(|run| {
            let (trial, _) = trials(&format!("atif/{run}-e1.trajectory.json")).remove(0);
            ((*run).to_owned(), trial)
        })
        .collect();
    vec![
        ("inspect", runs("inspect/osb-mini_3epochs.eval")),
        ("atif", atif),
        ("chat", runs("openai/chat.jsonl")),
        ("responses", runs("openai/responses.jsonl")),
        ("otlp", runs("otel/traces.otlp.jsonl")),
    ]
}

#[test]
fn the_same_run_gives_the_same_events() {
    let formats = by_format();
    let (_, first) = &formats[0];
    for name in RUNS {
        let wanted = run(&first[name]);
        assert!(wanted.len() > 4, "{wanted:?}");
        for (format, runs) in &formats[1..] {
            assert_eq!(run(&runs[name]), wanted, "{name} from {format}");
        }
    }
}

#[test]
fn what_is_hostile_to_a_terminal_stays_in_the_data() {
    for (format, runs) in by_format() {
        let answer = runs["uni-005"].answer().unwrap();
        assert!(answer.contains("\u{1b}[31mRED\u{1b}[0m \u{202e}evil\u{202c}"), "{format}: {answer:?}");
    }
}
