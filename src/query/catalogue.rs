//! Reads the tables and views of a copy.

use crate::sql::Catalogue;
use rusqlite::Connection;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The schema of a copy as it stands.
#[derive(Debug)]
pub(super) struct Schema {
    /// Tables and views, for name resolution.
    pub(super) catalogue: Arc<Catalogue>,
    /// Base tables in lower case.
    pub(super) tables: BTreeSet<String>,
    /// The table behind each root page, tables and indexes, by database (`main` 0, `temp` 1).
    pub(super) roots: HashMap<(i64, i64), String>,
}

/// Reads the schema, ordinary objects first, so that temporary ones hide them.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Schema> {
    let mut catalogue = Catalogue::new();
    let (mut tables, mut roots) = (BTreeSet::new(), HashMap::new());
    for (database, source) in [(0, "sqlite_schema"), (1, "sqlite_temp_schema")] {
        let mut objects =
            connection.prepare(&format!("SELECT type, name, tbl_name, rootpage, sql FROM {source}"))?;
        let mut rows = objects.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, name, table): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let root: Option<i64> = row.get(3)?;
            if let Some(root) = root.filter(|root| *root > 0) {
                roots.insert((database, root), table.to_ascii_lowercase());
            }
            if name.starts_with("sqlite_") || !matches!(kind.as_str(), "table" | "view") {
                continue;
            }
            let columns = columns(connection, if database == 0 { "main" } else { "temp" }, &name)?;
            let columns = columns.iter().map(String::as_str);
            if kind == "view" {
                let sql: Option<String> = row.get(4)?;
                catalogue.add_view(&name, columns, &sql.unwrap_or_default());
            } else {
                tables.insert(name.to_ascii_lowercase());
                catalogue.add_table(&name, columns);
            }
        }
    }
    Ok(Schema { catalogue: Arc::new(catalogue), tables, roots })
}

/// Column names in order. A view that no longer compiles has none.
fn columns(connection: &Connection, database: &str, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut info = connection.prepare_cached("SELECT name FROM pragma_table_xinfo(?1, ?2)")?;
    let names = info.query_map([table, database], |row| row.get(0))?.collect::<Result<Vec<_>, _>>();
    names.or_else(|_| Ok(Vec::new()))
}
