//! What the person chose: by the settings file (`Settings`), and by using the workbench (`Kept`).

use serde::{Deserialize, Serialize};

/// Settings as the driver read them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Whether the workbench takes the mouse.
    pub mouse: bool,
    /// Whether completions show by themselves.
    pub completion: bool,
    /// Themes that can be chosen: name and title.
    pub themes: Vec<(String, String)>,
    /// The theme of the settings file: a name, or `auto`.
    pub theme: String,
    /// Whether a command that panics is there: `CASEBOOK_TEST_PANIC` is set.
    pub panic_tests: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mouse: true,
            completion: true,
            themes: Vec::new(),
            theme: "auto".to_owned(),
            panic_tests: false,
        }
    }
}

/// What is kept from one time to the next.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// The theme that was chosen; `None` leaves it to the settings.
    pub theme: Option<String>,
    /// The snapshot that tasks are begun on.
    pub snapshot: Option<String>,
    /// Sizes of panes.
    pub panes: Panes,
    /// Commands given through the palette, latest first.
    pub recent: Vec<String>,
    /// Statements kept by name.
    pub saved: Vec<SavedStatement>,
}

/// A statement kept by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedStatement {
    /// Its name.
    pub name: String,
    /// The statement.
    pub sql: String,
}

/// Sizes of panes, in hundredths of what there is to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Panes {
    /// Width of the schema.
    pub side: u16,
    /// Height of the editor, of what editor and result share.
    pub editor: u16,
    /// Width of the answer, where it has a column of its own.
    pub answer: u16,
    /// Width of the list of cases.
    pub list: u16,
    /// Whether the side is hidden.
    pub side_hidden: bool,
    /// Whether the question is folded to one line.
    pub question_folded: bool,
}

impl Default for Panes {
    fn default() -> Self {
        Self { side: 26, editor: 40, answer: 25, list: 62, side_hidden: false, question_folded: false }
    }
}

impl Panes {
    /// No pane gets smaller or larger.
    pub const RANGE: (u16, u16) = (12, 80);

    /// Makes a pane larger or smaller.
    pub fn change(size: &mut u16, by: i16) {
        *size = size.saturating_add_signed(by).clamp(Self::RANGE.0, Self::RANGE.1);
    }
}
