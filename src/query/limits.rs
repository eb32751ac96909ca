//! How far one statement may go.

use crate::domain::trial_limits::StatementLimits;
use std::time::Duration;

/// Limits of one call. What is not here (lengths, depths, counts) is fixed for every copy; see `guard::compile_limits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time from the start of the call until the statement is stopped.
    pub deadline: Duration,
    /// Rows kept of a result; reading stops there and the result says so.
    pub rows: u64,
    /// Bytes of values kept of a result, as [`Value::size`](crate::domain::Value::size) counts them; reading stops before the row that would pass it.
    pub bytes: u64,
    /// Bytes that SQLite may take for the statement before it is stopped.
    pub memory: u64,
}

impl Default for Limits {
    /// 30 s, 100,000 rows, 64 MiB of result, 256 MiB of memory.
    fn default() -> Self {
        Self { deadline: Duration::from_secs(30), rows: 100_000, bytes: 64 << 20, memory: 256 << 20 }
    }
}

impl From<&StatementLimits> for Limits {
    fn from(limits: &StatementLimits) -> Self {
        // Seconds may come from a file: what is no duration is no time at all.
        let deadline = Duration::try_from_secs_f64(limits.seconds).unwrap_or_default();
        Self { deadline, rows: limits.rows, bytes: limits.bytes, memory: limits.memory }
    }
}
