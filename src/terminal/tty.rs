//! The two ends of a terminal: where it is read and where it is written.
//!
//! Not for modes: [`super::guard`] changes those.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// An open terminal.
#[derive(Debug)]
pub struct Tty {
    input: OwnedFd,
    output: OwnedFd,
}

impl Tty {
    /// The terminal of this process: standard input and output if both are one, else `/dev/tty`.
    ///
    /// The standard streams come first because macOS can't poll `/dev/tty`.
    ///
    /// # Errors
    /// When there is no terminal: in a pipeline of a job without one.
    pub fn open() -> io::Result<Self> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        if rustix::termios::isatty(&stdin) && rustix::termios::isatty(&stdout) {
            return Ok(Self {
                input: stdin.as_fd().try_clone_to_owned()?,
                output: stdout.as_fd().try_clone_to_owned()?,
            });
        }
        let tty =
            rustix::fs::open("/dev/tty", OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { input: tty.try_clone()?, output: tty })
    }

    /// A terminal from two ends that are open already.
    pub fn from_ends(input: OwnedFd, output: OwnedFd) -> Self {
        Self { input, output }
    }

    /// The same terminal once more, for another thread.
    ///
    /// # Errors
    /// When no more files may be opened.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { input: self.input.try_clone()?, output: self.output.try_clone()? })
    }

    /// Where it is read.
    pub fn input(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    /// Where it is written.
    pub fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }

    /// Writes all bytes, and waits for a slow terminal as long as it takes.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        self.write_until(bytes, None)
    }

    /// Writes all bytes unless the terminal takes none for `patience`: for ways out, which must not hang on a terminal
    /// that nobody reads.
    pub(super) fn write_with_patience(&self, bytes: &[u8], patience: Duration) -> io::Result<()> {
        self.write_until(bytes, Some(Instant::now() + patience))
    }

    fn write_until(&self, mut bytes: &[u8], deadline: Option<Instant>) -> io::Result<()> {
        while !bytes.is_empty() {
            if let Some(deadline) = deadline {
                self.wait_for_room(Some(deadline.saturating_duration_since(Instant::now())))?;
            }
            match rustix::io::write(&self.output, bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = &bytes[written..],
                // Some parents leave the terminal non-blocking.
                Err(Errno::AGAIN) if deadline.is_none() => self.wait_for_room(None)?,
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn wait_for_room(&self, limit: Option<Duration>) -> io::Result<()> {
        let timeout = limit.and_then(|limit| Timespec::try_from(limit).ok());
        let mut ends = [PollFd::new(&self.output, PollFlags::OUT)];
        match poll(&mut ends, timeout.as_ref()) {
            Ok(0) => Err(io::ErrorKind::TimedOut.into()),
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
