//! A query on a private copy of frozen bytes.
//!
//! [`FrozenDatabase`] holds the verified bytes of a snapshot once; [`SqliteEngine`] opens a disposable copy of them for
//! one trial, behind a guard, limits, the environment's clock and a seed. Any statement may write; writes touch only
//! that copy, and the frozen bytes can't change. [`Engine`] is the seam behind which a worker process
//! ([`isolate`]) or another database can stand.
//!
//! Not here: what is recorded of a query (`archive`), which tools an actor has (`harness`), how results look.

mod analysis;
mod catalogue;
mod engine;
mod error;
mod guard;
pub mod isolate;
mod limits;
mod linear_functions;
mod opcode_tables;
mod open_snapshot;
mod private_copy;
mod randomness;
mod sqlite_engine;
mod stop;
mod watchdog;

pub use analysis::analyze;
pub use engine::{Answer, Checked, Engine, Interrupter};
pub use error::{LimitHit, OpenError, QueryError};
pub use guard::MAX_STATEMENT_BYTES;
pub use isolate::{EngineHost, IsolatedEngine, Worker};
pub use limits::Limits;
pub use open_snapshot::{OpenSnapshot, OpenSnapshotError};
pub use private_copy::{FrozenDatabase, HEADROOM};
pub use sqlite_engine::{Environment, SqliteEngine};

/// Lets the memory bound of [`Limits`] count each statement by itself. Call it before anything else in the process uses
/// SQLite; opening an engine does it too, but the bound then counts the whole process if SQLite was in use already.
pub fn count_memory_by_statement() {
    private_copy::memory::count_by_thread();
}
