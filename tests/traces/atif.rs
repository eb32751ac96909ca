//! ATIF: Harbor's own files, the edge cases, and what its validator refuses.

use crate::support::{
    expected, fixture, is_sound, marked, of_bytes, open, reasoning, run_error, tool_errors, trials, usage,
};
use casebook::archive::import::{ForeignFile, Strictness};
use casebook::domain::foreign::{EndState, ForeignBody, ForeignFormat, Mark};
use serde_json::json;

#[test]
fn every_run_gives_what_is_in_it() {
    let all = expected("expected.json");
    let mut seen = 0;
    for (name, expected) in all["atif"].as_object().unwrap() {
        if !name.ends_with("-e1.trajectory.json") {
            continue;
        }
        seen += 1;
        let file = ForeignFile::open(&fixture(&format!("atif/{name}")), Strictness::Strict).unwrap();
        assert_eq!(file.log().format, ForeignFormat::Atif);
        let (trial, _) = file.trial(0).unwrap();
        is_sound(&trial);
        assert_eq!(json!(trial.facts.task_id), expected["id"]);
        assert_eq!(json!(trial.facts.epoch), expected["epoch"]);
        assert_eq!(json!(trial.model_steps().count()), expected["model_steps"], "{name}");
        assert_eq!(json!(trial.tool_calls().count()), expected["tool_calls"], "{name}");
        assert_eq!(json!(tool_errors(&trial).len()), expected["tool_errors"], "{name}");
        assert_eq!(json!(reasoning(&trial)), expected["reasoning_blocks"], "{name}");
        assert_eq!(json!(trial.queries().collect::<Vec<_>>()), expected["queries"], "{name}");
        assert_eq!(json!(trial.answer()), expected["final_answer"], "{name}");
        assert_eq!(json!(run_error(&trial)), expected["error"], "{name}");
        let is_limit = trial.facts.end_state == EndState::Limit;
        assert_eq!(is_limit, !expected["limit"].is_null(), "{name}");
        assert_eq!(usage(&trial), expected["usage"], "{name}");
        let totals = trial.facts.totals.unwrap();
        assert_eq!(json!(totals.input), expected["usage"]["input_total"], "{name}");
    }
    assert_eq!(seen, 7);
}

#[test]
fn copied_dispatched_unlinked_and_embedded_steps_are_told_apart() {
    let (trial, loss) = trials("atif/edge.trajectory.json").remove(0);
    is_sound(&trial);
    assert_eq!(trial.model_steps().count(), 2);
    assert_eq!(trial.tool_calls().count(), 2);
    assert_eq!(marked(&trial, Mark::Unlinked), 1);
    assert_eq!(marked(&trial, Mark::CopiedContext), 1);
    let sub = trial.events.iter().filter(|it| it.marks.contains(&Mark::Subagent));
    let calls = sub.filter(|it| matches!(it.body, ForeignBody::ToolCall(_)));
    assert_eq!(calls.count(), 1);
    assert_eq!(trial.answer(), Some("final answer"));
    // The copied step's 999 tokens are not counted.
    assert_eq!((trial.usage().input, trial.usage().output), (Some(10), Some(2)));
    assert!(
        matches!(&trial.events[0].body, ForeignBody::UserMessage { text } if text == "part one part two")
    );
    let steps: Vec<Option<u64>> = trial.model_steps().map(|step| step.calls).collect();
    assert_eq!(steps, [Some(2), None]);
    // An observation without a call is allowed, but told.
    assert_eq!(loss.deviation_count(), 1);
}

#[test]
fn an_invalid_one_is_refused_with_harbors_reason() {
    let path = fixture("atif/invalid.trajectory.json");
    let error = ForeignFile::open(&path, Strictness::Strict).unwrap_err().to_string();
    let all = expected("expected.json");
    let harbor = all["atif"]["invalid.trajectory.json"]["harbor_errors"][0].as_str().unwrap();
    let reason = harbor.rsplit("Value error, ").next().unwrap();
    assert!(error.contains(reason), "{error} has not {reason}");
    assert!(error.contains("/steps/2"), "{error}");
    // A lenient import reads it and tells of both faults.
    let (_, loss) = open("atif/invalid.trajectory.json").trial(0).unwrap();
    let told: Vec<&str> = loss.deviations.iter().map(|it| it.what.as_str()).collect();
    assert!(told.iter().any(|it| it.contains(reason)), "{told:?}");
    assert!(told.iter().any(|it| it.contains("'nope'")), "{told:?}");
}

#[test]
fn what_harbor_converts_is_read() {
    let all = expected("expected.json");
    for name in ["from-swe-agent.trajectory.json", "from-mini-swe-agent.trajectory.json"] {
        let expected = &all["atif"][name];
        let (trial, _) = trials(&format!("atif/{name}")).remove(0);
        is_sound(&trial);
        assert_eq!(json!(trial.model_steps().count()), expected["model_steps"], "{name}");
        assert_eq!(json!(trial.tool_calls().count()), expected["tool_calls"], "{name}");
    }
    // Three results without ids are linked by their order within their steps; the fourth call has none.
    let (trial, _) = trials("atif/from-mini-swe-agent.trajectory.json").remove(0);
    assert_eq!(marked(&trial, Mark::LinkedByOrder), 3);
    assert_eq!(marked(&trial, Mark::Unlinked), 0);
    let third = trial.events.iter().filter(|it| matches!(it.body, ForeignBody::ToolCall(_))).nth(2).unwrap();
    let Some(ForeignBody::ToolResult(result)) = trial.outcome(third.seq).map(|it| &it.body) else { panic!() };
    assert!(result.text.contains("AKIAEXAMPLE0000000A1"), "{}", result.text);
}

#[test]
fn each_broken_rule_is_named() {
    let good = std::fs::read_to_string(fixture("atif/vis-001-e1.trajectory.json")).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        let bytes = good.replacen(from, to, 1);
        of_bytes(bytes.as_bytes(), Strictness::Strict).unwrap_err().to_string()
    };
    for (from, to, told) in [
        ("\"ATIF-v1.7\"", "\"ATIF-v1.9\"", "'ATIF-v1.9'"),
        ("\"version\": \"0.1.0\"", "\"version\": 1", "/agent/version"),
        ("\"version\": \"0.1.0\"", "\"version\": \"0.1.0\", \"release\": 1", "'release' is not allowed"),
        ("\"source\": \"agent\"", "\"source\": \"robot\"", "system, user or agent"),
        ("\"message\": \"I will", "\"words\": \"I will", "'words' is not allowed"),
        ("\"arguments\": {}", "\"arguments\": \"{}\"", "/arguments"),
        ("\"timestamp\": \"2026", "\"timestamp\": \"in 2026", "ISO 8601"),
        (
            "\"source_call_id\": \"call_vis-001_1_0_0\"",
            "\"source_call_id\": \"x\"",
            "no call of this step is 'x'",
        ),
    ] {
        let error = refused(from, to);
        assert!(error.contains(told), "{told}: {error}");
    }
}
