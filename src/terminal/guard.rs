//! Claims the terminal and gives it back.
//!
//! For: raw mode and the modes of [`super::modes`], on at the claim, off on every way out: the end, an error, a panic, a
//! signal, a suspension. Not for: deciding when; the loop, [`super::panic_hook`] and [`super::signals`] do.
//!
//! Invariants: restoring is idempotent and can be done from any thread through a [`Restorer`]; it never hangs on a
//! terminal that takes no bytes; it gives back the settings that were found at the claim.

use super::modes::{ModeSet, Wanted, chosen, reset_bytes, set_bytes};
use super::output::Output;
use super::tty::Tty;
use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{
    OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcsetattr,
};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the way out waits for a terminal that takes no bytes before it does without.
const PATIENCE: Duration = Duration::from_millis(500);

/// What to claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimOptions {
    /// Whether clicks, drags and the wheel are reported. The terminal's own selection then needs Shift.
    pub mouse: bool,
    /// Whether keys are asked for in the unambiguous form, where the terminal has it.
    pub keyboard: bool,
    /// Whether the alternate screen is used, which leaves the scrollback as it was.
    pub alternate: bool,
}

impl Default for ClaimOptions {
    fn default() -> Self {
        Self { mouse: true, keyboard: true, alternate: true }
    }
}

impl ClaimOptions {
    fn modes(self) -> ModeSet {
        chosen(|wanted| match wanted {
            Wanted::Always => true,
            Wanted::Alternate => self.alternate,
            Wanted::Mouse => self.mouse,
            Wanted::Keyboard => self.keyboard,
            Wanted::Frame => false,
        })
    }
}

/// What the handles on one terminal share.
#[derive(Debug)]
pub(super) struct Claim {
    tty: Tty,
    is_claimed: AtomicBool,
    modes: AtomicU16,
    /// As found at the last claim.
    original: Mutex<Option<Termios>>,
}

impl Claim {
    pub(super) fn is_claimed(&self) -> bool {
        self.is_claimed.load(Ordering::SeqCst)
    }

    pub(super) fn tty(&self) -> &Tty {
        &self.tty
    }

    fn original(&self) -> MutexGuard<'_, Option<Termios>> {
        self.original.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, modes: ModeSet) -> io::Result<()> {
        let mut settings = tcgetattr(self.tty.input())?;
        *self.original() = Some(settings.clone());
        settings.make_raw();
        // A read takes what is there, and nothing if there is nothing: the input thread reads after it has been told
        // that there is something, and must not get stuck where another has taken it.
        settings.special_codes[SpecialCodeIndex::VMIN] = 0;
        settings.special_codes[SpecialCodeIndex::VTIME] = 0;
        self.modes.store(modes, Ordering::SeqCst);
        self.is_claimed.store(true, Ordering::SeqCst);
        let claimed = tcsetattr(self.tty.input(), OptionalActions::Now, &settings)
            .map_err(io::Error::from)
            .and_then(|()| self.tty.write_all(set_bytes(modes).as_bytes()));
        if claimed.is_err() {
            self.restore();
        }
        claimed
    }

    fn restore(&self) {
        if !self.is_claimed.swap(false, Ordering::SeqCst) {
            return;
        }
        let modes = self.modes.load(Ordering::SeqCst) | chosen(|wanted| wanted == Wanted::Frame);
        // Colours first: leaving the alternate screen must not fill the other with them.
        let bytes = format!("\x1b[0m{}", reset_bytes(modes));
        // Nobody is left to tell about a terminal that is gone.
        let _ = self.tty.write_with_patience(bytes.as_bytes(), PATIENCE);
        // What the terminal has answered and nobody has read would be typed at the shell.
        let _ = tcflush(self.tty.input(), QueueSelector::IFlush);
        if let Some(original) = self.original().take() {
            let _ = tcsetattr(self.tty.input(), OptionalActions::Now, &original);
        }
    }
}

/// Gives the terminal back, from wherever it is held. Clones act on the same claim.
#[derive(Debug, Clone)]
pub struct Restorer(Arc<Claim>);

impl Restorer {
    /// Gives the terminal back as it was found. Does nothing where that has been done.
    pub fn restore(&self) {
        self.0.restore();
    }

    /// Whether the terminal is claimed.
    pub fn is_claimed(&self) -> bool {
        self.0.is_claimed()
    }
}

/// A claimed terminal. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Guard {
    claim: Arc<Claim>,
    output: Output,
    modes: ModeSet,
}

impl Guard {
    /// Claims the terminal of this process.
    ///
    /// # Errors
    /// When there is none, or it can't be put into raw mode. It is then as it was.
    pub fn claim(options: ClaimOptions) -> io::Result<Self> {
        Self::claim_on(Tty::open()?, options)
    }

    /// Claims a terminal that is open.
    ///
    /// # Errors
    /// When it can't be put into raw mode or is gone. It is then as it was.
    pub fn claim_on(tty: Tty, options: ClaimOptions) -> io::Result<Self> {
        let claim = Arc::new(Claim {
            tty,
            is_claimed: AtomicBool::new(false),
            modes: AtomicU16::new(0),
            original: Mutex::new(None),
        });
        let modes = options.modes();
        claim.set(modes)?;
        let output = Output::new(Arc::clone(&claim));
        Ok(Self { claim, output, modes })
    }

    /// The terminal's two ends, for the input thread and for its size.
    pub fn tty(&self) -> &Tty {
        self.claim.tty()
    }

    /// What the drawing backend writes to.
    pub fn output(&self) -> Output {
        self.output.clone()
    }

    /// A handle that gives the terminal back.
    pub fn restorer(&self) -> Restorer {
        Restorer(Arc::clone(&self.claim))
    }

    /// Whether the terminal is claimed.
    pub fn is_claimed(&self) -> bool {
        self.claim.is_claimed()
    }

    /// Switches the mouse on or off from now on, also across a suspension.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn set_mouse(&mut self, is_wanted: bool) -> io::Result<()> {
        let mouse = chosen(|wanted| wanted == Wanted::Mouse);
        let (modes, bytes) = if is_wanted {
            (self.modes | mouse, set_bytes(mouse))
        } else {
            (self.modes & !mouse, reset_bytes(mouse))
        };
        if modes == self.modes {
            return Ok(());
        }
        self.modes = modes;
        if !self.is_claimed() {
            return Ok(());
        }
        // The union while the bytes are on their way: a panic in between resets one mode too many, never one too few.
        self.claim.modes.fetch_or(modes, Ordering::SeqCst);
        self.claim.tty().write_all(bytes.as_bytes())?;
        self.claim.modes.store(modes, Ordering::SeqCst);
        Ok(())
    }

    /// Gives the terminal back as it was found. Does nothing where that has been done.
    pub fn restore(&self) {
        self.claim.restore();
    }

    /// Gives the terminal back and stops the process until somebody continues it. The loop then hears
    /// [`super::Signal::Continue`] and calls [`Guard::resume`].
    ///
    /// The whole process group is stopped, as the terminal itself would do it on Ctrl-Z: if a wrapper script started the
    /// program, the shell that waits for the script gets the terminal back too.
    ///
    /// # Errors
    /// When the process can't be stopped; the terminal has then been given back and is to be claimed again.
    pub fn suspend(&self) -> io::Result<()> {
        self.suspend_with(|| kill_current_process_group(Signal::STOP).map_err(io::Error::from))
    }

    fn suspend_with(&self, stop: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.restore();
        stop()
    }

    /// Claims the terminal again, after a suspension, after another program has used it, or after the process was stopped
    /// from outside without a chance to give it back. Everything must be drawn anew.
    ///
    /// # Errors
    /// When the terminal is gone or can't be put into raw mode. A process whose terminal goes is hung up and continued at
    /// once, and may hear of the second first: end as for [`super::Ending::Hangup`].
    pub fn resume(&self) -> io::Result<()> {
        // After a stop from outside the shell may have changed anything; switching all off first keeps the stack of
        // keyboard flags at one.
        self.restore();
        self.output.discard();
        self.claim.set(self.modes)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.restore();
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
