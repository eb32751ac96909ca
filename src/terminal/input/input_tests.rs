//! The input thread on a pseudo-terminal.

use super::{Input, InputThread, pasted};
use crate::terminal::test_pty::Pair;
use crate::terminal::{ClaimOptions, Guard};
use crate::workbench::keys::Chord;
use crossbeam_channel::Receiver;
use std::time::{Duration, Instant};

/// What is long enough for anything that is expected at all, on a busy machine too.
const LONG: Duration = Duration::from_secs(20);

struct Typing {
    pair: Pair,
    /// Holds the terminal in raw mode.
    guard: Guard,
    thread: InputThread,
    inputs: Receiver<Input>,
}

fn start() -> Typing {
    let pair = Pair::open();
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    let (sender, inputs) = crossbeam_channel::unbounded();
    let thread = InputThread::spawn(guard.tty(), sender).unwrap();
    Typing { pair, guard, thread, inputs }
}

fn key(text: &str) -> Input {
    Input::Key(text.parse::<Chord>().unwrap())
}

#[test]
fn line_ends_of_pastes_are_line_feeds() {
    assert_eq!(pasted(b"a\rb\r\nc\nd"), "a\nb\nc\nd");
    assert_eq!(pasted(b"a\tb\xff"), "a\tb\u{fffd}");
}

#[test]
fn answers_among_typed_keys_disturb_none() {
    let typing = start();
    typing.pair.typed(b"a\x1b]11;rgb:0000/0000/0000\x07b\x1b[?5u\x1b[A\x1b[?997;2nc\x1b[?62c\x1b[<0;3;4Md");
    let got: Vec<Input> = (0..10).map(|_| typing.inputs.recv_timeout(LONG).unwrap()).collect();
    assert_eq!(
        got.iter().filter(|input| matches!(input, Input::Key(_))).cloned().collect::<Vec<_>>(),
        [key("a"), key("b"), key("up"), key("c"), key("d")]
    );
    assert!(matches!(got[1], Input::Background(_)), "{got:?}");
    assert!(matches!(got[7], Input::Answered), "{got:?}");
}

#[test]
fn an_answer_in_two_parts_is_put_together() {
    let typing = start();
    typing.pair.typed(b"\x1b]11;rgb:00");
    std::thread::sleep(Duration::from_millis(60));
    typing.pair.typed(b"00/0000/0000\x07q");
    assert!(matches!(typing.inputs.recv_timeout(LONG), Ok(Input::Background(_))));
    assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key("q")));
}

#[test]
fn a_lone_escape_is_the_key() {
    let typing = start();
    let mut delays: Vec<Duration> = (0..9)
        .map(|_| {
            let start = Instant::now();
            typing.pair.typed(b"\x1b");
            assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key("esc")));
            start.elapsed()
        })
        .collect();
    delays.sort();
    println!("lone ESC, median of 9: {:?}", delays[4]);
    assert!(delays[0] >= Duration::from_millis(20), "it must wait for the rest of a sequence: {delays:?}");
    typing.pair.typed(b"\x1b");
    typing.pair.typed(b"[A");
    assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key("up")));
    typing.pair.typed(b"\x1b[");
    assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key("alt-[")));
}

#[test]
fn a_long_paste_arrives_whole() {
    let typing = start();
    let text = "SELECT 'é', \x1b[A FROM t;\n".repeat(45_000);
    assert!(text.len() > 1_000_000);
    let bytes = format!("\x1b[200~{text}\x1b[201~q");
    let start = Instant::now();
    typing.pair.typed(bytes.as_bytes());
    let got = typing.inputs.recv_timeout(LONG).unwrap();
    println!("a paste of {} bytes through a pseudo-terminal: {:?}", text.len(), start.elapsed());
    assert!(got == Input::Paste(text), "another text");
    assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key("q")));
}

#[test]
fn a_paste_without_its_end_can_be_left() {
    let all = [("\x03", "ctrl-c"), ("\x1b[27u", "esc"), ("\x1b[99;5u", "ctrl-c"), ("\x1b", "esc")].map(
        |(bytes, way)| {
            let typing = start();
            typing.pair.typed(b"\x1b[200~half a paste");
            (typing, bytes, way)
        },
    );
    std::thread::sleep(Duration::from_millis(2200));
    for (typing, bytes, way) in &all {
        typing.pair.typed(bytes.as_bytes());
        assert_eq!(typing.inputs.recv_timeout(LONG), Ok(Input::Paste("half a paste".into())), "{way}");
        assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key(way)));
    }
}

#[test]
fn stopping_is_prompt_and_leaves_the_terminal_to_others() {
    let typing = start();
    typing.pair.typed(b"a");
    assert_eq!(typing.inputs.recv_timeout(LONG), Ok(key("a")));
    let start = Instant::now();
    typing.thread.stop();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    typing.pair.typed(b"b");
    assert!(typing.inputs.recv_timeout(Duration::from_millis(50)).is_err(), "its sender is dropped");
    // A second thread goes on where the first has stopped.
    let (sender, inputs) = crossbeam_channel::unbounded();
    let thread = InputThread::spawn(typing.guard.tty(), sender).unwrap();
    assert_eq!(inputs.recv_timeout(LONG), Ok(key("b")));
    drop(thread);
}

#[test]
fn stopping_does_not_wait_for_room_in_the_channel() {
    let pair = Pair::open();
    let guard = Guard::claim_on(pair.tty(), ClaimOptions::default()).unwrap();
    let (sender, inputs) = crossbeam_channel::bounded(1);
    let thread = InputThread::spawn(guard.tty(), sender).unwrap();
    pair.typed(b"abcdef");
    std::thread::sleep(Duration::from_millis(100));
    thread.stop();
    assert_eq!(inputs.len(), 1);
}

#[test]
fn a_terminal_that_goes_away_is_told() {
    let typing = start();
    drop(typing.pair.master);
    assert_eq!(typing.inputs.recv_timeout(LONG), Ok(Input::Closed));
    assert!(typing.inputs.recv_timeout(LONG).is_err(), "nothing comes after it");
}

/// Voluntary context switches of a thread: how often it has gone to sleep.
#[cfg(target_os = "linux")]
fn sleeps_of(thread: &str) -> Option<u64> {
    std::fs::read_dir("/proc/self/task").unwrap().find_map(|task| {
        let folder = task.unwrap().path();
        let name = std::fs::read_to_string(folder.join("comm")).ok()?;
        (name.trim() == thread).then_some(())?;
        let status = std::fs::read_to_string(folder.join("status")).ok()?;
        let line = status.lines().find(|line| line.starts_with("voluntary_ctxt_switches"))?;
        line.rsplit_once('\t')?.1.parse().ok()
    })
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_thread_never_wakes_up() {
    let typing = start();
    // Another name: other tests have an input thread too.
    let (sender, inputs) = crossbeam_channel::unbounded();
    drop(typing.thread);
    let thread = InputThread::spawn_named("idle-input", typing.guard.tty(), sender).unwrap();
    typing.pair.typed(b"x\x1b");
    assert_eq!(inputs.recv_timeout(LONG), Ok(key("x")));
    assert_eq!(inputs.recv_timeout(LONG), Ok(key("esc")));
    std::thread::sleep(Duration::from_millis(50));
    let before = sleeps_of("idle-input").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(sleeps_of("idle-input"), Some(before));
    drop(thread);
}
