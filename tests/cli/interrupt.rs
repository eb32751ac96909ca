//! A slow statement in a terminal: a progress line appears, Ctrl-C stops the statement at once, and the line is gone.

use crate::support::data;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read as _, Write as _};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const ENDLESS: &str =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

#[test]
fn ctrl_c_stops_a_running_statement_and_clears_the_progress_line() {
    let data = data();
    let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 60, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_casebook"));
    command.args(["query", ENDLESS]);
    command.env("CASEBOOK_DATA_DIR", data.path());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (sender, output) = mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut screen = vt100::Parser::new(24.try_into().unwrap(), 60.try_into().unwrap(), 0);
    let started = Instant::now();
    while !screen.screen().contents().contains("running the statement") {
        let left =
            Duration::from_secs(20).checked_sub(started.elapsed()).expect("a progress line within 20 s");
        screen.process(&output.recv_timeout(left).unwrap());
    }
    assert!(screen.screen().contents().contains("(Ctrl-C stops)"));
    // Kept to the end: dropping the writer types a line feed and an end of file.
    let mut keyboard = pair.master.take_writer().unwrap();
    keyboard.write_all(b"\x03").unwrap();
    let sent = Instant::now();
    let status = child.wait().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(1), "{:?}", sent.elapsed());
    assert_eq!(status.exit_code(), 130);
    while let Ok(bytes) = output.recv_timeout(Duration::from_secs(1)) {
        screen.process(&bytes);
    }
    let screen = screen.screen().contents();
    assert!(
        screen.contains("casebook: cancelled after") && !screen.contains("running the statement"),
        "{screen}"
    );
}
