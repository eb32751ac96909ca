//! A writable copy of frozen bytes that costs almost nothing until it is written to.
//!
//! The bytes sit once in a sealed memory file (`frozen`). A copy maps them privately, so the kernel copies a page when it
//! is first written, and SQLite works on that memory (`mapping`). `clock` is the VFS through which the copy is opened.
//! `memory` counts what a statement takes. `mapping`, `clock` and `memory` are the only unsafe code of the program.

pub(super) mod clock;
mod frozen;
mod mapping;
pub(super) mod memory;

pub use frozen::FrozenDatabase;
pub(super) use mapping::PrivateCopy;

/// Bytes by which a private copy may grow: its quota for writes.
pub const HEADROOM: usize = 64 << 20;
