//! The commands, with the real binary.

use crate::support::fixture;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

struct Said {
    out: String,
    err: String,
    code: i32,
}

fn casebook(data: &Path, arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_casebook"))
        .env("CASEBOOK_DATA_DIR", data)
        .env_remove("CASEBOOK_SNAPSHOT")
        .stdin(Stdio::null())
        .args(arguments)
        .output()
        .unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn path(name: &str) -> String {
    fixture(name).display().to_string()
}

fn data() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_log_is_imported_verified_shown_and_replayed() {
    let data = data();
    let log = path("inspect/osb-mini_3epochs.eval");
    let run = data.path().join("run").display().to_string();
    let said = casebook(data.path(), &["import", &log, "--out", &run]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("24 trials") && said.out.contains("is not in the store"), "{}", said.out);
    let said = casebook(data.path(), &["verify", &run]);
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.out.contains("sound"), "{}", said.out);
    let said = casebook(data.path(), &["runs", "show", &run]);
    assert!(said.out.contains("imported: system_message") || said.out.contains("imported"), "{}", said.out);
    assert!(said.out.contains("vis-001") && said.out.contains("limit: messages"), "{}", said.out);
    // The wrong revision is refused, the right one is found by the digest of its file, another one on purpose.
    let replay = |more: &[&str]| {
        let all: Vec<&str> = ["replay", &run, "--check"].iter().chain(more).copied().collect();
        casebook(data.path(), &all)
    };
    let said = replay(&[]);
    assert_eq!(said.code, 3);
    assert!(said.err.contains("--snapshot"), "{}", said.err);
    let drifted = path("inspect/posture_drifted.sqlite");
    let said = replay(&["--snapshot", &drifted]);
    assert_eq!(said.code, 3);
    assert!(said.err.contains("--against"), "{}", said.err);
    let said = replay(&["--snapshot", &path("inspect/posture.sqlite")]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let said = replay(&["--against", &drifted, "--json"]);
    assert_eq!(said.code, 1);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert!(report["verdicts"]["differs"].as_u64().unwrap() >= 4, "{}", report["verdicts"]);
    // In the store, it is found without being named.
    let imported = casebook(
        data.path(),
        &["snapshot", "import", &path("inspect/posture.sqlite"), "--release-date", "2026-07-01"],
    );
    assert_eq!(imported.code, 0, "{}", imported.err);
    assert_eq!(replay(&[]).code, 0);
}

#[test]
fn a_file_is_replayed_without_being_imported_first() {
    let data = data();
    let snapshot = path("inspect/posture.sqlite");
    for file in ["openai/chat.jsonl", "atif/vis-002-e1.trajectory.json"] {
        let said = casebook(data.path(), &["replay", &path(file), "--check", "--snapshot", &snapshot]);
        assert_eq!(said.code, 0, "{file}: {}{}", said.out, said.err);
        assert!(said.out.contains("same_error"), "{}", said.out);
    }
    let said = casebook(data.path(), &["replay", &path("sweagent/swe-agent_test-repo.traj"), "--check"]);
    assert_eq!(said.code, 3);
    assert!(said.err.contains("names no revision"), "{}", said.err);
}

#[test]
fn strict_imports_and_checks_say_what_is_wrong() {
    let data = data();
    let invalid = path("atif/invalid.trajectory.json");
    let said = casebook(data.path(), &["import", &invalid, "--strict"]);
    assert_eq!(said.code, 3);
    assert!(said.err.contains("steps[2].step_id: expected 3 (sequential from 1), got 7"), "{}", said.err);
    let said = casebook(data.path(), &["import", &invalid, "--check", "--loss"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.out.contains("breaks the rules of its format: ") && said.out.contains("got 7"),
        "{}",
        said.out
    );
    let said =
        casebook(data.path(), &["import", &path("inspect/osb-mini_crashed.eval"), "--check", "--json"]);
    let checked: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        (&checked["trials"], &checked["header"]["status"]),
        (&Value::from(16), &Value::from("started"))
    );
    let said = casebook(data.path(), &["import", &path("README.md")]);
    assert_eq!(said.code, 3);
}

#[test]
fn runs_go_out_in_each_format() {
    let data = data();
    let out = data.path().join("atif").display().to_string();
    let said = casebook(data.path(), &["export", "--demo", "--format", "atif", "--out", &out]);
    assert_eq!(said.code, 0, "{}", said.err);
    let files: Vec<_> = std::fs::read_dir(&out).unwrap().map(|it| it.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in &files {
        let said = casebook(data.path(), &["import", &file.display().to_string(), "--check", "--strict"]);
        assert_eq!(said.code, 0, "{}", said.err);
    }
    let said = casebook(data.path(), &["export", "--demo", "--format", "chat", "--answered"]);
    let line: Value = serde_json::from_str(said.out.lines().next().unwrap()).unwrap();
    assert_eq!(line["tools"].as_array().unwrap().len(), 3);
    let log = path("inspect/osb-mini_rescored_edited.eval");
    let said = casebook(data.path(), &["export", &log, "--format", "inspect-scores"]);
    assert_eq!(said.out.lines().count(), 6, "{}", said.out);
    let said = casebook(data.path(), &["export", "--demo", "--format", "chat", "--trial", "nobody"]);
    assert_eq!(said.code, 3);
}
