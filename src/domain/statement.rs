//! What one SQL statement reads and how it joins, as the structural grader needs it.
//!
//! The conventions are those of `docs/analysis.md`. Only the vocabulary is here; `sql` computes it.

use schemars::JsonSchema;
use serde::de::{Deserializer, Error as _};
use serde::ser::{Serialize, SerializeSeq as _, Serializer};
use serde::{Deserialize, Serialize as DeriveSerialize};
use std::collections::BTreeSet;
use std::fmt;

/// A column by its base table, both in lower case: never by alias.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnName {
    /// Base table.
    pub table: String,
    /// Column of that table.
    pub column: String,
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.table, self.column)
    }
}

/// Two columns that a statement equates, in sorted order, so that `a = b` and `b = a` are one edge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JoinEdge {
    low: ColumnName,
    high: ColumnName,
}

impl JoinEdge {
    /// The edge between two columns, in either order. The order is that of the written form `table.column`.
    pub fn new(one: ColumnName, other: ColumnName) -> Self {
        if one.to_string() <= other.to_string() {
            Self { low: one, high: other }
        } else {
            Self { low: other, high: one }
        }
    }

    /// The two columns, the one that sorts first ahead.
    pub const fn columns(&self) -> (&ColumnName, &ColumnName) {
        (&self.low, &self.high)
    }
}

impl Serialize for JoinEdge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_seq(Some(2))?;
        pair.serialize_element(&self.low.to_string())?;
        pair.serialize_element(&self.high.to_string())?;
        pair.end()
    }
}

impl<'de> Deserialize<'de> for JoinEdge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pair = <[String; 2]>::deserialize(deserializer)?;
        let column = |text: &str| {
            let (table, column) = text.split_once('.')?;
            Some(ColumnName { table: table.to_owned(), column: column.to_owned() })
        };
        let [one, other] = pair.each_ref().map(|text| column(text));
        one.zip(other)
            .map(|(one, other)| Self::new(one, other))
            .ok_or_else(|| D::Error::custom("a join is a pair of 'table.column'"))
    }
}

/// What sort of statement it is. `Explain` statements have the kind of what they explain, with `explain` set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, DeriveSerialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// SELECT, VALUES, or WITH … SELECT.
    Select,
    /// INSERT or REPLACE.
    Insert,
    /// UPDATE.
    Update,
    /// DELETE.
    Delete,
    /// CREATE, ALTER or DROP of a table, view or index; REINDEX, ANALYZE.
    Definition,
    /// PRAGMA.
    Pragma,
    /// ATTACH.
    Attach,
    /// DETACH.
    Detach,
    /// VACUUM.
    Vacuum,
    /// BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE.
    Transaction,
    /// CREATE VIRTUAL TABLE.
    VirtualTable,
    /// CREATE or DROP TRIGGER.
    Trigger,
}

/// Whether the analysis saw everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, DeriveSerialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Analysis {
    /// Every table and join of the statement is listed.
    Complete,
    /// The statement could not be read to its end: tables come from SQLite itself, joins may be missing. Never a
    /// silent zero.
    Partial,
}

/// Tables and joins of one statement.
#[derive(Debug, Clone, PartialEq, Eq, DeriveSerialize, Deserialize, JsonSchema)]
pub struct StatementAnalysis {
    /// What sort of statement it is.
    pub kind: StatementKind,
    /// Whether it only explains (EXPLAIN, EXPLAIN QUERY PLAN).
    pub explain: bool,
    /// Base tables read or written, seen through views and CTEs.
    pub tables: BTreeSet<String>,
    /// Views named.
    pub views: BTreeSet<String>,
    /// Tables that the statement changes (all of them are in `tables` too).
    pub writes: BTreeSet<String>,
    /// Equalities between columns of two instances of relations.
    #[schemars(with = "Vec<[String; 2]>")]
    pub joins: BTreeSet<JoinEdge>,
    /// LIKE, GLOB and `instr(a, b) > 0` between two instances.
    #[schemars(with = "Vec<[String; 2]>")]
    pub soft_joins: BTreeSet<JoinEdge>,
    /// Whether everything was seen.
    pub analysis: Analysis,
}

impl StatementAnalysis {
    /// An analysis of this kind that has seen nothing yet.
    pub const fn empty(kind: StatementKind) -> Self {
        Self {
            kind,
            explain: false,
            tables: BTreeSet::new(),
            views: BTreeSet::new(),
            writes: BTreeSet::new(),
            joins: BTreeSet::new(),
            soft_joins: BTreeSet::new(),
            analysis: Analysis::Complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnName, JoinEdge};

    fn column(table: &str, column: &str) -> ColumnName {
        ColumnName { table: table.into(), column: column.into() }
    }

    #[test]
    fn an_edge_has_no_direction() {
        let (a, b) = (column("a", "z"), column("b", "a"));
        assert_eq!(JoinEdge::new(a.clone(), b.clone()), JoinEdge::new(b.clone(), a.clone()));
        assert_eq!(serde_json::to_string(&JoinEdge::new(b, a)).unwrap(), r#"["a.z","b.a"]"#);
    }

    #[test]
    fn the_order_is_that_of_the_written_form() {
        // `_` sorts after `.`: "ab.x" < "ab_c.x", though a comparison by table alone would agree only by luck.
        let edge = JoinEdge::new(column("ab_c", "x"), column("ab", "x"));
        assert_eq!(serde_json::to_string(&edge).unwrap(), r#"["ab.x","ab_c.x"]"#);
        let edge = JoinEdge::new(column("ab c", "x"), column("ab", "x"));
        assert_eq!(serde_json::to_string(&edge).unwrap(), r#"["ab c.x","ab.x"]"#);
    }
}
