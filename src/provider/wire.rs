//! What both wire shapes have in common: a body made, an answer read, errors recognised.

use super::message::{ChatAnswer, ChatRequest};
use super::settings::{ProviderSettings, Shape};
use super::sse::SseEvent;
use super::{anthropic, openai};
use serde_json::Value;

/// Why an answer can't be had from what came with a good status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is not what the shape says.
    Malformed(String),
    /// It ends before its end.
    Cut(String),
    /// It is an error after all.
    Reported(ErrorBody),
}

/// An error in a provider's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ErrorBody {
    /// Its type.
    pub(super) kind: String,
    /// Its code.
    pub(super) code: String,
    /// Its words.
    pub(super) message: String,
}

impl Shape {
    /// The body of a request.
    pub(super) fn body(self, settings: &ProviderSettings, request: &ChatRequest) -> Value {
        match self {
            Self::OpenAi => openai::body(settings, request),
            Self::Anthropic => anthropic::body(settings, request),
        }
    }

    /// Reads an answer that came whole.
    pub(super) fn read(self, settings: &ProviderSettings, text: &str) -> Result<ChatAnswer, Unread> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Unread::Malformed(error.to_string()))?;
        self.read_value(settings, &value)
    }

    /// Reads an answer that came in pieces.
    pub(super) fn read_events(
        self,
        settings: &ProviderSettings,
        events: &[SseEvent],
    ) -> Result<ChatAnswer, Unread> {
        let value = match self {
            Self::OpenAi => openai::joined(events),
            Self::Anthropic => anthropic::joined(events),
        };
        self.read_value(settings, &value?)
    }

    fn read_value(self, settings: &ProviderSettings, value: &Value) -> Result<ChatAnswer, Unread> {
        if let Some(error) = error_in(value) {
            return Err(Unread::Reported(error));
        }
        match self {
            Self::OpenAi => openai::answer(value, settings.send_reasoning_back),
            Self::Anthropic => anthropic::answer(value),
        }
    }

    /// Whether nothing comes behind this event, though the connection may stay open.
    pub(super) fn is_last(self, event: &SseEvent) -> bool {
        match self {
            Self::OpenAi => event.data == "[DONE]",
            Self::Anthropic => matches!(event.event.as_str(), "message_stop" | "error"),
        }
    }
}

/// Reads one event of a stream.
pub(super) fn piece(event: &SseEvent) -> Result<Value, Unread> {
    serde_json::from_str(&event.data).map_err(|error| match error.classify() {
        // The end of the stream, in the middle of an event.
        serde_json::error::Category::Eof => {
            Unread::Cut("the stream ended in the middle of an event".to_owned())
        }
        _ => Unread::Malformed(format!("a piece of the stream is no JSON: {error}")),
    })
}

/// The error that a body holds, if it holds one.
pub(super) fn error_in(value: &Value) -> Option<ErrorBody> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let text = |name: &str| match error.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let message = match error {
        Value::String(message) => message.clone(),
        _ if text("message").is_empty() => error.to_string(),
        _ => text("message"),
    };
    Some(ErrorBody { kind: text("type"), code: text("code"), message })
}

/// The error in the body of a bad status, whatever it looks like.
pub(super) fn error_of(body: &str) -> ErrorBody {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    error_in(&value).unwrap_or_else(|| {
        let message = ["message", "detail"].iter().find_map(|name| value.get(name)?.as_str());
        ErrorBody { message: message.unwrap_or(body).to_owned(), ..ErrorBody::default() }
    })
}

/// Words of providers and servers for a conversation that is too long.
const TOO_LONG: &[&str] = &[
    "context length",
    "context window",
    "context size",
    "context limit",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "maximum prompt length",
    "reduce the length of the messages",
    "exceeds the maximum number of tokens",
    "input tokens exceed",
    "token limit exceeded",
];

impl ErrorBody {
    /// Whether it says that the conversation is too long for the model.
    pub(super) fn is_overflow(&self) -> bool {
        let code = |word: &str| self.code == word || self.kind == word;
        if ["context_length_exceeded", "exceed_context_size_error", "model_context_window_exceeded"]
            .into_iter()
            .any(code)
        {
            return true;
        }
        let message = self.message.to_lowercase();
        // "Request too large … tokens per minute" is a matter of pace.
        !message.contains("per minute") && TOO_LONG.iter().any(|words| message.contains(words))
    }

    /// The status that an error inside of an answer stands for.
    pub(super) fn status(&self) -> Option<u16> {
        let by_code = self.code.parse().ok().filter(|status| (400..600).contains(status));
        by_code.or(match self.kind.as_str() {
            "rate_limit_error" => Some(429),
            "overloaded_error" => Some(529),
            "api_error" | "server_error" | "internal_server_error" => Some(500),
            "timeout_error" => Some(504),
            "invalid_request_error" => Some(400),
            "authentication_error" => Some(401),
            "permission_error" => Some(403),
            "not_found_error" => Some(404),
            "request_too_large" => Some(413),
            _ => None,
        })
    }

    /// Whether a refusal for too many requests is one for good: no money is left.
    pub(super) fn is_for_good(&self) -> bool {
        [&self.code, &self.kind]
            .into_iter()
            .any(|word| word == "insufficient_quota" || word == "billing_error")
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorBody, error_of};

    #[test]
    fn errors_are_found_in_every_dress() {
        for (body, kind, message) in [
            (r#"{"error":{"message":"m","type":"t","code":null}}"#, "t", "m"),
            (
                r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#,
                "overloaded_error",
                "m",
            ),
            (r#"{"error":"m"}"#, "", "m"),
            (r#"{"error":{"a":1}}"#, "", r#"{"a":1}"#),
            (r#"{"object":"error","message":"m"}"#, "", "m"),
            (r#"{"detail":"m"}"#, "", "m"),
            ("<html>busy", "", "<html>busy"),
        ] {
            let error = error_of(body);
            assert_eq!((error.kind.as_str(), error.message.as_str()), (kind, message), "{body}");
        }
    }

    #[test]
    fn overflow_is_told_from_other_errors() {
        let says = |code: &str, message: &str| ErrorBody {
            code: code.into(),
            message: message.into(),
            ..ErrorBody::default()
        };
        for overflow in [
            says("context_length_exceeded", ""),
            says("", "This model's maximum context length is 8192 tokens."),
            says("", "prompt is too long: 213462 tokens > 200000 maximum"),
            says("", "input length and `max_tokens` exceed context limit: 1 + 2 > 2"),
            says("", "the request exceeds the available context size, try increasing it"),
            says("", "The input token count (9) exceeds the maximum number of tokens allowed (8)"),
        ] {
            assert!(overflow.is_overflow(), "{overflow:?}");
        }
        for other in [
            says("invalid_api_key", "Incorrect API key"),
            says("", "Request too large for context window: limit 6000 tokens per minute"),
            says("", "max_tokens is too large"),
        ] {
            assert!(!other.is_overflow(), "{other:?}");
        }
    }
}
