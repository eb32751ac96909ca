//! Keys: chords, the contexts they mean something in, and the keymap that says what.
//!
//! Not here: what a command does. A keymap is data; looking a key up is a function of it and the state.

mod chord;
mod context;
mod file;
mod keymap;

pub use chord::{Chord, Key, NoChord};
pub use context::{CONTEXTS, Context};
pub use file::{DEFAULTS, KeymapError};
pub use keymap::{Binding, Found, Keymap, shown, written};
