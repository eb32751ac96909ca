//! What a value carries: the base columns that can be seen through an expression.
//!
//! Every child is visited exactly once, so that subqueries anywhere (select list, CASE, ORDER BY) count their tables
//! and their own joins. A comparison carries nothing and, outside a predicate, joins nothing.

use super::Resolver;
use super::carrying::{self, Carries};
use super::select::origins_of;
use super::with::Withs;
use crate::sql::name::{fold, is_double_quoted};
use crate::sql::origin::{Origins, merge};
use crate::sql::scope::{Scope, Source};
use crate::sql::table_function::built_in;
use sqlite3_parser::ast::{
    Expr, FunctionCallOrder, FunctionTail, Operator, Over, QualifiedName, UnaryOperator,
};

impl<'a> Resolver<'a> {
    /// Visits an expression and gives the origins it carries.
    pub(super) fn value(
        &mut self,
        expression: &'a Expr<'a>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Origins {
        let expression = peel(expression);
        self.deeper(1, |resolver| resolver.value_inside(expression, scope, withs)).unwrap_or_default()
    }

    /// The terms of a comparison side: those of a row value, all columns of a subquery, else the one value.
    pub(super) fn terms(
        &mut self,
        expression: &'a Expr<'a>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Vec<Origins> {
        match peel(expression) {
            Expr::Parenthesized(row) => row.iter().map(|term| self.value(term, scope, withs)).collect(),
            Expr::Subquery(select) => origins_of(&self.query(select, withs, Some(scope))),
            single => vec![self.value(single, scope, withs)],
        }
    }

    /// The columns of the right side of `IN name` or `IN function(…)`.
    pub(super) fn in_table_terms(
        &mut self,
        table: &'a QualifiedName<'a>,
        arguments: Option<&'a [Expr<'a>]>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Vec<Origins> {
        let mut carried = Origins::new();
        for (index, argument) in arguments.into_iter().flatten().enumerate() {
            let origins = self.value(argument, scope, withs);
            if index == 0 {
                carried = origins;
            }
        }
        if arguments.is_some()
            && let Some(relation) = built_in(&fold(table.name.0))
        {
            return relation
                .columns
                .iter()
                .map(|name| if relation.carrying.contains(name) { carried.clone() } else { Origins::new() })
                .collect();
        }
        let mut inside = Scope::inside(Some(scope));
        let source = self.relation(table, withs, Some(scope));
        inside.items.push(crate::sql::scope::FromItem { name: fold(table.name.0), source });
        origins_of(&inside.star(self.catalogue))
    }

    fn value_inside(
        &mut self,
        expression: &'a Expr<'a>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Origins {
        match expression {
            Expr::Id(id) => self.bare_name(id.0, scope),
            Expr::Name(name) => self.bare_name(name.0, scope),
            Expr::Qualified(qualifier, column) | Expr::DoublyQualified(_, qualifier, column) => {
                let found = scope.qualified(&fold(qualifier.0), &fold(column.0), self.catalogue);
                found.unwrap_or_else(|| self.nothing_found())
            }
            Expr::Literal(_) | Expr::Variable(_) | Expr::Raise(..) => Origins::new(),
            Expr::Collate(inner, _) | Expr::Cast { expr: inner, .. } => self.value(inner, scope, withs),
            Expr::Unary(operator, inner) => {
                let origins = self.value(inner, scope, withs);
                if *operator == UnaryOperator::Not { Origins::new() } else { origins }
            }
            Expr::Binary(left, operator, right) => self.operation(left, *operator, right, scope, withs),
            Expr::Case { base, when_then_pairs, else_expr } => {
                if let Some(base) = base {
                    self.value(base, scope, withs);
                }
                let mut carried = Origins::new();
                for (condition, result) in *when_then_pairs {
                    self.value(condition, scope, withs);
                    merge(&mut carried, &self.value(result, scope, withs));
                }
                if let Some(result) = else_expr {
                    merge(&mut carried, &self.value(result, scope, withs));
                }
                carried
            }
            Expr::FunctionCall { name, args, order_by, filter_over, .. } => {
                if let Some(FunctionCallOrder::SortList(terms)) = order_by {
                    self.sorted(Some(terms), scope, withs);
                }
                self.function_tail(filter_over.as_ref(), scope, withs);
                self.call_value(&fold(name.0), args.unwrap_or_default(), scope, withs)
            }
            Expr::FunctionCallStar { filter_over, .. } => {
                self.function_tail(filter_over.as_ref(), scope, withs);
                Origins::new()
            }
            Expr::Subquery(select) => {
                let columns = self.query(select, withs, Some(scope));
                columns.into_iter().next().map(|column| column.origins).unwrap_or_default()
            }
            Expr::Exists(select) => {
                self.query(select, withs, Some(scope));
                Origins::new()
            }
            Expr::InSelect { lhs, rhs, .. } => {
                self.terms(lhs, scope, withs);
                self.query(rhs, withs, Some(scope));
                Origins::new()
            }
            Expr::InTable { lhs, rhs, args, .. } => {
                self.terms(lhs, scope, withs);
                self.in_table_terms(rhs, *args, scope, withs);
                Origins::new()
            }
            Expr::InList { lhs, rhs, .. } => {
                self.terms(lhs, scope, withs);
                self.visit_all(rhs.unwrap_or_default(), scope, withs)
            }
            Expr::Parenthesized(row) => self.visit_all(row, scope, withs),
            Expr::Between { lhs, start, end, .. } => {
                self.terms(lhs, scope, withs);
                self.terms(start, scope, withs);
                self.terms(end, scope, withs);
                Origins::new()
            }
            Expr::IsNull(inner) | Expr::NotNull(inner) => {
                self.value(inner, scope, withs);
                Origins::new()
            }
            Expr::Like { lhs, rhs, escape, .. } => {
                self.value(lhs, scope, withs);
                self.value(rhs, scope, withs);
                if let Some(escape) = escape {
                    self.value(escape, scope, withs);
                }
                Origins::new()
            }
        }
    }

    /// Visits expressions whose values go nowhere.
    fn visit_all(&mut self, all: &'a [Expr<'a>], scope: &Scope<'a, '_>, withs: &Withs<'a>) -> Origins {
        for expression in all {
            self.value(expression, scope, withs);
        }
        Origins::new()
    }

    fn operation(
        &mut self,
        left: &'a Expr<'a>,
        operator: Operator,
        right: &'a Expr<'a>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Origins {
        let mut carried = self.value(left, scope, withs);
        let more = self.value(right, scope, withs);
        match operator {
            Operator::ArrowRight | Operator::ArrowRightShift => carried,
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Modulus
            | Operator::Concat
            | Operator::BitwiseAnd
            | Operator::BitwiseOr
            | Operator::LeftShift
            | Operator::RightShift => {
                merge(&mut carried, &more);
                carried
            }
            Operator::And
            | Operator::Or
            | Operator::Equals
            | Operator::NotEquals
            | Operator::Greater
            | Operator::GreaterEquals
            | Operator::Less
            | Operator::LessEquals
            | Operator::Is
            | Operator::IsNot => Origins::new(),
        }
    }

    fn call_value(
        &mut self,
        function: &str,
        arguments: &'a [Expr<'a>],
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) -> Origins {
        let mut all: Vec<Origins> =
            arguments.iter().map(|argument| self.value(argument, scope, withs)).collect();
        let mut carried = Origins::new();
        match carrying::of(function) {
            Carries::Nothing => {}
            Carries::First => carried = all.into_iter().next().unwrap_or_default(),
            Carries::All => all.iter().for_each(|origins| merge(&mut carried, origins)),
            Carries::Branches => {
                // condition, result, condition, result, …, else
                let otherwise = if all.len() % 2 == 1 { all.pop() } else { None };
                all.iter()
                    .skip(1)
                    .step_by(2)
                    .chain(&otherwise)
                    .for_each(|origins| merge(&mut carried, origins));
            }
        }
        carried
    }

    fn function_tail(
        &mut self,
        tail: Option<&'a FunctionTail<'a>>,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) {
        let Some(tail) = tail else { return };
        if let Some(filter) = tail.filter_clause {
            self.value(filter, scope, withs);
        }
        if let Some(Over::Window(window)) = tail.over_clause {
            self.window(window, scope, withs);
        }
    }

    /// A name without a qualifier: a column, TRUE or FALSE, or, in double quotes, a string.
    fn bare_name(&mut self, raw: &str, scope: &Scope<'a, '_>) -> Origins {
        let name = fold(raw);
        if let Some(found) = scope.unqualified(&name, self.catalogue) {
            return found;
        }
        if is_double_quoted(raw) || matches!(&*name, "true" | "false") {
            return Origins::new();
        }
        self.nothing_found()
    }

    fn nothing_found(&mut self) -> Origins {
        self.missed += 1;
        Origins::new()
    }
}

/// The expression inside any number of parentheses around one expression.
pub(super) fn peel<'a>(mut expression: &'a Expr<'a>) -> &'a Expr<'a> {
    while let Expr::Parenthesized(inner) = expression
        && let [only] = inner.as_slice()
    {
        expression = only;
    }
    expression
}

/// Used by UPSERT: `excluded` names the row that was to be inserted, which carries no column of a table.
pub(super) const EXCLUDED: (&str, Source) = ("excluded", Source::Open);
