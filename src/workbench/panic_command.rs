//! A command that panics, so that tests of the whole program can see what a panic leaves behind.
//!
//! It is there only where the environment has `CASEBOOK_TEST_PANIC`, which the driver puts into the settings; it is in no list, in
//! no palette, and a keymap may name it.

use super::command::{Arguments, Command, Done, Kind, required};
use super::effect::Ask;
use super::state::Workbench;

/// Which thread panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The interface's own.
    Interface,
    /// One that works for a single request.
    Worker,
    /// That of the open case.
    Case,
}

/// The command.
pub(super) const COMMAND: Command =
    Command::new("workbench.panic", "Panic", "Panics, to test what is left then.", "", panic)
        .takes(&[required("in", Kind::Choice(&["interface", "worker", "case"]), "The thread.")]);

#[allow(clippy::unnecessary_wraps)] // the signature of the table
fn panic(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    if !state.settings.panic_tests {
        return Err("workbench.panic is for tests of casebook, which set CASEBOOK_TEST_PANIC".to_owned());
    }
    let place = match arguments.text("in") {
        Some("worker") => Place::Worker,
        Some("case") => Place::Case,
        _ => panic!("as the command workbench.panic asked for"),
    };
    let (_, effect) = state.ask("panicking", Ask::Panic(place));
    Ok(vec![effect])
}
