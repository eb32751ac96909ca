//! The agent file: how a model is reached and what it is told beside the prompts (`docs/agents.md`).
//!
//! Strict: a name that is not known is an error that says which. It never holds a key.

use crate::provider::{ProviderSettings, SettingsError};
use serde::Deserialize;

/// An agent file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentFile {
    /// What the agent is called in lists; the model's name where absent.
    #[serde(default)]
    pub name: Option<String>,
    /// How the model is reached and asked.
    pub provider: ProviderSettings,
    /// What it is told beside the prompts.
    #[serde(default)]
    pub context: ContextChoice,
}

/// What a model is told beside the prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextChoice {
    /// Whether the schema document stands in the system prompt.
    #[serde(default)]
    pub schema: bool,
    /// Text files that stand in the system prompt; relative to the agent file.
    #[serde(default)]
    pub files: Vec<String>,
}

/// Why a file is no agent file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentFileError {
    /// Its form.
    #[error("{0}; docs/agents.md has a full example")]
    Form(String),
    /// A setting.
    #[error("provider.{0}")]
    Setting(#[from] SettingsError),
}

impl AgentFile {
    /// Reads an agent file.
    ///
    /// # Errors
    /// [`AgentFileError`]: where in the file and why, or which setting and what to do.
    pub fn parse(text: &str) -> Result<Self, AgentFileError> {
        let file: Self = toml::from_str(text)
            .map_err(|error| AgentFileError::Form(error.to_string().trim_end().to_owned()))?;
        let wrong = |reason: String| AgentFileError::Form(reason);
        if file.name.as_ref().is_some_and(|name| name.trim().is_empty() || name.chars().count() > 100) {
            return Err(wrong("name: it must have 1 to 100 characters".to_owned()));
        }
        for (nth, name) in file.context.files.iter().enumerate() {
            if name.trim().is_empty() {
                return Err(wrong("context.files: a name is empty".to_owned()));
            }
            if file.context.files[..nth].contains(name) {
                return Err(wrong(format!("context.files: '{name}' is named twice")));
            }
        }
        file.provider.check()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::AgentFile;

    const BASE: &str =
        "[provider]\nshape = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, says) in [
            (format!("nam = \"x\"\n{BASE}"), "unknown field `nam`"),
            (format!("{BASE}retries = 3"), "unknown field `retries`"),
            (format!("{BASE}[provider.sampling]\ntemprature = 1.0"), "unknown field `temprature`"),
            (format!("{BASE}[context]\nfile = []"), "unknown field `file`"),
            (format!("{BASE}[context]\nfiles = [\"a\", \"a\"]"), "'a' is named twice"),
            (format!("name = \"\"\n{BASE}"), "name: it must have"),
            (BASE.replace("127.0.0.1", "api.example"), "provider.base_url: http:// to another machine"),
            (BASE.replace("openai", "cohere"), "unknown variant `cohere`, expected `openai` or `anthropic`"),
            ("model = ".to_owned(), "line 1"),
            (String::new(), "missing field `provider`"),
        ] {
            let error = AgentFile::parse(&text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert!(!AgentFile::parse(BASE).unwrap().context.schema);
    }

    #[test]
    fn the_example_of_the_documentation_is_one() {
        let page = include_str!("../../../docs/agents.md");
        let example = page.split("```toml\n").find(|part| part.contains("[provider]")).unwrap();
        let file = AgentFile::parse(example.split("```").next().unwrap()).unwrap();
        assert_eq!((file.provider.model.as_str(), file.context.files.len()), ("gpt-5-mini", 1));
        assert_eq!(file.provider.retry, crate::provider::RetryPolicy::default());
        assert_eq!(file.provider.timeouts, crate::provider::Timeouts::default());
    }
}
