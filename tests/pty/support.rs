//! A program in a pseudo-terminal: a reader thread feeds a screen and keeps all bytes, and answers as a terminal would.

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What is long enough for anything that is expected at all, on a busy machine too.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// How the terminal is.
#[derive(Clone)]
pub(crate) struct Options<'a> {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// Variables beside `TERM`, `PATH` and `HOME`; nothing else is handed on.
    pub(crate) environment: Vec<(&'a str, &'a str)>,
    /// Whether the terminal answers nothing.
    pub(crate) is_muted: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { columns: 80, rows: 24, environment: Vec::new(), is_muted: false }
    }
}

/// Questions that a program may ask, and what the terminal answers.
const ANSWERS: &[(&str, &str)] = &[
    ("\x1b[6n", "\x1b[1;1R"),
    ("\x1b]10;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07"),
    ("\x1b]11;?\x07", "\x1b]11;rgb:1010/1010/2020\x07"),
    ("\x1b]10;?\x1b\\", "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"),
    ("\x1b]11;?\x1b\\", "\x1b]11;rgb:1010/1010/2020\x1b\\"),
    ("\x1b[?u", "\x1b[?5u"),
    ("\x1b[c", "\x1b[?62;22c"),
];

struct State {
    parser: vt100::Parser,
    log: Vec<u8>,
    /// Up to where questions have been looked for.
    asked: usize,
    /// Whether the reader is to end at its next bytes.
    is_hung_up: bool,
}

impl State {
    /// The answers to the questions that are whole and not answered yet.
    fn answers(&mut self) -> String {
        let mut answers = String::new();
        loop {
            let new = &self.log[self.asked..];
            let first = ANSWERS.iter().filter_map(|(question, answer)| {
                let at = new.windows(question.len()).position(|window| window == question.as_bytes())?;
                Some((at + question.len(), *answer))
            });
            let Some((end, answer)) = first.min() else { break };
            answers.push_str(answer);
            self.asked += end;
        }
        // The begin of a question may be the end of a read.
        self.asked = self.asked.max(self.log.len().saturating_sub(8));
        answers
    }
}

type Writer = Arc<Mutex<Box<dyn Write + Send>>>;

/// A program that runs in a terminal. Dropping it kills the program.
pub(crate) struct Session {
    master: Option<Box<dyn MasterPty + Send>>,
    child: Box<dyn Child + Send + Sync>,
    writer: Option<Writer>,
    reader: Option<JoinHandle<()>>,
    state: Arc<(Mutex<State>, Condvar)>,
    slave: Option<OwnedFd>,
    /// The settings of the terminal before the program started.
    pub(crate) before: String,
}

impl Session {
    /// Starts Casebook.
    pub(crate) fn casebook(arguments: &[&str], options: &Options<'_>) -> Self {
        Self::program(Path::new(env!("CARGO_BIN_EXE_casebook")), arguments, options)
    }

    /// Starts any program.
    pub(crate) fn program(program: &Path, arguments: &[&str], options: &Options<'_>) -> Self {
        let size = PtySize { rows: options.rows, cols: options.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let name = pair.master.tty_name().unwrap();
        let slave = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty());
        let slave = slave.unwrap();
        let before = settings(&slave);
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        for name in ["PATH", "HOME"] {
            command.env(name, std::env::var(name).unwrap_or_default());
        }
        command.env("TERM", "xterm-256color");
        for (name, value) in &options.environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let (rows, columns) = (NonZeroU16::new(options.rows), NonZeroU16::new(options.columns));
        let parser = vt100::Parser::new(rows.unwrap(), columns.unwrap(), 0);
        let state = Arc::new((
            Mutex::new(State { parser, log: Vec::new(), asked: 0, is_hung_up: false }),
            Condvar::new(),
        ));
        let writer: Writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let reader = pair.master.try_clone_reader().unwrap();
        let answers_to = (!options.is_muted).then(|| Arc::downgrade(&writer));
        let shared = Arc::clone(&state);
        // Not waited for, except by `hang_up`: it ends when the terminal does.
        let reader = std::thread::spawn(move || {
            read(reader, &shared, |answer| {
                if let Some(writer) = answers_to.as_ref().and_then(std::sync::Weak::upgrade) {
                    let _ = writer.lock().unwrap().write_all(answer.as_bytes());
                }
            });
        });
        let (master, writer, slave) = (Some(pair.master), Some(writer), Some(slave));
        Self { master, child, writer, reader: Some(reader), state, slave, before }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap()
    }

    /// Waits until the screen is as wanted.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + LONG;
        let mut state = self.state();
        while !is_so(state.parser.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let log = &state.log[state.log.len().saturating_sub(400)..];
                let log = log.escape_ascii().to_string();
                let screen = state.parser.screen().contents();
                // The reader goes on with it.
                drop(state);
                panic!("waited in vain for {what}\n--- screen\n{screen}\n--- end of the log\n{log}");
            }
            state = self.state.1.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Waits until the screen shows a text.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(&format!("'{text}'"), |screen| screen.contents().contains(text));
    }

    /// What the screen shows.
    pub(crate) fn contents(&self) -> String {
        self.state().parser.screen().contents()
    }

    /// All bytes that the program has written.
    pub(crate) fn log(&self) -> Vec<u8> {
        self.state().log.clone()
    }

    /// Types bytes.
    pub(crate) fn send(&self, bytes: &[u8]) {
        let mut writer = self.writer.as_ref().unwrap().lock().unwrap();
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }

    /// Prints, as another program in the same terminal does.
    pub(crate) fn print(&self, text: &str) {
        rustix::io::write(self.slave.as_ref().unwrap(), text.as_bytes()).unwrap();
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let (new_rows, new_columns) = (NonZeroU16::new(rows).unwrap(), NonZeroU16::new(columns).unwrap());
        self.state().parser.set_size(new_rows, new_columns);
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    fn pid(&self) -> i32 {
        i32::try_from(self.child.process_id().unwrap()).unwrap()
    }

    /// Sends a signal to the program.
    pub(crate) fn kill(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid()).unwrap(), signal).unwrap();
    }

    /// Waits until the program is stopped.
    pub(crate) fn wait_until_stopped(&self) {
        let path = format!("/proc/{}/stat", self.pid());
        let deadline = Instant::now() + LONG;
        // The state follows the name, which is in brackets.
        while !std::fs::read_to_string(&path).unwrap().contains(") T ") {
            assert!(Instant::now() < deadline, "it isn't stopped");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// How often the threads of the program have gone to sleep: the same number twice means that none has woken up.
    pub(crate) fn sleeps(&self) -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid())).unwrap();
        let sleeps = tasks.map(|task| {
            let status = std::fs::read_to_string(task.unwrap().path().join("status")).unwrap();
            let line = status.lines().find(|line| line.starts_with("voluntary_ctxt_switches")).unwrap();
            line.rsplit_once('\t').unwrap().1.parse::<u64>().unwrap()
        });
        sleeps.sum()
    }

    /// How the program ended, if it does within the time.
    pub(crate) fn exit_status(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Takes the terminal away, as closing its window does.
    pub(crate) fn hang_up(&mut self) {
        self.state().is_hung_up = true;
        // The reader holds the terminal too and sleeps until the program draws, which another size makes it do.
        self.resize(79, 23);
        self.reader.take().unwrap().join().unwrap();
        // The last words of `portable-pty`'s writer are Enter and Ctrl-D, which a closed window does not type: they are thrown
        // away with all that the program, while it stands still, has not read.
        self.kill(Signal::STOP);
        self.wait_until_stopped();
        (self.writer, self.slave, self.master) = (None, None, None);
        self.kill(Signal::CONT);
    }

    /// Waits until everything that has been written to the terminal so far has been read: for a program that has ended
    /// or is stopped.
    pub(crate) fn catch_up(&self) {
        // A mark after the program's last bytes, which no terminal shows.
        let mark = format!("\x1b]777;{}\x07", self.log().len());
        rustix::io::write(self.slave.as_ref().unwrap(), mark.as_bytes()).unwrap();
        let deadline = Instant::now() + LONG;
        let mut state = self.state();
        while !state.log.ends_with(mark.as_bytes()) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the mark hasn't come");
            state = self.state.1.wait_timeout(state, left).unwrap().0;
        }
    }

    /// The modes that the program, which has ended or is stopped, has switched on and not off.
    pub(crate) fn modes_left_on(&self) -> Vec<String> {
        self.catch_up();
        modes_left_on(&self.log())
    }

    /// The settings of the terminal, to be compared with [`Session::before`].
    pub(crate) fn termios(&self) -> String {
        settings(self.slave.as_ref().unwrap())
    }

    /// That nothing of the program is left in the terminal.
    pub(crate) fn assert_restored(&self) {
        assert_eq!(self.modes_left_on(), Vec::<String>::new());
        assert_eq!(self.termios(), self.before);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut reader: impl Read, shared: &(Mutex<State>, Condvar), answer: impl Fn(&str)) {
    let mut buffer = vec![0; 65536];
    loop {
        let Ok(length @ 1..) = reader.read(&mut buffer) else { return };
        let bytes = &buffer[..length];
        let mut state = shared.0.lock().unwrap();
        state.parser.process(bytes);
        state.log.extend_from_slice(bytes);
        let answers = state.answers();
        if state.is_hung_up {
            return;
        }
        drop(state);
        shared.1.notify_all();
        if !answers.is_empty() {
            answer(&answers);
        }
    }
}

fn settings(slave: &OwnedFd) -> String {
    format!("{:?}", rustix::termios::tcgetattr(slave).unwrap())
}

/// The modes that these bytes switch on and not off: `?1049`, `cursor hidden`, `keyboard flags`.
pub(crate) fn modes_left_on(log: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(log);
    let mut modes: BTreeMap<String, i32> = BTreeMap::new();
    for sequence in text.split("\x1b[").skip(1) {
        let end = sequence.find(|c: char| ('@'..='~').contains(&c)).unwrap_or(sequence.len());
        let (parameters, last) = (&sequence[..end], sequence[end..].chars().next());
        match (parameters.split_at_checked(1), last) {
            (Some(("?", "25")), Some(last @ ('h' | 'l'))) => {
                modes.insert("cursor hidden".into(), i32::from(last == 'l'));
            }
            (Some(("?", numbers)), Some(last @ ('h' | 'l'))) => {
                for number in numbers.split(';') {
                    modes.insert(format!("?{number}"), i32::from(last == 'h'));
                }
            }
            (Some((">", _)), Some('u')) => *modes.entry("keyboard flags".into()).or_default() += 1,
            (Some(("<", count)), Some('u')) => {
                let flags = modes.entry("keyboard flags".into()).or_default();
                *flags = (*flags - count.parse().unwrap_or(1)).max(0);
            }
            _ => {}
        }
    }
    modes.into_iter().filter(|(_, is_on)| *is_on > 0).map(|(mode, _)| mode).collect()
}
