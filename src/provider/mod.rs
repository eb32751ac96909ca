//! Chat with models over HTTP, in two wire shapes: OpenAI-compatible chat completions and Anthropic messages.
//!
//! [`ChatClient::ask`] takes a conversation and gives what the model said, with every exchange word for word. It blocks, and
//! stops at once when told to ([`Abort`]); inside is a private asynchronous runtime. What fails for a time is tried again
//! ([`RetryPolicy`]); what does not fit the model's context is an error of its own and never cut. Exchanges can be recorded
//! and given again without a network ([`Exchanges`]).
//!
//! Not here: agents, judges, trials, evidence. Whoever asks decides what an answer means. Answers are untrusted: sizes are
//! bounded, redirects are not followed, a key never leaves this room but to the provider.

mod abort;
mod anthropic;
mod client;
mod endpoint;
mod error;
mod exchange;
mod exchanges;
mod key;
mod message;
mod openai;
mod prices;
mod receive;
mod retry;
mod settings;
mod sse;
mod wire;
mod worker;

pub use abort::Abort;
pub use client::{Asked, Asking, Attempt, ChatClient};
pub use error::{ProviderError, SettingsError};
pub use exchange::{RawExchange, RawMessage};
pub use exchanges::Exchanges;
pub use key::{Key, KeyError, KeySource};
pub use message::{ChatAnswer, ChatRequest, Message, Part, Stop, ToolCall, ToolOutcome, ToolSpec};
pub use prices::{Price, PriceTable, PricesError};
pub use retry::RetryPolicy;
pub use settings::{ProviderSettings, Sampling, Shape, Timeouts};
