//! How the derivations read IAM policy documents: identity policies, inline policies and trust policies.
//!
//! `Statement` is a list; `Action`, `Resource` and the kinds of `Principal` are a text or a list of texts.

use super::world::Row;
use serde_json::{Map, Value};

/// The texts of an element that may be one or a list of them.
pub(super) fn texts(element: Option<&Value>) -> Vec<&str> {
    match element {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The statements of a document that allow something.
pub(super) fn grants(document: &Value) -> impl Iterator<Item = &Value> {
    let statements = document.get("Statement").and_then(Value::as_array);
    statements.into_iter().flatten().filter(|it| it.get("Effect").and_then(Value::as_str) == Some("Allow"))
}

/// Whether a statement holds without any condition.
pub(super) fn is_unconditional(statement: &Value) -> bool {
    statement.get("Condition").and_then(Value::as_object).is_none_or(Map::is_empty)
}

/// Whether a statement holds on all resources, without any condition.
pub(super) fn is_unbounded(statement: &Value) -> bool {
    is_unconditional(statement) && texts(statement.get("Resource")).contains(&"*")
}

/// Whether a statement is about every action by its `Action` element.
pub(super) fn is_every_action(statement: &Value) -> bool {
    texts(statement.get("Action")).iter().any(|action| matches!(*action, "*" | "*:*"))
}

/// Whether a statement is about all actions but those of a list.
pub(super) fn is_by_exclusion(statement: &Value) -> bool {
    statement.get("NotAction").is_some()
}

/// Whether a document allows every action on every resource in one statement.
pub(super) fn allows_everything(document: &Value) -> bool {
    grants(document).any(|it| is_unbounded(it) && is_every_action(it))
}

/// Whether the `Action` element of a statement covers this action, given in lower case.
pub(super) fn covers(statement: &Value, action: &str) -> bool {
    texts(statement.get("Action")).iter().any(|pattern| fits(&pattern.to_lowercase(), action))
}

/// Whether a text fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let ends = |rest: &str| (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|end| fits(tail, end)));
    text.strip_prefix(head).is_some_and(ends)
}

/// The documents of the inline policies of a user, group or role.
pub(super) fn inline_documents(row: &Row<'_>) -> Vec<Value> {
    let documents = row.list("inline_policies").into_iter();
    documents.filter_map(|mut policy| policy.get_mut("PolicyDocument").map(Value::take)).collect()
}

/// The principals of one kind (`AWS`, `Service`) that a statement names.
pub(super) fn principals<'d>(statement: &'d Value, kind: &str) -> Vec<&'d str> {
    texts(statement.get("Principal").and_then(|it| it.get(kind)))
}

/// Whether a statement lets in any AWS principal whatsoever.
pub(super) fn admits_anyone(statement: &Value) -> bool {
    texts(statement.get("Principal")).contains(&"*") || principals(statement, "AWS").contains(&"*")
}

/// The account of a principal that is an ARN or a bare account id.
pub(super) fn account_of(principal: &str) -> Option<&str> {
    let account = if principal.starts_with("arn:") { principal.split(':').nth(4)? } else { principal };
    (account.len() == 12 && account.bytes().all(|it| it.is_ascii_digit())).then_some(account)
}

/// Whether a statement demands an external id or MFA, by whatever operator.
pub(super) fn is_guarded(statement: &Value) -> bool {
    let operators = statement.get("Condition").and_then(Value::as_object);
    let tests = operators.into_iter().flat_map(|it| it.values()).filter_map(Value::as_object).flatten();
    tests.into_iter().any(|(key, value)| {
        key.eq_ignore_ascii_case("sts:ExternalId")
            || key.eq_ignore_ascii_case("aws:MultiFactorAuthPresent")
                && (value == &Value::Bool(true) || texts(Some(value)).contains(&"true"))
    })
}
