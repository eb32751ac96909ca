//! Secrets never reach the disk: texts that are known to be one are taken out of whatever is recorded.

use serde_json::Value;
use std::borrow::Cow;

/// What stands in a secret's place.
pub const SECRET_REMOVED: &str = "[secret removed]";
/// A shorter value is no secret that could be told from ordinary text.
const SHORTEST: usize = 8;
/// Endings of the names of environment variables whose values are secrets.
const NAMES: &[&str] = &["_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD", "_CREDENTIALS", "_API_KEY"];

/// The secrets of this process.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// Longest first, so that one that holds another is taken out whole.
    values: Vec<String>,
}

impl Secrets {
    /// These secrets; those too short to be told from text are left out.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values.into_iter().filter(|value| value.len() >= SHORTEST).collect();
        values.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        values.dedup();
        Self { values }
    }

    /// The values of the variables whose names say that they hold a secret. `variables` are the environment's.
    pub fn of_environment(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let tells = |name: &str| {
            let name = name.to_ascii_uppercase();
            NAMES.iter().any(|ending| name.ends_with(ending) || name == ending[1..])
        };
        Self::new(variables.into_iter().filter(|(name, _)| tells(name)).map(|(_, value)| value))
    }

    /// These, and more.
    #[must_use]
    pub fn and(&self, more: impl IntoIterator<Item = String>) -> Self {
        Self::new(self.values.iter().cloned().chain(more))
    }

    /// The text without any of them.
    pub fn remove<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for value in &self.values {
            for spelling in spellings(value) {
                if text.contains(spelling.as_ref()) {
                    text = Cow::Owned(text.replace(spelling.as_ref(), SECRET_REMOVED));
                }
            }
        }
        text
    }

    /// The value without any of them, in its texts and in its names.
    pub fn remove_from(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.remove(&text).into_owned()),
            Value::Array(items) => items.into_iter().map(|item| self.remove_from(item)).collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(name, value)| (self.remove(&name).into_owned(), self.remove_from(value)))
                .collect(),
            other => other,
        }
    }

    /// JSON lines without any of them, however they were spelled there.
    pub fn remove_from_lines(&self, text: &str) -> String {
        let clean = |line: &str| match serde_json::from_str::<Value>(line) {
            Ok(value) => {
                let clean = self.remove_from(value.clone());
                if clean == value { self.remove(line).into_owned() } else { clean.to_string() }
            }
            Err(_) => self.remove(line).into_owned(),
        };
        let lines: Vec<String> = text.lines().map(clean).collect();
        if text.lines().eq(lines.iter().map(String::as_str)) {
            text.to_owned()
        } else {
            lines.join("\n") + "\n"
        }
    }

    /// Whether the text holds any.
    pub fn are_in(&self, text: &str) -> bool {
        self.values
            .iter()
            .any(|value| spellings(value).iter().any(|spelling| text.contains(spelling.as_ref())))
    }
}

/// A secret as it is, and as JSON spells it.
fn spellings(value: &str) -> Vec<Cow<'_, str>> {
    let json = Value::from(value).to_string();
    let inner = &json[1..json.len() - 1];
    if inner == value {
        vec![Cow::Borrowed(value)]
    } else {
        vec![Cow::Borrowed(value), Cow::Owned(inner.to_owned())]
    }
}

#[cfg(test)]
mod tests {
    use super::Secrets;

    #[test]
    fn names_tell_and_values_go() {
        let variables = [
            ("OPENAI_API_KEY", "sk-canary-123456"),
            ("GITHUB_TOKEN", "ghp\"quoted\"token"),
            ("EDITOR", "sk-not-a-secret"),
            ("SHORT_KEY", "abc"),
            ("password", "correct horse"),
        ];
        let secrets =
            Secrets::of_environment(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(
            secrets.remove("a sk-canary-123456 b sk-not-a-secret abc"),
            "a [secret removed] b sk-not-a-secret abc"
        );
        assert_eq!(secrets.remove(r#"{"x":"ghp\"quoted\"token"}"#), r#"{"x":"[secret removed]"}"#);
        assert!(secrets.are_in("correct horse battery") && !secrets.are_in("EDITOR"));
    }
}
