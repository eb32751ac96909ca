//! Programs as actors: the example of the docs works through a pack; what goes wrong is recorded; nothing is left running.

use crate::support::{Run, TASK, Trial, until};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

/// Runs a shell script as the actor.
fn shell(run: &Run, script: &str, more: &[&str]) -> (String, i32) {
    let path = run.path();
    let mut arguments = vec!["run", "--actor", "command", "--task", TASK, "--out", path.to_str().unwrap()];
    arguments.extend(more);
    arguments.extend(["--", "sh", "-c", script]);
    run.call(&arguments)
}

fn one(script: &str, more: &[&str]) -> (Run, Trial) {
    let run = Run::new();
    let (said, code) = shell(&run, script, more);
    assert_eq!(code, 0, "{said}");
    let trial = run.trial();
    (run, trial)
}

/// The example of `docs/agents.md`.
fn example() -> String {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/agents.md")).unwrap();
    let code = page.split("```python\n").nth(1).expect("an example").split("```").next().unwrap();
    assert!(code.lines().count() < 40, "{} lines", code.lines().count());
    code.to_owned()
}

#[test]
fn the_example_of_the_docs_works_through_tasks_of_a_pack() {
    let run = Run::new();
    let agent = run.beside("agent.py");
    fs::write(&agent, example()).unwrap();
    let (path, agent) = (run.path(), agent.to_str().unwrap().to_owned());
    let (said, code) = run.call(&[
        "run",
        "--actor",
        "command",
        "--pack",
        "visibility",
        "--task",
        "V-AWS-04,V-OKTA-01,V-AWS-01",
        "--jobs",
        "2",
        "--out",
        path.to_str().unwrap(),
        "--",
        "python3",
        &agent,
    ]);
    assert!(code == 0 && said.contains(": 3 answered"), "{said}");
    for trial in run.trials() {
        let tools: Vec<_> =
            trial.of_kind("tool_call").iter().map(|it| it["tool"].as_str().unwrap().to_owned()).collect();
        assert_eq!(tools, ["get_schema", "run_query", "submit_answer"]);
        assert_eq!(trial.notes(), ["client: agent.py 1, protocol 2025-11-25", "program: exit status 0"]);
        assert!(trial.of_kind("tool_error").is_empty());
    }
    let (shown, _) = run.call(&["runs", "show", path.to_str().unwrap()]);
    assert!(shown.contains("(not confined to the tools)"), "{shown}");
}

#[test]
fn what_a_program_prints_is_its_answer_if_it_ends_well() {
    let script = r#"cat > brief; grep -q 'MFA device' brief && [ "$CASEBOOK_TASK" = V-AWS-04 ] && [ "$(ls)" = brief ] && echo "$(wc -l < brief) lines: none."; echo "thinking" >&2"#;
    let (run, trial) = one(script, &["--tools", "two"]);
    assert_eq!(trial.ending, "answered", "{}", trial.error);
    assert_eq!(trial.notes(), ["program: exit status 0; the last of its standard error:\nthinking"]);
    let [answer] = &fs::read_dir(run.path().join("trials")).unwrap().flatten().collect::<Vec<_>>()[..] else {
        panic!()
    };
    let answer =
        fs::read_to_string(answer.path().join("visibility").join(TASK).join("1/answer.json")).unwrap();
    assert!(answer.contains("lines: none."), "{answer}");
}

#[test]
fn a_program_that_fails_is_an_error_with_its_last_words() {
    let (_, trial) = one("echo half an answer; echo broken pipe dream >&2; exit 3", &[]);
    assert_eq!(
        trial.error,
        "the program ended without an answer: program: exit status 3; the last of its standard error:\nbroken pipe dream"
    );
    let (_, trial) = one("exit 0", &[]);
    assert_eq!(trial.error, "the program ended without an answer: program: exit status 0");
    let (_, trial) = one("kill -SEGV $$", &[]);
    assert!(trial.error.contains("ended by signal 11"), "{}", trial.error);
    // Only the end of a long complaint is kept.
    let (_, trial) = one("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1", &[]);
    assert!(trial.error.ends_with("line 2999") && trial.error.len() < 5000, "{}", trial.error.len());
}

#[test]
fn a_program_s_token_is_not_recorded_even_if_it_prints_it() {
    let (run, trial) = one("echo $CASEBOOK_MCP_URL; env | grep CASEBOOK_MCP >&2", &[]);
    assert_eq!(trial.ending, "answered");
    assert_eq!(trial.notes()[0].matches("[token removed]").count(), 2, "{}", trial.notes()[0]);
    let answer = fs::read_to_string(run.path().join("trials.jsonl")).unwrap();
    assert!(answer.contains("answered"));
    let kept = std::process::Command::new("grep")
        .args(["-rE", "mcp/[0-9a-f]{16}"])
        .arg(run.path())
        .output()
        .unwrap();
    assert!(kept.stdout.is_empty(), "{}", String::from_utf8_lossy(&kept.stdout));
}

/// Starts two processes that would go on for long, and writes their numbers down.
fn sleepers(run: &Run) -> (String, std::path::PathBuf) {
    let pids = run.beside("pids");
    (
        format!(
            "trap '' TERM; sleep 1000 & echo $! $$ > '{0}.part'; mv '{0}.part' '{0}'; wait",
            pids.display()
        ),
        pids,
    )
}

fn are_gone(pids: &std::path::Path) {
    let pids = fs::read_to_string(pids).unwrap();
    for pid in pids.split_whitespace().map(|pid| Pid::from_raw(pid.parse().unwrap()).unwrap()) {
        until("the end of the program's processes", || test_kill_process(pid).is_err() || is_zombie(pid));
    }
}

/// Ended, and not yet reaped by whoever inherited it.
fn is_zombie(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
}

#[test]
fn a_limit_kills_the_program_and_all_it_started() {
    let run = Run::new();
    let (script, pids) = sleepers(&run);
    let began = Instant::now();
    let (said, code) = shell(&run, &script, &["--max-seconds", "1"]);
    assert!(code == 0 && said.contains("1 limit: time"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    are_gone(&pids);
    let trial = run.trial();
    assert_eq!((trial.ending.as_str(), trial.notes()), ("limit: time", vec!["program: killed"]));
}

#[test]
fn a_stopped_run_kills_its_programs_and_goes_on_later() {
    let run = Run::new();
    let (sleep, pids) = sleepers(&run);
    let script = format!("if [ -e '{}' ]; then echo None.; else {sleep}; fi", pids.display());
    let path = run.path();
    let folder = path.to_str().unwrap();
    let mut child = run
        .casebook(&["run", "--actor", "command", "--task", TASK, "--out", folder, "--", "sh", "-c", &script])
        .spawn()
        .unwrap();
    until("the program", || pids.exists());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(crate::support::ended(&mut child).code(), Some(130));
    are_gone(&pids);
    assert_eq!(run.stopped_trial().ending, "interrupted");
    let (said, code) = run.call(&["run", "--resume", folder]);
    assert!(code == 0 && said.contains("1 answered"), "{said}");
    assert_eq!(run.trials().len(), 2);
}

#[test]
fn a_program_that_goes_on_after_its_answer_is_killed() {
    let run = Run::new();
    let agent = run.beside("agent.py");
    fs::write(&agent, example() + "import time; time.sleep(1000)\n").unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let began = Instant::now();
    let (said, code) = run.call(&[
        "run",
        "--actor",
        "command",
        "--task",
        TASK,
        "--out",
        run.path().to_str().unwrap(),
        "--",
        "python3",
        agent.to_str().unwrap(),
    ]);
    assert!(code == 0 && said.contains("1 answered"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(run.trial().notes().last(), Some(&"program: killed"));
}

#[test]
fn a_secret_among_the_arguments_is_not_kept_and_can_t_be_gone_on_with() {
    let run = Run::new();
    let path = run.path();
    let folder = path.to_str().unwrap();
    let mut command = run.casebook(&["run", "--actor", "command", "--task", TASK, "--out", folder, "--"]);
    let mut child = command
        .args(["sh", "-c", "sleep 1000", "sk-canary-4711"])
        .env("MY_API_KEY", "sk-canary-4711")
        .spawn()
        .unwrap();
    until("the trial", || path.join("trials").exists());
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(crate::support::ended(&mut child).code(), Some(130));
    let kept = std::process::Command::new("grep").args(["-r", "sk-canary"]).arg(&path).output().unwrap();
    assert!(kept.stdout.is_empty());
    let (said, code) = run.call(&["run", "--resume", folder]);
    assert!(code == 3 && said.contains("begin a new run, with the secret in the environment"), "{said}");
}

/// An agent that starts its MCP server itself, as many do: once to look, once to work.
const STARTS_ITS_SERVER: &str = r#"
import json, os, subprocess, sys
server = json.load(open(os.environ["CASEBOOK_MCP_CONFIG"]))["mcpServers"]["casebook"]
def session(*calls):
    process = subprocess.Popen([server["command"], *server["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def request(number, method, params):
        print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())["result"]
    client = {"name": "starter", "version": "1"}
    request(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    results = [request(number, "tools/call", call) for number, call in enumerate(calls, 1)]
    process.stdin.close()
    assert process.wait() == 0
    return results
assert os.listdir(".") == []
[seen] = session({"name": "run_query", "arguments": {"sql": "SELECT 1 AS one"}})
session({"name": "submit_answer", "arguments": {"answer": seen["content"][0]["text"]}})
"#;

#[test]
fn an_agent_may_start_its_server_itself() {
    let run = Run::new();
    let agent = run.beside("agent.py");
    fs::write(&agent, STARTS_ITS_SERVER).unwrap();
    let path = run.path();
    let (folder, agent) = (path.to_str().unwrap(), agent.to_str().unwrap());
    let most = ["--max-seconds", "20"];
    let (said, code) = run.call(
        &[
            &["run", "--actor", "command", "--task", TASK, "--out", folder],
            &most[..],
            &["--", "python3", agent],
        ]
        .concat(),
    );
    assert!(code == 0 && said.contains("1 answered"), "{said}");
    let trial = run.trial();
    assert_eq!(trial.notes(), ["client: starter 1, protocol 2025-06-18", "program: exit status 0"]);
    assert_eq!(trial.of_kind("tool_call").len(), 2);
    let (said, code) = run.call(&["mcp", "--attach", "/nowhere/socket"]);
    assert!(code == 3 && said.contains("there is no trial at /nowhere/socket"), "{said}");
}
