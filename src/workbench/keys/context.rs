//! Contexts: where a key means something, innermost first. Each is a section of a keymap file.

use super::super::command::Condition;
use super::super::state::Workbench;

/// A context.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Its name: the section of a keymap file.
    pub name: &'static str,
    /// What it is, for help.
    pub title: &'static str,
    /// When it counts, as a condition.
    pub when: &'static str,
    /// Whether characters that no key of it or of the contexts before it takes are text.
    pub writes: bool,
    /// Whether contexts after it do not count, but the last.
    pub covers: bool,
}

const fn context(name: &'static str, title: &'static str, when: &'static str) -> Context {
    Context { name, title, when, writes: false, covers: false }
}

const fn writing(name: &'static str, title: &'static str, when: &'static str) -> Context {
    Context { name, title, when, writes: true, covers: false }
}

const fn covering(name: &'static str, title: &'static str, when: &'static str, writes: bool) -> Context {
    Context { name, title, when, writes, covers: true }
}

/// All contexts, innermost first.
pub const CONTEXTS: &[Context] = &[
    covering("picker", "List to pick from", "picker", true),
    covering("prompt", "Question for a text", "prompt", true),
    covering("confirm", "Question for yes or no", "confirm", false),
    covering("reader", "Text to read", "reader", false),
    covering("overlay", "Anything over a page", "overlay", false),
    context("completion", "Completions", "completion && editor && typing"),
    writing("writing_sql", "Writing SQL", "editor && typing"),
    writing("writing_answer", "Writing the answer", "answer && typing"),
    writing("writing_what_if", "Writing a what-if", "replay && typing"),
    writing("finding", "Looking for something", "cases && typing || schema && typing"),
    context("editor", "Editor", "editor && !typing"),
    context("schema", "Schema", "schema && !typing"),
    context("grid", "Result", "grid"),
    context("answer", "Answer", "answer && !typing"),
    context("investigate", "Investigate page", "investigate"),
    context("replay", "Replay page", "replay && !typing"),
    context("cases", "Cases page", "cases && !typing"),
    context("global", "Everywhere", ""),
];

impl Context {
    /// Whether it counts now.
    pub fn is_active(&self, state: &Workbench) -> bool {
        Condition::known(self.when).is_some_and(|when| when.holds(state))
    }

    /// The contexts that count now, innermost first. `global` always does, last.
    pub fn active(state: &Workbench) -> Vec<&'static Self> {
        let mut active = Vec::new();
        for context in CONTEXTS {
            let is_last = context.name == "global";
            let is_covered = active.iter().any(|it: &&Self| it.covers);
            if is_last || (!is_covered && context.is_active(state)) {
                active.push(context);
            }
        }
        active
    }

    /// The context of this name.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        CONTEXTS.iter().find(|context| context.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::{CONTEXTS, Context};
    use crate::workbench::command::Condition;
    use crate::workbench::state::Workbench;

    #[test]
    fn contexts_are_conditions_and_the_last_is_global() {
        for context in CONTEXTS {
            Condition::parse(context.when).unwrap_or_else(|reason| panic!("{}: {reason}", context.name));
        }
        let active = Context::active(&Workbench::default());
        let names: Vec<&str> = active.iter().map(|context| context.name).collect();
        assert_eq!(names, ["cases", "global"]);
    }
}
