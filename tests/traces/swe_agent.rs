//! SWE-agent and mini-swe-agent.

use crate::support::{expected, is_sound, open, tool_errors, trials};
use casebook::domain::foreign::{EndState, ForeignBody, ForeignFormat};
use serde_json::json;

#[test]
fn mini_runs_give_what_is_in_them() {
    let all = expected("expected.json");
    for (name, state) in [
        ("mini-swe-agent_submitted.traj.json", EndState::Done),
        ("mini-swe-agent_limits-exceeded.traj.json", EndState::Limit),
    ] {
        let expected = &all["sweagent"][name];
        let path = format!("sweagent/{name}");
        assert_eq!(open(&path).log().format, ForeignFormat::MiniSweAgent);
        let (trial, loss) = trials(&path).remove(0);
        is_sound(&trial);
        assert!(loss.deviations.is_empty(), "{loss:?}");
        assert_eq!(json!(trial.model_steps().count()), expected["model_steps"], "{name}");
        assert_eq!(json!(trial.tool_calls().count()), expected["tool_calls"], "{name}");
        assert_eq!(json!(trial.answer().unwrap_or("")), expected["final_answer"], "{name}");
        assert_eq!(trial.facts.end_state, state);
        if let Some(results) = expected.get("tool_results") {
            let found = trial
                .events
                .iter()
                .filter(|it| matches!(it.body, ForeignBody::ToolResult(_) | ForeignBody::ToolError(_)))
                .count();
            assert_eq!(json!(found), *results);
            assert_eq!(json!(tool_errors(&trial).len()), expected["failing_tool_results"]);
        }
    }
    let (trial, _) = trials("sweagent/mini-swe-agent_submitted.traj.json").remove(0);
    assert_eq!((trial.facts.totals.unwrap().cost, trial.usage().cost), (Some(3.0), Some(3.0)));
    assert!(trial.events.iter().any(|it| it.start_ms.is_some_and(|ms| ms > 0)));
}

#[test]
fn steps_come_from_the_trajectory_or_else_from_the_history() {
    let all = expected("expected.json");
    let (trial, loss) = trials("sweagent/swe-agent_test-repo.traj").remove(0);
    is_sound(&trial);
    let wanted = &all["sweagent"]["swe-agent_test-repo.traj"];
    assert_eq!(json!(trial.model_steps().count()), wanted["steps"]);
    assert_eq!(trial.tool_calls().count(), 5);
    assert!(trial.answer().unwrap().contains("diff --git a/tests/missing_colon.py"));
    assert_eq!(trial.facts.end_state, EndState::Done);
    assert!(loss.deviations.is_empty(), "{loss:?}");
    // The first four turns are in the history, with the names of functions; the last is an action only.
    let names: Vec<String> = trial.tool_calls().map(|call| call.name.clone()).collect();
    assert_eq!(names, ["find_file", "open", "edit", "bash", "submit"]);

    let (trial, loss) = trials("sweagent/swe-agent_history-only.traj").remove(0);
    is_sound(&trial);
    let wanted = &all["sweagent"]["swe-agent_history-only.traj"];
    assert_eq!(json!(trial.model_steps().count()), wanted["assistant_turns"]);
    let results = trial.events.iter().filter(|it| matches!(it.body, ForeignBody::ToolResult(_)));
    assert_eq!(json!(results.clone().count()), wanted["tool_results"]);
    assert!(results.into_iter().all(|it| it.parent.is_some()));
    assert_eq!(loss.deviation_count(), 1, "{loss:?}");
    assert_eq!(trial.facts.end_state, EndState::Unknown);
}
