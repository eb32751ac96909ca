//! The names visible at one place of a statement, and what they stand for.

use super::catalogue::Catalogue;
use super::origin::{Instance, Origin, Origins, ROWID, merge};
use std::borrow::Cow;

/// A column of a subquery, CTE, view or table function.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) origins: Origins,
    /// Reachable by name, but not part of `*`.
    pub(super) hidden: bool,
}

/// What stands behind a name in FROM.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// A base table: number in the catalogue, and this occurrence.
    Table { table: u32, instance: Instance },
    /// Computed columns.
    Columns(Vec<Column>),
    /// Columns unknown: any name is found there and carries nothing. A CTE before its first pass.
    Open,
}

/// One entry of a FROM clause.
#[derive(Debug, Clone)]
pub(super) struct FromItem<'a> {
    /// Alias, else table name, folded; empty for an anonymous subquery.
    pub(super) name: Cow<'a, str>,
    pub(super) source: Source,
}

/// A column that USING or NATURAL made one of several.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) name: String,
    /// The FROM items that take part, leftmost first.
    pub(super) items: Vec<usize>,
    /// A FULL or RIGHT join took part, so the value may come from any of them.
    pub(super) coalesced: bool,
}

/// The names of one SELECT (or UPDATE, DELETE), with those of the query around it behind them.
#[derive(Debug)]
pub(super) struct Scope<'a, 's> {
    pub(super) items: Vec<FromItem<'a>>,
    pub(super) merged: Vec<Merged>,
    /// Result-column aliases, which SQLite lets WHERE, GROUP BY, HAVING and ORDER BY use.
    pub(super) aliases: Vec<(String, Origins)>,
    pub(super) outer: Option<&'s Scope<'a, 's>>,
}

impl<'s> Scope<'_, 's> {
    pub(super) const fn inside(outer: Option<&'s Self>) -> Self {
        Self { items: Vec::new(), merged: Vec::new(), aliases: Vec::new(), outer }
    }

    /// Origins of the named column of one FROM item; `None` where it has no such column.
    pub(super) fn column_of(&self, item: usize, column: &str, catalogue: &Catalogue) -> Option<Origins> {
        match &self.items[item].source {
            Source::Table { table, instance } => {
                let number = *catalogue.relation(*table as usize).by_name.get(column)?;
                Some(vec![Origin { instance: *instance, column: (*table, number) }])
            }
            Source::Columns(columns) => {
                columns.iter().find(|candidate| candidate.name == column).map(|found| found.origins.clone())
            }
            Source::Open => None,
        }
    }

    /// The rowid of a base table, under any of its three names.
    fn rowid_of(&self, item: usize, column: &str) -> Option<Origins> {
        match &self.items[item].source {
            Source::Table { table, instance } if matches!(column, "rowid" | "oid" | "_rowid_") => {
                Some(vec![Origin { instance: *instance, column: (*table, ROWID) }])
            }
            _ => None,
        }
    }

    /// Origins of `qualifier.column`, here or in an enclosing query.
    pub(super) fn qualified(&self, qualifier: &str, column: &str, catalogue: &Catalogue) -> Option<Origins> {
        for (index, item) in self.items.iter().enumerate() {
            if item.name != qualifier {
                continue;
            }
            let found = self.column_of(index, column, catalogue).or_else(|| self.rowid_of(index, column));
            if found.is_some() {
                return found;
            }
            if matches!(item.source, Source::Open) {
                return Some(Origins::new());
            }
        }
        self.outer?.qualified(qualifier, column, catalogue)
    }

    /// Origins of a bare column name: columns of FROM, then result aliases, then the enclosing query.
    pub(super) fn unqualified(&self, column: &str, catalogue: &Catalogue) -> Option<Origins> {
        if let Some(merged) = self.merged.iter().find(|merged| merged.name == column) {
            return Some(self.merged_origins(merged, catalogue));
        }
        (0..self.items.len())
            .find_map(|item| self.column_of(item, column, catalogue))
            .or_else(|| {
                self.aliases.iter().find(|(alias, _)| alias == column).map(|(_, found)| found.clone())
            })
            .or_else(|| (0..self.items.len()).find_map(|item| self.rowid_of(item, column)))
            .or_else(|| self.items.iter().any(|item| matches!(item.source, Source::Open)).then(Origins::new))
            .or_else(|| self.outer?.unqualified(column, catalogue))
    }

    /// What a merged column stands for: the leftmost table's, or all of them after a FULL or RIGHT join.
    pub(super) fn merged_origins(&self, merged: &Merged, catalogue: &Catalogue) -> Origins {
        let mut origins = Origins::new();
        let taking_part = if merged.coalesced { merged.items.len() } else { 1 };
        for item in &merged.items[..taking_part] {
            if let Some(found) = self.column_of(*item, &merged.name, catalogue) {
                merge(&mut origins, &found);
            }
        }
        origins
    }

    /// All columns of one FROM item, in order, as `item.*` gives them.
    pub(super) fn star_of(&self, item: usize, catalogue: &Catalogue) -> Vec<Column> {
        match &self.items[item].source {
            Source::Table { table, instance } => (0_u16..)
                .zip(&catalogue.relation(*table as usize).columns)
                .map(|(number, name)| Column {
                    name: name.clone(),
                    origins: vec![Origin { instance: *instance, column: (*table, number) }],
                    hidden: false,
                })
                .collect(),
            Source::Columns(columns) => columns.iter().filter(|column| !column.hidden).cloned().collect(),
            Source::Open => Vec::new(),
        }
    }

    /// All columns of all FROM items, as `*` gives them: a merged column once, where its first table stands.
    pub(super) fn star(&self, catalogue: &Catalogue) -> Vec<Column> {
        let mut columns = Vec::new();
        for item in 0..self.items.len() {
            for mut column in self.star_of(item, catalogue) {
                let merged = self
                    .merged
                    .iter()
                    .find(|merged| merged.name == column.name && merged.items.contains(&item));
                if let Some(merged) = merged {
                    if merged.items[0] != item {
                        continue;
                    }
                    column.origins = self.merged_origins(merged, catalogue);
                }
                columns.push(column);
            }
        }
        columns
    }
}
