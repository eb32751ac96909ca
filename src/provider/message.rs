//! A conversation with a model, whatever the wire shape.

use crate::domain::trace::Usage;
use serde_json::Value;

/// What a model is asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChatRequest {
    /// The system prompt; empty for none.
    pub system: String,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// The tools it may call.
    pub tools: Vec<ToolSpec>,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What it is told.
    User(String),
    /// What the model said, as its provider wrote it ([`ChatAnswer::turn`]): sent back as given, signatures of its thinking
    /// included.
    Model(Value),
    /// What its calls gave, in their order.
    Tools(Vec<ToolOutcome>),
}

/// A tool as it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// JSON Schema of its arguments.
    pub arguments: Value,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutcome {
    /// The call, as the model named it.
    pub id: String,
    /// What the model is shown.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Its name within the answer.
    pub id: String,
    /// The tool, as the model named it.
    pub name: String,
    /// Its arguments; a text where what the model wrote is no JSON.
    pub arguments: Value,
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Words.
    Text(String),
    /// Thinking that is shown; `redacted` if the provider withheld it.
    Reasoning {
        /// The words, where there are any.
        text: String,
        /// Whether it was withheld.
        redacted: bool,
    },
    /// A call.
    Call(ToolCall),
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It said what it had to say.
    End,
    /// It waits for its calls.
    Calls,
    /// It asks to be asked again.
    Pause,
    /// It, or its provider, would not go on.
    Refused,
    /// Its answer was cut: the most tokens it may write, or the end of its context.
    Cut,
    /// The end of its context.
    ContextFull,
    /// A word that is not known here, or none.
    Other,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatAnswer {
    /// The model, as the provider names it.
    pub model: Option<String>,
    /// What it said, in order.
    pub parts: Vec<Part>,
    /// The same as the provider wrote it, to be sent back.
    pub turn: Value,
    /// Why it stopped.
    pub stop: Stop,
    /// The provider's word for that.
    pub stop_word: Option<String>,
    /// What it took; `None` where the provider did not say.
    pub usage: Option<Usage>,
    /// Tokens among the input that were written into a cache, which some providers charge more for.
    pub cache_written: Option<u64>,
}

impl ChatAnswer {
    /// The words, one part after another.
    pub fn text(&self) -> String {
        let words = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        words.collect()
    }

    /// The calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::Call(call) => Some(call),
            _ => None,
        })
    }
}

/// Arguments as a model wrote them: JSON, else the text itself.
pub(super) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
