//! The headless protocol, version 1: one JSON object a line, in both directions.

use crate::workbench::command::Invocation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version that this program speaks.
pub const PROTOCOL: u64 = 1;

/// A line that comes in.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Comes back with the answer.
    #[serde(default)]
    pub id: Value,
    /// A command to be given.
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Option<Map<String, Value>>,
    /// Keys to be pressed, as a keymap writes them: `g d`.
    pub keys: Option<String>,
    /// Text to be typed, character by character.
    #[serde(rename = "type")]
    pub typed: Option<String>,
    /// Text to be pasted.
    pub paste: Option<String>,
    /// What is wanted: `state`, `rows`, `digest`, `commands`, `keys`.
    pub get: Option<String>,
    /// Where in the state, as a JSON pointer.
    pub path: Option<String>,
    /// The first row that is wanted.
    pub offset: Option<usize>,
    /// How many rows are wanted.
    pub limit: Option<usize>,
    /// A picture as text.
    pub screen: Option<ScreenRequest>,
    /// Another size of the screen.
    pub resize: Option<SizeRequest>,
    /// Milliseconds that go by: for what happens by itself, such as a trace that plays. Nothing is waited for.
    pub tick: Option<u64>,
    /// Whether the answer waits until nothing is outstanding. It does unless this is false.
    pub wait: Option<bool>,
}

/// What a picture is to be like.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenRequest {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Whether the styles are wanted too.
    #[serde(default)]
    pub styles: bool,
    /// The theme; plain if absent.
    pub theme: Option<String>,
}

/// A size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeRequest {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// A command.
    Command(Invocation),
    /// Keys.
    Keys(String),
    /// Typing.
    Type(String),
    /// Pasting.
    Paste(String),
    /// Something of the state.
    Get(String),
    /// A picture.
    Screen(ScreenRequest),
    /// Another size.
    Resize(SizeRequest),
    /// Time that goes by.
    Tick(u64),
    /// Only waiting.
    Wait,
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    /// In words: no JSON, an unknown member, nothing or more than one thing asked for.
    pub fn parse(line: &str) -> Result<(Value, Self), (Value, String)> {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| (Value::Null, format!("the line is no JSON: {error}")))?;
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        match serde_json::from_value::<Self>(value) {
            Ok(request) => Ok((id, request)),
            Err(error) => {
                Err((id, format!("the line is no request: {error}; docs/headless.md shows the form")))
            }
        }
    }

    /// The one thing that is asked for.
    ///
    /// # Errors
    /// In words.
    pub fn asked(&self) -> Result<Asked, String> {
        let arguments = self.arguments.clone().unwrap_or_default();
        let mut all: Vec<Asked> = Vec::new();
        all.extend(self.command.clone().map(|command| Asked::Command(Invocation { command, arguments })));
        all.extend(self.keys.clone().map(Asked::Keys));
        all.extend(self.typed.clone().map(Asked::Type));
        all.extend(self.paste.clone().map(Asked::Paste));
        all.extend(self.get.clone().map(Asked::Get));
        all.extend(self.screen.clone().map(Asked::Screen));
        all.extend(self.resize.map(Asked::Resize));
        all.extend(self.tick.map(Asked::Tick));
        if self.arguments.is_some() && self.command.is_none() {
            return Err("arguments belong to a command".to_owned());
        }
        match all.len() {
            0 if self.wait == Some(true) => Ok(Asked::Wait),
            0 => Err("ask for one of command, keys, type, paste, get, screen, resize, tick, wait".to_owned()),
            1 => Ok(all.remove(0)),
            _ => Err("ask for one thing a line".to_owned()),
        }
    }
}

/// A line that goes out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The request's.
    pub id: Value,
    /// Whether nothing is outstanding.
    pub settled: bool,
    /// What was asked for could not be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the workbench told since the answer before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Value>,
    /// What was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The picture, a text a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Vec<String>>,
    /// Styles of the picture: for each row, runs of cells with the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub styles: Option<Vec<Vec<String>>>,
    /// Where the cursor stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<(u16, u16)>,
    /// What was copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied: Option<String>,
    /// Whether the workbench has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

#[cfg(test)]
mod tests {
    use super::{Asked, Request};

    #[test]
    fn a_line_asks_for_one_thing() {
        let asked = |line: &str| {
            let (_, request) = Request::parse(line).map_err(|(_, reason)| reason)?;
            request.asked()
        };
        assert!(matches!(
            asked(r#"{"id":1,"command":"query.run","arguments":{"sql":"x"}}"#),
            Ok(Asked::Command(_))
        ));
        assert!(matches!(asked(r#"{"keys":"g d"}"#), Ok(Asked::Keys(_))));
        assert!(matches!(asked(r#"{"wait":true}"#), Ok(Asked::Wait)));
        for (line, says) in [
            ("nonsense", "no JSON"),
            ("[]", "no request"),
            (r#"{"id":1}"#, "ask for one of"),
            (r#"{"keys":"a","paste":"b"}"#, "one thing a line"),
            (r#"{"keys":"a","arguments":{}}"#, "belong to a command"),
            (r#"{"kyes":"a"}"#, "unknown field"),
        ] {
            assert!(asked(line).unwrap_err().contains(says), "{line}");
        }
    }
}
