//! A trace as a trial: its spans in order become steps, calls, results, scores.

use super::super::builder::{At, Reading, TrialBuilder};
use super::super::error::ImportError;
use super::super::fields::arguments;
use super::any_value::{count, structured, text};
use super::messages::{Exchange, exchange, text_of};
use super::span::{Span, ordered};
use crate::archive::moment::wall_time;
use crate::domain::foreign::{
    EndState, ForeignBody, ForeignTrial, JudgeCall, Loss, Mark, ModelStep, Score, ToolCall, ToolError,
    ToolResult,
};
use crate::domain::trace::Usage;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Attributes that are held; those of tasks and revisions are known by their endings.
const HELD: &[&str] = &[
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.system",
    "gen_ai.agent.name",
    "gen_ai.agent.version",
    "gen_ai.conversation.id",
    "gen_ai.request.model",
    "gen_ai.response.model",
    "gen_ai.response.finish_reasons",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.prompt_tokens",
    "gen_ai.usage.completion_tokens",
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.reasoning.output_tokens",
    "gen_ai.usage.cost",
    "gen_ai.system_instructions",
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.tool.definitions",
    "gen_ai.tool.name",
    "gen_ai.tool.type",
    "gen_ai.tool.call.id",
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
    "error.type",
];
const TASK: [&str; 2] = ["task.id", "task_id"];
const EPOCH: [&str; 1] = ["epoch"];
const REVISION: [&str; 2] = ["snapshot.revision", "snapshot_revision"];

/// What a span does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Agent,
    Chat,
    Tool,
    Evaluator,
    Other,
}

fn kind(span: &Span) -> Kind {
    let has = |name: &str| span.attributes.contains_key(name);
    match text(&span.attributes, &["gen_ai.operation.name", "llm.request.type"]).as_deref() {
        Some("chat" | "text_completion" | "generate_content" | "completion") => Kind::Chat,
        Some("execute_tool") => Kind::Tool,
        Some("invoke_agent" | "create_agent" | "invoke_workflow") => Kind::Agent,
        Some("evaluate" | "evaluation") => Kind::Evaluator,
        _ if text(&span.attributes, &["openinference.span.kind"]).as_deref() == Some("EVALUATOR") => {
            Kind::Evaluator
        }
        _ if has("gen_ai.tool.call.id") || has("gen_ai.tool.name") => Kind::Tool,
        // Before operations had a name, a model's span was known by its system.
        _ if has("gen_ai.system") && has("gen_ai.request.model") => Kind::Chat,
        _ => Kind::Other,
    }
}

/// Reads the spans of a trace.
pub(super) fn read(reading: &Reading<'_>, spans: Vec<Span>) -> Result<(ForeignTrial, Loss), ImportError> {
    let mut builder = TrialBuilder::new(reading);
    let spans = without_copies(&mut builder, spans);
    let spans = ordered(spans);
    facts(&mut builder, &spans);
    let answered: HashSet<String> = spans
        .iter()
        .filter(|(span, _)| kind(span) == Kind::Tool)
        .filter_map(|(span, _)| text(&span.attributes, &["gen_ai.tool.call.id"]))
        .collect();
    let root_error = spans.first().filter(|(root, _)| root.failed).and_then(|(root, _)| root.message.clone());
    let mut trace = Trace { answered, root_error, emitted: HashMap::new(), step: 0, open: false };
    // Whether each span stands under an evaluator.
    let mut judged: Vec<bool> = Vec::with_capacity(spans.len());
    for (span, parent) in &spans {
        let is_judge = kind(span) == Kind::Evaluator || parent.is_some_and(|parent| judged[parent]);
        judged.push(is_judge);
        count_loss(&mut builder, span);
        match kind(span) {
            Kind::Chat if is_judge => judge(&mut builder, span)?,
            Kind::Chat => trace.chat(&mut builder, span)?,
            Kind::Tool if !is_judge => trace.tool(&mut builder, span)?,
            _ => {}
        }
    }
    trace.ends(&mut builder, &spans)?;
    scores(&mut builder, &spans)?;
    Ok(builder.finish())
}

/// A span that was exported twice is one span; two that share an id and differ are both kept.
fn without_copies(builder: &mut TrialBuilder<'_>, spans: Vec<Span>) -> Vec<Span> {
    let mut kept: Vec<Span> = Vec::with_capacity(spans.len());
    let mut known: HashMap<String, usize> = HashMap::new();
    for span in spans {
        let same = known.get(&span.id).map(|nth| &kept[*nth]);
        if let Some(other) = same {
            let copy = other.name == span.name
                && other.attributes == span.attributes
                && other.begins() == span.begins();
            let id: String = span.id.chars().take(40).collect();
            let what = if copy { "was exported twice; once is enough" } else { "has the id of another one" };
            builder.deviate(&span.pointer, format!("the span '{id}' {what}"));
            if copy {
                continue;
            }
        } else {
            known.insert(span.id.clone(), kept.len());
        }
        kept.push(span);
    }
    kept
}

fn at(span: &Span) -> At {
    At { member: span.member.clone(), ..At::pointer(&span.pointer).times(span.begins(), span.ends()) }
}

fn facts(builder: &mut TrialBuilder<'_>, spans: &[(Span, Option<usize>)]) {
    // The root says most; what it leaves out, others may say.
    let find = |names: &[&str]| spans.iter().find_map(|(span, _)| text(&span.attributes, names));
    let by_ending = |endings: &[&str]| {
        spans.iter().find_map(|(span, _)| {
            let fits = |name: &str| {
                endings.iter().any(|ending| name == *ending || name.ends_with(&format!(".{ending}")))
            };
            span.attributes.iter().find(|(name, _)| fits(name)).map(|(_, value)| value.clone())
        })
    };
    let word = |value: Value| super::super::fields::as_word(&value);
    let facts = &mut builder.facts;
    facts.id = find(&["gen_ai.conversation.id"]);
    facts.task_id = by_ending(&TASK).and_then(word);
    facts.epoch = by_ending(&EPOCH).as_ref().and_then(super::super::fields::as_count);
    facts.revision = by_ending(&REVISION).and_then(word);
    facts.agent = find(&["gen_ai.agent.name"]).map(|name| match find(&["gen_ai.agent.version"]) {
        Some(version) => format!("{name} {version}"),
        None => name,
    });
    facts.model = find(&["gen_ai.request.model", "gen_ai.response.model"]);
    facts.started = spans.iter().filter_map(|(span, _)| span.begins()).min().and_then(wall_time);
    facts.ended = spans.iter().filter_map(|(span, _)| span.ends()).max().and_then(wall_time);
    let tools =
        spans.iter().find_map(|(span, _)| span.attributes.get("gen_ai.tool.definitions").map(structured));
    facts.tools = tools.and_then(|tools| tools.as_array().cloned()).unwrap_or_default();
}

fn usage(span: &Span) -> Option<Usage> {
    let of = |names: &[&str]| count(&span.attributes, names);
    let usage = Usage {
        input: of(&["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"]),
        output: of(&["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"]),
        cached: of(&["gen_ai.usage.cache_read.input_tokens"]),
        reasoning: of(&["gen_ai.usage.reasoning.output_tokens"]),
        cost: span.attributes.get("gen_ai.usage.cost").and_then(Value::as_f64),
    };
    (usage != Usage::default()).then_some(usage)
}

fn finish(span: &Span) -> Option<String> {
    match span.attributes.get("gen_ai.response.finish_reasons").map(structured)? {
        Value::Array(reasons) => reasons.first()?.as_str().map(str::to_owned),
        Value::String(reason) => Some(reason),
        _ => None,
    }
}

struct Trace {
    /// Calls that have spans of their own.
    answered: HashSet<String>,
    /// What the whole trace failed of.
    root_error: Option<String>,
    /// How often each message was taken in.
    emitted: HashMap<String, usize>,
    step: u64,
    /// Whether the last step asked for tools.
    open: bool,
}

impl Trace {
    fn chat(&mut self, builder: &mut TrialBuilder<'_>, span: &Span) -> Result<(), ImportError> {
        let Exchange { system, inputs, output } = exchange(span, &mut builder.loss);
        let told = At { end: None, ..at(span) };
        let mut here: HashMap<String, usize> = HashMap::new();
        for text in system {
            if self.is_new(&mut here, format!("system\0{text}")) {
                builder.push(told.clone(), ForeignBody::SystemPrompt { text })?;
            }
        }
        // Each span holds all that was said before it: only what is more than before is new.
        for message in inputs {
            if !self.is_new(&mut here, message.identity()) {
                continue;
            }
            if !message.responses.is_empty() {
                self.responses(builder, message.responses, &told)?;
            } else if message.role == "assistant" {
                let body = ModelStep { text: message.text, ..ModelStep::default() };
                let at = told.clone().marked(&[Mark::CopiedContext]);
                let step = builder.push(at.clone(), ForeignBody::ModelStep(body))?;
                for call in message.calls {
                    builder.call(at.clone().under(Some(step)), call)?;
                }
            } else {
                builder.push(told.clone(), ForeignBody::UserMessage { text: message.text })?;
            }
        }
        let said = output.clone().unwrap_or_default();
        if let Some(output) = output {
            let mut remembered = output;
            "assistant".clone_into(&mut remembered.role);
            *self.emitted.entry(remembered.identity()).or_insert(0) += 1;
        } else {
            builder.loss.miss("words of a model step");
        }
        let body = ModelStep {
            model: text(&span.attributes, &["gen_ai.response.model", "gen_ai.request.model"]),
            text: said.text,
            stop_reason: finish(span).or(said.finish),
            usage: usage(span),
            calls: None,
            error: span.failed.then(|| span.message.clone().unwrap_or_else(|| "error".to_owned())),
        };
        self.step = builder.push(at(span), ForeignBody::ModelStep(body))?;
        self.open = !said.calls.is_empty();
        let part = At { start: span.begins(), end: None, ..at(span) }.under(Some(self.step));
        for text in said.reasoning {
            builder.push(part.clone(), ForeignBody::Reasoning { text, redacted: false })?;
        }
        for call in said.calls {
            builder.call(At { start: span.ends().or(span.begins()), ..part.clone() }, call)?;
        }
        Ok(())
    }

    /// Whether a message comes more often in this span than it was taken in.
    fn is_new(&mut self, here: &mut HashMap<String, usize>, identity: String) -> bool {
        let count = here.entry(identity.clone()).or_insert(0);
        *count += 1;
        let emitted = self.emitted.entry(identity).or_insert(0);
        if *count > *emitted {
            *emitted = *count;
            return true;
        }
        false
    }

    /// What tools answered, as the next span tells it; where a call has a span of its own, that one tells.
    fn responses(
        &self,
        builder: &mut TrialBuilder<'_>,
        responses: Vec<(Option<String>, String)>,
        told: &At,
    ) -> Result<(), ImportError> {
        for (call_id, text) in responses {
            if call_id.as_ref().is_some_and(|id| self.answered.contains(id)) {
                continue;
            }
            let at = builder.link(told.clone(), call_id.as_deref(), self.step.max(1));
            builder
                .push(at, ForeignBody::ToolResult(ToolResult { call_id, text, ..ToolResult::default() }))?;
        }
        Ok(())
    }

    fn tool(&mut self, builder: &mut TrialBuilder<'_>, span: &Span) -> Result<(), ImportError> {
        let call_id = text(&span.attributes, &["gen_ai.tool.call.id"]);
        let name = text(&span.attributes, &["gen_ai.tool.name"])
            .unwrap_or_else(|| span.name.trim_start_matches("execute_tool ").to_owned());
        let waits = call_id.as_deref().is_some_and(|id| builder.knows_call(id));
        // A call without an id that no step asked for by name is its own; by order otherwise is not for us to guess.
        if !waits {
            let (arguments, raw_arguments) = arguments(span.attributes.get("gen_ai.tool.call.arguments"));
            let call = ToolCall { id: call_id.clone(), name, arguments, raw_arguments };
            builder.call(At { end: None, ..at(span) }, call)?;
        }
        let since = if waits { self.step.max(1) } else { builder.last() };
        let result = span.attributes.get("gen_ai.tool.call.result").map(text_of);
        let failed = span.failed || span.attributes.contains_key("error.type");
        let body = if failed {
            let words = span.message.clone().or_else(|| result.clone());
            if result.is_none() && self.root_error.is_some() && words == self.root_error {
                // It failed so that the whole trace did: the actor was shown nothing.
                return Ok(());
            }
            ForeignBody::ToolError(ToolError {
                call_id: call_id.clone(),
                error: text(&span.attributes, &["error.type"]),
                text: words.unwrap_or_default(),
            })
        } else if let Some(text) = result {
            ForeignBody::ToolResult(ToolResult { call_id: call_id.clone(), text, ..ToolResult::default() })
        } else {
            builder.loss.miss("words of a tool's result");
            return Ok(());
        };
        let at = builder.link(at(span), call_id.as_deref(), since);
        builder.push(at, body).map(|_| ())
    }

    fn ends(
        &self,
        builder: &mut TrialBuilder<'_>,
        spans: &[(Span, Option<usize>)],
    ) -> Result<(), ImportError> {
        if let Some((seq, words)) = builder.last_words() {
            builder
                .push(At::default().under(Some(seq)), ForeignBody::Answer { text: words, recorded: false })?;
        }
        let root = spans.first().map(|(root, _)| root);
        builder.facts.end_state = match root {
            Some(root) if root.failed => EndState::Error,
            _ if self.step > 0 && !self.open => EndState::Done,
            _ => EndState::Unknown,
        };
        if let Some(root) = root.filter(|root| root.failed) {
            let text =
                root.message.clone().or_else(|| text(&root.attributes, &["error.type"])).unwrap_or_default();
            let here = At { start: root.ends(), end: None, ..at(root) };
            builder.push(here, ForeignBody::RunError { text })?;
        }
        Ok(())
    }
}

fn judge(builder: &mut TrialBuilder<'_>, span: &Span) -> Result<(), ImportError> {
    let Exchange { inputs, output, .. } = exchange(span, &mut builder.loss);
    let body = JudgeCall {
        scorer: None,
        model: text(&span.attributes, &["gen_ai.response.model", "gen_ai.request.model"]),
        prompt: inputs.into_iter().next_back().map(|it| it.text),
        text: output.map(|it| it.text).unwrap_or_default(),
        stop_reason: finish(span),
        usage: usage(span),
    };
    builder.push(at(span).marked(&[Mark::Judge]), ForeignBody::JudgeCall(body)).map(|_| ())
}

/// Scores and remarks, which stand as events of spans.
fn scores(builder: &mut TrialBuilder<'_>, spans: &[(Span, Option<usize>)]) -> Result<(), ImportError> {
    for (span, _) in spans {
        for (nth, (name, time, attributes)) in span.events.iter().enumerate() {
            let here =
                At { pointer: format!("{}/events/{nth}", span.pointer), ..at(span).times(*time, None) };
            let of = |names: &[&str]| text(attributes, names);
            if name == "gen_ai.evaluation.result" {
                let value = ["gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"]
                    .iter()
                    .find_map(|name| attributes.get(*name).cloned());
                let body = Score {
                    name: of(&["gen_ai.evaluation.name"]).unwrap_or_default(),
                    value: value.unwrap_or_default(),
                    rater: None,
                    answer: None,
                    explanation: of(&["gen_ai.evaluation.explanation"]),
                    history: Vec::new(),
                    intermediate: false,
                };
                builder.push(here, ForeignBody::Score(body))?;
            } else if !name.starts_with("gen_ai.") {
                let words = of(&["exception.message", "message"])
                    .unwrap_or_else(|| Value::Object(attributes.clone()).to_string());
                builder.push(here, ForeignBody::Note { title: name.clone(), text: words })?;
            }
        }
    }
    Ok(())
}

fn count_loss(builder: &mut TrialBuilder<'_>, span: &Span) {
    let endings = TASK.iter().chain(&EPOCH).chain(&REVISION);
    let held = |name: &str| {
        HELD.contains(&name)
            || name.starts_with("gen_ai.prompt.")
            || name.starts_with("gen_ai.completion.")
            || endings.clone().any(|ending| name.ends_with(ending))
    };
    for name in span.attributes.keys().filter(|name| !held(name)) {
        let name: String = name.chars().take(100).collect();
        builder.loss.drop_path(&format!("span/attributes/{name}"));
    }
    for name in span.resource.keys() {
        let name: String = name.chars().take(100).collect();
        builder.loss.drop_path(&format!("resource/attributes/{name}"));
    }
}
