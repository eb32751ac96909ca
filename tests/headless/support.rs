//! A workbench in a folder of its own, and what tests ask of it.

use casebook::harness::FixedClock;
use casebook::headless::{Clocked, Runner};
use casebook::services::{Config, Session};
use casebook::workbench::Workbench;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A workbench, and the folder that its data is in.
pub(crate) struct Bench {
    pub(crate) folder: Arc<TempDir>,
    runner: Option<Runner>,
}

fn start(folder: &Path) -> Runner {
    let step = Duration::from_millis(1);
    let config = Config {
        data_folder: Some(folder.to_owned()),
        packs: Vec::new(),
        clock: Arc::new(FixedClock::new(Timestamp::UNIX_EPOCH, step, step)),
        person: "tester".to_owned(),
    };
    Runner::start(Session::start(Workbench::default(), config), Clocked::ByEvents)
}

impl Bench {
    /// A workbench over an empty folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let runner = Some(start(folder.path()));
        Self { folder: Arc::new(folder), runner }
    }

    /// Another workbench over the same folder.
    pub(crate) fn beside(&self) -> Self {
        Self { folder: Arc::clone(&self.folder), runner: Some(start(self.folder.path())) }
    }

    /// Ends the workbench and opens it again.
    pub(crate) fn reopen(&mut self) {
        let problems = self.runner.take().map(Runner::close).unwrap_or_default();
        assert_eq!(problems, [] as [String; 0]);
        self.runner = Some(start(self.folder.path()));
    }

    /// The answer to a request.
    pub(crate) fn ask(&mut self, request: Value) -> Value {
        let runner = self.runner.as_mut().expect("an open workbench");
        serde_json::to_value(runner.answer(&request.to_string())).expect("JSON")
    }

    /// Gives a command that must not be refused.
    pub(crate) fn give(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.ask(json!({"command": command, "arguments": arguments}));
        assert_eq!(answer["error"], Value::Null, "{command}: {answer}");
        assert_eq!(answer["settled"], true, "{command}");
        answer
    }

    /// Gives a command that must be refused; gives why.
    pub(crate) fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.ask(json!({"command": command, "arguments": arguments}));
        answer["error"].as_str().unwrap_or_else(|| panic!("{command} was not refused: {answer}")).to_owned()
    }

    /// Presses keys.
    pub(crate) fn keys(&mut self, keys: &str) -> Value {
        let answer = self.ask(json!({"keys": keys}));
        assert_eq!(answer["error"], Value::Null, "{keys}: {answer}");
        answer
    }

    /// Types a text.
    pub(crate) fn write(&mut self, text: &str) {
        let answer = self.ask(json!({"type": text}));
        assert_eq!(answer["error"], Value::Null, "{text}: {answer}");
    }

    /// A part of the state.
    pub(crate) fn state(&mut self, path: &str) -> Value {
        self.ask(json!({"get": "state", "path": path}))["value"].clone()
    }

    /// Rows of the result.
    pub(crate) fn rows(&mut self, limit: usize) -> Value {
        self.ask(json!({"get": "rows", "limit": limit}))["value"].clone()
    }

    /// The digest of the whole state.
    pub(crate) fn digest(&mut self) -> String {
        self.ask(json!({"get": "digest"}))["value"].as_str().expect("a digest").to_owned()
    }

    /// The picture as text.
    pub(crate) fn screen(&mut self, width: u16, height: u16) -> String {
        let answer = self.ask(json!({"screen": {"width": width, "height": height}}));
        let rows = answer["screen"].as_array().unwrap_or_else(|| panic!("{answer}"));
        rows.iter().map(|row| row.as_str().expect("a text").to_owned() + "\n").collect()
    }
}
