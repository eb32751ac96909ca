//! Why a model gave no answer, and why settings can't be used.

use std::path::PathBuf;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The provider does not take the request; asking again would not help.
    #[error("{target} refused the request with status {status}: {message}")]
    Refused {
        /// Method and address.
        target: String,
        /// Status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// The conversation is longer than the model can read.
    #[error(
        "the conversation does not fit the model's context: {message}; nothing was cut, choose a model with a longer context or show less of each result"
    )]
    ContextOverflow {
        /// The provider's words.
        message: String,
    },
    /// It failed again and again.
    #[error("gave up after {attempts} attempt(s): {last}")]
    GaveUp {
        /// How often it was asked.
        attempts: u32,
        /// What happened the last time.
        last: String,
    },
    /// The provider sends elsewhere; that is not followed, the key would go with it.
    #[error(
        "{target} answered with status {status}, which sends to {location}; redirects are not followed, put the right address into base_url"
    )]
    Redirected {
        /// Method and address.
        target: String,
        /// Status.
        status: u16,
        /// Where to.
        location: String,
    },
    /// What came is not of the kind that was asked for.
    #[error("{target} answered with {found} in place of {wanted}: {excerpt}; check base_url and shape")]
    ContentType {
        /// Method and address.
        target: String,
        /// What it says it is.
        found: String,
        /// What was asked for.
        wanted: String,
        /// How it begins.
        excerpt: String,
    },
    /// What came can't be read.
    #[error("the answer can't be read: {reason}; it begins: {excerpt}")]
    Malformed {
        /// Why.
        reason: String,
        /// How it begins.
        excerpt: String,
    },
    /// What came is longer than anything that is asked for.
    #[error("the answer is longer than {limit} bytes; nobody asked for that much")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// Nothing of this was recorded.
    #[error(
        "{folder} has no exchange {key} for this request; it differs from what was recorded there (record it again without --replay-exchanges, with --record)", folder = .folder.display()
    )]
    NotRecorded {
        /// Where they are.
        folder: PathBuf,
        /// The key of the request.
        key: String,
    },
    /// An exchange can't be recorded, or what was recorded can't be read.
    #[error("the exchange {path} can't be used: {reason}", path = .path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Somebody stopped it.
    #[error("the request was stopped")]
    Stopped,
    /// The time that was given for it is over.
    #[error("the time for the request is over")]
    OutOfTime,
}

impl ProviderError {
    /// Whether every other request would fail as well: no key, no such model, no money, nowhere to record.
    pub const fn is_for_all(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 401..=405),
            Self::Redirected { .. } | Self::Recording { .. } => true,
            _ => false,
        }
    }
}

/// Why settings can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {reason}")]
pub struct SettingsError {
    /// The setting.
    pub setting: String,
    /// Why, and what to do.
    pub reason: String,
}

impl SettingsError {
    pub(super) fn new(setting: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { setting: setting.into(), reason: reason.into() }
    }
}

/// The beginning of a text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 300;
    let mut words = text.split_whitespace();
    let mut short = String::new();
    for word in words.by_ref() {
        if !short.is_empty() {
            short.push(' ');
        }
        short.extend(word.chars().take(MOST));
        if short.chars().count() >= MOST {
            break;
        }
    }
    let cut: String = short.chars().take(MOST).collect();
    let more = cut.len() < short.len() || words.next().is_some();
    match (cut.is_empty(), more) {
        (true, _) => "(nothing)".to_owned(),
        (false, true) => cut + "…",
        (false, false) => cut,
    }
}
