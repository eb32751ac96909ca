//! Keymap files: sections by context, keys with the command they give. The embedded defaults are one, the user's is another.

use super::super::command::{Condition, Invocation, find};
use super::chord::Chord;
use super::context::{CONTEXTS, Context};
use super::keymap::Binding;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The default bindings.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Why a keymap is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {reason}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct KeymapError {
    /// The file.
    pub file: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub reason: String,
}

/// What a key is bound to.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Bound {
    /// A command by its id; an empty one takes the default away.
    Command(String),
    /// A command with arguments or a condition.
    One(Entry),
    /// Several, told apart by their conditions.
    Several(Vec<Entry>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    command: String,
    #[serde(default)]
    arguments: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    when: String,
}

/// What a file says: bindings, and keys whose defaults it takes away.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) bindings: Vec<Binding>,
    pub(super) unbound: Vec<(&'static Context, Vec<Chord>)>,
}

/// Reads a keymap file.
pub(super) fn parse(file: &str, text: &str) -> Result<Parsed, KeymapError> {
    let line_of = |at: usize| text.get(..at).map(|before| before.matches('\n').count() + 1);
    let error = |line, reason| KeymapError { file: file.to_owned(), line, reason };
    let sections: BTreeMap<toml::Spanned<String>, BTreeMap<toml::Spanned<String>, Bound>> =
        toml::from_str(text).map_err(|it| {
            let line = it.span().and_then(|span| line_of(span.start));
            error(line, format!("{}; docs/keys.md shows the form", it.message()))
        })?;
    let mut parsed = Parsed::default();
    for (section, keys) in sections {
        let line = line_of(section.span().start);
        let Some(context) = Context::of_name(section.get_ref()) else {
            let names: Vec<&str> = CONTEXTS.iter().map(|context| context.name).collect();
            let reason =
                format!("there is no section [{}]; there are {}", section.get_ref(), names.join(", "));
            return Err(error(line, reason));
        };
        for (keys, bound) in keys {
            let line = line_of(keys.span().start);
            let sequence = Chord::sequence(keys.get_ref()).map_err(|wrong| error(line, wrong.to_string()))?;
            let entries = match bound {
                Bound::Command(command) if command.is_empty() => {
                    parsed.unbound.push((context, sequence));
                    continue;
                }
                Bound::Command(command) => {
                    vec![Entry { command, arguments: serde_json::Map::new(), when: String::new() }]
                }
                Bound::One(entry) => vec![entry],
                Bound::Several(entries) => entries,
            };
            for Entry { command, arguments, when } in entries {
                let Some(known) = find(&command) else {
                    let reason =
                        format!("there is no command '{command}'; `casebook keys --commands` lists them");
                    return Err(error(line, reason));
                };
                if let Some((name, _)) =
                    arguments.iter().find(|(name, _)| known.arguments.iter().all(|it| it.name != *name))
                {
                    return Err(error(line, format!("{command} takes no argument '{name}'")));
                }
                let when = Condition::parse(&when).map_err(|reason| error(line, reason))?;
                parsed.bindings.push(Binding {
                    context,
                    keys: sequence.clone(),
                    gives: Invocation { command, arguments },
                    when,
                    file: file.to_owned(),
                    line: line.unwrap_or(0),
                });
            }
        }
    }
    Ok(parsed)
}
