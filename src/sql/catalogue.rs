//! The tables and views that names resolve against.

use std::collections::HashMap;

/// Tables and views of one database, by folded name (ASCII lower case). Catalogue tables (`sqlite_…`) are not listed.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    relations: Vec<Relation>,
    by_name: HashMap<String, usize>,
}

/// One table or view.
#[derive(Debug, Clone)]
pub struct Relation {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) by_name: HashMap<String, u16>,
    pub(super) view: Option<String>,
}

impl Relation {
    /// The folded name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Folded column names in table order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The CREATE VIEW text, for a view.
    pub fn view(&self) -> Option<&str> {
        self.view.as_deref()
    }
}

impl Catalogue {
    /// An empty catalogue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table. A relation of the same name that was added before is hidden by it, as a temporary table hides
    /// an ordinary one.
    pub fn add_table<'c>(&mut self, name: &str, columns: impl IntoIterator<Item = &'c str>) {
        self.add(name, columns, None);
    }

    /// Adds a view with its CREATE VIEW text.
    pub fn add_view<'c>(&mut self, name: &str, columns: impl IntoIterator<Item = &'c str>, sql: &str) {
        self.add(name, columns, Some(sql.to_owned()));
    }

    fn add<'c>(&mut self, name: &str, columns: impl IntoIterator<Item = &'c str>, view: Option<String>) {
        let columns: Vec<String> = columns.into_iter().map(str::to_ascii_lowercase).collect();
        let mut by_name = HashMap::with_capacity(columns.len());
        for (index, column) in (0_u16..).zip(&columns) {
            by_name.entry(column.clone()).or_insert(index);
        }
        let name = name.to_ascii_lowercase();
        self.by_name.insert(name.clone(), self.relations.len());
        self.relations.push(Relation { name, columns, by_name, view });
    }

    /// All relations, in the order added.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The number of the relation with this folded name.
    pub(super) fn find(&self, folded: &str) -> Option<usize> {
        self.by_name.get(folded).copied()
    }

    pub(super) fn relation(&self, index: usize) -> &Relation {
        &self.relations[index]
    }
}
