//! What comes from the terminal: keys, pastes, the mouse, answers.
//!
//! For: turning bytes into [`Input`] on a thread of its own ([`InputThread`]), which sleeps in the kernel while nothing is
//! typed. `cutter` finds where one sequence ends, `decode` and `report` say what it is. Not for: what a key does.
//!
//! Keys as they arrive where the terminal has no unambiguous form (see [`super::modes`]): Ctrl-I is Tab, Ctrl-M is Enter
//! and Ctrl-[ is Escape, since they are the same bytes; Ctrl-J, a line feed, is Ctrl-J. Ctrl-H is Ctrl-H, which is what
//! some terminals send for Backspace or Ctrl-Backspace: a keymap should bind it like Backspace. Ctrl-/ and Ctrl-_ are the
//! same byte too, and arrive as Ctrl-_. In the unambiguous form all of them are told apart.
//!
//! Invariants: a byte is used once; no bytes, however broken, swallow the keys after them; what is not understood arrives
//! as [`Input::Unknown`].

mod cutter;
mod decode;
mod reader;
mod report;

pub use reader::InputThread;

use super::size::Size;
use crate::workbench::keys::Chord;

/// Something that came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed, or repeats. Releases don't arrive.
    Key(Chord),
    /// A text was pasted, with line feeds as its ends of lines. Anything may be in it.
    Paste(String),
    /// The mouse.
    Mouse(MouseInput),
    /// The window has the keyboard now.
    FocusGained,
    /// The window has the keyboard no more.
    FocusLost,
    /// The size, told by the terminal itself because it was asked.
    Resized(Size),
    /// The colour of text, because it was asked for.
    Foreground(Rgb),
    /// The colour behind text, because it was asked for.
    Background(Rgb),
    /// The colour scheme, because it was asked for or has changed.
    ColourScheme(ColourScheme),
    /// The keyboard flags in force: the terminal has the unambiguous form.
    KeyboardFlags(KeyboardFlags),
    /// The last question has been answered: whatever else was asked and has no answer yet won't get one.
    Answered,
    /// Bytes without a meaning here, for the key inspector.
    Unknown(Vec<u8>),
    /// The terminal is gone, or can't be read. Nothing comes after it.
    Closed,
}

/// A colour, 8 bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

/// What the desktop prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourScheme {
    /// Dark text on light.
    Light,
    /// Light text on dark.
    Dark,
}

/// The flags of kitty's keyboard protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyboardFlags(pub u8);

impl KeyboardFlags {
    /// Whether ambiguous keys are told apart: Tab from Ctrl-I, Escape from the begin of a sequence.
    pub const fn is_unambiguous(self) -> bool {
        self.0 & 1 != 0
    }
}

/// A button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    /// The first.
    Left,
    /// The wheel, pressed.
    Middle,
    /// The second.
    Right,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// A button went down.
    Press(MouseButton),
    /// A button went up.
    Release(MouseButton),
    /// The pointer moved by a cell or more while a button was down.
    Drag(MouseButton),
    /// The pointer moved with no button down. Not asked for; some terminals send it nevertheless.
    Moved,
    /// The wheel turned away from the person.
    ScrollUp,
    /// The wheel turned towards the person.
    ScrollDown,
    /// Sideways to the left.
    ScrollLeft,
    /// Sideways to the right.
    ScrollRight,
}

/// The mouse at a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MouseInput {
    /// What it did.
    pub kind: MouseKind,
    /// The column, from 0.
    pub column: u16,
    /// The row, from 0.
    pub row: u16,
    /// Whether Ctrl is held.
    pub control: bool,
    /// Whether Alt is held.
    pub alt: bool,
    /// Whether Shift is held; most terminals then keep the mouse for their own selection.
    pub shift: bool,
}

/// The text of a paste: line ends are line feeds, whatever the terminal makes of them, and bytes that are no UTF-8 become
/// replacement characters.
fn pasted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if memchr::memchr(b'\r', bytes).is_none() {
        return text.into_owned();
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
