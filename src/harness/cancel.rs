//! Stopping what is under way: a flag that is looked at between calls, and handles that stop a running statement.

use crate::query::Interrupter;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Stops the trials that share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Shared>);

/// How one thing that is under way is stopped.
type Stop = Box<dyn Fn() + Send>;

#[derive(Default)]
struct Shared {
    stopped: AtomicBool,
    next: AtomicU64,
    running: Mutex<Vec<(u64, Stop)>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}

/// Something that is stopped with the rest, until this is dropped.
#[derive(Debug)]
#[must_use = "what is dropped is no longer stopped"]
pub struct Watched {
    cancel: Cancel,
    number: u64,
}

impl Cancel {
    /// Stops everything: running statements at once, trials before their next step. A statement that is just beginning may miss
    /// it: call it again until all have ended.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        for (_, stop) in self.0.running.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            stop();
        }
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Calls `stop` when everything is stopped, perhaps more than once; at once if it was already. It must be quick, and not
    /// come back here.
    pub fn on_stop(&self, stop: impl Fn() + Send + 'static) -> Watched {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let mut running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Under the lock: whoever stops either finds it in the list, or set the flag before.
        if self.is_stopped() {
            stop();
        }
        running.push((number, Box::new(stop)));
        Watched { cancel: self.clone(), number }
    }

    pub(super) fn watch(&self, interrupter: Interrupter) -> Watched {
        self.on_stop(move || interrupter.interrupt())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut running = self.cancel.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::Cancel;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn what_is_under_way_is_stopped_also_when_it_comes_late() {
        let (cancel, calls) = (Cancel::default(), Arc::new(AtomicU32::new(0)));
        let count = || {
            let calls = Arc::clone(&calls);
            move || {
                calls.fetch_add(1, Ordering::Relaxed);
            }
        };
        let kept = cancel.on_stop(count());
        drop(cancel.on_stop(count()));
        cancel.stop();
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        let late = cancel.on_stop(count());
        assert_eq!(calls.load(Ordering::Relaxed), 2);
        drop((kept, late));
        cancel.stop();
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}
