//! FROM: its items, what each stands for, and how ON, USING and NATURAL join them.

use super::Resolver;
use super::with::Withs;
use crate::sql::name::fold;
use crate::sql::origin::{Origins, merge};
use crate::sql::scope::{Column, FromItem, Merged, Scope, Source};
use crate::sql::table_function::{BuiltIn, built_in};
use sqlite3_parser::ast::{
    As, Expr, FromClause, JoinConstraint, JoinOperator, JoinType, QualifiedName, SelectTable,
};
use std::borrow::Cow;
use std::ops::Range;

/// A table function whose arguments named a table that stands further right.
struct Pending<'a> {
    item: usize,
    function: BuiltIn,
    arguments: &'a [Expr<'a>],
}

impl<'a> Resolver<'a> {
    /// Brings the items of a FROM clause into `scope`, records what USING and NATURAL join, and gives the ON conditions.
    ///
    /// SQLite lets ON name any table of the clause and any result alias, so the caller walks the conditions when all
    /// names are known.
    pub(super) fn enter_from(
        &mut self,
        from: &'a FromClause<'a>,
        scope: &mut Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Vec<&'a Expr<'a>> {
        let (mut conditions, mut pending) = (Vec::new(), Vec::new());
        self.enter_items(from, scope, withs, &mut conditions, &mut pending);
        for Pending { item, function, arguments } in pending {
            let carried = self.first_argument(arguments, scope, withs);
            scope.items[item].source = Source::Columns(built_in_columns(&function, &carried));
        }
        conditions
    }

    /// Walks several conditions.
    pub(super) fn predicates(
        &mut self,
        conditions: Vec<&'a Expr<'a>>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) {
        for condition in conditions {
            self.predicate(condition, scope, withs);
        }
    }

    fn enter_items(
        &mut self,
        from: &'a FromClause<'a>,
        scope: &mut Scope<'a, '_>,
        withs: &Withs<'a>,
        conditions: &mut Vec<&'a Expr<'a>>,
        pending: &mut Vec<Pending<'a>>,
    ) {
        let start = scope.items.len();
        if let Some(first) = from.select {
            self.enter_item(first, scope, withs, conditions, pending);
        }
        for joined in from.joins.iter().flatten() {
            let middle = scope.items.len();
            self.enter_item(&joined.table, scope, withs, conditions, pending);
            let kind = match joined.operator {
                JoinOperator::TypedJoin(Some(kind)) => kind,
                JoinOperator::TypedJoin(None) | JoinOperator::Comma => JoinType::INNER,
            };
            let (left, right) = (start..middle, middle..scope.items.len());
            match &joined.constraint {
                Some(JoinConstraint::On(condition)) => conditions.push(condition),
                Some(JoinConstraint::Using(names)) => {
                    for name in names.iter() {
                        self.merge_column(&fold(name.0), left.clone(), right.clone(), kind, scope);
                    }
                }
                None if kind.contains(JoinType::NATURAL) => {
                    for name in self.shared_columns(left.clone(), right.clone(), scope) {
                        self.merge_column(&name, left.clone(), right.clone(), kind, scope);
                    }
                }
                None => {}
            }
        }
    }

    fn enter_item(
        &mut self,
        table: &'a SelectTable<'a>,
        scope: &mut Scope<'a, '_>,
        withs: &Withs<'a>,
        conditions: &mut Vec<&'a Expr<'a>>,
        pending: &mut Vec<Pending<'a>>,
    ) {
        if !self.spend(1) {
            return;
        }
        let (name, source) = match table {
            SelectTable::Table(table, alias, _) => {
                let source = self.relation(table, withs, scope.outer);
                (alias_of(alias.as_ref()).unwrap_or_else(|| fold(table.name.0)), source)
            }
            SelectTable::Select(select, alias) => {
                let columns = self.query(select, withs, scope.outer);
                (alias_of(alias.as_ref()).unwrap_or_default(), Source::Columns(columns))
            }
            SelectTable::TableCall(function, arguments, alias) => {
                let item = self.call(function, *arguments, alias.as_ref(), scope, withs, pending);
                scope.items.push(item);
                return;
            }
            SelectTable::Sub(inner, None) => {
                self.enter_items(inner, scope, withs, conditions, pending);
                return;
            }
            SelectTable::Sub(inner, Some(alias)) => {
                let mut inside = Scope::inside(scope.outer);
                let on = self.enter_from(inner, &mut inside, withs);
                self.predicates(on, &inside, withs);
                let columns = inside.star(self.catalogue);
                (alias_of(Some(alias)).unwrap_or_default(), Source::Columns(columns))
            }
        };
        scope.items.push(FromItem { name, source });
    }

    /// What a table name stands for: a CTE, a base table, a view, or a catalogue table.
    pub(super) fn relation(
        &mut self,
        table: &'a QualifiedName<'a>,
        withs: &Withs<'a>,
        outer: Option<&Scope<'a, '_>>,
    ) -> Source {
        let name = fold(table.name.0);
        if table.db_name.is_none()
            && let Some(source) = self.common_table(&name, withs, outer)
        {
            return source;
        }
        if let Some(number) = self.catalogue.find(&name) {
            return self.catalogued(number);
        }
        if let Some(relation) = built_in(&name) {
            return Source::Columns(built_in_columns(&relation, &Origins::new()));
        }
        self.missed += 1;
        Source::Open
    }

    /// A table or view of the catalogue, as a fresh instance.
    fn catalogued(&mut self, number: usize) -> Source {
        let Ok(id) = u32::try_from(number) else { return Source::Open };
        if self.catalogue.relation(number).view.is_some() {
            self.views.insert(id);
            return self.view(number);
        }
        self.tables.insert(id);
        Source::Table { table: id, instance: self.fresh_instance() }
    }

    fn call(
        &mut self,
        function: &'a QualifiedName<'a>,
        arguments: Option<&'a [Expr<'a>]>,
        alias: Option<&'a As<'a>>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
        pending: &mut Vec<Pending<'a>>,
    ) -> FromItem<'a> {
        let folded = fold(function.name.0);
        let arguments = arguments.unwrap_or_default();
        let missed = self.missed;
        let carried = self.first_argument(arguments, scope, withs);
        let is_early = self.missed > missed;
        let source = if let Some(function) = built_in(&folded) {
            let source = Source::Columns(built_in_columns(&function, &carried));
            if is_early {
                self.missed = missed;
                pending.push(Pending { item: scope.items.len(), function, arguments });
            }
            source
        } else {
            self.missed += 1;
            Source::Open
        };
        FromItem { name: alias_of(alias).unwrap_or(folded), source }
    }

    /// Visits all arguments and gives the origins of the first.
    fn first_argument(
        &mut self,
        arguments: &'a [Expr<'a>],
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Origins {
        let mut first = None;
        for argument in arguments {
            let origins = self.value(argument, scope, withs);
            first.get_or_insert(origins);
        }
        first.unwrap_or_default()
    }

    /// USING (or one column of NATURAL): joins the new items' column to the leftmost earlier one, or to all so far
    /// after a FULL or RIGHT join, and makes them one.
    fn merge_column(
        &mut self,
        name: &str,
        left: Range<usize>,
        right: Range<usize>,
        kind: JoinType,
        scope: &mut Scope<'a, '_>,
    ) {
        let find = |scope: &Scope<'a, '_>, range: Range<usize>| {
            range
                .into_iter()
                .find_map(|item| scope.column_of(item, name, self.catalogue).map(|origins| (item, origins)))
        };
        let (Some((left_item, mut left_origins)), Some((right_item, right_origins))) =
            (find(scope, left.clone()), find(scope, right))
        else {
            self.missed += 1;
            return;
        };
        let known = scope
            .merged
            .iter()
            .position(|merged| merged.name == name && merged.items.iter().any(|item| left.contains(item)));
        let index = known.unwrap_or_else(|| {
            scope.merged.push(Merged { name: name.to_owned(), items: vec![left_item], coalesced: false });
            scope.merged.len() - 1
        });
        let merged = &scope.merged[index];
        if merged.coalesced {
            merge(&mut left_origins, &scope.merged_origins(merged, self.catalogue));
        }
        self.join(&left_origins, &right_origins);
        let merged = &mut scope.merged[index];
        merged.items.push(right_item);
        merged.coalesced |= kind.contains(JoinType::RIGHT);
    }

    /// The columns that NATURAL joins: those of the new items that an earlier one has too.
    fn shared_columns(&self, left: Range<usize>, right: Range<usize>, scope: &Scope<'a, '_>) -> Vec<String> {
        let mut shared = Vec::new();
        for column in right.flat_map(|item| scope.star_of(item, self.catalogue)) {
            let is_left =
                left.clone().any(|item| scope.column_of(item, &column.name, self.catalogue).is_some());
            if is_left && !shared.contains(&column.name) {
                shared.push(column.name);
            }
        }
        shared
    }
}

pub(super) fn alias_of<'a>(alias: Option<&As<'a>>) -> Option<Cow<'a, str>> {
    alias.map(|alias| {
        let (As::As(name) | As::Elided(name)) = alias;
        fold(name.0)
    })
}

fn built_in_columns(relation: &BuiltIn, carried: &Origins) -> Vec<Column> {
    let column = |name: &str, hidden| Column {
        name: name.to_owned(),
        origins: if relation.carrying.contains(&name) { carried.clone() } else { Origins::new() },
        hidden,
    };
    let visible = relation.columns.iter().map(|name| column(name, false));
    visible.chain(relation.hidden.iter().map(|name| column(name, true))).collect()
}
