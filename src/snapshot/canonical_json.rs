//! JSON in the one form that is hashed: keys sorted by their bytes, no spaces, strings as `serde_json` escapes them.

use serde_json::Value;

/// The canonical text of a value.
pub(super) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            // The order of the map itself depends on a feature that any crate may switch on.
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|one, other| one.0.cmp(other.0));
            out.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn keys_are_sorted_at_every_level_and_nothing_is_spaced() {
        let value = serde_json::json!({"b": [1, {"z": null, "ä": "\"\n", "a": true}], "a": 1.5, "B": "x"});
        assert_eq!(canonical(&value), r#"{"B":"x","a":1.5,"b":[1,{"a":true,"z":null,"ä":"\"\n"}]}"#);
    }
}
