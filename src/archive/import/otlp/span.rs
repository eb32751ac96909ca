//! A span, and the order of the spans of a trace: by their beginnings, parents before their children.

use super::super::builder::value_bytes;
use super::super::fields::{list, text};
use super::any_value::attributes;
use crate::archive::moment::Moment;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// A span of a trace.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) name: String,
    /// Nanoseconds since 1970.
    start: u64,
    end: u64,
    pub(super) attributes: Map<String, Value>,
    pub(super) resource: Map<String, Value>,
    /// Name, time and attributes.
    pub(super) events: Vec<(String, Option<Moment>, Map<String, Value>)>,
    pub(super) failed: bool,
    pub(super) message: Option<String>,
    pub(super) member: Option<String>,
    pub(super) pointer: String,
}

/// Calls `each` with the pointer, the span and its resource's attributes, for every span of a request.
pub(super) fn each(request: &Value, each: &mut dyn FnMut(&str, &Value, Option<&Value>)) {
    for outer in ["resourceSpans", "resource_spans"] {
        for (i, of_resource) in list(request, outer).iter().enumerate() {
            let resource = of_resource.get("resource").and_then(|resource| resource.get("attributes"));
            for inner in ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"] {
                for (j, of_scope) in list(of_resource, inner).iter().enumerate() {
                    for (k, span) in list(of_scope, "spans").iter().enumerate() {
                        each(&format!("/{outer}/{i}/{inner}/{j}/spans/{k}"), span, resource);
                    }
                }
            }
        }
    }
}

impl Span {
    /// Reads a span of this trace; `None` for one of another.
    pub(super) fn read(
        value: &Value,
        trace: &str,
        member: Option<String>,
        pointer: &str,
        resource: Option<&Value>,
    ) -> Option<Self> {
        let either = |one: &str, other: &str| text(value, one).or_else(|| text(value, other));
        let of = either("traceId", "trace_id").map(|id| id.chars().take(64).collect::<String>());
        if of.as_deref() != Some(trace) {
            return None;
        }
        let none = Value::Null;
        let status = value.get("status").unwrap_or(&none);
        let failed = match status.get("code") {
            Some(Value::Number(code)) => code.as_u64() == Some(2),
            Some(Value::String(code)) => code == "STATUS_CODE_ERROR" || code == "2",
            _ => false,
        };
        let event = |event: &Value| {
            let time = nanoseconds(event, "timeUnixNano", "time_unix_nano");
            let name = text(event, "name").unwrap_or_default();
            (name, moment(time), attributes(event.get("attributes")))
        };
        Some(Self {
            id: either("spanId", "span_id").unwrap_or_default(),
            parent: either("parentSpanId", "parent_span_id"),
            name: text(value, "name").unwrap_or_default(),
            start: nanoseconds(value, "startTimeUnixNano", "start_time_unix_nano"),
            end: nanoseconds(value, "endTimeUnixNano", "end_time_unix_nano"),
            attributes: attributes(value.get("attributes")),
            resource: attributes(resource),
            events: list(value, "events").iter().map(event).collect(),
            failed,
            message: text(status, "message"),
            member,
            pointer: pointer.to_owned(),
        })
    }

    /// Bytes that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        let of = |map: &Map<String, Value>| {
            map.iter().map(|(name, value)| name.len() + 64 + value_bytes(value)).sum::<usize>()
        };
        1024 + of(&self.attributes)
            + of(&self.resource)
            + self.events.iter().map(|(name, _, map)| name.len() + 128 + of(map)).sum::<usize>()
    }

    /// Its beginning; `None` where it says 0.
    pub(super) fn begins(&self) -> Option<Moment> {
        moment(self.start)
    }

    /// Its end.
    pub(super) fn ends(&self) -> Option<Moment> {
        moment(self.end).filter(|_| self.end >= self.start)
    }
}

/// Nanoseconds, a text or a number.
fn nanoseconds(value: &Value, one: &str, other: &str) -> u64 {
    match value.get(one).or_else(|| value.get(other)) {
        Some(Value::String(text)) => text.parse().unwrap_or(0),
        Some(Value::Number(number)) => number.as_u64().unwrap_or(0),
        _ => 0,
    }
}

fn moment(nanoseconds: u64) -> Option<Moment> {
    (nanoseconds > 0).then(|| i64::try_from(nanoseconds / 1000).unwrap_or(i64::MAX))
}

/// The order of spans, with the place of each one's parent in that order. Parents that are not there, and circles of
/// parents in a hostile trace, make a span a root.
pub(super) fn ordered(mut spans: Vec<Span>) -> Vec<(Span, Option<usize>)> {
    // Two that begin at once stay as they came.
    spans.sort_by_key(|span| span.start);
    let place: HashMap<&str, usize> =
        spans.iter().enumerate().rev().map(|(nth, span)| (span.id.as_str(), nth)).collect();
    let parents: Vec<Option<usize>> = spans
        .iter()
        .enumerate()
        .map(|(nth, span)| {
            span.parent.as_deref().and_then(|id| place.get(id).copied()).filter(|it| *it != nth)
        })
        .collect();
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (nth, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children.entry(*parent).or_default().push(nth);
        }
    }
    let mut order: Vec<(usize, Option<usize>)> = Vec::with_capacity(spans.len());
    let mut seen = HashSet::new();
    // Roots first; what is left then hangs in a circle.
    let roots = (0..spans.len()).filter(|nth| parents[*nth].is_none()).chain(0..spans.len());
    for root in roots {
        let mut waiting = vec![(root, None)];
        while let Some((nth, parent)) = waiting.pop() {
            if !seen.insert(nth) {
                continue;
            }
            let here = order.len();
            order.push((nth, parent));
            for child in children.get(&nth).into_iter().flatten().rev() {
                waiting.push((*child, Some(here)));
            }
        }
    }
    let mut spans: Vec<Option<Span>> = spans.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(nth, parent)| Some((spans[nth].take()?, parent))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Span, ordered};
    use serde_json::json;

    fn span(id: &str, parent: Option<&str>, start: u64) -> Span {
        let value = json!({"traceId": "t", "spanId": id, "parentSpanId": parent, "startTimeUnixNano": start.to_string()});
        Span::read(&value, "t", None, "", None).unwrap()
    }

    #[test]
    fn parents_stand_before_their_children_however_they_come() {
        let spans = vec![
            span("tool", Some("root"), 30),
            span("early", Some("root"), 5),
            span("inner", Some("chat"), 12),
            span("root", None, 10),
            span("chat", Some("root"), 11),
            span("lost", Some("nobody"), 40),
            span("a", Some("b"), 1),
            span("b", Some("a"), 2),
        ];
        let order: Vec<(String, Option<usize>)> =
            ordered(spans).into_iter().map(|(span, parent)| (span.id, parent)).collect();
        let order: Vec<(&str, Option<usize>)> =
            order.iter().map(|(id, parent)| (id.as_str(), *parent)).collect();
        assert_eq!(
            order[..5],
            [("root", None), ("early", Some(0)), ("chat", Some(0)), ("inner", Some(2)), ("tool", Some(0))]
        );
        assert_eq!(order[5..], [("lost", None), ("a", None), ("b", Some(6))]);
    }
}
