//! What the drawing backend writes to: a frame is gathered and sent in one write.
//!
//! `ratatui`'s backend flushes several times a frame (the cells, the cursor, the end). Here flushing does nothing;
//! [`Output::present`] sends what has gathered, wrapped in a synchronized update, so that no half-drawn frame is seen and
//! a frame costs one system call.
//!
//! Invariant: once the terminal has been given back nothing more is written to it. What a panic leaves in the buffer
//! must not land on the shell's screen.

use super::guard::Claim;
use super::modes::{FRAME_BEGIN, FRAME_END};
use super::short_colours::shorten;
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A handle on the buffer of one terminal. Clones share the buffer: give one to the backend, keep one to present.
#[derive(Debug, Clone)]
pub struct Output {
    buffer: Arc<Mutex<Vec<u8>>>,
    claim: Arc<Claim>,
    /// Whether the terminal knows sixteen colours only.
    has_few_colours: bool,
}

impl Output {
    pub(super) fn new(claim: Arc<Claim>) -> Self {
        Self { buffer: Arc::new(Mutex::new(FRAME_BEGIN.into())), claim, has_few_colours: false }
    }

    /// The same, for a terminal that knows sixteen colours only, if it is one: what is presented through it fits that.
    #[must_use]
    pub const fn with_few_colours(mut self, is_so: bool) -> Self {
        self.has_few_colours = is_so;
        self
    }

    fn buffer(&self) -> MutexGuard<'_, Vec<u8>> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what has been written since the last call as one frame, and says how many bytes that were. Nothing is sent
    /// for nothing, or while the terminal is not claimed.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn present(&self) -> io::Result<usize> {
        let mut buffer = self.buffer();
        let mut sent = Ok(0);
        if buffer.len() > FRAME_BEGIN.len() && self.claim.is_claimed() {
            buffer.extend_from_slice(FRAME_END.as_bytes());
            let frame =
                if self.has_few_colours { shorten(&buffer) } else { Cow::Borrowed(buffer.as_slice()) };
            sent = self.claim.tty().write_all(&frame).map(|()| frame.len());
        }
        buffer.truncate(FRAME_BEGIN.len());
        sent
    }

    /// Forgets what has been written since the last frame.
    pub fn discard(&self) {
        self.buffer().truncate(FRAME_BEGIN.len());
    }

    /// Sends bytes at once and outside of a frame: questions to the terminal. Nothing while it is not claimed.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn send(&self, bytes: &[u8]) -> io::Result<()> {
        if self.claim.is_claimed() { self.claim.tty().write_all(bytes) } else { Ok(()) }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: see [`Output::present`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::test_pty::Pair;
    use crate::terminal::{ClaimOptions, Guard};
    use std::io::Write;

    #[test]
    fn a_frame_is_one_write_and_nothing_follows_the_restoring() {
        let pair = Pair::open();
        let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
        pair.written();
        let output = guard.output();
        assert_eq!(output.present().unwrap(), 0);
        let mut backend = output.clone();
        backend.write_all(b"one ").unwrap();
        backend.flush().unwrap();
        backend.write_all(b"frame").unwrap();
        assert_eq!(pair.written(), "");
        assert_eq!(output.present().unwrap(), 8 + 9 + 8);
        assert_eq!(pair.written(), "\x1b[?2026hone frame\x1b[?2026l");
        assert_eq!(output.present().unwrap(), 0);
        output.send(b"\x1b[c").unwrap();
        assert_eq!(pair.written(), "\x1b[c");

        backend.write_all(b"too late").unwrap();
        guard.restore();
        pair.written();
        assert_eq!(output.present().unwrap(), 0);
        output.send(b"too late").unwrap();
        drop((backend, output));
        assert_eq!(pair.written(), "");
    }

    #[test]
    fn ratatui_draws_through_it() {
        let pair = Pair::open();
        pair.resize(20, 4);
        let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
        pair.written();
        let output = guard.output();
        let backend = ratatui::backend::CrosstermBackend::new(output.clone());
        let area = ratatui::layout::Rect::new(0, 0, 20, 4);
        let viewport = ratatui::TerminalOptions { viewport: ratatui::Viewport::Fixed(area) };
        let mut terminal = ratatui::Terminal::with_options(backend, viewport).unwrap();
        terminal.draw(|frame| frame.render_widget("a first frame", frame.area())).unwrap();
        assert_eq!(pair.written(), "");
        output.present().unwrap();
        let frame = pair.written();
        assert!(frame.starts_with("\x1b[?2026h") && frame.ends_with("\x1b[?2026l"), "{frame:?}");
        assert!(frame.contains("first"), "{frame:?}");
    }
}
