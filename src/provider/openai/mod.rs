//! OpenAI-compatible chat completions: <https://platform.openai.com/docs/api-reference/chat>, and what other servers make of
//! them.

mod answer;
mod request;
mod stream;

pub(super) use answer::answer;
pub(super) use request::body;
pub(super) use stream::joined;

/// Members of a message that hold thinking, by server: in words, and in parts.
const REASONING: &[&str] = &["reasoning_content", "reasoning"];
const REASONING_PARTS: &str = "reasoning_details";
