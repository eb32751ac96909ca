//! The arguments of a command: what it takes, and reading what it was given.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// An argument that a command takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Whether the command can't do without.
    pub required: bool,
    /// One sentence.
    pub doc: &'static str,
}

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// Yes or no.
    Boolean,
    /// One of these.
    Choice(&'static [&'static str]),
    /// Texts.
    Texts,
}

/// An argument that must be given.
pub(crate) const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Argument {
    Argument { name, kind, required: true, doc }
}

/// An argument that may be given.
pub(crate) const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Argument {
    Argument { name, kind, required: false, doc }
}

impl Argument {
    /// JSON Schema of its value.
    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Integer => json!({"type": "integer"}),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Choice(choices) => json!({"enum": choices}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        };
        schema["description"] = Value::from(self.doc);
        schema
    }

    fn fits(&self, value: &Value) -> bool {
        match self.kind {
            Kind::Text => value.is_string(),
            Kind::Integer => value.is_i64(),
            Kind::Boolean => value.is_boolean(),
            Kind::Choice(choices) => value.as_str().is_some_and(|value| choices.contains(&value)),
            Kind::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        }
    }

    /// What it may be, in words.
    pub fn wants(&self) -> String {
        match self.kind {
            Kind::Text => "a text".to_owned(),
            Kind::Integer => "a whole number".to_owned(),
            Kind::Boolean => "true or false".to_owned(),
            Kind::Choice(choices) => format!("one of {}", choices.join(", ")),
            Kind::Texts => "a list of texts".to_owned(),
        }
    }
}

/// Arguments that were checked against what a command takes.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Checks arguments.
    ///
    /// # Errors
    /// In words: one that is missing, unknown, or not what it may be.
    pub(super) fn check(given: &'a Map<String, Value>, takes: &[Argument]) -> Result<Self, String> {
        if let Some((name, _)) = given.iter().find(|(name, _)| takes.iter().all(|it| it.name != *name)) {
            let names: Vec<&str> = takes.iter().map(|argument| argument.name).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!("there is no argument '{name}'; it takes {names}"));
        }
        for argument in takes {
            match given.get(argument.name) {
                None if argument.required => {
                    return Err(format!("the argument '{}' is missing: {}", argument.name, argument.wants()));
                }
                Some(value) if !argument.fits(value) => {
                    return Err(format!("the argument '{}' must be {}", argument.name, argument.wants()));
                }
                _ => {}
            }
        }
        Ok(Self(given))
    }

    /// A text.
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    /// A whole number.
    pub fn integer(self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_i64()
    }

    /// A whole number that is not below zero; a negative one counts as none.
    pub fn index(self, name: &str) -> Option<usize> {
        usize::try_from(self.integer(name)?).ok()
    }

    /// Yes or no.
    pub fn flag(self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// Texts.
    pub fn texts(self, name: &str) -> Option<Vec<String>> {
        let items = self.0.get(name)?.as_array()?;
        Some(items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Kind, optional, required};
    use serde_json::json;

    #[test]
    fn arguments_are_checked_by_name_and_kind() {
        let takes = [
            required("sql", Kind::Text, "x"),
            optional("rows", Kind::Integer, "x"),
            optional("format", Kind::Choice(&["csv", "tsv"]), "x"),
            optional("subjects", Kind::Texts, "x"),
        ];
        let check = |value: serde_json::Value| {
            Arguments::check(value.as_object().unwrap(), &takes).map(|_| ()).map_err(|it| it.clone())
        };
        assert_eq!(check(json!({"sql": "x", "rows": 3, "format": "csv", "subjects": ["a"]})), Ok(()));
        for (value, says) in [
            (json!({}), "'sql' is missing"),
            (json!({"sql": 1}), "'sql' must be a text"),
            (json!({"sql": "", "rows": 1.5}), "'rows' must be a whole number"),
            (json!({"sql": "", "format": "xml"}), "one of csv, tsv"),
            (json!({"sql": "", "subjects": [1]}), "a list of texts"),
            (json!({"sql": "", "speed": 1}), "no argument 'speed'; it takes sql, rows, format, subjects"),
        ] {
            assert!(check(value.clone()).unwrap_err().contains(says), "{value}");
        }
    }
}
