//! When to stop a running statement: looked at from SQLite's progress handler.

use super::private_copy::memory;
use super::{Interrupter, LimitHit, Limits};
use rusqlite::Connection;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Virtual-machine instructions between two looks at the memory in use. Each may allocate a value of 1 MiB, so the
/// bound can be passed by that many MiB at worst.
const OPS: i32 = 50;
/// Looks at the memory for one look at the clock, which costs more.
const LOOKS: u32 = 16;

/// The state that the handler, the engine and interrupters share.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Why the handler stopped the statement: 0 it did not, 1 time, 2 memory.
    reason: AtomicU8,
    /// What the running thread may hold, as `memory::held` counts it.
    memory: AtomicI64,
    deadline: Mutex<Option<Instant>>,
}

/// Why a statement was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Limit(LimitHit),
    Interrupted,
}

impl Stop {
    /// Installs the progress handler on a connection.
    pub(super) fn install(connection: &mut Connection) -> rusqlite::Result<Self> {
        let stop = Self::default();
        let own = stop.clone();
        let mut look = 0_u32;
        connection.progress_handler(
            OPS,
            Some(move || {
                look = look.wrapping_add(1);
                own.must_stop(look.is_multiple_of(LOOKS))
            }),
        )?;
        Ok(stop)
    }

    /// Starts the clock of a call, which must run on the thread that calls this.
    pub(super) fn begin(&self, started: Instant, limits: &Limits) {
        self.0.reason.store(0, Ordering::Relaxed);
        let room = i64::try_from(limits.memory).unwrap_or(i64::MAX);
        self.0.memory.store(memory::held().saturating_add(room), Ordering::Relaxed);
        *self.deadline() = started.checked_add(limits.deadline);
    }

    /// A handle that stops the running statement of a connection.
    pub(super) fn interrupter(connection: &Connection) -> Interrupter {
        let handle = connection.get_interrupt_handle();
        Interrupter::new(move || handle.interrupt())
    }

    /// Why the call was stopped, if SQLite says that it was interrupted.
    pub(super) fn reason(&self, limits: &Limits) -> Reason {
        match self.0.reason.load(Ordering::Relaxed) {
            1 => Reason::Limit(LimitHit::Time(limits.deadline)),
            2 => Reason::Limit(LimitHit::Memory(limits.memory)),
            _ => Reason::Interrupted,
        }
    }

    fn deadline(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn must_stop(&self, at_the_clock: bool) -> bool {
        let reason = if at_the_clock && self.deadline().is_some_and(|deadline| Instant::now() >= deadline) {
            1
        } else if memory::held() > self.0.memory.load(Ordering::Relaxed) {
            2
        } else {
            return false;
        };
        self.0.reason.store(reason, Ordering::Relaxed);
        true
    }
}
