//! Reading entries of JSON objects that may be absent, or of another type than expected.

use super::limits::MAX_INNER_TREE;
use serde_json::Value;

/// A text that says something.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A text, or a number or boolean as text.
pub(super) fn word(value: &Value, name: &str) -> Option<String> {
    as_word(value.get(name)?)
}

/// The same of a value itself.
pub(super) fn as_word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// A count: a whole number, which sources also write as `14.0` or `"14"`.
pub(super) fn count(value: &Value, name: &str) -> Option<u64> {
    as_count(value.get(name)?)
}

/// The same of a value itself.
pub(super) fn as_count(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| {
            let real = number.as_f64().filter(|it| it.fract() == 0.0 && (0.0..9e15).contains(it))?;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked
            Some(real as u64)
        }),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// A number.
pub(super) fn real(value: &Value, name: &str) -> Option<f64> {
    value.get(name)?.as_f64()
}

/// The elements of a list; none where there is none.
pub(super) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// An entry that is there and not null.
pub(super) fn present<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|value| !value.is_null())
}

/// A flag that is set.
pub(super) fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// Arguments of a call: JSON text as its value, or null and the text where it is none.
pub(super) fn arguments(value: Option<&Value>) -> (Value, Option<String>) {
    match value {
        None => (Value::Null, None),
        Some(Value::String(text)) => match super::json::parse_within(text.as_bytes(), MAX_INNER_TREE) {
            Ok(parsed) => (parsed.value, None),
            Err(_) => (Value::Null, Some(text.clone())),
        },
        Some(value) => (value.clone(), None),
    }
}

/// A token of a JSON pointer, escaped.
pub(super) fn pointer_token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::{arguments, as_count};
    use serde_json::json;

    #[test]
    fn counts_come_as_integers_floats_and_texts() {
        assert_eq!(as_count(&json!(14)), Some(14));
        assert_eq!(as_count(&json!(14.0)), Some(14));
        assert_eq!(as_count(&json!("14")), Some(14));
        for none in [json!(14.5), json!(-1), json!(1e300), json!("x"), json!(null)] {
            assert_eq!(as_count(&none), None);
        }
    }

    #[test]
    fn arguments_that_are_no_json_are_kept_as_they_are() {
        assert_eq!(arguments(Some(&json!("{\"a\": 1}"))), (json!({"a": 1}), None));
        assert_eq!(arguments(Some(&json!({"a": 1}))), (json!({"a": 1}), None));
        assert_eq!(arguments(Some(&json!("{oops"))), (json!(null), Some("{oops".to_owned())));
    }
}
