//! The document that `get_schema` returns: what every actor may know of an environment before the first query.
//!
//! Not in it, on purpose: column types, keys, foreign keys, join hints. Finding how tables join is the task.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Tables of one environment, with the facts of its head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaDocument {
    /// Name of the organisation.
    pub organisation: String,
    /// SQL dialect and version family, such as `SQLite`.
    pub dialect: String,
    /// "Today" in this environment: every form of now in SQL gives this date at midnight UTC.
    pub release_date: Date,
    /// The company's own e-mail domains.
    pub company_domains: Vec<String>,
    /// Tables by name.
    pub tables: Vec<TableDescription>,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDescription {
    /// Table name as the database spells it.
    pub name: String,
    /// One short sentence; empty where nobody wrote one.
    pub description: String,
    /// Number of rows in the frozen data.
    pub rows: u64,
    /// Column names in table order.
    pub columns: Vec<String>,
}

impl fmt::Display for SchemaDocument {
    /// The text form: a head of `key: value` lines, then a block for each table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "organisation: {}", self.organisation)?;
        writeln!(f, "dialect: {}", self.dialect)?;
        writeln!(f, "today: {} (every form of now is this date at 00:00 UTC)", self.release_date)?;
        if !self.company_domains.is_empty() {
            writeln!(f, "company domains: {}", self.company_domains.join(", "))?;
        }
        writeln!(f, "tables: {}", self.tables.len())?;
        for table in &self.tables {
            let rows = if table.rows == 1 { "1 row".to_owned() } else { format!("{} rows", table.rows) };
            write!(f, "\n{} ({rows})", table.name)?;
            if table.description.is_empty() {
                writeln!(f)?;
            } else {
                writeln!(f, ": {}", table.description)?;
            }
            writeln!(f, "  {}", table.columns.join(", "))?;
        }
        Ok(())
    }
}
