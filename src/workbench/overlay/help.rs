//! What can be done here and by which keys, made from the command table and the keymap when help is opened.
//!
//! Not here: drawing it. Its words are those of the table, so that help can't say anything else than the palette.

use super::super::command::{Command, all, find};
use super::super::focus::{Focus, Page};
use super::super::keys::{Binding, CONTEXTS, shown};
use super::super::shell::is_for_people;
use super::super::state::Workbench;
use serde::Serialize;

/// At most so many keys are named for one command.
const KEYS: usize = 4;

/// A part of help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HelpSection {
    /// What it is about.
    pub title: String,
    /// Its lines.
    pub entries: Vec<HelpEntry>,
}

/// A line of help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HelpEntry {
    /// The keys, as they are shown; empty where only the palette gives it.
    pub keys: String,
    /// What they do.
    pub title: String,
    /// A sentence about it.
    pub doc: String,
}

/// Help for what has the keys: first what can be done there, area by area, then every key of every context.
pub(in crate::workbench) fn help(state: &Workbench) -> Vec<HelpSection> {
    let mut groups: Vec<_> = all().iter().collect();
    let near = nearest(state);
    groups.sort_by_key(|group| near.iter().position(|title| *title == group.title).unwrap_or(usize::MAX));
    let mut sections: Vec<HelpSection> = groups
        .into_iter()
        .map(|group| HelpSection {
            title: group.title.to_owned(),
            entries: group.commands.iter().filter_map(|command| entry(state, command)).collect(),
        })
        .filter(|section| !section.entries.is_empty())
        .collect();
    let contexts = CONTEXTS.iter().map(|context| HelpSection {
        title: format!("All keys: {}", context.title),
        entries: reference(state, context.name),
    });
    sections.extend(contexts.filter(|section| !section.entries.is_empty()));
    sections
}

/// Groups of the command table that come first.
fn nearest(state: &Workbench) -> Vec<&'static str> {
    let own = match (state.page, state.focus) {
        _ if !state.overlays.is_empty() => "Lists and dialogs",
        (Page::Cases, _) => "Cases",
        (Page::Investigate, Focus::Schema) => "Schema",
        (Page::Investigate, Focus::Editor) => "Editor",
        (Page::Investigate, Focus::Grid) => "Results",
        (Page::Investigate, Focus::Answer) => "Answer",
        (Page::Replay, _) => "Replay",
    };
    vec![own, "Statements"]
}

/// A command that is offered, with its keys. Moving a cursor is in the list of all keys.
fn entry(state: &Workbench, command: &Command) -> Option<HelpEntry> {
    if !command.is_offered(state) || command.id.starts_with("text.") {
        return None;
    }
    let bindings = state.keymap.bindings_of(state, command.id);
    // What needs an argument that no key brings can't be done from here.
    let needs_more = command.arguments.iter().any(|argument| argument.required);
    if bindings.is_empty() && (needs_more || !is_for_people(command)) {
        return None;
    }
    Some(HelpEntry {
        keys: joined(bindings.iter().copied()),
        title: command.title.to_owned(),
        doc: command.doc.to_owned(),
    })
}

fn joined<'b>(bindings: impl Iterator<Item = &'b Binding>) -> String {
    bindings.take(KEYS).map(|binding| shown(&binding.keys)).collect::<Vec<_>>().join(", ")
}

/// The keys of a context, those that do the same together.
fn reference(state: &Workbench, context: &str) -> Vec<HelpEntry> {
    let mut groups: Vec<Vec<&Binding>> = Vec::new();
    for binding in state.keymap.bindings().iter().filter(|binding| binding.context.name == context) {
        let same = |group: &&mut Vec<&Binding>| {
            group.first().is_some_and(|first| first.gives == binding.gives && first.when == binding.when)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(binding),
            None => groups.push(vec![binding]),
        }
    }
    let line = |group: &Vec<&Binding>| {
        let first = group.first()?;
        let arguments: Vec<String> = first
            .gives
            .arguments
            .iter()
            .map(|(name, value)| match value.as_str() {
                Some(text) => format!("{name} {}", text.replace('_', " ")),
                None => format!("{name} {value}"),
            })
            .collect();
        let when = first.when.text();
        let when = if when.is_empty() { String::new() } else { format!("when {when}") };
        Some(HelpEntry {
            keys: joined(group.iter().copied()),
            title: find(&first.gives.command).map_or(first.gives.command.as_str(), |it| it.title).to_owned(),
            doc: [arguments.join(", "), when]
                .into_iter()
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(", "),
        })
    };
    groups.iter().filter_map(line).collect()
}

/// Rows that sections take: a title, its lines, and an empty one between two sections.
pub fn rows(sections: &[HelpSection]) -> usize {
    let lines: usize = sections.iter().map(|section| section.entries.len() + 2).sum();
    lines.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{help, rows};
    use crate::workbench::state::Workbench;

    #[test]
    fn help_begins_with_what_has_the_keys() {
        let sections = help(&Workbench::default());
        assert_eq!(sections[0].title, "Cases");
        let start = sections[0].entries.iter().find(|entry| entry.title == "Start or go on").unwrap();
        assert_eq!(start.keys, "Enter");
        let moving = sections[0].entries.iter().find(|entry| entry.title == "Move in the list").unwrap();
        assert_eq!(moving.keys, "j, ↓, k, ↑");
        assert!(sections.iter().any(|section| section.title == "All keys: Writing SQL"));
        assert!(rows(&sections) > 200);
    }
}
