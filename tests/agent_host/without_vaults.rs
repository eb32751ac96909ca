//! The build itself.

use super::scan::{Secrets, scan};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The features of the build.
const FEATURES: [&str; 3] = ["--no-default-features", "--features", "agent-host"];

/// Builds with these features into the folder of this build, whose dependencies it shares.
fn build(features: &[&str]) -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_casebook")).ancestors().nth(2).unwrap();
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--locked", "--bin", "casebook", "--message-format=json", "--target-dir"])
        .arg(target)
        .args(features)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout).unwrap();
    let executable = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).unwrap();
        message["executable"].as_str().map(PathBuf::from)
    });
    executable.unwrap()
}

struct Host {
    folder: TempDir,
    program: PathBuf,
}

impl Host {
    fn call(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = Command::new(&self.program)
            .args(arguments)
            .current_dir(self.folder.path())
            .env("CASEBOOK_DATA_DIR", self.folder.path().join("data"))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    fn good(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.call(arguments);
        assert_eq!(code, 0, "{arguments:?}: {out}{err}");
        out
    }
}

#[test]
#[ignore = "builds the program again with other features; .ci/run does it"]
fn the_build_for_agent_hosts_holds_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("casebook");
    fs::copy(build(&FEATURES), &program).unwrap();
    // The usual program lies where this one did, again.
    build(&[]);
    let host = Host { folder, program };
    let binary = fs::read(&host.program).unwrap();
    let found = scan(&binary, &Secrets::of_the_repository());
    let shown: Vec<_> = found.iter().map(|(source, pieces)| (source, pieces.len(), &pieces[0])).collect();
    assert!(found.is_empty(), "{shown:#?}");

    what_agents_need_is_there(&host);
    what_needs_a_vault_says_why_it_is_not_there(&host);
}

fn what_agents_need_is_there(host: &Host) {
    assert!(host.good(&["tasks", "--json"]).contains("V-AWS-04"));
    assert!(host.good(&["schema"]).contains("okta_user"));
    assert!(host.good(&["query", "SELECT count(*) FROM okta_user", "--csv"]).contains("count(*)"));
    assert!(host.good(&["snapshot", "list"]).contains("small"));
    host.good(&["snapshot", "verify", "small"]);
    let script = "{\"tool\":\"run_query\",\"arguments\":{\"sql\":\"SELECT count(*) FROM okta_user\"}}\n\
        {\"tool\":\"submit_answer\",\"arguments\":{\"answer\":\"x\"}}\n";
    fs::write(host.folder.path().join("calls.jsonl"), script).unwrap();
    host.good(&[
        "run",
        "--actor",
        "script",
        "--script",
        "calls.jsonl",
        "--task",
        "V-AWS-04",
        "--isolate",
        "--out",
        "run",
    ]);
    let run: Value =
        serde_json::from_slice(&fs::read(host.folder.path().join("run/run.json")).unwrap()).unwrap();
    assert_eq!((&run["build"], &run["isolate"]), (&"agent-host".into(), &true.into()));
    host.good(&["verify", "run"]);
    assert!(host.good(&["replay", "run", "--check"]).contains("match"));
    let (_, doctor, _) = host.call(&["doctor"]);
    assert!(doctor.contains("agent-host: no vaults"), "{doctor}");
}

fn what_needs_a_vault_says_why_it_is_not_there(host: &Host) {
    for arguments in [
        &["pack", "check", "visibility"][..],
        &["pack", "new", "mine"],
        &["tasks", "show", "V-AWS-04", "--vault"],
        &["run", "--actor", "oracle", "--out", "other"],
        &["snapshot", "generate", "--size", "small", "--out", "made"],
        &["snapshot", "rates", "small"],
        &["verify", "--demo"],
        &["replay", "--demo", "--check"],
    ] {
        let (code, out, err) = host.call(arguments);
        assert_eq!(code, 3, "{arguments:?}: {out}{err}");
        assert!(err.contains("is not in this build (agent-host): it "), "{arguments:?}: {err}");
    }
    // A vault in a folder is not read either.
    let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("packs/practice");
    let (code, _, err) = host.call(&["tasks", "show", "P-01", "--vault", "--pack", packs.to_str().unwrap()]);
    assert_eq!(code, 3, "{err}");
}
