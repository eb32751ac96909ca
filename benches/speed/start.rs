//! The whole process: `casebook schema` against a program that does nothing.

use crate::measure;
use std::process::{Command, Stdio};

pub(crate) fn run() {
    let run = |program: &str, arguments: &[&str]| {
        assert!(Command::new(program).args(arguments).stdout(Stdio::null()).status().unwrap().success());
    };
    let casebook = env!("CARGO_BIN_EXE_casebook");
    for arguments in [&["schema"][..], &["query", "SELECT count(*) FROM okta_user"]] {
        let mut quiet = || {
            let status =
                Command::new(casebook).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert!(status.unwrap().success());
        };
        let (ours, nothing) = measure::in_turn(200, &mut quiet, || run("true", &[]));
        println!(
            "casebook {:<10} {ours:>10.2?}   true {nothing:>10.2?}   own time {:>10.2?}",
            arguments[0],
            ours.saturating_sub(nothing)
        );
    }
}
