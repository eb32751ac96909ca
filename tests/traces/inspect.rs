//! Inspect's logs: every count, text, score and reduction that plain Python finds in them.

use crate::support::{expected, is_sound, open, reasoning, run_error, tool_errors, trials};
use casebook::archive::import::{ForeignFile, Strictness};
use casebook::domain::foreign::{
    EndState, ForeignBody, ForeignEvent, ForeignFormat, ForeignTrial, Mark, Score,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LOGS: [&str; 9] = [
    "osb-mini_3epochs.eval",
    "osb-mini_3epochs_5samples.json",
    "osb-mini_crashed.eval",
    "osb-mini_one-sample.eval",
    "osb-mini_one-sample.json",
    "osb-mini_one-sample_deflate.eval",
    "osb-mini_rescored_edited.eval",
    "osb-mini_status-error.eval",
    "osb-mini_unscored.eval",
];

fn scores<'t>(trial: &'t ForeignTrial) -> BTreeMap<String, &'t Score> {
    let score = |event: &'t ForeignEvent| match &event.body {
        ForeignBody::Score(score) => Some((score.name.clone(), score)),
        _ => None,
    };
    trial.events.iter().filter_map(score).collect()
}

/// A trial in the words of `expected.json`.
fn facts(trial: &ForeignTrial) -> Value {
    let bodies = || trial.counted().map(|event| &event.body);
    let queries: Vec<&str> = trial.queries().collect();
    let truncated: Vec<Value> = bodies()
        .filter_map(|body| match body {
            ForeignBody::ToolResult(result) => result.truncated.map(|(from, to)| json!([from, to])),
            _ => None,
        })
        .collect();
    let refused: Vec<&str> = bodies()
        .filter_map(|body| match body {
            ForeignBody::Policy(policy) if policy.decision != "approve" => Some(policy.decision.as_str()),
            _ => None,
        })
        .collect();
    let limit = trial.events.iter().find_map(|event| match &event.body {
        ForeignBody::Limit { limit, value, text } => {
            Some(json!({"type": limit, "limit": value, "reason": text}))
        }
        _ => None,
    });
    json!({
        "id": trial.facts.task_id,
        "epoch": trial.facts.epoch,
        "model_steps": trial.model_steps().count(),
        "judge_calls": trial.events.iter().filter(|event| event.marks.contains(&Mark::Judge)).count(),
        "tool_calls": trial.tool_calls().count(),
        "tool_errors": tool_errors(trial).iter().map(|error| error.error.clone()).collect::<Vec<_>>(),
        "truncated_results": truncated,
        "queries": queries.iter().take(3).collect::<Vec<_>>(),
        "n_queries": queries.len(),
        "approvals": refused,
        "reasoning_blocks": reasoning(trial),
        "final_answer": trial.answer().unwrap_or(""),
        "error": run_error(trial),
        "limit": limit,
        "scores": scores(trial).into_iter().map(|(name, score)| (name, score.value.clone())).collect::<BTreeMap<_, _>>(),
    })
}

#[test]
fn every_log_gives_what_is_in_it() {
    let all = expected("inspect/expected.json");
    for name in LOGS {
        let expected = &all[name];
        let file = open(&format!("inspect/{name}"));
        let header = &file.log().header;
        assert_eq!(file.log().trials.len() as u64, expected["samples"].as_u64().unwrap(), "{name}");
        let format = if name.strip_suffix(".eval").is_some() {
            ForeignFormat::InspectEval
        } else {
            ForeignFormat::InspectJson
        };
        assert_eq!(file.log().format, format);
        assert_eq!(header.model.as_deref(), Some("mockllm/agent"));
        assert_eq!(header.task.as_deref(), Some("osb_mini"));
        let status = expected["status"].as_str().unwrap_or("started");
        assert_eq!(header.status.as_deref(), Some(status), "{name}");
        assert_eq!(json!(header.total), expected.get("total_samples").cloned().unwrap_or_default(), "{name}");
        assert_eq!(json!(header.completed), expected.get("completed_samples").cloned().unwrap_or_default());
        for (metric, value) in expected["results"].as_object().into_iter().flatten() {
            assert_eq!(header.results.get(metric), Some(value), "{name} {metric}");
        }
        let mut found: Vec<ForeignTrial> =
            (0..file.log().trials.len()).map(|nth| file.trial(nth).unwrap().0).collect();
        found.sort_by_key(|trial| (trial.facts.epoch, trial.facts.task_id.clone()));
        for (trial, expected) in found.iter().zip(expected["per_sample"].as_array().unwrap()) {
            is_sound(trial);
            assert_eq!(facts(trial), *expected, "{name}");
        }
        let reductions: BTreeMap<String, Value> = file
            .reductions()
            .unwrap()
            .into_iter()
            .map(|it| {
                let values: BTreeMap<String, Value> = it.values.into_iter().collect();
                (it.scorer, json!({"reducer": it.reducer, "values": values}))
            })
            .collect();
        let wanted = expected.get("reductions").cloned().unwrap_or_else(|| json!({}));
        assert_eq!(json!(reductions), wanted, "{name}");
    }
}

#[test]
fn one_run_is_the_same_in_json_and_in_either_zip() {
    let one = |name: &str| {
        let (mut trial, loss) = trials(&format!("inspect/{name}")).remove(0);
        for event in &mut trial.events {
            event.raw.member = None;
        }
        (trial, loss.dropped)
    };
    let json = one("osb-mini_one-sample.json");
    assert_eq!(json, one("osb-mini_one-sample.eval"));
    assert_eq!(json, one("osb-mini_one-sample_deflate.eval"));
    assert!(json.0.events.len() > 15);
}

#[test]
fn a_log_that_crashed_is_read_and_says_so() {
    let file = open("inspect/osb-mini_crashed.eval");
    assert!(
        file.loss().deviations.iter().any(|it| it.place == "header.json" && it.what.contains("never closed"))
    );
    let path = crate::support::fixture("inspect/osb-mini_crashed.eval");
    let error = ForeignFile::open(&path, Strictness::Strict).unwrap_err().to_string();
    assert!(error.contains("never closed") && error.contains("lenient"), "{error}");
    // The others keep every rule.
    for name in LOGS.iter().filter(|name| !name.contains("crashed")) {
        let file =
            ForeignFile::open(&crate::support::fixture(&format!("inspect/{name}")), Strictness::Strict)
                .unwrap();
        for nth in 0..file.log().trials.len() {
            file.trial(nth).unwrap();
        }
    }
}

#[test]
fn an_edited_score_has_its_history() {
    let all = trials("inspect/osb-mini_rescored_edited.eval");
    let (trial, _) = all.iter().find(|(trial, _)| trial.facts.task_id.as_deref() == Some("vis-002")).unwrap();
    let score = scores(trial)["answer_correctness_judge_b"];
    assert_eq!((&score.value, score.rater.as_deref()), (&json!(0.5), Some("expert-1")));
    assert_eq!(score.history.len(), 2);
    assert_eq!((score.history[0].value.clone(), score.history[0].author.clone()), (Some(json!(1.0)), None));
    let edit = &score.history[1];
    assert_eq!(edit.value, Some(json!(0.5)));
    assert_eq!(edit.author.as_deref(), Some("expert-1"));
    assert!(edit.reason.is_some() && edit.time.is_some());
    // "UNCHANGED" is no answer.
    assert_eq!(
        (edit.answer.clone(), score.history[1].explanation.as_deref()),
        (None, edit.explanation.as_deref())
    );
    assert!(!serde_json::to_string(&trial.events).unwrap().contains("UNCHANGED"));
}

#[test]
fn usage_takes_in_what_came_from_a_cache() {
    let all = trials("inspect/osb-mini_3epochs.eval");
    let (trial, _) = all
        .iter()
        .find(|(it, _)| it.facts.task_id.as_deref() == Some("vis-001") && it.facts.epoch == Some(1))
        .unwrap();
    let usage = trial.usage();
    assert_eq!((usage.input, usage.cached, usage.output), (Some(630), Some(210), Some(106)));
    assert_eq!(trial.facts.totals.unwrap().input, Some(630));
    assert_eq!(trial.facts.end_state, EndState::Done);
    assert_eq!(
        trial.facts.revision.as_deref(),
        Some("sha256:8e2e7f8c74cc376be4fd89745c78a335f864b76c87290e6c7b3b326195bd69ca")
    );
    // Judges are marked and not counted, and say for whom they spoke.
    let judges = trial.events.iter().filter(|event| matches!(event.body, ForeignBody::JudgeCall(_)));
    assert!(judges.clone().all(|event| event.marks == [Mark::Judge]));
    assert_eq!(judges.count(), 4);
}

#[test]
fn long_texts_are_put_back_everywhere() {
    for name in LOGS {
        for (trial, loss) in trials(&format!("inspect/{name}")) {
            assert!(!serde_json::to_string(&trial).unwrap().contains("attachment://"), "{name}");
            assert!(loss.deviations.is_empty(), "{name}: {:?}", loss.deviations);
        }
    }
}
