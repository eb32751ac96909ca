//! Long texts stand once in a sample, and `attachment://<hash>` in their places: in messages, arguments, results, anywhere.

use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

const SCHEME: &str = "attachment://";
/// Bytes that may be put in in the place of references: a hostile sample may name a long text a million times.
const MOST: usize = 160 << 20;

/// The attachments of a sample.
pub(super) struct Attachments<'s> {
    texts: Option<&'s Map<String, Value>>,
    missing: RefCell<BTreeSet<String>>,
    put_in: Cell<usize>,
}

impl<'s> Attachments<'s> {
    pub(super) fn of(sample: &'s Value) -> Self {
        let texts = sample.get("attachments").and_then(Value::as_object);
        Self { texts, missing: RefCell::default(), put_in: Cell::new(0) }
    }

    /// The text that is meant. A reference that leads nowhere stays as it is, and is noted. What an attachment itself refers
    /// to is not followed: Inspect writes none that does.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str>
    where
        's: 't,
    {
        let Some(hash) = text.strip_prefix(SCHEME) else { return Cow::Borrowed(text) };
        if let Some(Value::String(whole)) = self.texts.and_then(|texts| texts.get(hash)) {
            Cow::Borrowed(whole.as_str())
        } else {
            self.missing.borrow_mut().insert(hash.chars().take(64).collect());
            Cow::Borrowed(text)
        }
    }

    /// The value with all references replaced, while there is room.
    pub(super) fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let whole = self.text(text);
                let sum = self.put_in.get().saturating_add(whole.len());
                if whole.len() > text.len() && sum > MOST {
                    return Value::String(text.clone());
                }
                self.put_in.set(sum);
                Value::String(whole.into_owned())
            }
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), self.value(value))).collect(),
            other => other.clone(),
        }
    }

    /// References that lead nowhere.
    pub(super) fn missing(&self) -> Vec<String> {
        self.missing.borrow().iter().cloned().collect()
    }
}
