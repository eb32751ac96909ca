//! OTLP's values and attributes as plain JSON.

use super::super::fields::as_count;
use super::super::json::parse_within;
use super::super::limits::MAX_INNER_TREE;
use serde_json::{Map, Value};

/// Attributes by name; of a name that comes twice the last counts.
pub(super) fn attributes(list: Option<&Value>) -> Map<String, Value> {
    let mut map = Map::new();
    for entry in list.and_then(Value::as_array).into_iter().flatten() {
        if let Some(key) = entry.get("key").and_then(Value::as_str) {
            map.insert(key.to_owned(), plain(entry.get("value").unwrap_or(&Value::Null)));
        }
    }
    map
}

/// A value without the word for its type around it.
fn plain(value: &Value) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|map| map.iter().next()) else {
        // A program that writes plain JSON in the place of a typed value is understood all the same.
        return if value.is_object() { Value::Null } else { value.clone() };
    };
    match kind.replace('_', "").to_ascii_lowercase().as_str() {
        // 64-bit integers are texts in JSON.
        "intvalue" => match inner {
            Value::String(text) => text.parse::<i64>().map_or_else(|_| inner.clone(), Value::from),
            other => other.clone(),
        },
        "arrayvalue" => {
            inner.get("values").and_then(Value::as_array).into_iter().flatten().map(plain).collect()
        }
        "kvlistvalue" => Value::Object(attributes(inner.get("values"))),
        _ => inner.clone(),
    }
}

/// A value that may be JSON text or structured; what is no JSON stays a text.
pub(super) fn structured(value: &Value) -> Value {
    match value {
        Value::String(text) => match parse_within(text.as_bytes(), MAX_INNER_TREE) {
            Ok(parsed) => parsed.value,
            Err(_) => value.clone(),
        },
        other => other.clone(),
    }
}

/// The first of these names that is there, as a count.
pub(super) fn count(attributes: &Map<String, Value>, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| attributes.get(*name).and_then(as_count))
}

/// The first of these names that is there and says something, as a text.
pub(super) fn text(attributes: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let found = names.iter().find_map(|name| attributes.get(*name)?.as_str().filter(|text| !text.is_empty()));
    found.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::attributes;
    use serde_json::json;

    #[test]
    fn every_type_becomes_plain() {
        let list = json!([
            {"key": "s", "value": {"stringValue": "x"}},
            {"key": "i", "value": {"intValue": "9007199254740993"}},
            {"key": "d", "value": {"doubleValue": 0.5}},
            {"key": "a", "value": {"arrayValue": {"values": [{"boolValue": true}, {}]}}},
            {"key": "k", "value": {"kvlistValue": {"values": [{"key": "n", "value": {"int_value": 1}}]}}},
        ]);
        let expected =
            json!({"s": "x", "i": 9_007_199_254_740_993_i64, "d": 0.5, "a": [true, null], "k": {"n": 1}});
        assert_eq!(json!(attributes(Some(&list))), expected);
    }
}
