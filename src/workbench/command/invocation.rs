//! A command as it is given: its name and its arguments. What a key, a click, the palette and a script have in common.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A command with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invocation {
    /// The command's id, such as `query.run`.
    pub command: String,
    /// Its arguments by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
}

impl Invocation {
    /// A command without arguments.
    pub fn of(command: &str) -> Self {
        Self { command: command.to_owned(), arguments: Map::new() }
    }

    /// The same with one argument more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }
}
