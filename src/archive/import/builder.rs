//! Putting a trial together: events in order, results linked to calls, times made relative, sizes bounded.

use super::error::{ImportError, in_part};
use super::limits::{MAX_EVENTS, MAX_FACTS, MAX_TRIAL_TEXT};
use crate::archive::moment::{Moment, moment};
use crate::domain::foreign::{
    ForeignBody, ForeignEvent, ForeignTrial, Loss, Mark, RawPointer, ToolCall, TrialFacts,
};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// What an importer reads one trial with.
pub(super) struct Reading<'r> {
    /// The file's name, for messages.
    pub(super) name: &'r str,
    /// Which part of it; `None` for the whole.
    pub(super) part: Option<String>,
}

/// When and where an event happened, and to what it belongs.
#[derive(Debug, Clone, Default)]
pub(super) struct At {
    pub(super) start: Option<Moment>,
    pub(super) end: Option<Moment>,
    pub(super) parent: Option<u64>,
    pub(super) marks: Vec<Mark>,
    /// The part, where it is another one than that of the whole reading.
    pub(super) member: Option<String>,
    pub(super) pointer: String,
}

impl At {
    /// A place without a time.
    pub(super) fn pointer(pointer: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), ..Self::default() }
    }

    /// The same with these times.
    pub(super) const fn times(mut self, start: Option<Moment>, end: Option<Moment>) -> Self {
        (self.start, self.end) = (start, end);
        self
    }

    /// The same as part of another event.
    pub(super) const fn under(mut self, parent: Option<u64>) -> Self {
        self.parent = parent;
        self
    }

    /// The same with these marks.
    pub(super) fn marked(mut self, marks: &[Mark]) -> Self {
        self.marks.extend_from_slice(marks);
        self
    }
}

/// The calls of one id, by their place among all calls. A hostile trace may have any number of one id.
#[derive(Debug, Default)]
struct SameId {
    /// Those that wait for a result.
    open: BTreeSet<usize>,
    last: usize,
}

/// A trial that is being put together.
pub(super) struct TrialBuilder<'r> {
    reading: &'r Reading<'r>,
    pub(super) facts: TrialFacts,
    pub(super) loss: Loss,
    events: Vec<ForeignEvent>,
    times: Vec<(Option<Moment>, Option<Moment>)>,
    /// The event of each call.
    calls: Vec<u64>,
    by_id: HashMap<String, SameId>,
    /// Calls that wait for a result.
    open: BTreeSet<usize>,
    text: usize,
}

impl<'r> TrialBuilder<'r> {
    pub(super) fn new(reading: &'r Reading<'r>) -> Self {
        Self {
            reading,
            facts: TrialFacts::default(),
            loss: Loss::default(),
            events: Vec::new(),
            times: Vec::new(),
            calls: Vec::new(),
            by_id: HashMap::new(),
            open: BTreeSet::new(),
            text: 0,
        }
    }

    /// The number of the last event; 0 before the first.
    pub(super) fn last(&self) -> u64 {
        self.events.len() as u64
    }

    /// Notes a deviation at a JSON pointer.
    pub(super) fn deviate(&mut self, pointer: &str, what: impl Into<String>) {
        let place = match &self.reading.part {
            Some(part) => format!("{part} {pointer}"),
            None => pointer.to_owned(),
        };
        self.loss.deviate(place.trim_end(), what);
    }

    /// Adds an event and gives its number.
    pub(super) fn push(&mut self, at: At, body: ForeignBody) -> Result<u64, ImportError> {
        self.text += 256 + text_bytes(&body);
        if self.events.len() >= MAX_EVENTS || self.text > MAX_TRIAL_TEXT {
            return Err(ImportError::TooLarge {
                name: self.reading.name.to_owned(),
                place: in_part(self.reading.part.as_deref()),
                what: "one trial".to_owned(),
                limit: format!("{MAX_EVENTS} events, {} MiB of text", MAX_TRIAL_TEXT >> 20),
            });
        }
        let seq = self.last() + 1;
        self.times.push((at.start, at.end));
        self.events.push(ForeignEvent {
            seq,
            parent: at.parent.filter(|parent| (1..seq).contains(parent)),
            start_ms: None,
            end_ms: None,
            marks: at.marks,
            raw: RawPointer { member: at.member.or_else(|| self.reading.part.clone()), pointer: at.pointer },
            body,
        });
        Ok(seq)
    }

    /// Adds a call, to be linked with its result.
    pub(super) fn call(&mut self, mut at: At, call: ToolCall) -> Result<u64, ImportError> {
        let known = call.id.as_ref().is_some_and(|id| self.by_id.contains_key(id));
        if known {
            at.marks.push(Mark::DuplicateId);
            let pointer = at.pointer.clone();
            self.deviate(&pointer, format!("the call id '{}' was there before", shown(call.id.as_deref())));
        }
        let id = call.id.clone();
        let seq = self.push(at, ForeignBody::ToolCall(call))?;
        let nth = self.calls.len();
        if let Some(id) = id {
            let same = self.by_id.entry(id).or_default();
            same.open.insert(nth);
            same.last = nth;
        }
        self.open.insert(nth);
        self.calls.push(seq);
        Ok(seq)
    }

    /// The call with this id that has no result yet.
    pub(super) fn open_call(&self, id: &str) -> Option<u64> {
        self.by_id.get(id)?.open.first().map(|nth| self.calls[*nth])
    }

    /// Whether any call has this id.
    pub(super) fn knows_call(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// Links a result: by its id, else by order among the calls from event `since` on; never by name.
    pub(super) fn link(&mut self, mut at: At, call_id: Option<&str>, since: u64) -> At {
        let (found, mark) = match call_id {
            Some(id) => self.by_call_id(id, since),
            None => (self.by_order(since), Some(Mark::LinkedByOrder)),
        };
        let pointer = at.pointer.clone();
        if let Some(nth) = found {
            self.open.remove(&nth);
            at.parent = Some(self.calls[nth]);
            if let Some(ForeignBody::ToolCall(ToolCall { id: Some(id), .. })) =
                usize::try_from(self.calls[nth] - 1).ok().map(|at| &self.events[at].body)
                && let Some(same) = self.by_id.get_mut(id)
            {
                same.open.remove(&nth);
            }
            at.marks.extend(mark);
            if mark == Some(Mark::DuplicateId) {
                self.deviate(&pointer, format!("the call '{}' has more than one result", shown(call_id)));
            }
        } else {
            at.marks.push(Mark::Unlinked);
            let what = match call_id {
                Some(id) => format!("the result names a call '{}' that is not there", shown(Some(id))),
                None => "the result names no call, and no call waits for one".to_owned(),
            };
            self.deviate(&pointer, what);
        }
        at
    }

    fn by_call_id(&self, id: &str, since: u64) -> (Option<usize>, Option<Mark>) {
        let Some(same) = self.by_id.get(id) else { return (None, None) };
        // Ids that count from 0 again in every step are common: the nearest call that waits is meant.
        let near = same.open.range(self.place(since)..).next().or_else(|| same.open.first());
        match near {
            Some(nth) => (Some(*nth), None),
            None => (Some(same.last), Some(Mark::DuplicateId)),
        }
    }

    fn by_order(&self, since: u64) -> Option<usize> {
        self.open.range(self.place(since)..).next().copied()
    }

    /// The place of the first call from this event on.
    fn place(&self, since: u64) -> usize {
        self.calls.partition_point(|seq| *seq < since)
    }

    /// The text of the last counted model step, if it says anything.
    pub(super) fn last_words(&self) -> Option<(u64, String)> {
        let step = self.events.iter().rev().find(|event| {
            matches!(event.body, ForeignBody::ModelStep(_))
                && !event
                    .marks
                    .iter()
                    .any(|mark| matches!(mark, Mark::CopiedContext | Mark::Judge | Mark::Subagent))
        })?;
        match &step.body {
            ForeignBody::ModelStep(model) if !model.text.trim().is_empty() => {
                Some((step.seq, model.text.clone()))
            }
            _ => None,
        }
    }

    /// The trial, with times relative to its first.
    pub(super) fn finish(mut self) -> (ForeignTrial, Loss) {
        let started = self.facts.started.as_deref().and_then(moment);
        let first = self.times.iter().filter_map(|(start, _)| *start).chain(started).min();
        if let Some(first) = first {
            let relative = |time: Option<Moment>| {
                time.and_then(|time| u64::try_from(time.saturating_sub(first).max(0) / 1000).ok())
            };
            for (event, (start, end)) in self.events.iter_mut().zip(&self.times) {
                // What ends before it begins has no end.
                let end = end.filter(|end| start.is_none_or(|start| *end >= start));
                (event.start_ms, event.end_ms) = (relative(*start), relative(end));
            }
        }
        let facts = &mut self.facts;
        let size = facts.metadata.values().chain(&facts.tools).map(value_bytes).sum::<usize>();
        if size > MAX_FACTS {
            self.loss.drop_path("metadata and tools (larger than 16 MiB)");
            facts.metadata.clear();
            facts.tools.clear();
        }
        self.count_missing();
        (ForeignTrial { facts: self.facts, events: self.events }, self.loss)
    }

    /// What the source did not say, of what most sources do.
    fn count_missing(&mut self) {
        let facts = &self.facts;
        let of_trial = [
            ("task id", facts.task_id.is_none()),
            ("epoch", facts.epoch.is_none()),
            ("model", facts.model.is_none()),
            ("snapshot revision", facts.revision.is_none()),
            ("beginning of the trial", facts.started.is_none()),
            ("how the trial ended", facts.end_state == crate::domain::foreign::EndState::Unknown),
        ];
        for (what, missing) in of_trial {
            if missing {
                self.loss.miss(what);
            }
        }
        for event in &self.events {
            match &event.body {
                ForeignBody::ModelStep(step) if event.marks.is_empty() => {
                    if step.usage.is_none() {
                        self.loss.miss("usage of a model step");
                    }
                    if event.start_ms.is_none() {
                        self.loss.miss("time of a model step");
                    }
                }
                ForeignBody::ToolCall(call) if event.marks.is_empty() && call.id.is_none() => {
                    self.loss.miss("id of a tool call");
                }
                _ => {}
            }
        }
        for _ in 0..self.open.len() {
            self.loss.miss("result of a tool call");
        }
    }
}

/// An id for a message, cut.
fn shown(id: Option<&str>) -> String {
    id.unwrap_or_default().chars().take(80).collect()
}

/// The bytes of texts and values, about.
fn text_bytes(body: &ForeignBody) -> usize {
    let of = |text: Option<&String>| text.map_or(0, String::len);
    match body {
        ForeignBody::SystemPrompt { text }
        | ForeignBody::UserMessage { text }
        | ForeignBody::Reasoning { text, .. }
        | ForeignBody::Answer { text, .. }
        | ForeignBody::RunError { text } => text.len(),
        ForeignBody::Note { title, text } => title.len() + text.len(),
        ForeignBody::ModelStep(step) => step.text.len() + of(step.error.as_ref()),
        ForeignBody::ToolCall(call) => {
            call.name.len() + value_bytes(&call.arguments) + of(call.raw_arguments.as_ref())
        }
        ForeignBody::ToolResult(result) => result.text.len(),
        ForeignBody::ToolError(error) => error.text.len(),
        ForeignBody::Policy(policy) => of(policy.text.as_ref()),
        ForeignBody::Limit { text, .. } => of(text.as_ref()),
        ForeignBody::JudgeCall(call) => call.text.len() + of(call.prompt.as_ref()),
        ForeignBody::Score(score) => {
            let history = score.history.iter().map(|edit| {
                of(edit.answer.as_ref())
                    + of(edit.explanation.as_ref())
                    + edit.value.as_ref().map_or(0, value_bytes)
            });
            value_bytes(&score.value)
                + of(score.answer.as_ref())
                + of(score.explanation.as_ref())
                + history.sum::<usize>()
        }
    }
}

/// The bytes that a value takes, about.
pub(super) fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 32,
        Value::String(text) => 32 + text.len(),
        Value::Array(items) => 32 + items.iter().map(value_bytes).sum::<usize>(),
        Value::Object(map) => {
            640 + map.iter().map(|(name, value)| name.len() + value_bytes(value)).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{At, Reading, TrialBuilder};
    use crate::domain::foreign::{ForeignBody, Mark, ToolCall, ToolResult};
    use serde_json::Value;

    fn call(id: Option<&str>) -> ToolCall {
        ToolCall {
            id: id.map(str::to_owned),
            name: "t".to_owned(),
            arguments: Value::Null,
            raw_arguments: None,
        }
    }

    #[test]
    fn results_are_linked_by_id_then_by_order_never_by_name() {
        let reading = Reading { name: "x", part: None };
        let mut builder = TrialBuilder::new(&reading);
        let first = builder.call(At::default(), call(Some("a"))).unwrap();
        let second = builder.call(At::default(), call(None)).unwrap();
        let again = builder.call(At::default(), call(Some("a"))).unwrap();
        let mut link = |id: Option<&str>, since: u64| {
            let at = builder.link(At::default(), id, since);
            builder.push(at.clone(), ForeignBody::ToolResult(ToolResult::default())).unwrap();
            (at.parent, at.marks)
        };
        assert_eq!(link(Some("a"), again), (Some(again), vec![]));
        assert_eq!(link(Some("a"), again), (Some(first), vec![]));
        assert_eq!(link(Some("a"), 1), (Some(again), vec![Mark::DuplicateId]));
        assert_eq!(link(None, 1), (Some(second), vec![Mark::LinkedByOrder]));
        assert_eq!(link(None, 1), (None, vec![Mark::Unlinked]));
        assert_eq!(link(Some("nobody"), 1), (None, vec![Mark::Unlinked]));
        assert_eq!(builder.loss.deviation_count(), 4);
    }
}
