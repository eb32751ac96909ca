//! How a model is reached and asked: what a settings file says, strictly; a name that is not known is an error.

use super::endpoint::Endpoint;
use super::error::SettingsError;
use super::key::KeySource;
use super::prices::Price;
use super::retry::RetryPolicy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The wire shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Chat completions, as OpenAI and most local servers have them.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
}

/// How a model is reached and asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own in the file
pub struct ProviderSettings {
    /// The wire shape.
    pub shape: Shape,
    /// Where: `https://…`, with the version if the provider has one in its path.
    pub base_url: String,
    /// The model.
    pub model: String,
    /// Where its key is; none for servers that want none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeySource>,
    /// Whether answers come in pieces.
    #[serde(default)]
    pub stream: bool,
    /// Whether `http://` to another machine is allowed: everything, the key included, can be read on the way.
    #[serde(default)]
    pub allow_plain_http: bool,
    /// Headers that are sent beside ours.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// How words are chosen.
    #[serde(default)]
    pub sampling: Sampling,
    /// Parameters that are sent as given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, Value>,
    /// Shape `openai`: whether the model's thinking is sent back to it, as some models want between calls.
    #[serde(default)]
    pub send_reasoning_back: bool,
    /// Shape `anthropic`: whether the provider is asked to keep what was said in its cache.
    #[serde(default)]
    pub cache_prompt: bool,
    /// How often, and after which waits, it is asked again.
    #[serde(default)]
    pub retry: RetryPolicy,
    /// How long is waited for an answer.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// What it costs, where the table does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// How words are chosen. What is absent is left to the provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// Temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Seed; shape `openai` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Most tokens of one answer, thinking included. Anthropic asks for it: 8192 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Shape `openai`: what that is called on the wire; `max_completion_tokens` at api.openai.com, `max_tokens` elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens_name: Option<String>,
    /// How much it thinks, in the provider's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// Shape `anthropic`: tokens it may think, for models that take a budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u64>,
}

/// How long is waited.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// Seconds until a connection stands.
    pub connect_seconds: f64,
    /// Seconds between two pieces of an answer that has begun.
    pub idle_seconds: f64,
    /// Seconds for one request in all.
    pub total_seconds: f64,
}

impl Default for Timeouts {
    /// 15 s to connect, 120 s between pieces, 600 s in all.
    fn default() -> Self {
        Self { connect_seconds: 15.0, idle_seconds: 120.0, total_seconds: 600.0 }
    }
}

/// Parameters that are ours to set.
const OURS: &[&str] = &[
    "model",
    "messages",
    "system",
    "tools",
    "stream",
    "stream_options",
    "temperature",
    "seed",
    "max_tokens",
];

impl ProviderSettings {
    /// Checks all of it and gives where requests go.
    ///
    /// # Errors
    /// [`SettingsError`]: the setting that is wrong, and what to do.
    pub(super) fn endpoint(&self) -> Result<Endpoint, SettingsError> {
        let endpoint = Endpoint::of(self)?;
        if self.model.trim().is_empty() {
            return Err(SettingsError::new("model", "it is empty; name the model as the provider does"));
        }
        if let Some(key) = &self.key {
            key.check()?;
        }
        self.sampling.check(self.shape)?;
        for name in self.extra.keys() {
            if OURS.contains(&name.as_str()) {
                let reason = "it is set by its own setting, not by hand; take it out of extra";
                return Err(SettingsError::new(format!("extra.{name}"), reason));
            }
        }
        if self.extra.values().any(|value| value.to_string().contains("$__toml_private")) {
            return Err(SettingsError::new("extra", "a date can't be sent; write it as a text in quotes"));
        }
        if self.send_reasoning_back && self.shape != Shape::OpenAi {
            let reason = "only for shape \"openai\"; Anthropic always gets its thinking back as it came";
            return Err(SettingsError::new("send_reasoning_back", reason));
        }
        if self.cache_prompt && self.shape != Shape::Anthropic {
            let reason = "only for shape \"anthropic\"; others keep prompts without being asked";
            return Err(SettingsError::new("cache_prompt", reason));
        }
        for (name, seconds) in [
            ("connect_seconds", self.timeouts.connect_seconds),
            ("idle_seconds", self.timeouts.idle_seconds),
            ("total_seconds", self.timeouts.total_seconds),
        ] {
            seconds_of(&format!("timeouts.{name}"), seconds)?;
        }
        self.retry.check()?;
        if let Some(price) = &self.price {
            price.check().map_err(|reason| SettingsError::new("price", reason))?;
        }
        Ok(endpoint)
    }

    /// Checks all of it.
    ///
    /// # Errors
    /// [`SettingsError`].
    pub fn check(&self) -> Result<(), SettingsError> {
        self.endpoint().map(|_| ())
    }
}

impl Sampling {
    fn check(&self, shape: Shape) -> Result<(), SettingsError> {
        if let Some(temperature) = self.temperature
            && !(0.0..=2.0).contains(&temperature)
        {
            return Err(SettingsError::new(
                "sampling.temperature",
                format!("{temperature} is not in 0 to 2"),
            ));
        }
        if self.max_tokens == Some(0) {
            return Err(SettingsError::new("sampling.max_tokens", "0 tokens hold no answer"));
        }
        let only = |setting: &str, set: bool, of: Shape, named: &str| {
            if set && shape != of {
                let reason = format!("only for shape \"{named}\"; take it out");
                return Err(SettingsError::new(format!("sampling.{setting}"), reason));
            }
            Ok(())
        };
        only("seed", self.seed.is_some(), Shape::OpenAi, "openai")?;
        only("max_tokens_name", self.max_tokens_name.is_some(), Shape::OpenAi, "openai")?;
        only("thinking_tokens", self.thinking_tokens.is_some(), Shape::Anthropic, "anthropic")
    }
}

/// Seconds as a time.
pub(super) fn seconds_of(setting: &str, seconds: f64) -> Result<Duration, SettingsError> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if seconds > 0.0 && seconds <= 86_400.0 => Ok(time),
        _ => Err(SettingsError::new(setting, format!("{seconds} is not above 0 and within a day"))),
    }
}

/// A time that was checked.
pub(super) fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
