//! One line on stderr that says what takes so long. It appears after half a second, on a terminal only.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

const QUIET: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);

/// The line.
#[derive(Debug)]
pub(super) struct ProgressLine {
    started: Instant,
    drawn: Option<Instant>,
    on_terminal: bool,
}

impl ProgressLine {
    /// A line that is not shown yet.
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), drawn: None, on_terminal: io::stderr().is_terminal() }
    }

    /// Shows what is done now, if it is time to.
    pub(super) fn show(&mut self, text: &str) {
        let now = Instant::now();
        let is_due = self.drawn.is_none_or(|drawn| now - drawn >= BETWEEN);
        if !self.on_terminal || now - self.started < QUIET || !is_due {
            return;
        }
        self.drawn = Some(now);
        let seconds = (now - self.started).as_secs_f64();
        let text = crate::text::visible::visible(text);
        let cells = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        let line = crate::text::width::fit(
            &format!("{seconds:5.1} s  {text}  (Ctrl-C stops)"),
            cells.saturating_sub(1),
        );
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
