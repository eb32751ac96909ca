//! The terminal itself: claimed, restored, read, written.
//!
//! For: everything that depends on being attached to a terminal. [`guard`] claims it and gives it back whatever
//! happens, [`input`] turns bytes into keys, pastes, clicks and answers, [`signals`] turns signals into values,
//! [`probes`] asks what the terminal is, [`pacer`] says when the next frame may be drawn, [`clipboard`] copies,
//! [`size`] measures, [`panic_hook`] leaves a usable terminal behind a panic.
//!
//! Not for: what a key means (the workbench) and what is drawn (the screen). Nothing here knows a command or a page.
//!
//! Invariants: what has been switched on is switched off exactly once, on every way out; nothing wakes up while nothing
//! happens; no question to the terminal is ever waited for on the way to a frame.
//!
//! Output goes through [`output::Output`], which makes one write of one frame. Input is not read through `crossterm`,
//! which takes a terminal's answers to questions for typed keys; `termina` parses the sequences of keys and mouse.

pub mod clipboard;
pub mod guard;
pub mod input;
pub mod interactive;
pub mod modes;
pub mod output;
pub mod pacer;
pub mod panic_hook;
pub mod pointer;
pub mod probes;
pub mod short_colours;
pub mod signals;
pub mod size;
pub mod tty;

#[cfg(test)]
mod test_pty;

pub use guard::{ClaimOptions, Guard, Restorer};
pub use input::{ColourScheme, Input, InputThread, KeyboardFlags, MouseButton, MouseInput, MouseKind, Rgb};
pub use output::Output;
pub use pacer::{Draw, FramePacer};
pub use signals::{Ending, Heard, Signal, SignalThread};
pub use size::Size;
pub use tty::Tty;
