//! One request and what came back, word for word, without the key.

use super::key::Key;
use serde::{Deserialize, Serialize};

/// Headers that carry a secret or a session.
const WITHHELD: &[&str] =
    &["authorization", "proxy-authorization", "x-api-key", "api-key", "cookie", "set-cookie"];

/// A request and what came back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawExchange {
    /// Method and address.
    pub target: String,
    /// What was sent.
    pub request: RawMessage,
    /// What came, perhaps only its beginning; absent if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<RawMessage>,
    /// What went wrong on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// Headers and body of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawMessage {
    /// Status of a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Names, in lower case, and values; those that carry a secret withheld.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// What went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "detail")]
pub enum Fault {
    /// No connection.
    Connect(String),
    /// Too slow.
    Timeout(String),
    /// The connection ended in the middle.
    Cut(String),
    /// Longer than so many bytes.
    TooLarge(u64),
    /// The body is no UTF-8.
    NotText,
    /// The time of the trial is over.
    OutOfTime,
    /// Somebody stopped it.
    Stopped,
}

impl RawMessage {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

impl RawExchange {
    /// The exchange as anybody may see it.
    pub(super) fn without(mut self, key: Option<&Key>) -> Self {
        for message in std::iter::once(&mut self.request).chain(&mut self.response) {
            for (name, value) in &mut message.headers {
                if WITHHELD.contains(&name.as_str()) {
                    "[withheld]".clone_into(value);
                }
                if let Some(key) = key {
                    *value = key.remove_from(value);
                }
            }
        }
        let Some(key) = key else { return self };
        // A model may say it in pieces, and gets its words back.
        for message in std::iter::once(&mut self.request).chain(&mut self.response) {
            message.body = key.remove_from(&message.body);
        }
        if let Some(Fault::Connect(text) | Fault::Timeout(text) | Fault::Cut(text)) = &mut self.fault {
            *text = key.remove_from(text);
        }
        self
    }
}
