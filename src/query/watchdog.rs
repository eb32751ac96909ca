//! One thread that interrupts statements whose time is up.
//!
//! SQLite looks for an interrupt at every turn of a loop and while it compiles; a clock in the progress handler would be
//! looked at only each so many instructions, of which one may take a tenth of a second.
//!
//! The thread looks every 20 ms while something is armed, and sleeps without waking when nothing has been for a second.

use super::Interrupter;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(20);
/// Looks with nothing armed before the thread sleeps.
const PATIENCE: u32 = 50;

struct Watchdog {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    armed: Vec<Entry>,
    next: u64,
    asleep: bool,
}

struct Entry {
    number: u64,
    deadline: Instant,
    stop: Interrupter,
}

/// A statement under watch. Dropping it ends the watch.
#[derive(Debug)]
pub(super) struct Watch(u64);

impl Drop for Watch {
    fn drop(&mut self) {
        watchdog().state().armed.retain(|entry| entry.number != self.0);
    }
}

/// Calls `stop` once the deadline has passed, and again at each look until the watch ends: a first call may come just
/// before the statement begins, when it does nothing.
pub(super) fn watch(deadline: Instant, stop: Interrupter) -> Watch {
    let watchdog = watchdog();
    let mut state = watchdog.state();
    state.next += 1;
    let number = state.next;
    state.armed.push(Entry { number, deadline, stop });
    if std::mem::take(&mut state.asleep) {
        watchdog.wake.notify_one();
    }
    Watch(number)
}

fn watchdog() -> &'static Watchdog {
    static WATCHDOG: OnceLock<Watchdog> = OnceLock::new();
    static THREAD: OnceLock<()> = OnceLock::new();
    let watchdog = WATCHDOG.get_or_init(|| Watchdog { state: Mutex::default(), wake: Condvar::new() });
    THREAD.get_or_init(|| {
        // Detached: it holds nothing that must be ended in order.
        std::thread::spawn(|| watchdog.run());
    });
    watchdog
}

impl Watchdog {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut idle = 0;
        let mut state = self.state();
        loop {
            let now = Instant::now();
            for entry in state.armed.iter().filter(|entry| entry.deadline <= now) {
                entry.stop.interrupt();
            }
            idle = if state.armed.is_empty() { idle + 1 } else { 0 };
            state = if idle < PATIENCE {
                self.wake.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0
            } else {
                idle = 0;
                state.asleep = true;
                self.wake.wait_while(state, |state| state.asleep).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }
}
