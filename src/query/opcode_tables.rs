//! Which tables a compiled statement opens, from its program.

use super::catalogue::Schema;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// The tables whose pages the program of `sql` opens. `sql` must not itself be an EXPLAIN.
pub(super) fn opened(
    connection: &Connection,
    sql: &str,
    schema: &Schema,
) -> rusqlite::Result<BTreeSet<String>> {
    let mut program = connection.prepare(&format!("EXPLAIN {sql}"))?;
    let mut rows = program.query([])?;
    let mut tables = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let opcode: String = row.get(1)?;
        if !matches!(opcode.as_str(), "OpenRead" | "OpenWrite" | "ReopenIdx") {
            continue;
        }
        let (root, database): (i64, i64) = (row.get(3)?, row.get(4)?);
        if let Some(table) = schema.roots.get(&(database, root)) {
            tables.insert(table.clone());
        }
    }
    Ok(tables)
}
