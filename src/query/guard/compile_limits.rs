//! SQLite's own limits, lowered for every copy.

use super::MAX_STATEMENT_BYTES;
use rusqlite::Connection;
use rusqlite::limits::Limit;

/// The longest value, in bytes. It bounds what one opcode can do between two looks at the clock: a JSON function over
/// 8 MiB held the processor for 1.8 s, over 1 MiB for 0.15 s.
pub(in crate::query) const MAX_VALUE_BYTES: u64 = 1 << 20;

/// Lowers the limits of a connection.
pub(in crate::query) fn apply(connection: &Connection) -> rusqlite::Result<()> {
    const LENGTH: i32 = 1 << 20;
    const _: () = assert!(MAX_VALUE_BYTES == LENGTH as u64 && MAX_STATEMENT_BYTES == LENGTH as usize);
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LENGTH, LENGTH),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, LENGTH),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
        (Limit::SQLITE_LIMIT_COLUMN, 512),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 64),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
        (Limit::SQLITE_LIMIT_VDBE_OP, 250_000),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    Ok(())
}
