//! Which comparisons join two tables: the walk over ON, WHERE and HAVING.

use super::Resolver;
use super::expression::peel;
use super::select::origins_of;
use super::with::Withs;
use crate::sql::name::fold;
use crate::sql::scope::Scope;
use sqlite3_parser::ast::{Expr, LikeOperator, Literal, Operator, UnaryOperator};

/// How a condition counts at one place of a predicate.
#[derive(Debug, Clone, Copy)]
struct Sense {
    /// Under an odd number of NOTs: an equality there is no join.
    negated: bool,
    /// An operand of IS: IN joins nothing there.
    beside_is: bool,
}

impl<'a> Resolver<'a> {
    /// Walks a condition and records the joins it makes.
    pub(super) fn predicate(&mut self, condition: &'a Expr<'a>, scope: &Scope<'a, '_>, withs: &Withs<'a>) {
        self.condition(condition, Sense { negated: false, beside_is: false }, scope, withs);
    }

    fn condition(&mut self, condition: &'a Expr<'a>, sense: Sense, scope: &Scope<'a, '_>, withs: &Withs<'a>) {
        let condition = peel(condition);
        self.deeper(1, |resolver| resolver.condition_inside(condition, sense, scope, withs));
    }

    fn condition_inside(
        &mut self,
        condition: &'a Expr<'a>,
        sense: Sense,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) {
        match condition {
            Expr::Binary(left, Operator::And | Operator::Or, right) => {
                self.condition(left, sense, scope, withs);
                self.condition(right, sense, scope, withs);
            }
            Expr::Unary(UnaryOperator::Not, inner) => {
                self.condition(inner, Sense { negated: !sense.negated, ..sense }, scope, withs);
            }
            Expr::Binary(
                left,
                operator @ (Operator::Equals | Operator::Is | Operator::NotEquals | Operator::IsNot),
                right,
            ) => self.equality(left, *operator, right, sense, scope, withs),
            Expr::Binary(left, operator, right) => {
                if is_positive_position(left, *operator, right) {
                    self.truth(left, sense, scope, withs);
                } else if is_positive_position(right, mirrored(*operator), left) {
                    self.truth(right, sense, scope, withs);
                } else {
                    self.terms(left, scope, withs);
                    self.terms(right, scope, withs);
                }
            }
            Expr::InSelect { lhs, rhs, .. } if !sense.beside_is => {
                let left = self.terms(lhs, scope, withs);
                let right = origins_of(&self.query(rhs, withs, Some(scope)));
                self.join_by_position(&left, &right);
            }
            Expr::InTable { lhs, rhs, args, .. } if !sense.beside_is => {
                let left = self.terms(lhs, scope, withs);
                let right = self.in_table_terms(rhs, *args, scope, withs);
                self.join_by_position(&left, &right);
            }
            Expr::InList { lhs, rhs, .. } if !sense.beside_is => {
                let left = self.terms(lhs, scope, withs);
                for candidate in rhs.unwrap_or_default() {
                    let right = self.terms(candidate, scope, withs);
                    self.join_by_position(&left, &right);
                }
            }
            Expr::Like { lhs, not, op: LikeOperator::Like | LikeOperator::Glob, rhs, escape } => {
                let left = self.value(lhs, scope, withs);
                let right = self.value(rhs, scope, withs);
                if let Some(escape) = escape {
                    self.value(escape, scope, withs);
                }
                if *not == sense.negated {
                    self.soft_join(&left, &right);
                }
            }
            other => self.truth(other, sense, scope, withs),
        }
    }

    /// A value used as a condition. `instr(a, b)`, `like(a, b)` and `glob(a, b)` join softly.
    fn truth(&mut self, condition: &'a Expr<'a>, sense: Sense, scope: &Scope<'a, '_>, withs: &Withs<'a>) {
        if let Expr::FunctionCall { name, args: Some([one, other, rest @ ..]), .. } = peel(condition)
            && matches!(&*fold(name.0), "instr" | "like" | "glob")
        {
            let left = self.value(one, scope, withs);
            let right = self.value(other, scope, withs);
            for argument in rest {
                self.value(argument, scope, withs);
            }
            if !sense.negated {
                self.soft_join(&left, &right);
            }
            return;
        }
        self.value(condition, scope, withs);
    }

    /// `=`, `IS` and their opposites.
    fn equality(
        &mut self,
        left: &'a Expr<'a>,
        operator: Operator,
        right: &'a Expr<'a>,
        sense: Sense,
        scope: &Scope<'a, '_>,
        withs: &Withs<'a>,
    ) {
        let is_opposite = matches!(operator, Operator::NotEquals | Operator::IsNot);
        let beside_is = sense.beside_is || matches!(operator, Operator::Is | Operator::IsNot);
        // `(a = b) = 1`, `(a = b) IS FALSE`: the inner condition counts, turned round where compared with falsehood.
        let inner = match (truth_value(left), truth_value(right)) {
            (_, Some(truth)) if is_condition(left) => Some((left, truth)),
            (Some(truth), _) if is_condition(right) => Some((right, truth)),
            _ => None,
        };
        if let Some((condition, truth)) = inner {
            let negated = sense.negated ^ is_opposite ^ !truth;
            self.condition(condition, Sense { negated, beside_is }, scope, withs);
            return;
        }
        // `instr(a, b) <> 0`
        if is_opposite && is_position_call(left) && is_zero(right) {
            self.truth(left, sense, scope, withs);
            return;
        }
        let counts = !is_opposite && !sense.negated;
        let mut side = |expression: &'a Expr<'a>| {
            if counts && is_condition(expression) {
                // `a = b = c` is `(a = b) = c`: the first equality is still written in the predicate.
                self.condition(expression, Sense { beside_is, ..sense }, scope, withs);
                Vec::new()
            } else {
                self.terms(expression, scope, withs)
            }
        };
        let (one, other) = (side(left), side(right));
        if counts {
            self.join_by_position(&one, &other);
        }
    }
}

/// Whether an expression yields true or false.
fn is_condition(expression: &Expr<'_>) -> bool {
    match peel(expression) {
        Expr::Binary(_, operator, _) => matches!(
            operator,
            Operator::And
                | Operator::Or
                | Operator::Equals
                | Operator::NotEquals
                | Operator::Is
                | Operator::IsNot
                | Operator::Less
                | Operator::LessEquals
                | Operator::Greater
                | Operator::GreaterEquals
        ),
        Expr::Unary(UnaryOperator::Not, _)
        | Expr::InSelect { .. }
        | Expr::InTable { .. }
        | Expr::InList { .. }
        | Expr::Exists(_)
        | Expr::Like { .. }
        | Expr::Between { .. }
        | Expr::IsNull(_)
        | Expr::NotNull(_) => true,
        _ => false,
    }
}

/// The truth of a literal 0, 1, TRUE or FALSE.
fn truth_value(expression: &Expr<'_>) -> Option<bool> {
    match peel(expression) {
        Expr::Literal(Literal::Numeric("0")) => Some(false),
        Expr::Literal(Literal::Numeric("1")) => Some(true),
        Expr::Id(id) if id.0.eq_ignore_ascii_case("true") => Some(true),
        Expr::Id(id) if id.0.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

fn is_zero(expression: &Expr<'_>) -> bool {
    truth_value(expression) == Some(false)
}

fn is_position_call(expression: &Expr<'_>) -> bool {
    matches!(peel(expression), Expr::FunctionCall { name, .. } if fold(name.0) == "instr")
}

/// `instr(…) > 0` or `instr(…) >= 1`.
fn is_positive_position(call: &Expr<'_>, operator: Operator, bound: &Expr<'_>) -> bool {
    is_position_call(call)
        && match operator {
            Operator::Greater => is_zero(bound),
            Operator::GreaterEquals => truth_value(bound) == Some(true),
            _ => false,
        }
}

/// The operator that says the same with its sides exchanged.
const fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessEquals => Operator::GreaterEquals,
        Operator::Greater => Operator::Less,
        Operator::GreaterEquals => Operator::LessEquals,
        other => other,
    }
}
