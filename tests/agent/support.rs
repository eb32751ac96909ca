//! Clients, agent files and runs of the real binary for tests.

use crate::server::{Reply, Server};
use crate::words::{Said, Wire};
use casebook::archive::{Archive, Trace};
use casebook::domain::trace::{Event, EventBody};
use casebook::provider::{
    Abort, Asked, Asking, ChatClient, ChatRequest, Exchanges, Key, KeySource, Message, ProviderSettings,
    ToolSpec,
};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Settings with short waits, and what a test adds.
pub(crate) fn settings(wire: Wire, url: &str, more: &str) -> String {
    let retry = if more.contains("[retry]") { "" } else { "\n[retry]\nfirst_wait_seconds = 0.001\n" };
    format!("shape = \"{}\"\nbase_url = \"{url}\"\nmodel = \"model\"\n{more}\n{retry}", wire.name())
}

pub(crate) fn client(wire: Wire, url: &str, more: &str) -> ChatClient {
    client_with(wire, url, more, None, None)
}

pub(crate) fn client_with(
    wire: Wire,
    url: &str,
    more: &str,
    key: Option<&str>,
    exchanges: Option<Exchanges>,
) -> ChatClient {
    let key_line = if key.is_some() { "key = { env = \"K\" }\n" } else { "" };
    let mut settings: ProviderSettings =
        toml::from_str(&settings(wire, url, &format!("{key_line}{more}"))).unwrap();
    let key: Option<Key> = key.map(|key| {
        let source = KeySource { env: Some("K".into()), file: None, header: None };
        source.read(|_| Some(key.into())).unwrap()
    });
    settings.stream = more.contains("stream = true");
    ChatClient::new(settings, key, exchanges).unwrap()
}

pub(crate) fn request() -> ChatRequest {
    ChatRequest {
        system: "You look.".into(),
        messages: vec![Message::User("What is there?".into())],
        tools: vec![ToolSpec {
            name: "run_query".into(),
            description: "Runs.".into(),
            arguments: json!({"type": "object"}),
        }],
    }
}

pub(crate) fn ask(client: &ChatClient) -> Asked {
    ask_with(client, &Abort::default())
}

pub(crate) fn ask_with(client: &ChatClient, abort: &Abort) -> Asked {
    client.ask(&request(), &Asking { scope: "test", seed: 7, left: None, abort })
}

/// Why an ask came to nothing.
pub(crate) fn error(asked: &Asked) -> String {
    asked.outcome.as_ref().unwrap_err().to_string()
}

/// A folder with an agent file, and the binary that works in it.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    variables: Vec<(String, String)>,
}

/// What a call of the binary printed.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Desk {
    /// An agent file for this server. `more` stands in `[provider]`, `context` behind it.
    pub(crate) fn new(wire: Wire, url: &str, more: &str, context: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let retry =
            "[provider.retry]\nattempts = 3\nfirst_wait_seconds = 0.001\nlongest_wait_seconds = 30.0\n";
        let text = format!(
            "[provider]\nshape = \"{}\"\nbase_url = \"{url}\"\nmodel = \"model\"\n{more}\n{retry}\n{context}\n",
            wire.name()
        );
        fs::write(folder.path().join("agent.toml"), text).unwrap();
        Self { folder, variables: Vec::new() }
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn run_folder(&self) -> PathBuf {
        self.path().join("run")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_casebook"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env("CASEBOOK_DATA_DIR", self.path().join("data"))
            .env_remove("CASEBOOK_SNAPSHOT")
            .stdin(Stdio::null());
        for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn call(&self, arguments: &[&str]) -> Printed {
        let output = self.command(arguments).output().unwrap();
        Printed {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// Runs the model on a task of the visibility pack.
    pub(crate) fn run(&self, more: &[&str]) -> Printed {
        let base = ["run", "--actor", "model", "--agent", "agent.toml", "--out", "run", "--jobs", "1"];
        let task: &[&str] =
            if more.contains(&"--task") { &[] } else { &["--pack", "visibility", "--task", "V-AWS-01"] };
        self.call(&[&base, task, more].concat())
    }

    pub(crate) fn archive(&self) -> Archive {
        Archive::open(&self.run_folder()).unwrap()
    }

    /// All events of the last trial.
    pub(crate) fn events(&self) -> Vec<Event> {
        let archive = self.archive();
        let trial = archive.trials.last().unwrap();
        archive.traces(trial).unwrap().iter().flat_map(|trace| Trace::events(trace).unwrap()).collect()
    }

    /// The kinds of all events of the last trial.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.events().iter().map(|event| event.body.kind()).collect()
    }

    /// The words of all events of a kind in the last trial.
    pub(crate) fn words(&self, kind: &str) -> Vec<String> {
        let archive = self.archive();
        let words = |event: Event| match event.body {
            body if body.kind() != kind => None,
            EventBody::Error(words)
            | EventBody::Note(words)
            | EventBody::SystemPrompt(words)
            | EventBody::UserMessage(words) => Some(words.text),
            EventBody::ModelStep(step) => Some(step.text),
            EventBody::Reasoning(reasoning) => Some(reasoning.text),
            EventBody::ToolResult(result) => Some(result.text),
            EventBody::ToolError(error) => Some(error.text),
            _ => None,
        };
        self.events()
            .into_iter()
            .filter_map(words)
            .map(|text| archive.blobs().words(&text).unwrap())
            .collect()
    }

    /// The run is sound and repeats.
    pub(crate) fn assert_sound(&self) {
        let verified = self.call(&["verify", "run"]);
        assert_eq!(verified.code, 0, "{verified:?}");
        let replayed = self.call(&["replay", "run", "--check"]);
        assert_eq!(replayed.code, 0, "{replayed:?}");
    }
}

/// A server on which a model says these things, one after another.
pub(crate) fn saying(wire: Wire, stream: bool, said: &[Said]) -> Server {
    Server::of(said.iter().map(|said| said.reply(wire, stream)).collect())
}

/// All files under a folder with what is in them, unpacked.
pub(crate) fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            let unpacked = zstd::decode_all(bytes.as_slice()).unwrap_or_default();
            all.push((path, [bytes, unpacked].concat()));
        }
    }
    all.sort();
    all
}

/// A reply that says what is wrong, in a shape's manner.
pub(crate) fn refusal(status: u16, kind: &str, message: &str) -> Reply {
    Reply::json(status, &json!({"type": "error", "error": {"type": kind, "message": message}}))
}
