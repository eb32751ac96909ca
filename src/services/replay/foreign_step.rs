//! Steps of what another program's trace tells and ours have no kind for: scores, judges, approvals, copied context.

use super::summing::gist;
use crate::domain::foreign::{ForeignBody, ImportedMarks, Mark, Score, TrialFacts};
use crate::workbench::replay::step::StepKind;
use serde_json::Value;

/// The kind and the first words of something imported, from its JSON.
pub(super) fn step(what: &str, json: &str) -> (StepKind, String) {
    if what == "trial" {
        return (StepKind::Note, facts(json));
    }
    let Ok(body) = serde_json::from_str::<ForeignBody>(json) else {
        return (StepKind::Note, format!("{what}: {}", gist(json)));
    };
    match body {
        ForeignBody::Score(score) => (StepKind::Score, scored(&score)),
        ForeignBody::Policy(policy) => {
            let who = policy.approver.map_or_else(String::new, |who| format!(" by {who}"));
            let why = policy.text.map_or_else(String::new, |why| format!(": {why}"));
            (StepKind::Policy, gist(&format!("{}{who}{why}", policy.decision)))
        }
        ForeignBody::JudgeCall(judge) => {
            let who = judge.scorer.or(judge.model).map_or_else(String::new, |who| format!("{who}: "));
            (StepKind::Judge, gist(&format!("{who}{}", judge.text)))
        }
        ForeignBody::Limit { limit, text, .. } => {
            let words = text.or(limit).unwrap_or_else(|| "a limit".to_owned());
            (StepKind::Limit, gist(&words))
        }
        ForeignBody::RunError { text } => (StepKind::Error, gist(&text)),
        ForeignBody::SystemPrompt { text } => (StepKind::SystemPrompt, gist(&text)),
        ForeignBody::UserMessage { text } => (StepKind::UserMessage, gist(&text)),
        ForeignBody::Reasoning { text, .. } => (StepKind::Reasoning, gist(&text)),
        ForeignBody::ModelStep(step) => (StepKind::Model, gist(&step.text)),
        ForeignBody::Answer { text, .. } => (StepKind::Answer, gist(&text)),
        ForeignBody::ToolCall(call) => {
            (StepKind::Call, gist(&format!("{} {}", call.name, call.sql().unwrap_or_default())))
        }
        ForeignBody::ToolResult(result) => (StepKind::Call, gist(&result.text)),
        ForeignBody::ToolError(error) => (StepKind::Call, gist(&error.text)),
        ForeignBody::Note { title, text } => (StepKind::Note, gist(&format!("{title}: {text}"))),
    }
}

/// Who worked on what, and how it ended; the step itself has all of it.
fn facts(json: &str) -> String {
    let facts: TrialFacts = serde_json::from_str(json).unwrap_or_default();
    let revision = facts.revision.map(|it| it.chars().take(24).collect::<String>());
    let named = [
        facts.agent.map(|it| format!("agent {it}")),
        facts.model.map(|it| format!("model {it}")),
        revision.map(|it| format!("revision {it}…")),
        Some(format!("ended: {}", facts.end_state.word())),
    ];
    gist(&named.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn scored(score: &Score) -> String {
    let value = match &score.value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let edits = match score.history.len() {
        0 => String::new(),
        _ => ", edited".to_owned(),
    };
    let who = score.rater.as_ref().map_or_else(String::new, |who| format!(" by {who}"));
    let why = score.explanation.as_ref().map_or_else(String::new, |why| format!(": {why}"));
    gist(&format!("{} {value}{edits}{who}{why}", score.name))
}

/// What must be known of an event, in a few words; nothing where it is of no use to a reader.
pub(super) fn mark(json: &str) -> Option<&'static str> {
    let marks: ImportedMarks = serde_json::from_str(json).ok()?;
    let words = |mark: &Mark| match mark {
        Mark::CopiedContext => Some("copied"),
        Mark::DuplicateId => Some("an id twice"),
        Mark::Unlinked => Some("of no call"),
        // A judge's step says so itself.
        Mark::LinkedByOrder | Mark::Judge => None,
        Mark::Subagent => Some("other agent"),
    };
    let cut = marks.truncated.map(|_| "cut");
    marks.marks.iter().find_map(words).or(cut)
}
