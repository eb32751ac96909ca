//! Conditions: facts joined by `!`, `&&` and `||`, as written in keymaps and in the command table.
//!
//! `&&` binds closer than `||`; there are no parentheses, since no binding needed any.

use super::super::keys::CONTEXTS;
use super::super::state::Workbench;
use super::fact::{self, FACTS, Fact};
use super::registry;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// A condition: any of the lists holds, a list holds if all of it does.
#[derive(Clone, Default)]
pub struct Condition {
    text: String,
    any: Vec<Vec<(bool, &'static Fact)>>,
}

impl Condition {
    /// Reads a condition; an empty text always holds.
    ///
    /// # Errors
    /// In words: a name that is no fact.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let term = |term: &str| {
            let term = term.trim();
            let (is, name) = term.strip_prefix('!').map_or((true, term), |rest| (false, rest.trim()));
            fact::of_name(name).map(|fact| (is, fact)).ok_or_else(|| {
                let names: Vec<&str> = FACTS.iter().map(|fact| fact.name).collect();
                format!("'{name}' in the condition '{text}' is no fact; there are {}", names.join(", "))
            })
        };
        let any = text
            .split("||")
            .map(|all| all.split("&&").map(term).collect::<Result<Vec<_>, _>>())
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { text: text.trim().to_owned(), any })
    }

    /// A condition of the tables of commands and contexts, each parsed once: they are asked for at every key and picture.
    /// `None` for one that is none; a test parses every one of the tables.
    pub(in crate::workbench) fn known(text: &'static str) -> Option<&'static Self> {
        static KNOWN: LazyLock<HashMap<&'static str, Condition>> = LazyLock::new(|| {
            let commands = registry::every().map(|command| command.when);
            let contexts = CONTEXTS.iter().map(|context| context.when);
            commands.chain(contexts).filter_map(|text| Some((text, Condition::parse(text).ok()?))).collect()
        });
        KNOWN.get(text)
    }

    /// Whether it holds.
    pub fn holds(&self, state: &Workbench) -> bool {
        self.any.is_empty()
            || self.any.iter().any(|all| all.iter().all(|(is, fact)| (fact.holds)(state) == *is))
    }

    /// What is missing for it to hold, in words; of several ways the one that misses least.
    pub fn missing(&self, state: &Workbench) -> String {
        let missing = |all: &Vec<(bool, &'static Fact)>| -> Vec<String> {
            let fails = all.iter().filter(|(is, fact)| (fact.holds)(state) != *is);
            fails
                .map(|(is, fact)| if *is { fact.doc.to_owned() } else { format!("not: {}", fact.doc) })
                .collect()
        };
        self.any.iter().map(missing).min_by_key(Vec::len).unwrap_or_default().join("; ")
    }

    /// Whether it and another can't both hold, as far as their words show: in every pair of lists one says what the other
    /// denies.
    pub fn excludes(&self, other: &Self) -> bool {
        let denies = |one: &[(bool, &'static Fact)], two: &[(bool, &'static Fact)]| {
            one.iter().any(|(is, fact)| two.iter().any(|(it, same)| same.name == fact.name && is != it))
        };
        !self.any.is_empty()
            && !other.any.is_empty()
            && self.any.iter().all(|one| other.any.iter().all(|two| denies(one, two)))
    }

    /// Its text; empty where it always holds.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({:?})", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::Condition;
    use crate::workbench::state::Workbench;

    #[test]
    fn facts_join_as_written() {
        let state = Workbench::default();
        for (text, holds) in [
            ("", true),
            ("cases", true),
            ("!cases", false),
            ("cases && !investigate", true),
            ("investigate || cases", true),
            ("investigate && cases || !open", true),
        ] {
            assert_eq!(Condition::parse(text).unwrap().holds(&state), holds, "{text}");
        }
        assert!(Condition::parse("casses").unwrap_err().contains("'casses'"));
        assert!(Condition::parse("cases &&").is_err());
    }

    #[test]
    fn what_is_missing_is_said_in_words() {
        let state = Workbench::default();
        let missing = |text: &str| Condition::parse(text).unwrap().missing(&state);
        assert_eq!(
            missing("working && result"),
            "a trial or an investigation is open and not over; there is a result"
        );
        assert_eq!(missing("cases"), "");
        assert_eq!(missing("investigate && result || !cases"), "not: the Cases page is shown");
    }

    #[test]
    fn what_excludes_each_other_is_seen() {
        let excludes =
            |one: &str, two: &str| Condition::parse(one).unwrap().excludes(&Condition::parse(two).unwrap());
        assert!(excludes("completion", "!completion"));
        assert!(excludes("a".replace('a', "open").as_str(), "!open && cases"));
        assert!(!excludes("", "!completion"));
        assert!(!excludes("cases", "open"));
        assert!(!excludes("cases || open", "!open"));
    }
}
