//! The clock of the harness, given from outside so that a record can be made again to the byte.
//!
//! The environment's clock is another one: inside a private copy it is always the release date.

use jiff::Timestamp;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time as the harness sees it.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Time since some beginning; it never goes back.
    fn now(&self) -> Duration;

    /// The wall time.
    fn wall(&self) -> Timestamp;

    /// What a statement is said to have taken, given what it took.
    fn elapsed(&self, measured: Duration) -> Duration;
}

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn wall(&self) -> Timestamp {
        Timestamp::now()
    }

    fn elapsed(&self, measured: Duration) -> Duration {
        measured
    }
}

/// A clock that goes on by the same step whenever it is read.
#[derive(Debug)]
pub struct FixedClock {
    start: Timestamp,
    step: Duration,
    statement: Duration,
    reads: AtomicU64,
}

impl FixedClock {
    /// A clock that stands at `start` and goes on by `step`; each statement is said to have taken `statement`.
    pub const fn new(start: Timestamp, step: Duration, statement: Duration) -> Self {
        Self { start, step, statement, reads: AtomicU64::new(0) }
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Duration {
        let reads = self.reads.fetch_add(1, Ordering::Relaxed);
        self.step.saturating_mul(u32::try_from(reads).unwrap_or(u32::MAX))
    }

    fn wall(&self) -> Timestamp {
        let gone =
            self.step.saturating_mul(u32::try_from(self.reads.load(Ordering::Relaxed)).unwrap_or(u32::MAX));
        self.start.saturating_add(gone).unwrap_or(self.start)
    }

    fn elapsed(&self, _measured: Duration) -> Duration {
        self.statement
    }
}
