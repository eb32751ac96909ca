//! Running the binary.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A data folder for one test.
pub(crate) fn data() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The binary, with its data in this folder and nothing else of the caller's settings.
pub(crate) fn casebook(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casebook"));
    command.env("CASEBOOK_DATA_DIR", data).env_remove("CASEBOOK_SNAPSHOT").stdin(Stdio::null());
    command
}

/// What a call printed, and its exit code.
pub(crate) struct Printed {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Printed {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// Calls with these arguments.
pub(crate) fn call(arguments: &[&str]) -> Printed {
    let data = data();
    Printed::of(casebook(data.path()).args(arguments).output().unwrap())
}

/// Calls with these arguments and this standard input.
pub(crate) fn call_with_input(arguments: &[&str], input: &[u8]) -> Printed {
    let data = data();
    let mut child = casebook(data.path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may stop reading early, which is its right.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Printed::of(output)
}
