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
    ] {
        connection.set_limit(limit, value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::apply;
    use rusqlite::Connection;

    /// The second line behind the authorizer and the text rules: what the limits stop by themselves.
    #[test]
    fn the_limits_hold_without_any_other_guard() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch("CREATE TABLE t(x); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END")
            .unwrap();
        database
            .execute_batch(
                "CREATE TABLE u(x); CREATE TRIGGER s AFTER INSERT ON u BEGIN INSERT INTO t VALUES (1); END",
            )
            .unwrap();
        let attach = "ATTACH ':memory:' AS y; DETACH y";
        let long = format!("SELECT 1 -- {}", "x".repeat(1 << 20));
        let nested = "INSERT INTO u VALUES (1)";
        for sql in [attach, &long, nested] {
            database.execute_batch(sql).unwrap();
        }
        apply(&database).unwrap();
        for (sql, message) in [
            (attach, "too many attached databases"),
            (&*long, "statement too long"),
            (nested, "triggers nested too deep"),
        ] {
            let error = database.execute_batch(sql).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
