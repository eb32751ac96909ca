//! An engine in a process of its own, which can be killed.
//!
//! SQLite looks for a deadline only between its instructions, and one instruction may take long (`docs/guard.md`). So the
//! engine of a trial can sit in a worker: this program again, started with [`WORKER_ARGUMENT`], with the sealed bytes of the
//! snapshot as a descriptor, and locked in (`confine`) before it reads the first statement. It runs the same
//! [`SqliteEngine`](super::SqliteEngine), so results, errors, limits and seeds are the same; [`IsolatedEngine`] kills it when
//! it does not answer in time, and makes the private copy again by repeating what was written.
//!
//! | file | what |
//! |---|---|
//! | `host` | the choice: in this process, or in a worker |
//! | `engine` | the engine that a trial sees |
//! | `process` | a worker, seen from outside: started, asked, killed |
//! | `stopping` | interrupts, on both sides |
//! | `worker` | a worker, seen from inside |
//! | `confine` | what a worker gives up |
//! | `message`, `result_bytes`, `bytes` | what is said between the two, as bytes |
//!
//! What a worker says is not trusted: lengths, counts and texts are checked, and what is no answer is an error of the
//! statement, never a panic.

mod bytes;
mod confine;
mod engine;
mod host;
mod message;
#[cfg(test)]
mod message_tests;
mod process;
mod result_bytes;
mod stopping;
mod worker;

pub use engine::IsolatedEngine;
pub use host::{EngineHost, Worker};
pub use worker::serve;

/// The argument by which this program is a worker and nothing else.
pub const WORKER_ARGUMENT: &str = "engine-worker";

/// What may pass after a deadline or an interrupt until the worker is killed.
pub const GRACE: std::time::Duration = std::time::Duration::from_millis(500);
