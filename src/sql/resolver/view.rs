//! Views, seen through: the body is parsed again and walked with fresh instances at each use.

use super::{QUERY_LEVELS, Resolver};
use crate::sql::one_statement;
use crate::sql::resolver::with::rename;
use crate::sql::scope::Source;
use sqlite3_parser::ast::{Cmd, Stmt};

impl Resolver<'_> {
    /// The columns of a view. A view that reads itself, or whose text no longer parses, gives unknown columns and
    /// marks the analysis partial.
    pub(super) fn view(&mut self, number: usize) -> Source {
        let relation = self.catalogue.relation(number);
        let Some(text) = relation.view.as_deref().filter(|_| !self.open_views.contains(&number)) else {
            self.missed += 1;
            return Source::Open;
        };
        let Ok(Cmd::Stmt(Stmt::CreateView { columns: names, select, .. })) = one_statement(self.bump, text)
        else {
            self.missed += 1;
            return Source::Open;
        };
        self.open_views.push(number);
        let columns = self.deeper(QUERY_LEVELS, |resolver| resolver.query(select, &None, None));
        self.open_views.pop();
        let Some(mut columns) = columns else { return Source::Open };
        // The catalogue's names are SQLite's own, so expressions without an alias have theirs too.
        rename(&mut columns, relation.columns.iter().map(String::as_str));
        rename(&mut columns, names.iter().flat_map(|names| names.iter().map(|name| name.col_name.0)));
        Source::Columns(columns)
    }
}
