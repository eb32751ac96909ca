//! The keys of a command as the keymap has them now, for hints that stand beside the matter.

use crate::workbench::Workbench;
use crate::workbench::command::Invocation;

/// The keys that give a command without arguments, where the person is now.
pub(in crate::screen) fn keys(state: &Workbench, command: &str) -> Option<String> {
    state.keymap.keys_of(state, command)
}

/// The key of a context that gives a command with these arguments, whether or not the context counts now.
pub(in crate::screen) fn key_in(state: &Workbench, context: &str, gives: &Invocation) -> Option<String> {
    let all = state.keymap.bindings().iter();
    let bindings = all.filter(|it| it.context.name == context && it.gives == *gives);
    // The plainest of them: no modifiers, no sequence.
    bindings
        .map(|it| it.keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .min_by_key(String::len)
}
