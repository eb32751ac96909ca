//! The table of all commands, area by area.

use super::Command;
use crate::workbench::{cases, investigate, overlay, panic_command, replay, shell};
use serde_json::{Value, json};

/// Commands of one area.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// The area's name for help.
    pub title: &'static str,
    /// Its commands, in the order of help.
    pub commands: &'static [Command],
}

/// All groups.
const GROUPS: &[Group] = &[
    Group { title: "Workbench", commands: shell::COMMANDS },
    Group { title: "Cases", commands: cases::COMMANDS },
    Group { title: "Statements", commands: investigate::statement_commands::COMMANDS },
    Group { title: "Editor", commands: investigate::editor_commands::COMMANDS },
    Group { title: "Schema", commands: investigate::schema_tree::COMMANDS },
    Group { title: "Joins", commands: investigate::joins::COMMANDS },
    Group { title: "Saved statements", commands: investigate::saved::COMMANDS },
    Group { title: "Results", commands: investigate::grid_commands::COMMANDS },
    Group { title: "Copy and export", commands: investigate::take_out::COMMANDS },
    Group { title: "Answer", commands: investigate::answer_commands::COMMANDS },
    Group { title: "Case", commands: investigate::trial_commands::COMMANDS },
    Group { title: "Replay", commands: replay::commands::COMMANDS },
    Group { title: "Lists and dialogs", commands: overlay::commands::COMMANDS },
];

/// Commands that are only for tests.
const NOT_LISTED: &[Command] = &[panic_command::COMMAND];

/// All commands by area.
pub const fn all() -> &'static [Group] {
    GROUPS
}

/// Every command, those for tests too.
pub(super) fn every() -> impl Iterator<Item = &'static Command> {
    GROUPS.iter().flat_map(|group| group.commands).chain(NOT_LISTED)
}

/// The command of this id.
pub fn find(id: &str) -> Option<&'static Command> {
    every().find(|command| command.id == id)
}

/// The table as JSON: what the headless protocol accepts.
pub fn document() -> Value {
    let commands = GROUPS.iter().flat_map(|group| group.commands.iter().map(move |command| (group, command)));
    let all: Vec<Value> = commands
        .map(|(group, command)| {
            let properties: serde_json::Map<String, Value> = command
                .arguments
                .iter()
                .map(|argument| (argument.name.to_owned(), argument.schema()))
                .collect();
            let needed: Vec<&str> =
                command.arguments.iter().filter(|it| it.required).map(|it| it.name).collect();
            json!({
                "command": command.id,
                "title": command.title,
                "doc": command.doc,
                "group": group.title,
                "when": command.when,
                "undoable": command.undoable,
                "arguments": {
                    "type": "object",
                    "properties": properties,
                    "required": needed,
                    "additionalProperties": false,
                },
            })
        })
        .collect();
    Value::from(all)
}

#[cfg(test)]
mod tests {
    use super::GROUPS;
    use crate::workbench::command::Condition;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_named_once_and_described() {
        let mut ids = BTreeSet::new();
        for command in GROUPS.iter().flat_map(|group| group.commands).chain(super::NOT_LISTED) {
            assert!(ids.insert(command.id), "{} is there twice", command.id);
            assert!(command.id.split_once('.').is_some(), "{} has no area", command.id);
            assert!(command.doc.ends_with('.') && command.doc.len() > 10, "{}: {}", command.id, command.doc);
            assert!(!command.title.is_empty() && !command.title.ends_with('.'), "{}", command.id);
            Condition::parse(command.when).unwrap_or_else(|reason| panic!("{}: {reason}", command.id));
        }
        assert!(ids.len() > 60, "{}", ids.len());
    }
}
