//! Runs from the command line: begin, list, show, verify, replay, resume.

use crate::support::{Printed, casebook, data};
use std::fs;
use std::path::Path;

fn call(data: &Path, arguments: &[&str]) -> Printed {
    Printed::of(casebook(data).args(arguments).output().unwrap())
}

const SCRIPT: &str = r#"
{"tool": "run_query", "arguments": {"sql": "SELECT id, status FROM okta_user ORDER BY id"}}
{"tool": "submit_answer", "arguments": {"verdict": "yes", "subjects": ["x"], "answer": "One."}}
"#;

#[test]
fn a_run_is_made_listed_shown_verified_and_replayed() {
    let data = data();
    let script = data.path().join("calls.jsonl");
    fs::write(&script, SCRIPT).unwrap();
    let made = call(
        data.path(),
        &[
            "run",
            "--actor",
            "script",
            "--script",
            script.to_str().unwrap(),
            "--pack",
            "visibility",
            "--task",
            "v-aws-01,V-OKTA-01",
            "--trials",
            "2",
        ],
    );
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    assert!(made.out.contains(": 4 answered\n"), "{}", made.out);
    let listed = call(data.path(), &["runs", "list", "--json"]);
    let run: serde_json::Value = serde_json::from_str(listed.out.trim()).unwrap();
    assert_eq!((run["trials"].as_u64(), run["ended"].as_bool()), (Some(4), Some(true)));
    assert_eq!(run["actor"], "script: calls.jsonl");
    // Found by its name alone.
    let name = run["run"].as_str().unwrap();
    let shown = call(data.path(), &["runs", "show", name]);
    assert!(shown.out.contains("visibility/V-OKTA-01/2  answered  yes"), "{}", shown.out);
    let verified = call(data.path(), &["verify", name]);
    assert_eq!((verified.code, verified.out.trim_end().ends_with("sound")), (0, true), "{}", verified.out);
    let junit = data.path().join("replay.xml");
    let replayed = call(data.path(), &["replay", name, "--check", "--junit", junit.to_str().unwrap()]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(replayed.out.ends_with("4 trials: 4 match\n"), "{}", replayed.out);
    assert!(fs::read_to_string(&junit).unwrap().contains("tests=\"4\" failures=\"0\""));
    let one = call(data.path(), &["replay", name, "--check", "--json", "--trial", &run_place("V-AWS-01/1")]);
    let report: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!(
        (report["verdicts"]["match"].as_u64(), report["trials"].as_array().unwrap().len()),
        (Some(1), 1)
    );
}

fn run_place(of: &str) -> String {
    let small = casebook::snapshot::embedded().into_iter().find(|it| it.manifest.name == "small").unwrap();
    format!("{}/visibility/{of}", small.manifest.revision.short())
}

#[test]
fn another_revision_is_refused_unless_it_is_asked_for() {
    let data = data();
    let script = data.path().join("calls.jsonl");
    fs::write(&script, SCRIPT).unwrap();
    let out = data.path().join("run");
    let arguments = [
        "run",
        "--actor",
        "script",
        "--script",
        script.to_str().unwrap(),
        "--pack",
        "visibility",
        "--task",
        "V-AWS-01",
        "--out",
        out.to_str().unwrap(),
    ];
    assert_eq!(call(data.path(), &arguments).code, 0);
    let run = out.to_str().unwrap();
    let refused = call(data.path(), &["replay", run, "--check", "--snapshot", "medium"]);
    assert_eq!(refused.code, 3);
    assert!(
        refused.err.contains("a trace is replayed on what it saw") && refused.err.contains("--against"),
        "{}",
        refused.err
    );
    let against = call(data.path(), &["replay", run, "--check", "--against", "medium"]);
    assert_eq!(against.code, 1);
    assert!(against.out.starts_with("held against another revision: "), "{}", against.out);
    assert!(against.out.contains("event 2: differs: row 1, id: "), "{}", against.out);
    assert_eq!(call(data.path(), &["replay", run, "--check", "--snapshot", "small"]).code, 0);
}

#[test]
fn what_can_t_be_done_is_said_with_what_to_do() {
    let data = data();
    let full = data.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("note.txt"), "mine").unwrap();
    let broken = data.path().join("broken.jsonl");
    fs::write(&broken, "{\"speak\": 1}").unwrap();
    let at = |path: &Path| path.to_str().unwrap().to_owned();
    for (arguments, code, says) in [
        (vec!["run"], 2, "--actor"),
        (vec!["run", "--actor", "script"], 2, "--script"),
        (vec!["run", "--actor", "noop", "--task", "V-NONE-1"], 3, "no task 'V-NONE-1'"),
        (vec!["run", "--actor", "noop", "--pack", "nowhere"], 3, "there is no such pack"),
        (vec!["run", "--actor", "noop", "--size", "gigantic"], 3, "gigantic"),
        (vec!["run", "--actor", "noop", "--trials", "0"], 2, "--trials"),
        (vec!["run", "--actor", "noop", "--max-seconds=-1"], 3, "a limit of -1 is none"),
        (vec!["run", "--actor", "noop", "--out", &at(&full)], 3, "is not empty"),
        (vec!["run", "--actor", "script", "--script", &at(&broken)], 3, "unknown field `speak`"),
        (vec!["run", "--actor", "script", "--script", "/nowhere.jsonl"], 3, "can't read /nowhere.jsonl"),
        (vec!["run", "--resume", &at(&full)], 3, "there is no run.json in it"),
        (vec!["verify", &at(&full)], 3, "`casebook runs list`"),
        (vec!["verify", "/nowhere"], 3, "is no evidence archive"),
        (vec!["runs", "show", "nothing"], 3, "is no evidence archive"),
        (vec!["runs", "list", "/nowhere"], 3, "can't read /nowhere"),
        (vec!["replay", &at(&full)], 2, "--check"),
        (vec!["replay", &at(&full), "--check"], 3, "is no evidence archive"),
    ] {
        let printed = call(data.path(), &arguments);
        assert_eq!(printed.code, code, "{arguments:?}: {}", printed.err);
        assert!(printed.err.contains(says), "{arguments:?}: {}", printed.err);
    }
    let empty = call(data.path(), &["runs", "list"]);
    assert!(empty.out.contains("`casebook run` makes one"), "{}", empty.out);
}

#[test]
fn damage_is_a_failed_check() {
    let data = data();
    let out = data.path().join("run");
    let run = out.to_str().unwrap();
    assert_eq!(
        call(data.path(), &["run", "--actor", "noop", "--pack", "practice", "--task", "P-01", "--out", run])
            .code,
        0
    );
    let trace = find(&out, "trace.1.jsonl");
    let text = fs::read_to_string(&trace).unwrap();
    fs::write(&trace, text.replacen("\"seed\":", "\"seed\": ", 1)).unwrap();
    let verified = call(data.path(), &["verify", run]);
    assert_eq!(verified.code, 1);
    let line = verified.out.lines().next().unwrap();
    assert!(line.starts_with("changed: trials/") && line.contains("trace.1.jsonl, line 1 (trial "), "{line}");
    let json: serde_json::Value =
        serde_json::from_str(&call(data.path(), &["verify", run, "--json"]).out).unwrap();
    assert_eq!((json["sound"].as_bool(), json["findings"][0]["line"].as_u64()), (Some(false), Some(1)));
}

fn find(folder: &Path, name: &str) -> std::path::PathBuf {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.ends_with(name) {
                return path;
            }
        }
    }
    panic!("{name} is not there")
}

#[test]
fn a_full_disk_and_a_folder_that_can_t_be_written_are_named() {
    let data = data();
    let printed = call(data.path(), &["run", "--actor", "noop", "--pack", "practice", "--out", "/proc/run"]);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("can't write /proc/run"), "{}", printed.err);
}
