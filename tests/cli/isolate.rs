//! `casebook run --isolate`: a worker ends when its run does, however the run ends.

use crate::support::{casebook, data};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A statement that SQLite can't stop for seconds.
fn script(folder: &Path) -> PathBuf {
    let sql = format!("SELECT hex(zeroblob(500000)) LIKE '%0{}1'", "_".repeat(990));
    let call = serde_json::json!({"tool": "run_query", "arguments": {"sql": sql}});
    let path = folder.join("calls.jsonl");
    fs::write(&path, format!("{}\n", [call.to_string(), call.to_string(), call.to_string()].join("\n")))
        .unwrap();
    path
}

fn arguments(folder: &Path) -> Vec<String> {
    let (script, out) = (script(folder), folder.join("run"));
    let words = ["run", "--actor", "script", "--task", "V-AWS-04", "--isolate", "--script"];
    let paths = [script.to_str().unwrap(), "--out", out.to_str().unwrap()];
    words.into_iter().chain(paths).map(str::to_owned).collect()
}

/// The children of a process.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().map(|it| it.parse().unwrap()).collect::<Vec<u32>>())
        .collect()
}

fn within<T>(most: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < most, "{what} within {most:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Time that a process has used, in ticks: a statement that runs uses some.
fn used(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    after.split_whitespace().nth(11).and_then(|it| it.parse().ok()).unwrap_or(0)
}

fn is_running(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !matches!(rest.trim_start().chars().next(), None | Some('Z' | 'X')))
}

fn working(run: u32) -> u32 {
    let worker = within(Duration::from_secs(20), "a worker", || children(run).into_iter().next());
    within(Duration::from_secs(20), "work", || (used(worker) > 10).then_some(()));
    worker
}

#[test]
fn a_worker_does_not_outlive_a_run_that_is_killed() {
    let folder = data();
    let mut run = casebook(folder.path()).args(arguments(folder.path())).spawn().unwrap();
    let worker = working(run.id());
    kill_process(Pid::from_raw(run.id().cast_signed()).unwrap(), Signal::KILL).unwrap();
    run.wait().unwrap();
    within(Duration::from_secs(1), "the worker's end", || (!is_running(worker)).then_some(()));
}

/// The statement does not stop, so its worker is killed; the keys reach the run alone.
#[test]
fn ctrl_c_ends_a_run_whose_statement_does_not_stop() {
    let folder = data();
    let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 100, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_casebook"));
    command.args(arguments(folder.path()));
    command.env("CASEBOOK_DATA_DIR", folder.path());
    let mut run = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    let worker = working(run.process_id().unwrap());
    let mut keyboard = pair.master.take_writer().unwrap();
    std::io::Write::write_all(&mut keyboard, b"\x03").unwrap();
    let sent = Instant::now();
    assert_eq!(run.wait().unwrap().exit_code(), 130);
    assert!(sent.elapsed() < Duration::from_secs(2), "{:?}", sent.elapsed());
    assert!(!is_running(worker));
    let trace = folder.path().join("run/trials");
    let trace = within(Duration::from_secs(1), "a trace", || trace_in(&trace));
    let text = fs::read_to_string(trace).unwrap();
    assert!(
        text.contains("\"error\":\"cancelled\"") && text.contains("of the interrupt, and was killed"),
        "{text}"
    );
}

fn trace_in(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return trace_in(&path);
        }
        path.file_name()?.to_str()?.starts_with("trace").then_some(path)
    })
}
