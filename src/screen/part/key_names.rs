//! Names of keys as the signs of the theme allow: arrows are words where there are only ASCII signs.

use crate::screen::theme::Symbols;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::keys::shown;
use std::borrow::Cow;

const ARROWS: [(&str, &str); 4] = [("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right")];

/// Keys as they are shown, with these signs.
pub(in crate::screen) fn key_names<'k>(keys: &'k str, symbols: &Symbols) -> Cow<'k, str> {
    if keys.is_ascii() || !symbols.arrow_up.is_ascii() {
        return Cow::Borrowed(keys);
    }
    let named = ARROWS.iter().fold(keys.to_owned(), |keys, (arrow, name)| keys.replace(arrow, name));
    Cow::Owned(named)
}

/// The keys that give something on the page: what they are while nothing lies over it, so that a page does not change under
/// an overlay.
pub(in crate::screen) fn keys_of_page(state: &Workbench, gives: &Invocation) -> Option<String> {
    if state.overlays.is_empty() {
        return state.keymap.keys_for(state, gives);
    }
    state.keymap.bindings().iter().find(|binding| binding.gives == *gives).map(|binding| shown(&binding.keys))
}

#[cfg(test)]
mod tests {
    use super::key_names;
    use crate::screen::theme::Symbols;

    #[test]
    fn arrows_become_words_in_ascii() {
        assert_eq!(key_names("Ctrl-↑, j", &Symbols::UNICODE), "Ctrl-↑, j");
        assert_eq!(key_names("Ctrl-↑, j", &Symbols::ASCII), "Ctrl-Up, j");
    }
}
