//! Programs that are no worker of ours: each is an error in plain words, in time, and takes nothing down.

use super::{run, short, unstoppable, value};
use crate::support::{TODAY, frozen};
use casebook::query::{Engine as _, Environment, IsolatedEngine, Limits, OpenError, QueryError, Worker};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// What a worker says once its copy is open.
const OPENED: &str = r"printf '\005\000\000\000\000\000\000\000\000' >&0";

fn program(folder: &Path, script: &str) -> Worker {
    let program = folder.join("worker.sh");
    let written = folder.join("written");
    fs::write(&written, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&written, fs::Permissions::from_mode(0o755)).unwrap();
    // Made elsewhere and moved: a file that is open for writing can't be run.
    fs::rename(written, &program).unwrap();
    Worker { program }
}

fn open(worker: &Worker) -> Result<IsolatedEngine, OpenError> {
    let environment = Environment { today: TODAY, seed: 1 };
    IsolatedEngine::open(worker, &frozen("CREATE TABLE t(x)"), environment, &Limits::default())
}

#[test]
fn what_does_not_begin_as_a_worker_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (script, wanted) in [
        ("exit 3", "it ended with exit code 3"),
        ("echo 'no such option: --engine' >&2; exit 2", "exit code 2: no such option: --engine"),
        ("printf '\\033[2J' >&2; kill -SEGV $$", "it was ended by signal 11"),
        ("printf 'hello, this is no worker' >&0; read x", "longer than any answer can be"),
        (r"printf '\001\000\000\000\007' >&0; read x", "it is neither open nor not"),
        (r"printf '\005\000\000\000\000\000\000\000\000more' >&0; read x", "it says more than it was asked"),
    ] {
        let error = open(&program(folder.path(), script)).unwrap_err().to_string();
        assert!(error.contains("no process could be started for the engine: "), "{error}");
        assert!(error.contains(wanted), "{script}: {error}");
        assert!(error.contains("run without --isolate") && !error.contains('\u{1b}'), "{error:?}");
    }
    let error = open(&Worker { program: folder.path().join("missing") }).unwrap_err().to_string();
    assert!(error.contains("No such file"), "{error}");
}

#[test]
fn what_answers_nonsense_fails_the_statement() {
    let folder = tempfile::tempdir().unwrap();
    for (script, wanted) in [
        (r"printf '\377\377\377\377' >&0", "longer than any answer can be"),
        (r"printf '\004\000\000\000\000\000\000\000' >&0", "it is cut short"),
        (r"printf '\003\000\000\000\000\000\011' >&0", "of an unknown kind"),
        // A result of one column and 2^31 rows.
        (
            r"printf '\032\000\000\000\000\000\000\000\001\000\000\000\001\000\000\000a\000\000\000\000\000\000\000\000\000\377\377\377\177' >&0",
            "counts more than it holds",
        ),
        // What a catalogue would be.
        (r"printf '\010\000\000\000\000\000\002\000\000\000\000\000' >&0", "it answers what was not asked"),
        ("exit 7", "ended with exit code 7"),
    ] {
        let worker =
            program(folder.path(), &format!("{OPENED}\nsleep 0.2 2>/dev/null || :\n{script}\nread x"));
        let mut engine = open(&worker).unwrap();
        let error = run(&mut engine, 1, "SELECT 1").unwrap_err();
        let QueryError::Engine { reason } = &error else { panic!("{script}: {error:?}") };
        assert!(reason.contains(wanted), "{script}: {reason}");
    }
}

#[test]
fn what_never_answers_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let worker = program(folder.path(), &format!("{OPENED}\nwhile :; do :; done"));
    let mut engine = open(&worker).unwrap();
    let started = Instant::now();
    let error = engine.run(1, "SELECT 1", &short()).unwrap_err();
    assert!(matches!(error, QueryError::Limit { .. }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    // It does not even read a long question.
    let long = format!("SELECT '{}'", "x".repeat(1_000_000));
    assert!(engine.run(1, &long, &short()).is_err());
}

/// The second worker can't repeat what the first one wrote: nothing is made up, and the reason stays.
#[test]
fn a_copy_that_can_t_be_made_again_is_said_to_be_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (second, real) = (folder.path().join("second"), env!("CARGO_BIN_EXE_casebook"));
    let script = format!(
        "if [ -e {second} ]; then {OPENED}\nread x; exit 9; fi\nexec {real} \"$@\"",
        second = second.display()
    );
    let mut engine = open(&program(folder.path(), &script)).unwrap();
    run(&mut engine, 7, "INSERT INTO t VALUES (1)").unwrap();
    assert_eq!(value(&mut engine, "SELECT count(*) FROM t"), "1");
    fs::write(&second, "").unwrap();
    engine.run(8, &unstoppable(), &short()).unwrap_err();
    for _ in 0..2 {
        let error = run(&mut engine, 9, "SELECT count(*) FROM t").unwrap_err().to_string();
        assert!(error.starts_with("the private copy is lost: call 7 had written to it"), "{error}");
        assert!(error.ends_with("answer with what is known"), "{error}");
    }
    assert!(engine.check("SELECT 1").is_err() && engine.catalogue().is_err());
    let notices = engine.take_notices();
    assert!(notices.iter().any(|it| it.contains("is lost")), "{notices:?}");
}
