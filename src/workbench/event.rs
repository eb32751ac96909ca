//! What happens to the workbench. Everything that changes it is one of these, so that a list of them is a recording.

use super::command::Invocation;
use super::keys::Chord;
use super::notice::Gravity;
use super::reply::Reply;
use super::request::RequestId;
use serde::Serialize;
use std::time::Duration;

/// Time since the workbench began, as whoever drives it counts it.
pub type Moment = Duration;

/// The terminal's size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The workbench begins: nothing was loaded yet.
    Started,
    /// A key was pressed or repeats.
    Key(Chord),
    /// Text was pasted.
    Paste(String),
    /// A command was given: by the mouse, the palette, a script.
    Command(Invocation),
    /// What was pressed or scrolled did not hit anything, but ends what waits for a second key.
    Elsewhere,
    /// A service answers.
    Reply {
        /// What it was asked.
        request: RequestId,
        /// What it says.
        reply: Reply,
    },
    /// The terminal has another size.
    Resized(Size),
    /// The terminal's background is known.
    Background(Mode),
    /// The driver has something to say: that a text was copied, and how.
    Told {
        /// How grave it is.
        gravity: Gravity,
        /// What.
        text: String,
    },
    /// Time has gone by while something is running.
    Tick,
    /// The process is told to end: nothing may be asked any more.
    Terminate,
}

/// Whether a background is light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}
