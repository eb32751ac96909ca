//! When to stop a running statement: its deadline (by the watchdog's interrupt, and by the allocator where SQLite looks for
//! none), its memory (by the progress handler, and by the allocator for a single instruction that takes too much), or
//! somebody's wish.

use super::private_copy::memory;
use super::watchdog::{self, Watch};
use super::{Interrupter, LimitHit, Limits};
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Instant;

/// Virtual-machine instructions between two looks at the memory in use. Each may allocate a value of 1 MiB.
const OPS: i32 = 50;
/// What a single instruction may take beyond the bound before the allocator refuses it.
pub(super) const SLACK: i64 = 32 << 20;

/// The state that the handler, the engine and the watchdog share.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    out_of_time: Arc<AtomicBool>,
    out_of_memory: AtomicBool,
    /// What the running thread may hold, as `memory::held` counts it.
    memory: AtomicI64,
}

/// Why a statement was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Limit(LimitHit),
    Interrupted,
}

/// A call under way; its limits end with it.
#[derive(Debug)]
pub(super) struct Bounds {
    _time: Option<Watch>,
    memory: memory::Bound,
}

impl Bounds {
    /// Tells that the statement is compiled. While it was, and while one that only reads runs, an allocation after the
    /// deadline fails: SQLite's compiler and some of its functions look for no interrupt, but all of them allocate.
    pub(super) fn compiled(&self, read_only: bool) {
        if !read_only {
            self.memory.ignore_time();
        }
    }
}

impl Stop {
    /// Installs the progress handler on a connection.
    pub(super) fn install(connection: &mut Connection) -> rusqlite::Result<Self> {
        let stop = Self::default();
        let own = stop.clone();
        connection.progress_handler(OPS, Some(move || own.is_out_of_memory()))?;
        Ok(stop)
    }

    /// Starts a call on this thread: the limits hold until the answer is dropped.
    pub(super) fn begin(&self, connection: &Connection, started: Instant, limits: &Limits) -> Bounds {
        self.0.out_of_time.store(false, Ordering::Relaxed);
        self.0.out_of_memory.store(false, Ordering::Relaxed);
        let room = i64::try_from(limits.memory).unwrap_or(i64::MAX);
        let bound = memory::held().saturating_add(room);
        self.0.memory.store(bound, Ordering::Relaxed);
        let (own, handle) = (self.clone(), connection.get_interrupt_handle());
        let out_of_time = Interrupter::new(move || {
            own.0.out_of_time.store(true, Ordering::Relaxed);
            handle.interrupt();
        });
        let deadline = started.checked_add(limits.deadline);
        Bounds {
            _time: deadline.map(|deadline| watchdog::watch(deadline, out_of_time)),
            memory: memory::Bound::at(bound.saturating_add(SLACK), Arc::clone(&self.0.out_of_time)),
        }
    }

    /// A handle that stops the running statement of a connection.
    pub(super) fn interrupter(connection: &Connection) -> Interrupter {
        let handle = connection.get_interrupt_handle();
        Interrupter::new(move || handle.interrupt())
    }

    /// Why the call was stopped, if SQLite says that it was interrupted.
    pub(super) fn reason(&self, limits: &Limits) -> Reason {
        if self.0.out_of_memory.load(Ordering::Relaxed) {
            Reason::Limit(LimitHit::Memory(limits.memory))
        } else if self.0.out_of_time.load(Ordering::Relaxed) {
            Reason::Limit(LimitHit::Time(limits.deadline))
        } else {
            Reason::Interrupted
        }
    }

    fn is_out_of_memory(&self) -> bool {
        let is_out = memory::held() > self.0.memory.load(Ordering::Relaxed);
        if is_out {
            self.0.out_of_memory.store(true, Ordering::Relaxed);
        }
        is_out
    }
}
