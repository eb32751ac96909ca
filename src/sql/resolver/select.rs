//! Queries: WITH, SELECT, VALUES, set operations, ORDER BY and LIMIT.

use super::with::{Withs, extended, unite};
use super::{QUERY_LEVELS, Resolver};
use crate::sql::name::fold;
use crate::sql::origin::Origins;
use crate::sql::scope::{Column, FromItem, Scope, Source};
use sqlite3_parser::ast::{
    As, CompoundOperator, Expr, Limit, OneSelect, ResultColumn, Select, SortedColumn, Window,
};
use std::borrow::Cow;

impl<'a> Resolver<'a> {
    /// Walks a query and gives its result columns.
    ///
    /// `outer` is the scope around it, which its expressions may use (a correlated subquery).
    pub(super) fn query(
        &mut self,
        select: &'a Select<'a>,
        withs: &Withs<'a>,
        outer: Option<&Scope<'a, '_>>,
    ) -> Vec<Column> {
        self.deeper(QUERY_LEVELS, |resolver| {
            let withs = extended(withs, select.with.as_ref());
            match &select.body.compounds {
                None => {
                    resolver.one_select(&select.body.select, select.order_by, select.limit, &withs, outer)
                }
                Some(compounds) => {
                    let mut columns = resolver.one_select(&select.body.select, None, None, &withs, outer);
                    for compound in compounds {
                        let others = resolver.one_select(&compound.select, None, None, &withs, outer);
                        match compound.operator {
                            CompoundOperator::Union | CompoundOperator::UnionAll => {
                                unite(&mut columns, &others);
                            }
                            CompoundOperator::Intersect | CompoundOperator::Except => {
                                resolver.join_by_position(&origins_of(&columns), &origins_of(&others));
                            }
                        }
                    }
                    resolver.order_compound(select, &columns, &withs, outer);
                    columns
                }
            }
        })
        .unwrap_or_default()
    }

    /// ORDER BY and LIMIT of a set operation, which may name its result columns only.
    fn order_compound(
        &mut self,
        select: &'a Select<'a>,
        columns: &[Column],
        withs: &Withs<'a>,
        outer: Option<&Scope<'a, '_>>,
    ) {
        let mut scope = Scope::inside(outer);
        scope.items.push(FromItem { name: Cow::Borrowed(""), source: Source::Columns(columns.to_vec()) });
        // The terms repeat an expression of any of the queries, whose names are not in force here.
        let missed = self.missed;
        self.sorted(select.order_by, &scope, withs);
        self.missed = missed;
        self.limit(select.limit, &scope, withs);
    }

    fn one_select(
        &mut self,
        select: &'a OneSelect<'a>,
        order_by: Option<&'a [SortedColumn<'a>]>,
        limit: Option<&'a Limit<'a>>,
        withs: &Withs<'a>,
        outer: Option<&Scope<'a, '_>>,
    ) -> Vec<Column> {
        let (columns, from, where_clause, group_by, having, windows) = match select {
            OneSelect::Values(rows) => return self.values(rows.iter().map(|row| row.iter()), withs, outer),
            OneSelect::Select { columns, from, where_clause, group_by, having, window_clause, .. } => {
                (columns, from, where_clause, group_by, having, window_clause)
            }
        };
        let mut scope = Scope::inside(outer);
        let on = from.as_ref().map(|from| self.enter_from(from, &mut scope, withs)).unwrap_or_default();
        let result = self.result_columns(columns, &mut scope, withs);
        self.predicates(on, &scope, withs);
        if let Some(condition) = where_clause {
            self.predicate(condition, &scope, withs);
        }
        for term in group_by.iter().flat_map(|terms| terms.iter()) {
            self.value(term, &scope, withs);
        }
        if let Some(condition) = having {
            self.predicate(condition, &scope, withs);
        }
        for definition in windows.iter().flat_map(|windows| windows.iter()) {
            self.window(&definition.window, &scope, withs);
        }
        self.sorted(order_by, &scope, withs);
        self.limit(limit, &scope, withs);
        result
    }

    /// VALUES: a column carries what the expressions at its place carry in any row.
    fn values<'r>(
        &mut self,
        rows: impl Iterator<Item = impl Iterator<Item = &'a Expr<'a>>> + 'r,
        withs: &Withs<'a>,
        outer: Option<&Scope<'a, '_>>,
    ) -> Vec<Column>
    where
        'a: 'r,
    {
        let scope = Scope::inside(outer);
        let mut columns: Vec<Column> = Vec::new();
        for row in rows {
            let row: Vec<Column> = row
                .enumerate()
                .map(|(index, expression)| Column {
                    name: format!("column{}", index + 1),
                    origins: self.value(expression, &scope, withs),
                    hidden: false,
                })
                .collect();
            if columns.is_empty() {
                columns = row;
            } else {
                unite(&mut columns, &row);
            }
        }
        columns
    }

    /// Result columns (also of RETURNING); their aliases come into force in `scope`.
    pub(super) fn result_columns(
        &mut self,
        columns: &'a [ResultColumn<'a>],
        scope: &mut Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Vec<Column> {
        let mut result = Vec::with_capacity(columns.len());
        let mut aliases = Vec::new();
        for column in columns {
            match column {
                ResultColumn::Star => result.extend(scope.star(self.catalogue)),
                ResultColumn::TableStar(name) => {
                    let name = fold(name.0);
                    let item = scope.items.iter().position(|item| item.name == name);
                    match item {
                        Some(item) => result.extend(scope.star_of(item, self.catalogue)),
                        None => self.missed += 1,
                    }
                }
                ResultColumn::Expr(expression, alias) => {
                    let origins = self.value(expression, scope, withs);
                    let name = match alias {
                        Some(As::As(name) | As::Elided(name)) => {
                            let name = fold(name.0).into_owned();
                            aliases.push((name.clone(), origins.clone()));
                            name
                        }
                        None => column_name(expression),
                    };
                    result.push(Column { name, origins, hidden: false });
                }
            }
        }
        scope.aliases = aliases;
        result
    }

    pub(super) fn sorted(
        &mut self,
        terms: Option<&'a [SortedColumn<'a>]>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) {
        for term in terms.into_iter().flatten() {
            self.value(&term.expr, scope, withs);
        }
    }

    pub(super) fn limit(&mut self, limit: Option<&'a Limit<'a>>, scope: &Scope<'a, '_>, withs: &Withs<'a>) {
        if let Some(limit) = limit {
            self.value(&limit.expr, scope, withs);
            if let Some(offset) = &limit.offset {
                self.value(offset, scope, withs);
            }
        }
    }

    pub(super) fn window(&mut self, window: &'a Window<'a>, scope: &Scope<'a, '_>, withs: &Withs<'a>) {
        for term in window.partition_by.into_iter().flatten() {
            self.value(term, scope, withs);
        }
        self.sorted(window.order_by, scope, withs);
    }
}

/// The origins of each column.
pub(super) fn origins_of(columns: &[Column]) -> Vec<Origins> {
    columns.iter().map(|column| column.origins.clone()).collect()
}

/// The name that SQLite gives a result column without an alias, where it is that of a column.
fn column_name(expression: &Expr<'_>) -> String {
    match expression {
        Expr::Id(id) => fold(id.0).into_owned(),
        Expr::Name(name) | Expr::Qualified(_, name) | Expr::DoublyQualified(_, _, name) => {
            fold(name.0).into_owned()
        }
        Expr::Parenthesized(inner) if inner.len() == 1 => column_name(&inner[0]),
        _ => String::new(),
    }
}
