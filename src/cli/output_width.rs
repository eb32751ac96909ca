//! How wide a table on standard output may be.

use std::io::{self, IsTerminal as _};

/// Cells of the terminal that standard output is; `None` where it is none, so that a pipe or file gets whole values.
pub(super) fn output_width() -> Option<usize> {
    let size = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    size.map(|(width, _)| usize::from(width.0))
}
