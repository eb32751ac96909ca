//! Signals as values.
//!
//! For: a thread that sleeps until a signal comes and sends it over a channel, so that the loop answers it between two
//! frames with everything in reach. Not for: the answers, with one exception: if the loop doesn't get to it (it hangs, or
//! is gone), a later signal gives the terminal back and ends the process from here.

use super::guard::Restorer;
use crossbeam_channel::Sender;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A signal that asks the process to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The terminal has gone.
    Hangup,
    /// Somebody interrupts: from elsewhere, since Ctrl-C is a key while the terminal is claimed.
    Interrupt,
    /// As interrupting, with Ctrl-\.
    Quit,
    /// `kill`, a service manager, a shutdown.
    Terminate,
}

impl Ending {
    const fn from_number(number: i32) -> Option<Self> {
        match number {
            SIGHUP => Some(Self::Hangup),
            SIGINT => Some(Self::Interrupt),
            SIGQUIT => Some(Self::Quit),
            SIGTERM => Some(Self::Terminate),
            _ => None,
        }
    }

    /// What the process exits with: 128 and the number of the signal, as a shell would say it.
    pub const fn exit_code(self) -> i32 {
        128 + match self {
            Self::Hangup => SIGHUP,
            Self::Interrupt => SIGINT,
            Self::Quit => SIGQUIT,
            Self::Terminate => SIGTERM,
        }
    }
}

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Save what would be lost, give the terminal back, exit with [`Ending::exit_code`].
    End(Ending),
    /// Stop: [`super::Guard::suspend`].
    Suspend,
    /// The process runs again: [`super::Guard::resume`], also when it was stopped without being asked.
    Continue,
    /// The window has another size: [`super::size::of`]. A burst of them means one.
    WindowChanged,
}

/// How long the loop has for an ending before a further signal ends the process without it. Two signals often come
/// together (a closed terminal, a service manager), and must not cut short what the loop saves.
const GRACE: Duration = Duration::from_secs(2);

/// Signals that are heard from now on, and wait for the thread. Begun before the terminal is claimed: a signal in between would
/// end the process and leave the terminal as nobody can use it.
#[derive(Debug)]
pub struct Heard(Signals);

impl Heard {
    /// Begins to hear.
    ///
    /// # Errors
    /// When the handlers can't be installed.
    pub fn begin() -> io::Result<Self> {
        Ok(Self(Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH])?))
    }
}

/// The thread that waits for signals. Dropping it ends the thread; the signals stay handled, and do nothing.
#[derive(Debug)]
pub struct SignalThread {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl SignalThread {
    /// Starts listening.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn spawn(heard: Heard, sender: Sender<Signal>, restorer: Restorer) -> io::Result<Self> {
        let Heard(mut signals) = heard;
        let handle = signals.handle();
        let thread = std::thread::Builder::new().name("signals".into()).spawn(move || {
            let mut first_ending = None;
            for number in &mut signals {
                let Some(signal) = meaning(number, restorer.is_claimed()) else { continue };
                let is_heard = sender.send(signal).is_ok();
                if let Signal::End(ending) = signal {
                    let since = first_ending.get_or_insert_with(Instant::now).elapsed();
                    if !is_heard || since >= GRACE {
                        restorer.restore();
                        std::process::exit(ending.exit_code());
                    }
                }
            }
        })?;
        Ok(Self { handle, thread: Some(thread) })
    }
}

impl Drop for SignalThread {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // It doesn't panic; and if it did, the way out goes on.
            let _ = thread.join();
        }
    }
}

/// What a signal means, or nothing: Ctrl-C and Ctrl-Z reach every process in front of the terminal, and while it is given
/// back they are meant for the program that has it, such as an editor.
const fn meaning(number: i32, is_claimed: bool) -> Option<Signal> {
    match number {
        SIGINT | SIGQUIT | SIGTSTP if !is_claimed => None,
        SIGTSTP => Some(Signal::Suspend),
        SIGCONT => Some(Signal::Continue),
        SIGWINCH => Some(Signal::WindowChanged),
        _ => match Ending::from_number(number) {
            Some(ending) => Some(Signal::End(ending)),
            None => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Ending, Heard, Signal, SignalThread, meaning};
    use crate::terminal::test_pty::Pair;
    use crate::terminal::{ClaimOptions, Guard};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
    use std::time::Duration;

    #[test]
    fn each_signal_has_its_meaning() {
        assert_eq!(meaning(SIGTERM, true), Some(Signal::End(Ending::Terminate)));
        assert_eq!(meaning(SIGHUP, false), Some(Signal::End(Ending::Hangup)));
        assert_eq!(meaning(SIGINT, true), Some(Signal::End(Ending::Interrupt)));
        assert_eq!(meaning(SIGINT, false), None, "it is the editor's");
        assert_eq!(meaning(SIGQUIT, false), None);
        assert_eq!(meaning(SIGTSTP, false), None);
        assert_eq!(meaning(SIGTSTP, true), Some(Signal::Suspend));
        assert_eq!(meaning(SIGKILL, true), None);
        assert_eq!(Ending::Terminate.exit_code(), 143);
        assert_eq!(Ending::Hangup.exit_code(), 129);
        assert_eq!(Ending::Interrupt.exit_code(), 130);
        assert_eq!(Ending::Quit.exit_code(), 131);
    }

    // Endings and stops are tested in a process of their own (`tests/pty`): they would reach the other tests of this one.
    #[test]
    fn signals_arrive_and_the_thread_ends() {
        let pair = Pair::open();
        let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
        let (sender, signals) = crossbeam_channel::unbounded();
        let thread = SignalThread::spawn(Heard::begin().unwrap(), sender, guard.restorer()).unwrap();
        signal_hook::low_level::raise(SIGWINCH).unwrap();
        assert_eq!(signals.recv_timeout(Duration::from_secs(5)), Ok(Signal::WindowChanged));
        drop(thread);
        assert!(signals.recv_timeout(Duration::from_secs(5)).is_err(), "its sender is dropped");
    }
}
