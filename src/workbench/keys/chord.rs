//! One key with its modifiers: as it arrives, as it is written in a keymap, as it is shown.
//!
//! Shift belongs to a chord only where it does not change the character: `G` is `G`, not `shift-g`.

use std::fmt;
use std::str::FromStr;

/// A key without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A character, as the keyboard's layout gives it.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Up arrow.
    Up,
    /// Down arrow.
    Down,
    /// Left arrow.
    Left,
    /// Right arrow.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1.
    Function(u8),
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chord {
    /// The key.
    pub key: Key,
    /// Whether Ctrl is held.
    pub control: bool,
    /// Whether Alt is held.
    pub alt: bool,
    /// Whether Shift is held. Never with [`Key::Char`]: the character says it.
    pub shift: bool,
}

/// A text that is no chord.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no key: write a character, or a name such as enter, esc, tab, space, up, pagedown, f5, with ctrl-, alt- or shift- before it"
)]
pub struct NoChord(pub String);

/// Keys with a name, as they are written and as they are shown.
const NAMED: &[(&str, &str, Key)] = &[
    ("enter", "Enter", Key::Enter),
    ("esc", "Esc", Key::Escape),
    ("tab", "Tab", Key::Tab),
    ("backspace", "Backspace", Key::Backspace),
    ("delete", "Del", Key::Delete),
    ("insert", "Ins", Key::Insert),
    ("up", "↑", Key::Up),
    ("down", "↓", Key::Down),
    ("left", "←", Key::Left),
    ("right", "→", Key::Right),
    ("home", "Home", Key::Home),
    ("end", "End", Key::End),
    ("pageup", "PgUp", Key::PageUp),
    ("pagedown", "PgDn", Key::PageDown),
    ("space", "Space", Key::Char(' ')),
    ("minus", "-", Key::Char('-')),
];

impl Chord {
    /// A key without modifiers.
    pub const fn plain(key: Key) -> Self {
        Self { key, control: false, alt: false, shift: false }
    }

    /// The character that it types: one without Ctrl and Alt.
    pub const fn typed(self) -> Option<char> {
        match self.key {
            Key::Char(character) if !self.control && !self.alt => Some(character),
            _ => None,
        }
    }

    /// As it is written in a keymap: `ctrl-r`, `shift-tab`, `G`.
    pub fn written(self) -> String {
        let named = NAMED.iter().find(|(_, _, key)| *key == self.key).map(|(name, _, _)| (*name).to_owned());
        let key = named.unwrap_or_else(|| match self.key {
            Key::Char(character) => character.to_string(),
            Key::Function(number) => format!("f{number}"),
            _ => String::new(),
        });
        let held = |is_held, name| if is_held { name } else { "" };
        format!(
            "{}{}{}{key}",
            held(self.control, "ctrl-"),
            held(self.alt, "alt-"),
            held(self.shift, "shift-")
        )
    }

    /// A sequence as it is written: chords with spaces between.
    ///
    /// # Errors
    /// [`NoChord`] for the first that is none, or for nothing.
    pub fn sequence(text: &str) -> Result<Vec<Self>, NoChord> {
        let chords: Vec<Self> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        if chords.is_empty() { Err(NoChord(text.to_owned())) } else { Ok(chords) }
    }
}

impl fmt::Display for Chord {
    /// As it is shown to people: `Ctrl-R`, `Shift-Tab`, `G`. `ascii` arrows are the business of the screen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (is_held, name) in [(self.control, "Ctrl-"), (self.alt, "Alt-"), (self.shift, "Shift-")] {
            if is_held {
                f.write_str(name)?;
            }
        }
        if let Some((_, shown, _)) = NAMED.iter().find(|(_, _, key)| *key == self.key) {
            return f.write_str(shown);
        }
        match self.key {
            Key::Char(character) if self.control || self.alt => write!(f, "{}", character.to_uppercase()),
            Key::Char(character) => write!(f, "{character}"),
            Key::Function(number) => write!(f, "F{number}"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Chord {
    type Err = NoChord;

    fn from_str(text: &str) -> Result<Self, NoChord> {
        let wrong = || NoChord(text.to_owned());
        let (mut control, mut alt, mut shift, mut rest) = (false, false, false, text);
        loop {
            let after = |name: &str| rest.strip_prefix(name).filter(|rest| !rest.is_empty());
            if let Some(after) = after("ctrl-") {
                (control, rest) = (true, after);
            } else if let Some(after) = after("alt-") {
                (alt, rest) = (true, after);
            } else if let Some(after) = after("shift-") {
                (shift, rest) = (true, after);
            } else {
                break;
            }
        }
        let mut characters = rest.chars();
        let key = match (characters.next(), characters.next()) {
            (Some(character), None) => Key::Char(character),
            (Some('f'), Some(_)) if rest[1..].bytes().all(|byte| byte.is_ascii_digit()) => {
                let number = rest[1..].parse().ok().filter(|number| (1..=35).contains(number));
                Key::Function(number.ok_or_else(wrong)?)
            }
            _ => NAMED.iter().find(|(name, _, _)| *name == rest).map(|(_, _, key)| *key).ok_or_else(wrong)?,
        };
        match key {
            Key::Char(character) if shift || character.is_control() => Err(wrong()),
            // A terminal can't tell Ctrl-R from Ctrl-r.
            Key::Char(character) if control && character.is_uppercase() => Err(wrong()),
            _ => Ok(Self { key, control, alt, shift }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chord, Key};
    use proptest::prelude::*;

    #[test]
    fn chords_are_read_and_shown() {
        for (text, shown) in [
            ("g", "g"),
            ("G", "G"),
            ("ctrl-r", "Ctrl-R"),
            ("alt-enter", "Alt-Enter"),
            ("ctrl-shift-left", "Ctrl-Shift-←"),
            ("space", "Space"),
            ("f12", "F12"),
            ("f", "f"),
            ("minus", "-"),
            ("ctrl-space", "Ctrl-Space"),
            ("名", "名"),
        ] {
            let chord: Chord = text.parse().unwrap();
            assert_eq!(chord.to_string(), shown);
            assert_eq!(chord.written(), text);
        }
        assert_eq!("-".parse(), Ok(Chord::plain(Key::Char('-'))));
        for wrong in ["", "ctrl-", "shift-g", "ctrl-R", "f0", "f99", "hyper-x", "enterr", "\u{1b}"] {
            assert!(wrong.parse::<Chord>().is_err(), "{wrong:?}");
        }
        assert_eq!(Chord::sequence("g d").unwrap().len(), 2);
        assert!(Chord::sequence("  ").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>()) {
            if let Ok(chord) = text.parse::<Chord>() {
                prop_assert_eq!(chord.written().parse(), Ok(chord));
            }
        }
    }
}
