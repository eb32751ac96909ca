//! Messages and their contents.

use super::super::fields::{flag, list, text};
use super::attachments::Attachments;
use crate::domain::foreign::Loss;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// What a message says.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) text: String,
    /// Thinking, with whether some of it was withheld.
    pub(super) reasoning: Vec<(String, bool)>,
}

/// Flattens contents: a text, or a list of parts.
pub(super) fn contents(value: Option<&Value>, attachments: &Attachments<'_>, loss: &mut Loss) -> Contents {
    let mut all = Contents::default();
    match value {
        Some(Value::String(text)) => all.text.push_str(&attachments.text(text)),
        Some(Value::Array(parts)) => {
            for part in parts {
                part_into(part, attachments, loss, &mut all);
            }
        }
        Some(Value::Number(_) | Value::Bool(_)) => all.text = value.map(Value::to_string).unwrap_or_default(),
        Some(other @ Value::Object(_)) => part_into(other, attachments, loss, &mut all),
        Some(Value::Null) | None => {}
    }
    all
}

fn part_into(part: &Value, attachments: &Attachments<'_>, loss: &mut Loss, all: &mut Contents) {
    let whole = |name: &str| part.get(name).and_then(Value::as_str).map(|text| attachments.text(text));
    match part.get("type").and_then(Value::as_str) {
        Some("text") => {
            if let Some(text) = whole("text") {
                all.text.push_str(&text);
            }
        }
        Some("reasoning") => {
            let redacted = flag(part, "redacted");
            // What was withheld is a cipher; the summary is what can be read.
            let words = if redacted {
                whole("summary").unwrap_or_default()
            } else {
                whole("reasoning").unwrap_or_default()
            };
            all.reasoning.push((words.into_owned(), redacted));
        }
        kind => {
            let kind: String = kind.unwrap_or("unknown").chars().take(40).collect();
            loss.drop_path(&format!("content[{kind}]"));
        }
    }
}

/// A message of a list, by what tells it from others: its id, or what it says.
pub(super) fn identity(message: &Value) -> String {
    if let Some(id) = text(message, "id") {
        return id;
    }
    // Old logs have no ids; equal messages at different places are rare enough.
    hex::encode(Sha256::digest(message.to_string()))
}

/// The messages that an event was given, from its own list and from the sample's pool, while there is room for more.
pub(super) fn inputs<'s>(event: &'s Value, pool: &'s [Value], room: &mut usize) -> Vec<&'s Value> {
    let mut all: Vec<&Value> = Vec::new();
    for range in list(event, "input_refs") {
        let at = |nth: usize| range.get(nth).and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
        if let (Some(start), Some(end)) = (at(0), at(1)) {
            let end = end.min(pool.len()).min(start.saturating_add(*room));
            let some = pool.get(start..end).unwrap_or_default();
            *room -= some.len();
            all.extend(some);
        }
    }
    all.extend(list(event, "input"));
    all
}
