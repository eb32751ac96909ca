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
    assert!(shown.out.contains("V-OKTA-01  2  answered  yes "), "{}", shown.out);
    let verified = call(data.path(), &["verify", name]);
    assert_eq!((verified.code, verified.out.trim_end().ends_with("sound")), (0, true), "{}", verified.out);
    let junit = data.path().join("replay.xml");
    let replayed = call(data.path(), &["replay", name, "--check", "--junit", junit.to_str().unwrap()]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(replayed.out.ends_with("4 trials: 4 match\n"), "{}", replayed.out);
    assert!(fs::read_to_string(&junit).unwrap().contains("tests=\"4\" failures=\"0\""));
    // The script is evidence, too.
    let blob = script_blob(data.path(), name);
    let kept = fs::read(&blob).unwrap();
    fs::remove_file(&blob).unwrap();
    let missed = call(data.path(), &["verify", name]);
    assert!(missed.code == 1 && missed.out.starts_with("missing: blobs/"), "{}", missed.out);
    fs::write(&blob, kept).unwrap();
    let one = call(data.path(), &["replay", name, "--check", "--json", "--trial", &run_place("V-AWS-01/1")]);
    let report: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!(
        (report["verdicts"]["match"].as_u64(), report["trials"].as_array().unwrap().len()),
        (Some(1), 1)
    );
}

/// The blob that holds the script of a run.
fn script_blob(data: &Path, run: &str) -> std::path::PathBuf {
    let folder = data.join("runs").join(run);
    let head: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap();
    let digest = head["contexts"][0]["sha256"].as_str().unwrap().to_owned();
    folder.join("blobs").join(&digest[..2]).join(digest + ".zst")
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
        (vec!["run", "--resume", &at(&full), "--max-calls", "1"], 2, "--max-calls"),
        (vec!["verify", &at(&full)], 3, "`casebook runs list`"),
        (vec!["verify", "/nowhere"], 3, "is no evidence archive"),
        (vec!["runs", "show", "nothing"], 3, "is no evidence archive"),
        (vec!["runs", "list", "/nowhere"], 3, "can't read /nowhere"),
        (vec!["verify", &at(&broken)], 3, "it is no folder"),
        (vec!["run", "--actor", "noop", "--out", &at(&broken)], 3, "can't make the folder"),
        (vec!["replay", &at(&full)], 3, "needs a terminal"),
        (vec!["replay", "/nowhere"], 3, "no run has that name"),
        (vec!["replay", &at(&full), "--json"], 2, "--check"),
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
fn a_folder_that_can_t_be_written_is_named() {
    let data = data();
    let printed = call(data.path(), &["run", "--actor", "noop", "--pack", "practice", "--out", "/proc/run"]);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("can't make the folder /proc/run"), "{}", printed.err);
}

/// A disk that takes no more (here: no file may be longer than a few MiB) stops the run; what was finished is kept, and the run
/// goes on once there is room.
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_later() {
    let data = data();
    let script = data.path().join("calls.jsonl");
    let note = format!("{{\"note\": \"{}\"}}\n", "x".repeat(2000));
    let lines = format!(
        "{{\"for\": {{\"trial\": 2}}}}\n{}{{\"final\": \"x\"}}\n{{\"for\": {{}}}}\n{{\"final\": \"y\"}}\n",
        note.repeat(2600)
    );
    fs::write(&script, lines).unwrap();
    let run = data.path().join("run");
    // dash counts blocks of 512 bytes, bash of 1024.
    let shell = format!(
        "trap '' XFSZ; ulimit -f 4096; exec '{}' run --actor script --script '{}' --pack visibility --task V-AWS-01 --trials 3 --jobs 1 --out '{}'",
        env!("CARGO_BIN_EXE_casebook"),
        script.display(),
        run.display()
    );
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &shell]).env("CASEBOOK_DATA_DIR", data.path());
    let stopped = Printed::of(command.output().unwrap());
    assert_eq!(stopped.code, 3, "{}", stopped.err);
    assert!(stopped.err.contains("trace.1.jsonl") && stopped.err.contains("--resume"), "{}", stopped.err);
    let place = run.to_str().unwrap();
    let verified = call(data.path(), &["verify", place]);
    assert_eq!(verified.code, 1);
    assert!(verified.out.lines().all(|line| !line.starts_with("changed")), "{}", verified.out);
    assert!(verified.out.contains("2 of 3 trials are still to be made"), "{}", verified.out);
    // What came of the line that found no room is taken away again.
    let trace = fs::read(run.join("trials").join(run_place("V-AWS-01/2")).join("trace.1.jsonl")).unwrap();
    assert_eq!(trace.last(), Some(&b'\n'));
    // The second attempt is the long one; the third, in its place, is not.
    let resumed = call(data.path(), &["run", "--resume", place]);
    assert_eq!((resumed.code, resumed.err.as_str()), (0, ""));
    assert!(resumed.out.contains("3 answered"), "{}", resumed.out);
    let verified = call(data.path(), &["verify", place]);
    assert_eq!(verified.code, 0, "{}", verified.out);
}

#[test]
fn ctrl_c_stops_a_run_that_can_be_gone_on_with() {
    let data = data();
    let script = data.path().join("calls.jsonl");
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    fs::write(
        &script,
        format!("{{\"for\": {{\"trial\": 2}}}}\n{{\"tool\": \"run_query\", \"arguments\": {{\"sql\": \"{endless}\"}}}}\n{{\"for\": {{}}}}\n{{\"final\": \"x\"}}\n"),
    )
    .unwrap();
    let run = data.path().join("run");
    let mut command = casebook(data.path());
    command.args([
        "run",
        "--actor",
        "script",
        "--pack",
        "visibility",
        "--task",
        "V-AWS-01",
        "--trials",
        "2",
        "--jobs",
        "1",
        "--script",
    ]);
    command.arg(&script).arg("--out").arg(&run);
    let child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The second trial is in its statement once its call is recorded.
    let trace = run.join("trials").join(run_place("V-AWS-01/2")).join("trace.1.jsonl");
    let begun = std::time::Instant::now();
    while !fs::read_to_string(&trace).is_ok_and(|text| text.contains("tool_call")) {
        assert!(begun.elapsed().as_secs() < 30, "the trial did not begin");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let printed = Printed::of(child.wait_with_output().unwrap());
    assert_eq!(printed.code, 130, "{}", printed.err);
    assert!(
        printed.err.contains("stopped: 1 of 2 trials are done; `casebook run --resume "),
        "{}",
        printed.err
    );
    let verified = call(data.path(), &["verify", run.to_str().unwrap()]);
    assert!(verified.out.contains("1 of 2 trials are still to be made"), "{}", verified.out);
}

/// The machine's clock, its time zone and its language change no result.
#[test]
fn a_machine_elsewhere_gives_the_same_results() {
    let data = data();
    let script = data.path().join("calls.jsonl");
    let sql = "SELECT datetime('now', 'localtime'), strftime('%s'), CURRENT_TIMESTAMP, random(), hex(randomblob(8)), date(0, 'unixepoch', 'localtime')";
    let first = format!("{{\"tool\": \"run_query\", \"arguments\": {{\"sql\": \"{sql}\"}}}}");
    fs::write(&script, first + SCRIPT).unwrap();
    let hashes = |place: &str, zone: &str, language: &str| -> Vec<String> {
        let run = data.path().join(place);
        let mut command = casebook(data.path());
        command.args(["run", "--actor", "script", "--pack", "visibility", "--task", "V-AWS-01", "--script"]);
        command.arg(&script).arg("--out").arg(&run).env("TZ", zone).env("LC_ALL", language);
        assert_eq!(Printed::of(command.output().unwrap()).code, 0);
        let text = fs::read_to_string(find(&run, "trace.1.jsonl")).unwrap();
        let hash = |line: &str| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["body"]["result"]["sha256"].as_str().map(str::to_owned)
        };
        text.lines().filter_map(hash).collect()
    };
    let here = hashes("here", "UTC", "C");
    assert_eq!(here.len(), 2);
    assert_eq!(here, hashes("there", "Asia/Kathmandu", "de_DE.UTF-8"));
    assert_eq!(here, hashes("west", "America/St_Johns", "tr_TR.UTF-8"));
}
