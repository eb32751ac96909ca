//! Anthropic messages: <https://docs.anthropic.com/en/api/messages>.

mod answer;
mod request;
mod stream;

pub(super) use answer::answer;
pub(super) use request::body;
pub(super) use stream::joined;
