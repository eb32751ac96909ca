//! The statement at the top: what it writes, and the queries and conditions inside it.

use super::Resolver;
use super::expression::EXCLUDED;
use super::with::{Withs, extended};
use crate::sql::name::fold;
use crate::sql::scope::{FromItem, Scope, Source};
use sqlite3_parser::ast::{CreateTableBody, InsertBody, QualifiedName, Set, Stmt, Upsert, UpsertDo};
use std::borrow::Cow;

impl<'a> Resolver<'a> {
    /// Walks a whole statement.
    pub(super) fn statement(&mut self, statement: &'a Stmt<'a>) {
        match statement {
            Stmt::Select(select) | Stmt::CreateTable { body: CreateTableBody::AsSelect(select), .. } => {
                self.query(select, &None, None);
            }
            Stmt::Insert { with, tbl_name, body, returning, .. } => {
                let withs = extended(&None, with.as_ref());
                let mut scope = self.target(tbl_name);
                if let InsertBody::Select(select, upsert) = body {
                    self.query(select, &withs, None);
                    self.upsert(*upsert, &mut scope, &withs);
                }
                self.result_columns(returning.unwrap_or_default(), &mut scope, &withs);
            }
            Stmt::Update { with, tbl_name, sets, from, where_clause, returning, order_by, limit, .. } => {
                let withs = extended(&None, with.as_ref());
                let mut scope = self.target(tbl_name);
                if let Some(from) = from {
                    let on = self.enter_from(from, &mut scope, &withs);
                    self.predicates(on, &scope, &withs);
                }
                self.sets(sets, &scope, &withs);
                if let Some(condition) = where_clause {
                    self.predicate(condition, &scope, &withs);
                }
                self.sorted(*order_by, &scope, &withs);
                self.limit(*limit, &scope, &withs);
                self.result_columns(returning.unwrap_or_default(), &mut scope, &withs);
            }
            Stmt::Delete { with, tbl_name, where_clause, returning, order_by, limit, .. } => {
                let withs = extended(&None, with.as_ref());
                let mut scope = self.target(tbl_name);
                if let Some(condition) = where_clause {
                    self.predicate(condition, &scope, &withs);
                }
                self.sorted(*order_by, &scope, &withs);
                self.limit(*limit, &scope, &withs);
                self.result_columns(returning.unwrap_or_default(), &mut scope, &withs);
            }
            Stmt::CreateIndex { tbl_name, .. } => {
                if let Some(table) = self.base_table(&fold(tbl_name.0)) {
                    self.tables.insert(table);
                }
            }
            Stmt::AlterTable(table, _) | Stmt::DropTable { tbl_name: table, .. } => {
                if let Some(table) = self.base_table(&fold(table.name.0)) {
                    self.tables.insert(table);
                    self.writes.insert(table);
                }
            }
            // Nothing of these reads a table: a view's body is only stored, an index is dropped by name, and the
            // rest is refused by the guard.
            Stmt::CreateTable { .. }
            | Stmt::CreateView { .. }
            | Stmt::DropView { .. }
            | Stmt::DropIndex { .. }
            | Stmt::Analyze(_)
            | Stmt::Reindex { .. }
            | Stmt::Pragma(..)
            | Stmt::Attach { .. }
            | Stmt::Detach(_)
            | Stmt::Begin(..)
            | Stmt::Commit(_)
            | Stmt::Rollback { .. }
            | Stmt::Release(_)
            | Stmt::Savepoint(_)
            | Stmt::CreateTrigger { .. }
            | Stmt::DropTrigger { .. }
            | Stmt::CreateVirtualTable { .. }
            | Stmt::Vacuum(..) => {}
        }
    }

    /// The number of the base table with this folded name.
    fn base_table(&self, name: &str) -> Option<u32> {
        let number = self.catalogue.find(name)?;
        u32::try_from(number).ok().filter(|_| self.catalogue.relation(number).view.is_none())
    }

    /// The scope of a statement that changes a table, which stands in it as its first item.
    fn target(&mut self, table: &'a QualifiedName<'a>) -> Scope<'a, 'a> {
        let mut scope = Scope::inside(None);
        let source = self.relation(table, &None, None);
        if let Source::Table { table, .. } = source {
            self.writes.insert(table);
        }
        let name = table.alias.as_ref().map_or_else(|| fold(table.name.0), |alias| fold(alias.0));
        scope.items.push(FromItem { name, source });
        scope
    }

    fn sets(&mut self, sets: &'a [Set<'a>], scope: &Scope<'a, '_>, withs: &Withs<'a>) {
        for set in sets {
            self.value(&set.expr, scope, withs);
        }
    }

    fn upsert(&mut self, upsert: Option<&'a Upsert<'a>>, scope: &mut Scope<'a, 'a>, withs: &Withs<'a>) {
        let mut next = upsert;
        while let Some(upsert) = next {
            if let UpsertDo::Set { sets, where_clause } = &upsert.do_clause {
                let (name, source) = EXCLUDED;
                scope.items.push(FromItem { name: Cow::Borrowed(name), source });
                self.sets(sets, scope, withs);
                if let Some(condition) = where_clause {
                    self.predicate(condition, scope, withs);
                }
                scope.items.pop();
            }
            next = upsert.next;
        }
    }
}
