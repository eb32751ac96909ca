//! What of a document the model holds: a list of paths. Whatever stands elsewhere is counted as lost.
//!
//! A path is names with `/` between them, `[]` for every element and `*` for every name. It covers all that stands under it.
//! Nothing is lost where nothing stands: null, and empty texts, lists and maps are not counted.

use crate::domain::foreign::Loss;
use serde_json::Value;
use std::collections::BTreeMap;

/// The paths of a format, as a tree.
#[derive(Debug, Default)]
pub(super) struct LossMap {
    held: bool,
    below: BTreeMap<&'static str, LossMap>,
}

impl LossMap {
    /// A map of these paths.
    pub(super) fn new(paths: &[&'static str]) -> Self {
        let mut root = Self::default();
        for path in paths {
            let mut node = &mut root;
            for step in path.split('/') {
                node = node.below.entry(step).or_default();
            }
            node.held = true;
        }
        root
    }

    /// Counts what of the document is not held. `prefix` stands before each path.
    pub(super) fn count(&self, document: &Value, prefix: &str, loss: &mut Loss) {
        let mut path = prefix.to_owned();
        self.walk(document, &mut path, loss);
    }

    fn walk(&self, value: &Value, path: &mut String, loss: &mut Loss) {
        if self.held {
            return;
        }
        let length = path.len();
        match value {
            Value::Object(map) if !self.below.is_empty() => {
                for (name, inner) in map {
                    if !path.is_empty() {
                        path.push('/');
                    }
                    path.push_str(name);
                    match self.below.get(name.as_str()).or_else(|| self.below.get("*")) {
                        Some(node) => node.walk(inner, path, loss),
                        None => lost(inner, path, loss),
                    }
                    path.truncate(length);
                }
            }
            Value::Array(items) if self.below.contains_key("[]") => {
                path.push_str("[]");
                for item in items {
                    self.below["[]"].walk(item, path, loss);
                }
                path.truncate(length);
            }
            other => lost(other, path, loss),
        }
    }
}

fn lost(value: &Value, path: &str, loss: &mut Loss) {
    let is_nothing = match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    if !is_nothing {
        // A name may be as long as the document.
        let cut = path.char_indices().nth(200).map_or(path.len(), |(at, _)| at);
        loss.drop_path(&path[..cut]);
    }
}

#[cfg(test)]
mod tests {
    use super::LossMap;
    use crate::domain::foreign::Loss;
    use serde_json::json;

    #[test]
    fn what_no_path_covers_is_counted() {
        let map = LossMap::new(&["id", "steps/[]/text", "meta/*/kept", "tree"]);
        let mut loss = Loss::default();
        let document = json!({
            "id": 1, "tree": {"any": [1]}, "empty": {}, "none": null, "other": 0,
            "steps": [{"text": "a", "time": 1}, {"text": "b", "time": 2}, {"time": ""}, 7],
            "meta": {"x": {"kept": 1, "lost": 1}}
        });
        map.count(&document, "doc", &mut loss);
        let found: Vec<(&str, u64)> =
            loss.dropped.iter().map(|(path, count)| (path.as_str(), *count)).collect();
        assert_eq!(
            found,
            [("doc/meta/x/lost", 1), ("doc/other", 1), ("doc/steps[]", 1), ("doc/steps[]/time", 2)]
        );
    }
}
