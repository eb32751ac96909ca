//! A table in GitHub's Markdown. Data stays data: whatever would be markup is escaped, line ends become `<br>`.

use crate::domain::Value;
use crate::text::grid;
use crate::text::visible::visible;

pub(super) fn head(columns: &[String]) -> String {
    line(columns.iter().map(|name| escaped(name))) + &line(columns.iter().map(|_| "---".to_owned()))
}

pub(super) fn row(values: &[Value]) -> String {
    line(values.iter().map(|value| match value {
        Value::Text(text) if text.contains(['\n', '\r']) => {
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            text.split('\n').map(escaped).collect::<Vec<_>>().join("<br>")
        }
        other => escaped(&grid::cell(other)),
    }))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// One line of text as it must be written to be read as it is.
fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '\\' | '|' | '*' | '`' | '[' | ']' | '~' => out.extend(['\\', character]),
            // Within a word it is no markup, and most names have it there.
            '_' if is_letter(before) && is_letter(characters.peek().copied()) => out.push('_'),
            '_' => out.push_str("\\_"),
            other => out.push(other),
        }
        before = Some(character);
    }
    out
}

fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(|character| character.is_alphanumeric() || character == '_')
}
