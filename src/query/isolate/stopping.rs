//! Interrupts across the border between two processes.
//!
//! An interrupt names the question that it is for: it may arrive when that one has been answered, and must not stop the next.
//! It has a line of its own, so that nobody has to read questions while a statement runs. The line is the worker's standard
//! error; the other way go the words of a worker that fails.

use crate::query::Interrupter;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An engine's side: what is being asked, and whether somebody wants it stopped.
#[derive(Debug, Clone, Default)]
pub(super) struct Asking(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The number of the question; 0 while none is open.
    number: u64,
    wanted: Option<Instant>,
    line: Option<UnixStream>,
}

/// A question under way; it is none any more when this is dropped.
#[derive(Debug)]
pub(super) struct Open(Asking);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.state().number = 0;
    }
}

impl Asking {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the line to a new worker.
    pub(super) fn connect(&self, line: Option<UnixStream>) {
        self.state().line = line;
    }

    /// Begins a question.
    pub(super) fn open(&self, number: u64) -> Open {
        let mut state = self.state();
        state.number = number;
        state.wanted = None;
        Open(self.clone())
    }

    /// Since when somebody wants the open question stopped.
    pub(super) fn wanted(&self) -> Option<Instant> {
        let state = self.state();
        state.wanted.filter(|_| state.number != 0)
    }

    /// A handle that stops the open question.
    pub(super) fn interrupter(&self) -> Interrupter {
        let own = self.clone();
        Interrupter::new(move || own.interrupt())
    }

    fn interrupt(&self) {
        let mut state = self.state();
        if state.number == 0 || state.wanted.is_some() {
            return;
        }
        state.wanted = Some(Instant::now());
        let number = state.number.to_le_bytes();
        if let Some(line) = &mut state.line {
            // A worker that does not read is killed soon anyway.
            let _ = line.write_all(&number);
        }
    }
}

/// A worker's side: what it is working on, and what it was told to stop.
#[derive(Debug, Clone, Default)]
pub(super) struct Working(Arc<Mutex<(u64, u64)>>);

impl Working {
    fn state(&self) -> MutexGuard<'_, (u64, u64)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a question; false where it was stopped before it began.
    pub(super) fn begin(&self, number: u64) -> bool {
        let mut state = self.state();
        state.0 = number;
        state.1 != number
    }

    /// Ends it.
    pub(super) fn end(&self) {
        self.state().0 = 0;
    }

    /// Reads the line until its end: then nobody is left to work for.
    pub(super) fn listen(&self, mut line: &UnixStream, interrupter: &Interrupter) {
        let mut number = [0; 8];
        while line.read_exact(&mut number).is_ok() {
            let number = u64::from_le_bytes(number);
            // Held while it is stopped, so that it can't be another one by then.
            let mut state = self.state();
            state.1 = number;
            if state.0 == number {
                interrupter.interrupt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Asking, Working};
    use crate::query::Interrupter;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn an_interrupt_stops_the_question_it_is_for_and_no_other() {
        let asking = Asking::default();
        let handle = asking.interrupter();
        handle.interrupt();
        assert!(asking.wanted().is_none(), "nothing was asked");

        let (ours, theirs) = UnixStream::pair().unwrap();
        asking.connect(Some(ours));
        let (working, stopped) = (Working::default(), Arc::new(AtomicU32::new(0)));
        let count = Arc::clone(&stopped);
        let interrupter = Interrupter::new(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        let open = asking.open(5);
        assert!(working.begin(5));
        handle.interrupt();
        handle.interrupt();
        assert!(asking.wanted().is_some());
        drop(open);
        assert!(asking.wanted().is_none(), "it is answered");
        let open = asking.open(6);
        assert!(asking.wanted().is_none());
        handle.interrupt();
        drop(open);
        handle.interrupt();
        asking.connect(None);
        working.listen(&theirs, &interrupter); // to the end of the line
        assert_eq!(stopped.load(Ordering::SeqCst), 1, "only the question that was worked on");
        assert!(!working.begin(6), "it was stopped before it began");
        assert!(working.begin(7));
    }
}
