//! The steps of a trajectory, and of those that are embedded in it.

use super::super::builder::{At, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::{count, flag, list, present, real, text};
use super::check;
use crate::archive::moment::moment;
use crate::domain::foreign::{ForeignBody, Mark, ModelStep, ToolCall, ToolError, ToolResult};
use crate::domain::trace::Usage;
use serde_json::Value;
use std::collections::HashSet;

/// Trajectories nest; no run has this many levels.
const MAX_SUBAGENTS_DOWN: usize = 16;

/// Adds the steps of a trajectory. `at` is its JSON pointer, `marks` what all its events have, `level` how deep it is embedded.
pub(super) fn read(
    builder: &mut TrialBuilder<'_>,
    document: &Value,
    at: &str,
    marks: &[Mark],
    level: usize,
) -> Result<(), ImportError> {
    let mut steps = Steps { document, at, marks, level, acted: false, shown: HashSet::new() };
    for (nth, step) in list(document, "steps").iter().enumerate() {
        steps.step(builder, step, nth)?;
    }
    // Those that no step refers to, too.
    for (nth, _) in list(document, "subagent_trajectories").iter().enumerate() {
        steps.subagent(builder, nth, None)?;
    }
    Ok(())
}

struct Steps<'d> {
    document: &'d Value,
    at: &'d str,
    marks: &'d [Mark],
    level: usize,
    /// Whether the agent has done anything yet.
    acted: bool,
    /// Embedded trajectories that were added.
    shown: HashSet<usize>,
}

impl Steps<'_> {
    fn step(&mut self, builder: &mut TrialBuilder<'_>, step: &Value, nth: usize) -> Result<(), ImportError> {
        let extra = step.get("extra").cloned().unwrap_or_default();
        let pointer = format!("{}/steps/{nth}", self.at);
        let start = text(step, "timestamp").as_deref().and_then(moment);
        let end = text(&extra, "timestamp_end").as_deref().and_then(moment);
        let mut at = At::pointer(&pointer).times(start, end).marked(self.marks);
        if flag(step, "is_copied_context") {
            at = at.marked(&[Mark::CopiedContext]);
        }
        let words = words(builder, step.get("message"));
        let since = builder.last() + 1;
        let parent = match text(step, "source").as_deref() {
            Some("agent") => self.agent(builder, step, &at, words)?,
            Some("user") => Some(builder.push(at.clone(), ForeignBody::UserMessage { text: words })?),
            Some("system") if text(&extra, "note").is_some() => {
                let title = text(&extra, "note").unwrap_or_default();
                Some(builder.push(at.clone(), ForeignBody::Note { title, text: words })?)
            }
            Some("system") if !self.acted => {
                Some(builder.push(at.clone(), ForeignBody::SystemPrompt { text: words })?)
            }
            other => {
                let title: String = other.unwrap_or("step").chars().take(40).collect();
                Some(builder.push(at.clone(), ForeignBody::Note { title, text: words })?)
            }
        };
        let part = At { end: None, ..at }.under(parent);
        for (nth, call) in list(step, "tool_calls").iter().enumerate() {
            let extra = call.get("extra");
            let time = extra.and_then(|extra| text(extra, "timestamp")).as_deref().and_then(moment);
            let here = At {
                pointer: format!("{pointer}/tool_calls/{nth}"),
                start: time.or(part.start),
                ..part.clone()
            };
            let raw_arguments = extra.and_then(|extra| text(extra, "raw_arguments"));
            let body = ToolCall {
                id: text(call, "tool_call_id"),
                name: text(call, "function_name").unwrap_or_default(),
                arguments: if raw_arguments.is_some() {
                    Value::Null
                } else {
                    call.get("arguments").cloned().unwrap_or_default()
                },
                raw_arguments,
            };
            builder.call(here, body)?;
        }
        let results = step.get("observation").map_or(&[][..], |observation| list(observation, "results"));
        for (nth, result) in results.iter().enumerate() {
            let here = At {
                pointer: format!("{pointer}/observation/results/{nth}"),
                // A step's time is its beginning: when its results came is not recorded.
                start: None,
                ..part.clone()
            };
            self.result(builder, result, here, since)?;
        }
        Ok(())
    }

    fn agent(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        step: &Value,
        at: &At,
        words: String,
    ) -> Result<Option<u64>, ImportError> {
        self.acted = true;
        let calls = count(step, "llm_call_count");
        if calls == Some(0) {
            // No model was asked: the step only hands calls to tools.
            return if words.is_empty() {
                Ok(None)
            } else {
                let body = ForeignBody::Note { title: "dispatch".to_owned(), text: words };
                builder.push(at.clone(), body).map(Some)
            };
        }
        let model = text(step, "model_name")
            .or_else(|| self.document.get("agent").and_then(|it| text(it, "model_name")));
        let body = ModelStep {
            model,
            text: words,
            stop_reason: step.get("extra").and_then(|extra| text(extra, "finish_reason")),
            usage: usage(step),
            calls,
            error: None,
        };
        let seq = builder.push(at.clone(), ForeignBody::ModelStep(body))?;
        if let Some(text) = text(step, "reasoning_content") {
            let here = At { end: None, ..at.clone() }.under(Some(seq));
            builder.push(here, ForeignBody::Reasoning { text, redacted: false })?;
        }
        Ok(Some(seq))
    }

    fn result(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        result: &Value,
        mut at: At,
        since: u64,
    ) -> Result<(), ImportError> {
        let call_id = text(result, "source_call_id");
        let said = words(builder, result.get("content"));
        let none = Value::Null;
        let extra = result.get("extra").unwrap_or(&none);
        at.start = text(extra, "timestamp").as_deref().and_then(moment);
        let refs: Vec<String> = list(result, "subagent_trajectory_ref")
            .iter()
            .filter_map(|it| text(it, "trajectory_id"))
            .collect();
        let at = builder.link(At { parent: None, ..at }, call_id.as_deref(), since);
        let parent = at.parent;
        if flag(extra, "is_error") {
            let words = text(extra, "error").unwrap_or(said);
            let body = ToolError { call_id, error: text(extra, "error_type"), text: words };
            builder.push(at, ForeignBody::ToolError(body))?;
        } else if present(result, "content").is_some() || refs.is_empty() {
            let body = ToolResult {
                call_id,
                text: said,
                truncated: match list(extra, "truncated") {
                    [from, to] => from.as_u64().zip(to.as_u64()),
                    _ => None,
                },
                full_sha256: text(extra, "full_sha256"),
            };
            builder.push(at, ForeignBody::ToolResult(body))?;
        }
        for id in refs {
            let embedded = list(self.document, "subagent_trajectories");
            match embedded.iter().position(|it| text(it, "trajectory_id").as_deref() == Some(&id)) {
                Some(nth) => self.subagent(builder, nth, parent)?,
                None => builder
                    .loss
                    .drop_path("steps[]/observation/results[]/subagent_trajectory_ref (elsewhere)"),
            }
        }
        Ok(())
    }

    fn subagent(
        &mut self,
        builder: &mut TrialBuilder<'_>,
        nth: usize,
        parent: Option<u64>,
    ) -> Result<(), ImportError> {
        let Some(inner) = list(self.document, "subagent_trajectories").get(nth) else { return Ok(()) };
        if !self.shown.insert(nth) {
            return Ok(());
        }
        let at = format!("{}/subagent_trajectories/{nth}", self.at);
        if self.level >= MAX_SUBAGENTS_DOWN {
            builder
                .deviate(&at, format!("trajectories are embedded deeper than {MAX_SUBAGENTS_DOWN} levels"));
            return Ok(());
        }
        check::trajectory(builder, inner, &at);
        let name = inner.get("agent").and_then(|agent| text(agent, "name")).unwrap_or_default();
        let marks = [self.marks, &[Mark::Subagent][..]].concat();
        let begin = At::pointer(&at).under(parent).marked(&[Mark::Subagent]);
        builder.push(begin, ForeignBody::Note { title: "subagent".to_owned(), text: name })?;
        read(builder, inner, &at, &marks, self.level + 1)
    }
}

/// The words of a message: a text, or the text parts of a list.
fn words(builder: &mut TrialBuilder<'_>, value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let mut all = String::new();
            for part in parts {
                if let Some(text) = text(part, "text") {
                    all.push_str(&text);
                } else {
                    let kind = text(part, "type").unwrap_or_else(|| "unknown".to_owned());
                    let kind: String = kind.chars().take(40).collect();
                    if kind != "text" {
                        builder.loss.drop_path(&format!("content[{kind}]"));
                    }
                }
            }
            all
        }
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

fn usage(step: &Value) -> Option<Usage> {
    let metrics = present(step, "metrics")?;
    Some(Usage {
        input: count(metrics, "prompt_tokens"),
        output: count(metrics, "completion_tokens"),
        cached: count(metrics, "cached_tokens"),
        reasoning: metrics.get("extra").and_then(|extra| count(extra, "reasoning_tokens")),
        cost: real(metrics, "cost_usd"),
    })
}
