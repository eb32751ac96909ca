//! How large the terminal is.

use rustix::termios::tcgetwinsize;
use std::os::fd::AsFd;

/// A size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Cells in a row, at least 1.
    pub columns: u16,
    /// Rows, at least 1.
    pub rows: u16,
}

/// What is drawn at most. A terminal that claims more (a wrong answer, a test, a wall of screens) is drawn on in its
/// upper left part: two buffers of a frame must stay within some tens of megabytes.
const MOST: Size = Size { columns: 1000, rows: 400 };

impl Size {
    /// What is assumed where nothing says a size.
    pub const FALLBACK: Self = Self { columns: 80, rows: 24 };

    /// A size as reported, held to what can be drawn. `None` for a side of 0, which terminals on serial lines and
    /// freshly opened pseudo-terminals report.
    pub fn sane(columns: u16, rows: u16) -> Option<Self> {
        (columns > 0 && rows > 0)
            .then(|| Self { columns: columns.min(MOST.columns), rows: rows.min(MOST.rows) })
    }
}

/// The size of an open terminal, or `None` where it doesn't know: [`super::probes`] can ask it, [`Size::FALLBACK`] serves
/// until it answers.
pub fn of(terminal: impl AsFd) -> Option<Size> {
    let size = tcgetwinsize(terminal).ok()?;
    Size::sane(size.ws_col, size.ws_row)
}

#[cfg(test)]
mod tests {
    use super::{Size, of};
    use crate::terminal::test_pty::Pair;

    #[test]
    fn absurd_sizes_are_guarded() {
        assert_eq!(Size::sane(0, 24), None);
        assert_eq!(Size::sane(80, 0), None);
        assert_eq!(Size::sane(80, 24), Some(Size { columns: 80, rows: 24 }));
        assert_eq!(Size::sane(u16::MAX, u16::MAX), Some(Size { columns: 1000, rows: 400 }));
    }

    #[test]
    fn a_terminal_says_its_size() {
        let pair = Pair::open();
        assert_eq!(of(&pair.slave), None, "a fresh one says 0 by 0");
        pair.resize(132, 43);
        assert_eq!(of(&pair.slave), Some(Size { columns: 132, rows: 43 }));
        assert_eq!(of(std::fs::File::open("/dev/null").unwrap()), None);
    }
}
