//! mini-swe-agent's trajectories: messages with what was done about each beside it.

use super::builder::{At, Reading, TrialBuilder};
use super::error::ImportError;
use super::fields::{arguments, count, list, present, real, text, word};
use super::loss_map::LossMap;
use crate::archive::moment::{Moment, moment, moment_of_seconds};
use crate::domain::foreign::{
    EndState, ForeignBody, ForeignTrial, Loss, ModelStep, ToolCall, ToolError, ToolResult,
};
use crate::domain::trace::Usage;
use serde_json::Value;
use std::sync::LazyLock;

/// What of a file is held.
static HELD: LazyLock<LossMap> = LazyLock::new(|| {
    LossMap::new(&[
        "trajectory_format",
        "instance_id",
        "info/instance_id",
        "info/exit_status",
        "info/submission",
        "info/mini_version",
        "info/model_stats/instance_cost",
        "info/model_stats/api_calls",
        "info/config/model/model_name",
        "messages/[]/role",
        "messages/[]/content",
        "messages/[]/tool_calls",
        "messages/[]/tool_call_id",
        "messages/[]/extra/actions",
        "messages/[]/extra/cost",
        "messages/[]/extra/timestamp",
        "messages/[]/extra/returncode",
        "messages/[]/extra/exception_info",
        "messages/[]/extra/exit_status",
        "messages/[]/extra/submission",
        "messages/[]/extra/response/usage",
        // The content is made of it.
        "messages/[]/extra/raw_output",
    ])
});

/// Reads a trajectory.
pub(super) fn read(reading: &Reading<'_>, document: &Value) -> Result<(ForeignTrial, Loss), ImportError> {
    let mut builder = TrialBuilder::new(reading);
    HELD.count(document, "traj", &mut builder.loss);
    facts(&mut builder, document);
    let mut step = 0;
    for (nth, message) in list(document, "messages").iter().enumerate() {
        add(&mut builder, message, nth, &mut step)?;
    }
    ends(&mut builder, document)?;
    Ok(builder.finish())
}

fn facts(builder: &mut TrialBuilder<'_>, document: &Value) {
    let none = Value::Null;
    let info = document.get("info").unwrap_or(&none);
    let stats = info.get("model_stats").unwrap_or(&none);
    let model = info.get("config").and_then(|config| config.get("model")).unwrap_or(&none);
    let facts = &mut builder.facts;
    facts.task_id = word(info, "instance_id").or_else(|| word(document, "instance_id"));
    facts.agent = Some(match text(info, "mini_version") {
        Some(version) => format!("mini-swe-agent {version}"),
        None => "mini-swe-agent".to_owned(),
    });
    facts.model = text(model, "model_name");
    facts.totals = real(stats, "instance_cost").map(|cost| Usage { cost: Some(cost), ..Usage::default() });
}

fn time(message: &Value) -> Option<Moment> {
    match message.get("extra")?.get("timestamp")? {
        Value::Number(seconds) => seconds.as_f64().and_then(moment_of_seconds),
        Value::String(text) => moment(text),
        _ => None,
    }
}

fn words(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| text(part, "text")).collect(),
        _ => String::new(),
    }
}

fn add(
    builder: &mut TrialBuilder<'_>,
    message: &Value,
    nth: usize,
    step: &mut u64,
) -> Result<(), ImportError> {
    let at = At::pointer(format!("/messages/{nth}")).times(time(message), None);
    let said = words(message.get("content"));
    let none = Value::Null;
    let extra = message.get("extra").unwrap_or(&none);
    match message.get("role").and_then(Value::as_str) {
        Some("system") => builder.push(at, ForeignBody::SystemPrompt { text: said }).map(|_| ()),
        Some("assistant") => {
            *step = assistant(builder, message, extra, at, said)?;
            Ok(())
        }
        // Where the model called no function, what its command gave comes as a message of the user.
        Some("tool") => result(builder, message, extra, at, said, *step),
        Some("user") if present(extra, "returncode").is_some() => {
            result(builder, message, extra, at, said, *step)
        }
        Some("exit") => Ok(()),
        _ => builder.push(at, ForeignBody::UserMessage { text: said }).map(|_| ()),
    }
}

fn assistant(
    builder: &mut TrialBuilder<'_>,
    message: &Value,
    extra: &Value,
    at: At,
    said: String,
) -> Result<u64, ImportError> {
    let tokens = extra.get("response").and_then(|response| response.get("usage")).filter(|it| it.is_object());
    let cost = real(extra, "cost");
    let usage = (tokens.is_some() || cost.is_some()).then(|| Usage {
        input: tokens.and_then(|it| count(it, "prompt_tokens")),
        output: tokens.and_then(|it| count(it, "completion_tokens")),
        cost,
        ..Usage::default()
    });
    let model = builder.facts.model.clone();
    let body = ModelStep { model, text: said, usage, ..ModelStep::default() };
    let step = builder.push(at.clone(), ForeignBody::ModelStep(body))?;
    let part = at.under(Some(step));
    let functions = list(message, "tool_calls");
    for call in functions {
        let function = call.get("function").unwrap_or(call);
        let (arguments, raw_arguments) = arguments(function.get("arguments"));
        let name = text(function, "name").unwrap_or_default();
        builder.call(part.clone(), ToolCall { id: text(call, "id"), name, arguments, raw_arguments })?;
    }
    if functions.is_empty() {
        for action in list(extra, "actions") {
            let id = text(action, "tool_call_id");
            let call =
                ToolCall { id, name: "bash".to_owned(), arguments: action.clone(), raw_arguments: None };
            builder.call(part.clone(), call)?;
        }
    }
    Ok(step)
}

fn result(
    builder: &mut TrialBuilder<'_>,
    message: &Value,
    extra: &Value,
    at: At,
    said: String,
    step: u64,
) -> Result<(), ImportError> {
    let call_id = text(message, "tool_call_id");
    let at = builder.link(at, call_id.as_deref(), step.max(1));
    let code = extra.get("returncode").and_then(Value::as_i64);
    let body = if text(extra, "exception_info").is_some() {
        ForeignBody::ToolError(ToolError { call_id, error: Some("exception".to_owned()), text: said })
    } else if let Some(code) = code.filter(|code| *code != 0) {
        ForeignBody::ToolError(ToolError { call_id, error: Some(format!("returncode {code}")), text: said })
    } else {
        ForeignBody::ToolResult(ToolResult { call_id, text: said, ..ToolResult::default() })
    };
    builder.push(at, body).map(|_| ())
}

fn ends(builder: &mut TrialBuilder<'_>, document: &Value) -> Result<(), ImportError> {
    let none = Value::Null;
    let info = document.get("info").unwrap_or(&none);
    if let Some(text) = text(info, "submission") {
        builder.push(At::pointer("/info/submission"), ForeignBody::Answer { text, recorded: true })?;
    }
    let status = text(info, "exit_status");
    let at = At::pointer("/info/exit_status");
    builder.facts.end_state = match status.as_deref() {
        Some("Submitted") => EndState::Done,
        Some(status)
            if status.contains("Limit") || status.contains("Timeout") || status.contains("TimeExceeded") =>
        {
            builder
                .push(at, ForeignBody::Limit { limit: Some(status.to_owned()), value: None, text: None })?;
            EndState::Limit
        }
        Some("UserInterruption") => EndState::Cancelled,
        Some(status) => {
            builder.push(at, ForeignBody::RunError { text: status.to_owned() })?;
            EndState::Error
        }
        None => EndState::Unknown,
    };
    Ok(())
}
