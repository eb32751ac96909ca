//! The workbench: how soon it shows, how long a picture takes, a key, a cancel, and what it costs while nothing happens.
//!
//! Targets: first picture at most 15 ms of own time above a program that does nothing in the same pseudo-terminal, and below
//! `btm`'s (set `CASEBOOK_BTM` to it); a picture at 200 × 60 at most 2 ms whatever the rows; a key to bytes written at 120 × 40
//! at most 4 ms (95 of 100); nothing wakes up while idle; a cancelled statement is gone in 50 ms.

use crate::measure;
use casebook::domain::{ResultSet, Value};
use casebook::harness::SystemClock;
use casebook::screen::theme::{Depth, Library, Symbols, Theme};
use casebook::screen::view;
use casebook::services::{Config, Session};
use casebook::workbench::command::Invocation;
use casebook::workbench::effect::Effect;
use casebook::workbench::event::{Event, Size};
use casebook::workbench::keys::{Chord, Key};
use casebook::workbench::reply::{QueryRows, Reply};
use casebook::workbench::{Workbench, update};
use portable_pty::{CommandBuilder, NativePtySystem, PtySize, PtySystem as _};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run() {
    first_picture();
    idle();
    pictures();
    keys();
    cancel();
}

/// A program in a pseudo-terminal until a text has come: the time, and the program still running.
fn until(program: &str, arguments: &[&str], text: &[u8]) -> Duration {
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = NativePtySystem::default().openpty(size).unwrap();
    let mut command = CommandBuilder::new(program);
    command.args(arguments);
    command.env("TERM", "xterm-256color");
    command.env("CASEBOOK_DATA_DIR", std::env::temp_dir().join("casebook-bench"));
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let began = Instant::now();
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (mut seen, mut bytes) = (Vec::new(), [0; 8192]);
    let took = loop {
        let count = reader.read(&mut bytes).unwrap_or(0);
        seen.extend_from_slice(&bytes[..count]);
        // Who asks where the cursor is gets an answer, as from a terminal: else it waits for seconds.
        if bytes[..count].windows(4).any(|part| part == b"\x1b[6n") {
            writer.write_all(b"\x1b[1;1R").unwrap();
        }
        if seen.windows(text.len()).any(|part| part == text) {
            break began.elapsed();
        }
        assert!(count > 0, "{program} ended without {:?}", String::from_utf8_lossy(text));
    };
    let _ = child.kill();
    let _ = child.wait();
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn first_picture() {
    const RUNS: usize = 25;
    let casebook = env!("CARGO_BIN_EXE_casebook");
    let btm = std::env::var("CASEBOOK_BTM").ok();
    let (mut nothing, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        nothing.push(until("printf", &["ready"], b"ready"));
        ours.push(until(casebook, &[], b"Casebook"));
        if let Some(btm) = &btm {
            theirs.push(until(btm, &[], b"CPU"));
        }
    }
    let least = |times: &[Duration]| times.iter().min().copied().unwrap_or_default();
    let (floor, own) = (least(&nothing), least(&ours));
    println!(
        "first picture: least {own:.1?}, median {:.1?}; printf {floor:.1?}, {:.1?}; own time {:.1?} (15 ms)",
        median(ours),
        median(nothing),
        own.saturating_sub(floor)
    );
    if theirs.is_empty() {
        println!("first picture of btm: not measured; set CASEBOOK_BTM");
    } else {
        println!("first picture of btm: least {:.1?}, median {:.1?}", least(&theirs), median(theirs));
    }
}

/// Wake-ups and bytes over two seconds without anything to do.
fn idle() {
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = NativePtySystem::default().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_casebook"));
    command.env("TERM", "xterm-256color");
    command.env("CASEBOOK_DATA_DIR", std::env::temp_dir().join("casebook-bench"));
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let written = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = Arc::clone(&written);
    std::thread::spawn(move || {
        let mut bytes = [0; 8192];
        while let Ok(count) = reader.read(&mut bytes) {
            if count == 0 {
                break;
            }
            counter.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
        }
    });
    std::thread::sleep(Duration::from_millis(1500));
    let id = child.process_id().unwrap();
    let switches = || -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
        tasks
            .flatten()
            .filter_map(|task| std::fs::read_to_string(task.path().join("status")).ok())
            .flat_map(|text| {
                text.lines()
                    .filter(|line| line.contains("ctxt_switches"))
                    .filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok())
                    .collect::<Vec<_>>()
            })
            .sum()
    };
    let memory = || -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = text.lines().find(|line| line.starts_with("VmRSS")).unwrap().to_owned();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let (before, bytes) = (switches(), written.load(std::sync::atomic::Ordering::Relaxed));
    std::thread::sleep(Duration::from_secs(2));
    let (after, more) = (switches(), written.load(std::sync::atomic::Ordering::Relaxed));
    println!(
        "idle for 2 s: {} wake-ups, {} bytes (0); {} MB resident",
        after - before,
        more - bytes,
        memory() / 1024
    );
    let _ = writer.write_all(b"q");
    let _ = child.kill();
    let _ = child.wait();
}

/// A workbench on the large snapshot with a result of so many rows.
fn with_rows(rows: i64) -> Workbench {
    let mut state = opened();
    let columns = (0..12).map(|n| format!("column_{n}")).collect();
    let rows = (0..rows)
        .map(|row| {
            (0..12)
                .map(|n| match n {
                    0 => Value::Integer(row),
                    5 => Value::Null,
                    _ => Value::Text(format!("value {n} of row {row}")),
                })
                .collect()
        })
        .collect();
    let result = Arc::new(ResultSet { columns, rows, changed_rows: 0, cut: None });
    let sql = "SELECT 1".to_owned();
    let asked = update(
        &mut state,
        Duration::ZERO,
        Event::Command(Invocation::of("query.run").with("sql", sql.as_str())),
    );
    let Some(Effect::Ask(request, _)) = asked.into_iter().find(|it| matches!(it, Effect::Ask(..))) else {
        panic!("nothing was asked");
    };
    let reply = Reply::Rows(QueryRows { sql, result, sha256: String::new(), elapsed: Duration::ZERO });
    update(&mut state, Duration::ZERO, Event::Reply { request, reply });
    update(&mut state, Duration::ZERO, Event::Command(Invocation::of("focus.grid")));
    state
}

/// A session, settled.
pub(crate) fn session() -> Session {
    let folder = std::env::temp_dir().join(format!("casebook-bench-{}", std::process::id()));
    let config = Config {
        data_folder: Some(folder),
        packs: Vec::new(),
        clock: Arc::new(SystemClock::default()),
        person: String::new(),
    };
    let mut session = Session::start(Workbench::default(), config);
    session.dispatch(Duration::ZERO, Event::Started);
    settle(&mut session);
    session
}

pub(crate) fn settle(session: &mut Session) {
    while !session.state.is_settled() {
        let (request, reply) = session.answers().recv().unwrap();
        session.dispatch(Duration::ZERO, Event::Reply { request, reply });
    }
}

fn opened() -> Workbench {
    let mut session = session();
    let start = Invocation::of("cases.start").with("task", "V-AWS-01").with("snapshot", "large");
    session.dispatch(Duration::ZERO, Event::Command(start));
    settle(&mut session);
    let state = session.state.clone();
    assert!(state.workspace.is_some());
    session.close();
    state
}

pub(crate) fn theme() -> Theme {
    Library::embedded().theme("default-dark", Depth::TrueColour, Symbols::UNICODE).unwrap()
}

fn pictures() {
    let theme = theme();
    for rows in [100, 10_000, 1_000_000] {
        let mut state = with_rows(rows);
        update(&mut state, Duration::ZERO, Event::Resized(Size { width: 200, height: 60 }));
        let bottom = Invocation::of("grid.move").with("to", "bottom");
        update(&mut state, Duration::ZERO, Event::Command(bottom));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 60));
        let times = measure_each(200, || {
            buffer.reset();
            std::hint::black_box(view(&mut buffer, &state, &theme));
        });
        println!(
            "picture at 200 × 60, {rows} rows: median {:.2?}, 95 of 100 {:.2?} (2 ms)",
            times[times.len() / 2],
            times[times.len() * 95 / 100]
        );
    }
}

/// Times of single calls, sorted.
pub(crate) fn measure_each(count: usize, mut call: impl FnMut()) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..count)
        .map(|_| {
            let began = Instant::now();
            call();
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

/// From a key to the bytes of the picture after it.
fn keys() {
    let theme = theme();
    for (what, focus, keys) in [
        ("typing SQL", "focus.editor", "select from okta_user where "),
        ("moving in 100,000 rows", "focus.grid", "jjjjlljjkh"),
    ] {
        let mut state = with_rows(100_000);
        let size = Size { width: 120, height: 40 };
        update(&mut state, Duration::ZERO, Event::Resized(size));
        update(&mut state, Duration::ZERO, Event::Command(Invocation::of(focus)));
        let mut bytes: Vec<u8> = Vec::new();
        let backend = CrosstermBackend::new(&mut bytes);
        let viewport = Viewport::Fixed(Rect::new(0, 0, size.width, size.height));
        let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
        let mut pressed = keys.chars().cycle();
        let times = measure_each(600, || {
            let key = Chord::plain(Key::Char(pressed.next().unwrap()));
            update(&mut state, Duration::ZERO, Event::Key(key));
            terminal
                .draw(|frame| {
                    view(frame.buffer_mut(), &state, &theme);
                })
                .unwrap();
        });
        println!(
            "key to bytes at 120 × 40, {what}: median {:.2?}, 95 of 100 {:.2?} (4 ms)",
            times[times.len() / 2],
            times[times.len() * 95 / 100]
        );
    }
    // The work of a key beside the whole of a picture.
    let (mut one, mut other) = (opened(), opened());
    let key = Event::Key(Chord::plain(Key::Char('x')));
    let (with, without) = measure::in_turn(
        200,
        || drop(update(&mut one, Duration::ZERO, key.clone())),
        || drop(update(&mut other, Duration::ZERO, Event::Tick)),
    );
    println!("a key without a picture {with:.1?}, a tick {without:.1?}");
}

fn cancel() {
    let mut session = session();
    let start = Invocation::of("cases.start").with("task", "V-AWS-01").with("snapshot", "large");
    session.dispatch(Duration::ZERO, Event::Command(start));
    settle(&mut session);
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let mut times = Vec::new();
    for _ in 0..20 {
        let run = Invocation::of("query.run").with("sql", endless);
        session.dispatch(Duration::ZERO, Event::Command(run));
        std::thread::sleep(Duration::from_millis(20));
        let began = Instant::now();
        session.dispatch(Duration::ZERO, Event::Command(Invocation::of("query.cancel")));
        settle(&mut session);
        times.push(began.elapsed());
    }
    times.sort_unstable();
    println!("cancel to idle: median {:.1?}, longest {:.1?} (50 ms)", times[10], times[19]);
    session.close();
}
