//! ATIF v1.7, which most readers of Harbor's format take. What it has no place for stands in `extra`, under the names that our
//! own importer reads.

use super::is_own;
use super::wall::time;
use crate::domain::foreign::{
    EndState, ForeignBody, ForeignEvent, ForeignTrial, Mark, ModelStep, ToolCall, TrialFacts,
};
use crate::domain::trace::Usage;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// The version that is written.
pub const VERSION: &str = "ATIF-v1.7";

/// A trial as a trajectory. `session` names the run that it belongs to.
pub fn trajectory(trial: &ForeignTrial, session: &str) -> Value {
    let mut outcomes: HashMap<u64, Vec<&ForeignEvent>> = HashMap::new();
    for event in &trial.events {
        if let (ForeignBody::ToolResult(_) | ForeignBody::ToolError(_), Some(parent)) =
            (&event.body, event.parent)
        {
            outcomes.entry(parent).or_default().push(event);
        }
    }
    let mut writing = Writing { trial, outcomes, steps: Vec::new(), current: None };
    for event in trial.events.iter().filter(|event| is_own(event)) {
        writing.event(event);
    }
    writing.close();
    let facts = &trial.facts;
    let (name, version) = agent(facts);
    let mut agent = json!({"name": name, "version": version});
    put(&mut agent, "model_name", facts.model.clone());
    if !facts.tools.is_empty() {
        agent["tool_definitions"] = json!(facts.tools);
    }
    let mut steps = writing.steps;
    if steps.is_empty() {
        // The format asks for one step; a trial in which nothing happened says so.
        steps
            .push(json!({"source": "system", "message": "nothing was recorded", "extra": {"note": "empty"}}));
    }
    for (step, number) in steps.iter_mut().zip(1..) {
        step["step_id"] = json!(number);
    }
    let mut document = json!({
        "schema_version": VERSION,
        "session_id": session,
        "agent": agent,
        "final_metrics": final_metrics(trial, steps.len()),
        "steps": steps,
        "extra": extra(trial),
    });
    put(&mut document, "trajectory_id", facts.id.clone());
    document
}

/// Name and version: our facts have them as one text.
fn agent(facts: &TrialFacts) -> (String, String) {
    let agent = facts.agent.as_deref().unwrap_or("not recorded");
    match agent.rsplit_once(' ') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit() || c == 'v') => {
            (name.to_owned(), version.to_owned())
        }
        _ => (agent.to_owned(), "not recorded".to_owned()),
    }
}

fn put<T: Into<Value>>(object: &mut Value, name: &str, value: Option<T>) {
    if let Some(value) = value {
        object[name] = value.into();
    }
}

fn final_metrics(trial: &ForeignTrial, steps: usize) -> Value {
    let usage = trial.facts.totals.unwrap_or_else(|| trial.usage());
    let mut metrics = json!({ "total_steps": steps });
    put(&mut metrics, "total_prompt_tokens", usage.input);
    put(&mut metrics, "total_completion_tokens", usage.output);
    put(&mut metrics, "total_cached_tokens", usage.cached);
    put(&mut metrics, "total_cost_usd", usage.cost);
    metrics
}

/// What the format has no place for.
fn extra(trial: &ForeignTrial) -> Value {
    let facts = &trial.facts;
    let mut extra: Map<String, Value> = facts.metadata.clone().into_iter().collect();
    let mut keep = |name: &str, value: Value| {
        if !value.is_null() {
            extra.insert(name.to_owned(), value);
        }
    };
    keep("task_id", json!(facts.task_id));
    keep("epoch", json!(facts.epoch));
    keep("snapshot_revision", json!(facts.revision));
    keep("ended", json!(facts.ended));
    keep(
        "exit",
        json!(match facts.end_state {
            EndState::Done => Some("done"),
            EndState::Error => Some("error"),
            EndState::Limit => Some("limit"),
            EndState::Cancelled => Some("cancelled"),
            EndState::Unknown => None,
        }),
    );
    let (mut scores, mut policies, mut judges) = (Vec::new(), Vec::new(), Vec::new());
    for event in &trial.events {
        match &event.body {
            ForeignBody::RunError { text } => keep("error", json!(text)),
            ForeignBody::Limit { limit, value, text } => {
                keep("limit", json!(limit));
                keep("limit_value", json!(value));
                keep("limit_reason", json!(text));
            }
            ForeignBody::Answer { text, recorded: true } => keep("answer", json!(text)),
            ForeignBody::Score(score) => scores.push(json!(score)),
            ForeignBody::Policy(policy) => policies.push(json!(policy)),
            ForeignBody::JudgeCall(call) => judges.push(json!(call)),
            _ => {}
        }
    }
    // Last words are no answer where the trial has none: a reader that would take them for one is told.
    if !trial.events.iter().any(|event| matches!(event.body, ForeignBody::Answer { .. })) {
        extra.insert("answer".to_owned(), Value::Null);
    }
    let mut keep = |name: &str, value: Value| extra.insert(name.to_owned(), value);
    for (name, list) in [("scores", scores), ("policies", policies), ("judge_calls", judges)] {
        if !list.is_empty() {
            keep(name, Value::Array(list));
        }
    }
    Value::Object(extra)
}

struct Writing<'t> {
    trial: &'t ForeignTrial,
    /// Results and errors by their calls.
    outcomes: HashMap<u64, Vec<&'t ForeignEvent>>,
    steps: Vec<Value>,
    /// The agent's step that is being written, with its calls and the results that name none.
    current: Option<Step>,
}

#[derive(Default)]
struct Step {
    value: Value,
    calls: Vec<Value>,
    results: Vec<Value>,
    ids: HashSet<String>,
}

impl Writing<'_> {
    fn event(&mut self, event: &ForeignEvent) {
        let at = time(self.trial.facts.started.as_deref(), event.start_ms);
        match &event.body {
            ForeignBody::SystemPrompt { text } => self.plain("system", text, at, event, None),
            ForeignBody::UserMessage { text } => self.plain("user", text, at, event, None),
            ForeignBody::Note { title, text } => self.plain("system", text, at, event, Some(title)),
            ForeignBody::ModelStep(step) => {
                self.close();
                let end = time(self.trial.facts.started.as_deref(), event.end_ms);
                self.current = Some(Step { value: model_step(step, at, end, event), ..Step::default() });
            }
            ForeignBody::Reasoning { text, .. } => {
                let step = self.agent(at);
                // Several blocks become one text.
                let before = step.value["reasoning_content"].as_str().map(|before| format!("{before}\n"));
                step.value["reasoning_content"] = json!(before.unwrap_or_default() + text);
            }
            ForeignBody::ToolCall(call) => self.call(call, event, at),
            ForeignBody::ToolResult(result) if event.parent.is_none() => {
                let step = self.agent(at);
                step.results.push(json!({"content": result.text}));
            }
            ForeignBody::ToolError(error) if event.parent.is_none() => {
                let step = self.agent(at);
                step.results
                    .push(json!({"content": error.text, "extra": {"is_error": true, "error": error.text}}));
            }
            // Results stand beside their calls; the rest stands in `extra` of the trajectory.
            _ => {}
        }
    }

    /// A step that is not the agent's.
    fn plain(
        &mut self,
        source: &str,
        text: &str,
        at: Option<String>,
        event: &ForeignEvent,
        note: Option<&str>,
    ) {
        self.close();
        let mut step = json!({"source": source, "message": text});
        put(&mut step, "timestamp", at);
        if let Some(title) = note {
            step["extra"] = json!({ "note": title });
        }
        if event.marks.contains(&Mark::CopiedContext) {
            step["is_copied_context"] = json!(true);
        }
        self.steps.push(step);
    }

    /// The agent's step that is open; one in which no model spoke where none is.
    fn agent(&mut self, at: Option<String>) -> &mut Step {
        self.current.get_or_insert_with(|| {
            let mut value = json!({"source": "agent", "message": "", "llm_call_count": 0});
            put(&mut value, "timestamp", at);
            Step { value, ..Step::default() }
        })
    }

    fn call(&mut self, call: &ToolCall, event: &ForeignEvent, at: Option<String>) {
        // A call that no model asked for is a step of its own.
        let by_itself = event.parent.is_none();
        if by_itself {
            self.close();
        }
        let started = self.trial.facts.started.clone();
        let outcomes = self.outcomes.get(&event.seq).cloned().unwrap_or_default();
        let step = self.agent(at.clone());
        // Within a step an id must be there and lead to one call.
        let id = call.id.clone().filter(|id| step.ids.insert(id.clone())).unwrap_or_else(|| {
            let made = format!("call-{}", event.seq);
            step.ids.insert(made.clone());
            made
        });
        let mut extra = Map::new();
        if let Some(raw) = &call.raw_arguments {
            extra.insert("raw_arguments".to_owned(), json!(raw));
        } else if !call.arguments.is_object() && !call.arguments.is_null() {
            extra.insert("raw_arguments".to_owned(), json!(call.arguments.to_string()));
        }
        if let Some(at) = at {
            extra.insert("timestamp".to_owned(), json!(at));
        }
        let arguments = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
        let mut value = json!({"tool_call_id": id, "function_name": call.name, "arguments": arguments});
        if !extra.is_empty() {
            value["extra"] = Value::Object(extra);
        }
        step.calls.push(value);
        for outcome in outcomes {
            step.results.push(result(outcome, &id, started.as_deref()));
        }
        if by_itself {
            self.close();
        }
    }

    /// Ends the agent's step.
    fn close(&mut self) {
        let Some(mut step) = self.current.take() else { return };
        if !step.calls.is_empty() {
            step.value["tool_calls"] = Value::Array(step.calls);
        }
        if !step.results.is_empty() {
            step.value["observation"] = json!({ "results": step.results });
        }
        self.steps.push(step.value);
    }
}

fn model_step(step: &ModelStep, at: Option<String>, end: Option<String>, event: &ForeignEvent) -> Value {
    let mut value =
        json!({"source": "agent", "message": step.text, "llm_call_count": step.calls.unwrap_or(1)});
    put(&mut value, "timestamp", at);
    put(&mut value, "model_name", step.model.clone());
    if let Some(metrics) = step.usage.as_ref().map(metrics) {
        value["metrics"] = metrics;
    }
    let mut extra = json!({});
    put(&mut extra, "finish_reason", step.stop_reason.clone());
    put(&mut extra, "timestamp_end", end);
    if extra.as_object().is_some_and(|extra| !extra.is_empty()) {
        value["extra"] = extra;
    }
    if event.marks.contains(&Mark::CopiedContext) {
        value["is_copied_context"] = json!(true);
    }
    value
}

fn metrics(usage: &Usage) -> Value {
    let mut metrics = json!({});
    put(&mut metrics, "prompt_tokens", usage.input);
    put(&mut metrics, "completion_tokens", usage.output);
    put(&mut metrics, "cached_tokens", usage.cached);
    put(&mut metrics, "cost_usd", usage.cost);
    if let Some(reasoning) = usage.reasoning {
        metrics["extra"] = json!({ "reasoning_tokens": reasoning });
    }
    metrics
}

fn result(event: &ForeignEvent, id: &str, started: Option<&str>) -> Value {
    let mut extra = json!({});
    put(&mut extra, "timestamp", time(started, event.start_ms));
    let content = match &event.body {
        ForeignBody::ToolError(error) => {
            extra["is_error"] = json!(true);
            extra["error"] = json!(error.text);
            put(&mut extra, "error_type", error.error.clone());
            error.text.as_str()
        }
        ForeignBody::ToolResult(result) => {
            put(&mut extra, "full_sha256", result.full_sha256.clone());
            if let Some((from, to)) = result.truncated {
                extra["truncated"] = json!([from, to]);
            }
            result.text.as_str()
        }
        _ => "",
    };
    let mut value = json!({"source_call_id": id, "content": content});
    if extra.as_object().is_some_and(|extra| !extra.is_empty()) {
        value["extra"] = extra;
    }
    value
}
