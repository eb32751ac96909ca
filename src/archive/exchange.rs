//! One exchange with a provider, word for word, without what would let somebody else ask in our name.

use super::secrets::Secrets;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Headers that carry a secret or a session.
const WITHHELD: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "set-cookie",
];

/// A request and what came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// Method and address.
    pub target: String,
    /// What was sent.
    pub request: HttpMessage,
    /// What came; absent if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<HttpMessage>,
}

/// Headers and body of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HttpMessage {
    /// Status of a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Names, in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Exchange {
    /// The exchange as it may be kept.
    #[must_use]
    pub fn without_secrets(mut self, secrets: &Secrets) -> Self {
        let clean = |text: &mut String| *text = secrets.remove(text).into_owned();
        clean(&mut self.target);
        for message in std::iter::once(&mut self.request).chain(&mut self.response) {
            message.body = secrets.remove_from_lines(&message.body);
            for (name, value) in &mut message.headers {
                name.make_ascii_lowercase();
                if WITHHELD.contains(&name.as_str()) {
                    "[withheld]".clone_into(value);
                }
                clean(value);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{Exchange, HttpMessage, Secrets};

    #[test]
    fn neither_headers_nor_bodies_keep_a_key() {
        let message = |status| HttpMessage {
            status,
            headers: vec![
                ("Authorization".into(), "Bearer other".into()),
                ("X-Note".into(), "k=canary-key-1".into()),
            ],
            body: "you sent canary-key-1\n{\"k\": \"c\\u0061nary-key-1\"}".into(),
        };
        let exchange = Exchange {
            target: "POST https://api.example/v1?key=canary-key-1".into(),
            request: message(None),
            response: Some(message(Some(401))),
        };
        let text =
            serde_json::to_string(&exchange.without_secrets(&Secrets::new(["canary-key-1".to_owned()])))
                .unwrap();
        assert!(!text.contains("anary-key-1") && !text.contains("Bearer"), "{text}");
        assert_eq!(text.matches("[withheld]").count(), 2);
    }
}
