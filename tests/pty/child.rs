//! A program made of the parts of the terminal's room, which shows what it hears. It is this test binary, started again
//! with a variable that lets its one "test" act.

use crate::support::{Options, Session};
use casebook::terminal::panic_hook::{PanicPlan, install};
use casebook::terminal::{
    ClaimOptions, Ending, Guard, Heard, Input, InputThread, Output, Signal, SignalThread, probes, size,
};
use casebook::workbench::keys::Key;
use crossbeam_channel::{Sender, select};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Set for the program: the folder for its report and its drafts.
const FOLDER: &str = "CASEBOOK_PTY_CHILD";

/// Starts the program.
pub(crate) fn start(folder: &Path, options: &Options<'_>) -> Session {
    let mut options = options.clone();
    options.environment.push((FOLDER, folder.to_str().unwrap()));
    let this = std::env::current_exe().unwrap();
    let arguments = ["--exact", "child::program", "--nocapture", "--test-threads=1"];
    Session::program(&this, &arguments, &options)
}

/// Nothing unless it was started by [`start`].
#[test]
fn program() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        std::process::exit(run(&PathBuf::from(folder)));
    }
}

struct Screen {
    output: Output,
    lines: Vec<String>,
}

impl Screen {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
        self.draw();
    }

    fn draw(&mut self) {
        write!(self.output, "\x1b[H\x1b[2J").unwrap();
        for line in &self.lines {
            write!(self.output, "{line}\r\n").unwrap();
        }
        // A terminal that is gone is told by a signal and by the input.
        let _ = self.output.present();
    }
}

fn install_hook(guard: &Guard, folder: &Path) {
    let drafts = folder.join("drafts");
    install(PanicPlan {
        restorer: guard.restorer(),
        report: folder.join("report"),
        last_wishes: vec![
            Box::new(|| panic!("a wish that fails")),
            Box::new(move || std::fs::write(drafts, "SELECT 1").unwrap()),
        ],
    });
}

fn listen(guard: &Guard, sender: &Sender<Input>) -> InputThread {
    InputThread::spawn(guard.tty(), sender.clone()).unwrap()
}

fn run(folder: &Path) -> i32 {
    let heard = Heard::begin().unwrap();
    let mut guard = Guard::claim(ClaimOptions::default()).unwrap();
    install_hook(&guard, folder);
    let (signal_sender, signals) = crossbeam_channel::unbounded();
    let _signals = SignalThread::spawn(heard, signal_sender, guard.restorer()).unwrap();
    let (input_sender, inputs) = crossbeam_channel::unbounded();
    let mut input = Some(listen(&guard, &input_sender));
    let mut screen = Screen { output: guard.output(), lines: Vec::new() };
    screen.say("ready");
    let term = std::env::var("TERM").ok();
    let is_size_known = size::of(guard.tty().output()).is_some();
    screen.output.send(probes::questions(term.as_deref(), is_size_known).as_bytes()).unwrap();
    loop {
        select! {
            recv(signals) -> signal => match signal.unwrap() {
                Signal::End(ending) => {
                    guard.restore();
                    return ending.exit_code();
                }
                Signal::Suspend => {
                    drop(input.take());
                    guard.suspend().unwrap();
                }
                Signal::Continue => {
                    // The old thread ends first: two would share the bytes.
                    drop(input.take());
                    if guard.resume().is_err() {
                        return Ending::Hangup.exit_code();
                    }
                    input = Some(listen(&guard, &input_sender));
                    screen.say("continued");
                }
                Signal::WindowChanged => {
                    // A terminal that is gone has none.
                    if let Some(size) = size::of(guard.tty().output()) {
                        screen.say(format!("size {} {}", size.columns, size.rows));
                    }
                }
            },
            recv(inputs) -> heard => {
                let heard = heard.unwrap();
                let character = if let Input::Key(chord) = heard { chord.typed() } else { None };
                match (heard, character) {
                    (Input::Closed, _) => screen.say("closed"),
                    (Input::Paste(text), _) => {
                        screen.say(format!("pasted {} lines {}", text.len(), text.lines().count()));
                    }
                    (_, Some('q')) => break,
                    (_, Some('p')) => panic!("as was asked for"),
                    (_, Some('w')) => {
                        let worker = std::thread::Builder::new().name("worker".into());
                        let ended = worker.spawn(|| panic!("only a worker")).unwrap().join();
                        screen.say(format!("survived {}", ended.is_err()));
                    }
                    (_, Some('h')) => {
                        screen.say("hanging");
                        std::thread::sleep(Duration::from_mins(10));
                    }
                    (_, Some('m')) => guard.set_mouse(false).unwrap(),
                    (Input::Key(chord), _) if chord.key == Key::Char('z') && chord.control => {
                        drop(input.take());
                        guard.suspend().unwrap();
                    }
                    (heard, _) => screen.say(format!("{heard:?}")),
                }
            }
        }
    }
    drop(input);
    drop(guard);
    0
}
