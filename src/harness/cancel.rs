//! Stopping what is under way: a flag that is looked at between calls, and handles that stop a running statement.

use crate::query::Interrupter;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Stops the trials that share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    next: AtomicU64,
    running: Mutex<Vec<(u64, Interrupter)>>,
}

/// An engine that is stopped with the others, until this is dropped.
#[derive(Debug)]
pub(super) struct Watched {
    cancel: Cancel,
    number: u64,
}

impl Cancel {
    /// Stops everything: running statements at once, trials before their next step. A statement that is just beginning may miss
    /// it: call it again until all have ended.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        for (_, interrupter) in self.0.running.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            interrupter.interrupt();
        }
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    pub(super) fn watch(&self, interrupter: Interrupter) -> Watched {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner).push((number, interrupter));
        Watched { cancel: self.clone(), number }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut running = self.cancel.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|(number, _)| *number != self.number);
    }
}
