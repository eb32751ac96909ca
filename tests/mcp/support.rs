//! Running the binary, and looking at what it recorded.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Nothing here takes that long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// A statement that does not end by itself.
pub(crate) const ENDLESS: &str =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";
/// The task that the tests work on.
pub(crate) const TASK: &str = "V-AWS-04";

/// A run that a test makes, in a folder of its own.
pub(crate) struct Run {
    folder: TempDir,
}

/// What is in a trial: its ending, and its events.
pub(crate) struct Trial {
    pub(crate) ending: String,
    pub(crate) error: String,
    pub(crate) events: Vec<Value>,
}

impl Run {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// A file beside the run.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The binary, with a data folder of its own.
    pub(crate) fn casebook(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_casebook"));
        command
            .args(arguments)
            .env("CASEBOOK_DATA_DIR", self.folder.path().join("data"))
            .env_remove("CASEBOOK_SNAPSHOT")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// What a command prints on both streams, and its exit code.
    pub(crate) fn call(&self, arguments: &[&str]) -> (String, i32) {
        let output = self.casebook(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (text.into_owned(), output.status.code().unwrap_or(-1))
    }

    /// The trials, in order, after the archive was found sound and every statement gave again what is recorded.
    pub(crate) fn trials(&self) -> Vec<Trial> {
        let (said, code) = self.call(&["verify", self.path().to_str().unwrap()]);
        assert!(code == 0 && said.trim_end().ends_with("sound"), "{said}");
        self.replayed_trials()
    }

    /// The only trial of a run that was stopped: nothing is wrong with it but that it has not ended.
    pub(crate) fn stopped_trial(&self) -> Trial {
        let (said, code) = self.call(&["verify", self.path().to_str().unwrap()]);
        let findings: Vec<&str> = said.lines().filter(|line| !line.starts_with("1 trial, ")).collect();
        let is_whole =
            |line: &&str| line.contains("the run has not ended") || line.contains("are still to be made");
        assert!(code == 1 && findings.iter().all(is_whole), "{said}");
        let mut trials = self.replayed_trials();
        assert_eq!(trials.len(), 1);
        trials.remove(0)
    }

    fn replayed_trials(&self) -> Vec<Trial> {
        let path = self.path();
        let run = path.to_str().unwrap();
        let (said, code) = self.call(&["replay", run, "--check"]);
        assert_eq!(code, 0, "{said}");
        let (shown, code) = self.call(&["runs", "show", run, "--json"]);
        assert_eq!(code, 0, "{shown}");
        let shown: Value = serde_json::from_str(&shown).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let trial = |trial: &Value| {
            let trace = path.join("trials").join(text(&trial["trial"])).join("trace.1.jsonl");
            let lines = fs::read_to_string(trace).unwrap();
            let events = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            Trial { ending: text(&trial["ending"]), error: text(&trial["error"]), events }
        };
        shown["trials"].as_array().unwrap().iter().map(trial).collect()
    }

    /// The only trial.
    pub(crate) fn trial(&self) -> Trial {
        let mut trials = self.trials();
        assert_eq!(trials.len(), 1);
        trials.remove(0)
    }
}

impl Trial {
    /// The bodies of the events of a kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["kind"] == kind).map(|event| &event["body"]).collect()
    }

    /// What was remarked.
    pub(crate) fn notes(&self) -> Vec<&str> {
        self.of_kind("note").iter().map(|body| body["text"].as_str().unwrap()).collect()
    }
}

/// Waits until a process has ended by itself.
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(began.elapsed() < PATIENCE, "the process does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a statement is recorded as called, which is just before it runs.
pub(crate) fn until_called(run: &Path, times: usize) {
    until("the call", || {
        let Ok(trials) = fs::read_dir(run.join("trials")) else { return false };
        let traces = trials.flatten().flat_map(|revision| walk(&revision.path()));
        traces
            .map(|trace| fs::read_to_string(trace).unwrap_or_default().matches("\"tool_call\"").count())
            .sum::<usize>()
            >= times
    });
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else if path.extension().is_some_and(|it| it == "jsonl") {
            found.push(path);
        }
    }
    found
}
