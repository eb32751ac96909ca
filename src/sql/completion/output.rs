//! The columns that a query gives, as far as its text names them.

use super::reading::{Item, Reading};
use super::relation::relations;
use super::scope::Lookup;
use crate::sql::name::{fold, unquote};
use std::ops::Range;

/// The names of the columns that one SELECT gives; what has no name is left out.
pub(super) fn columns(lookup: &Lookup<'_, '_>, core: Range<usize>) -> Vec<String> {
    let reading = lookup.reading;
    let mut items = reading.items(core.clone()).skip_while(|item| !is_token(reading, *item, "SELECT"));
    if items.next().is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut term = Vec::new();
    let ends = ["FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT"];
    for item in items {
        if ends.iter().any(|end| is_token(reading, item, end)) {
            break;
        }
        if is_token(reading, item, ",") {
            add(lookup, &core, &term, &mut found);
            term.clear();
        } else if !(term.is_empty()
            && (is_token(reading, item, "DISTINCT") || is_token(reading, item, "ALL")))
        {
            term.push(item);
        }
    }
    add(lookup, &core, &term, &mut found);
    found
}

/// Adds the names of one term of the list.
fn add(lookup: &Lookup<'_, '_>, core: &Range<usize>, term: &[Item], found: &mut Vec<String>) {
    let reading = lookup.reading;
    let from = || relations(reading, core.clone());
    match term {
        [star] if is_token(reading, *star, "*") => {
            for relation in from() {
                found.extend_from_slice(lookup.columns(&relation.source).names());
            }
        }
        [Item::Token(table), dot, star] if is_token(reading, *dot, ".") && is_token(reading, *star, "*") => {
            let wanted = reading.folded(*table);
            let relation = from()
                .into_iter()
                .find(|relation| relation.called.is_some_and(|called| fold(called) == wanted));
            if let Some(relation) = relation {
                found.extend_from_slice(lookup.columns(&relation.source).names());
            }
        }
        // A name alone, behind a dot or AS, or behind an operand: its own, or the one it is given.
        [before @ .., Item::Token(name)] if reading.is_name(*name) => {
            let gives = match before.last() {
                None | Some(Item::Group(..)) => true,
                Some(Item::Token(before)) => {
                    reading.is_any(*before, &[".", "AS", "END"]) || is_operand(reading, *before)
                }
            };
            if gives {
                found.push(spelled(reading.raw(*name)));
            }
        }
        _ => {}
    }
}

/// Whether a token is a value or ends one.
fn is_operand(reading: &Reading<'_>, number: usize) -> bool {
    use crate::text::sql_lexer::TokenKind::{Blob, Number, Parameter, String};
    reading.is_name(number) || matches!(reading.kind(number), Some(Blob | Number | Parameter | String))
}

/// A name without its quotes.
pub(super) fn spelled(raw: &str) -> String {
    unquote(raw).into_owned()
}

fn is_token(reading: &Reading<'_>, item: Item, wanted: &str) -> bool {
    matches!(item, Item::Token(number) if reading.is(number, wanted))
}
