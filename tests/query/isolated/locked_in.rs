//! What a worker has given up, as the kernel sees it.

use super::{isolated_copy_of, value, worker};
use casebook::query::Engine as _;
use rustix::process::{Pid, test_kill_process};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_worker_has_three_descriptors_no_environment_and_no_rights() {
    // An inherited descriptor that is not closed on exec must not get through either.
    let inherited = rustix::io::dup(std::io::stderr()).unwrap();
    rustix::io::fcntl_setfd(&inherited, rustix::io::FdFlags::empty()).unwrap();
    let mut engine = isolated_copy_of("CREATE TABLE t(x)");
    drop(inherited);
    assert_eq!(value(&mut engine, "SELECT 1"), "1");
    assert_eq!(engine.take_notices(), [] as [String; 0], "this kernel gives all that is wanted");
    let process = format!("/proc/{}", engine.process_id().unwrap());
    let read = |file: &str| fs::read_to_string(format!("{process}/{file}")).unwrap();

    assert_eq!(read("environ"), "MALLOC_ARENA_MAX=1\0");
    assert_eq!(fs::read_link(format!("{process}/cwd")).unwrap().to_str(), Some("/"));
    let status = read("status");
    let of = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim();
    assert_eq!((of("NoNewPrivs:"), of("Seccomp:")), ("1", "2"));

    let targets: Vec<String> = fs::read_dir(format!("{process}/fd"))
        .unwrap()
        .map(|entry| fs::read_link(entry.unwrap().path()).unwrap().to_str().unwrap().to_owned())
        .collect();
    for target in &targets {
        assert!(
            target.starts_with("socket:") || target.starts_with("/memfd:casebook-snapshot"),
            "{targets:?}"
        );
    }
    let sockets: std::collections::BTreeSet<&String> =
        targets.iter().filter(|target| target.starts_with("socket:")).collect();
    assert_eq!(sockets.len(), 2, "{targets:?}");

    let limits = read("limits");
    for (name, most) in [("Max open files", "0"), ("Max file size", "0"), ("Max core file size", "0")] {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        let hard = line.split_whitespace().nth_back(1).unwrap();
        assert_eq!(hard, most, "{line}");
    }
    let line = limits.lines().find(|line| line.starts_with("Max address space")).unwrap();
    let bytes: u64 = line.split_whitespace().nth_back(1).unwrap().parse().unwrap();
    assert!(bytes < 2 << 30, "{line}");
}

/// A worker ends with its engine, without waiting for a statement.
#[test]
fn a_worker_ends_with_its_engine() {
    let engine = isolated_copy_of("CREATE TABLE t(x)");
    let process = Pid::from_raw(engine.process_id().unwrap().cast_signed()).unwrap();
    test_kill_process(process).unwrap();
    drop(engine);
    assert!(test_kill_process(process).is_err(), "it was waited for");
}

#[test]
fn a_thread_that_ends_does_not_take_its_worker_along() {
    let mut engine = std::thread::spawn(|| isolated_copy_of("CREATE TABLE t(x)")).join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(value(&mut engine, "SELECT 1"), "1");
    assert_eq!(engine.take_notices(), [] as [String; 0]);
}

/// Nobody starts it by hand for anything.
#[test]
fn by_hand_it_says_what_it_is() {
    let started = Instant::now();
    let output = Command::new(&worker().program).arg("engine-worker").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("it is started by casebook itself, for --isolate"), "{said}");
    assert!(started.elapsed() < Duration::from_secs(5));
}
