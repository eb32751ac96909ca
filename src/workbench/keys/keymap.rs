//! The keymap: which keys give which command, in which context. Two that can't be told apart are an error that names both.

use super::super::command::{Condition, Invocation};
use super::super::state::Workbench;
use super::chord::Chord;
use super::context::Context;
use super::file::{DEFAULTS, KeymapError, parse};
use serde_json::{Value, json};

/// A binding.
#[derive(Debug, Clone)]
pub struct Binding {
    /// Where it counts.
    pub context: &'static Context,
    /// The keys, one after the other.
    pub keys: Vec<Chord>,
    /// What they give.
    pub gives: Invocation,
    /// When it counts there.
    pub when: Condition,
    /// The file it comes from.
    pub file: String,
    /// The line in it.
    pub line: usize,
}

/// What keys mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A command.
    Command(Invocation),
    /// The beginning of a sequence.
    More,
    /// Text.
    Text(char),
    /// Nothing.
    Nothing,
}

/// All bindings.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl PartialEq for Keymap {
    /// By what they do; where a binding comes from does not matter.
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &Binding, two: &Binding| {
            one.context.name == two.context.name
                && one.keys == two.keys
                && one.gives == two.gives
                && one.when == two.when
        };
        self.bindings.len() == other.bindings.len()
            && self.bindings.iter().zip(&other.bindings).all(|(one, two)| same(one, two))
    }
}

impl Default for Keymap {
    /// The default bindings. A test reads them; were they broken, there would be none.
    fn default() -> Self {
        Self::with_user_file(None).unwrap_or(Self { bindings: Vec::new() })
    }
}

impl Keymap {
    /// The defaults, with the user's file over them: name and text.
    ///
    /// # Errors
    /// [`KeymapError`]: the file can't be read, or two bindings can't be told apart.
    pub fn with_user_file(user: Option<(&str, &str)>) -> Result<Self, KeymapError> {
        let mut bindings = parse("default keys", DEFAULTS)?.bindings;
        // In the order of the file: what stands first is what people are told first.
        bindings.sort_by_key(|binding| binding.line);
        if let Some((file, text)) = user {
            let mut parsed = parse(file, text)?;
            parsed.bindings.sort_by_key(|binding| binding.line);
            bindings.retain(|binding| {
                let is = |context: &Context, keys: &[Chord]| {
                    context.name == binding.context.name && keys == binding.keys
                };
                !parsed.unbound.iter().any(|(context, keys)| is(context, keys))
                    && !parsed.bindings.iter().any(|own| is(own.context, &own.keys))
            });
            bindings.extend(parsed.bindings);
        }
        check(&bindings)?;
        Ok(Self { bindings })
    }

    /// All bindings.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// All bindings as JSON.
    pub fn document(&self) -> Value {
        let binding = |binding: &Binding| {
            json!({
                "context": binding.context.name,
                "keys": written(&binding.keys),
                "command": binding.gives.command,
                "arguments": binding.gives.arguments,
                "when": binding.when.text(),
            })
        };
        self.bindings.iter().map(binding).collect()
    }

    /// What keys mean now.
    pub fn find(&self, state: &Workbench, keys: &[Chord]) -> Found {
        self.find_among(&Context::active(state), state, keys)
    }

    fn find_among(&self, active: &[&'static Context], state: &Workbench, keys: &[Chord]) -> Found {
        for context in active {
            let here = self.bindings.iter().filter(|binding| binding.context.name == context.name);
            let mut is_prefix = false;
            for binding in here.filter(|binding| binding.keys.starts_with(keys) && binding.when.holds(state))
            {
                if binding.keys.len() == keys.len() {
                    return Found::Command(binding.gives.clone());
                }
                is_prefix = true;
            }
            if is_prefix {
                return Found::More;
            }
            if context.writes
                && let [only] = keys
                && let Some(character) = only.typed()
            {
                return Found::Text(character);
            }
        }
        Found::Nothing
    }

    /// Whether pressing a binding's keys from the first on gives what it says: nothing further in takes one of them.
    fn counts(&self, active: &[&'static Context], state: &Workbench, binding: &Binding) -> bool {
        let (all, last) = (&binding.keys, binding.keys.len());
        let is_here = active.iter().any(|context| context.name == binding.context.name);
        let goes_on = (1..last).all(|length| self.find_among(active, state, &all[..length]) == Found::More);
        is_here
            && goes_on
            && matches!(self.find_among(active, state, all), Found::Command(gives) if gives == binding.gives)
    }

    /// The sequences that keys may be gone on with now, and what they give.
    pub fn continuations(&self, state: &Workbench, keys: &[Chord]) -> Vec<&Binding> {
        let active = Context::active(state);
        let goes_on = |binding: &&Binding| {
            binding.keys.len() > keys.len()
                && binding.keys.starts_with(keys)
                && self.counts(&active, state, binding)
        };
        self.bindings.iter().filter(goes_on).collect()
    }

    /// The shortest keys that give a command without arguments now, as they are shown.
    pub fn keys_of(&self, state: &Workbench, command: &str) -> Option<String> {
        self.keys_for(state, &Invocation::of(command))
    }

    /// The shortest keys that give just this now, as they are shown; of those as short, the first in the file.
    pub fn keys_for(&self, state: &Workbench, gives: &Invocation) -> Option<String> {
        let active = Context::active(state);
        let mut found: Vec<&Binding> =
            self.bindings.iter().filter(|binding| binding.gives == *gives).collect();
        found.sort_by_key(|binding| binding.keys.len());
        found.into_iter().find(|binding| self.counts(&active, state, binding)).map(|it| shown(&it.keys))
    }

    /// All bindings that give a command now, with whatever arguments.
    pub fn bindings_of(&self, state: &Workbench, command: &str) -> Vec<&Binding> {
        let active = Context::active(state);
        let gives =
            |binding: &&Binding| binding.gives.command == command && self.counts(&active, state, binding);
        self.bindings.iter().filter(gives).collect()
    }
}

/// Keys as people read them.
pub fn shown(keys: &[Chord]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The keys of a sequence as a keymap file has them.
pub fn written(keys: &[Chord]) -> String {
    keys.iter().map(|chord| chord.written()).collect::<Vec<_>>().join(" ")
}

/// That no two bindings of a context can be meant by the same keys.
fn check(bindings: &[Binding]) -> Result<(), KeymapError> {
    for (nth, later) in bindings.iter().enumerate() {
        for earlier in &bindings[..nth] {
            if earlier.context.name != later.context.name || earlier.when.excludes(&later.when) {
                continue;
            }
            let is_same = earlier.keys == later.keys;
            // The same keys in one file, told apart by conditions: the first that holds counts, so a plain one may come last.
            if is_same
                && earlier.file == later.file
                && !earlier.when.text().is_empty()
                && earlier.when != later.when
            {
                continue;
            }
            let (short, long) =
                if earlier.keys.len() <= later.keys.len() { (earlier, later) } else { (later, earlier) };
            if is_same || long.keys.starts_with(&short.keys) {
                let how = if is_same { "is bound to both" } else { "begins another sequence:" };
                let reason = format!(
                    "in [{}] '{}' {how} {} ({}:{}) and {} ({}:{}, '{}'); give one of them other keys, or \"\" to take it away",
                    short.context.name,
                    shown(&short.keys),
                    short.gives.command,
                    short.file,
                    short.line,
                    long.gives.command,
                    long.file,
                    long.line,
                    shown(&long.keys),
                );
                return Err(KeymapError { file: later.file.clone(), line: Some(later.line), reason });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Found, Keymap};
    use crate::workbench::keys::Chord;
    use crate::workbench::state::Workbench;

    fn with(text: &str) -> Result<Keymap, String> {
        Keymap::with_user_file(Some(("keys.toml", text))).map_err(|error| error.to_string())
    }

    fn meaning(keymap: &Keymap, keys: &str) -> Found {
        keymap.find(&Workbench::default(), &Chord::sequence(keys).unwrap())
    }

    #[test]
    fn the_defaults_are_sound() {
        let keymap = Keymap::with_user_file(None).unwrap();
        assert!(keymap.bindings().len() > 100);
        assert!(matches!(meaning(&keymap, "g"), Found::More));
        assert!(matches!(meaning(&keymap, ":"), Found::Command(it) if it.command == "palette.open"));
    }

    #[test]
    fn keys_are_named_only_where_they_count() {
        let mut state = Workbench::default();
        let clear = crate::workbench::command::Invocation::of("cases.filter").with("by", "pack");
        assert_eq!(state.keymap.keys_of(&state, "cases.start").unwrap(), "Enter");
        assert_eq!(state.keymap.keys_for(&state, &clear).unwrap(), "p");
        assert_eq!(state.keymap.keys_of(&state, "notices.open").unwrap(), "g n");
        state.cases.is_finding = true;
        assert_eq!(state.keymap.keys_for(&state, &clear), None);
        assert_eq!(state.keymap.keys_of(&state, "help.open").unwrap(), "F1");
        assert_eq!(state.keymap.keys_of(&state, "notices.open"), None);
    }

    #[test]
    fn the_users_file_counts_over_the_defaults() {
        let keymap = with("[global]\n\":\" = \"help.open\"\n\"?\" = \"\"\n").unwrap();
        assert!(matches!(meaning(&keymap, ":"), Found::Command(it) if it.command == "help.open"));
        assert_eq!(meaning(&keymap, "?"), Found::Nothing);
        let keymap =
            with("[cases]\nx = { command = \"cases.start\", arguments = { task = \"T-1\" } }\n").unwrap();
        assert!(matches!(meaning(&keymap, "x"), Found::Command(it) if it.arguments["task"] == "T-1"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("[global]\n\"g\" = \"help.open\"\n", "begins another sequence"),
            ("[global]\nx = \"no.such\"\n", "no command 'no.such'"),
            ("[attic]\nx = \"help.open\"\n", "no section [attic]"),
            ("[global]\n\"hyper-x\" = \"help.open\"\n", "'hyper-x' is no key"),
            ("[global]\nx = { command = \"help.open\", when = \"raining\" }\n", "'raining'"),
            ("[global]\nx = { command = \"help.open\", arguments = { a = 1 } }\n", "no argument 'a'"),
            (
                "[global]\nx = [{ command = \"help.open\" }, { command = \"palette.open\" }]\n",
                "is bound to both",
            ),
            ("[global\n", "keys.toml:1"),
            ("[global]\nx = 3\n", "docs/keys.md"),
        ] {
            let reason = with(text).unwrap_err();
            assert!(reason.contains(says), "{text}: {reason}");
            assert!(reason.starts_with("keys.toml:"), "{reason}");
        }
    }
}
