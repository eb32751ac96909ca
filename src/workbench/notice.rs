//! What the workbench tells the person: the latest shows until a key is pressed after it was seen; all are kept to be read.

use super::event::Moment;
use serde::Serialize;

/// At most so many are kept.
const KEPT: usize = 200;

/// How grave a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gravity {
    /// Something was done.
    Info,
    /// Something is not as it should be; work goes on.
    Warning,
    /// Something could not be done.
    Error,
}

/// A notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// How grave it is.
    pub gravity: Gravity,
    /// What, why, what next.
    pub text: String,
    /// When.
    pub at: Moment,
}

/// All notices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Notices {
    all: Vec<Notice>,
    /// Whether the latest is shown.
    is_shown: bool,
    /// How many there were ever.
    count: u64,
}

impl Notices {
    /// Adds one.
    pub fn add(&mut self, gravity: Gravity, text: impl Into<String>, at: Moment) {
        if self.all.len() >= KEPT {
            self.all.remove(0);
        }
        self.all.push(Notice { gravity, text: text.into(), at });
        self.is_shown = true;
        self.count += 1;
    }

    /// The one that is shown.
    pub fn shown(&self) -> Option<&Notice> {
        self.all.last().filter(|_| self.is_shown)
    }

    /// Hides it.
    pub const fn hide(&mut self) {
        self.is_shown = false;
    }

    /// All that are kept, oldest first.
    pub fn all(&self) -> &[Notice] {
        &self.all
    }

    /// How many there were ever.
    pub const fn count(&self) -> u64 {
        self.count
    }
}
