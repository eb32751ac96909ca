//! The workbench as a state machine: events in, state and effects out.
//!
//! [`update()`] is a function of the state and the event: no clock, no files, no randomness. A person, a script and a test drive
//! the same machine. Not here: drawing (`screen`), doing what effects ask for (`services`), terminals.

pub mod cases;
pub mod command;
pub mod document;
pub mod draft;
pub mod effect;
pub mod event;
pub mod focus;
pub mod investigate;
pub mod keys;
pub mod layout;
pub mod notice;
pub mod overlay;
pub mod panic_command;
pub mod replay;
mod replies;
pub mod reply;
pub mod request;
pub mod settings;
mod shell;
pub mod state;
mod text_input;
mod update;

pub use state::Workbench;
pub use update::update;
