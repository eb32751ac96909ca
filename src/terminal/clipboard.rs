//! Copying text out of the terminal.
//!
//! Over SSH and without a desktop the terminal itself is asked (OSC 52): programs would reach the clipboard of the wrong
//! machine. Otherwise a desktop's program is used, and the terminal if there is none or it fails. The workbench keeps
//! every copied text in a register of its own, so a text that no route takes isn't lost.
//!
//! Not for reading the clipboard: pasting is the terminal's business and arrives as [`super::Input::Paste`].

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crossbeam_channel::Sender;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What OSC 52 carries at most, in characters of base64: xterm, tmux and others drop or cut what is longer.
pub const MOST_BASE64: usize = 74_000;

/// How long a program has. It takes milliseconds; one that hangs has no display to talk to.
const PATIENCE: Duration = Duration::from_secs(3);

/// A program that takes text for the clipboard on its standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name, for people.
    pub name: &'static str,
    /// Where it is.
    pub path: PathBuf,
    /// What it is started with.
    pub arguments: &'static [&'static str],
    /// Whether it wants UTF-16: `clip.exe` takes bytes for the code page of the console otherwise.
    pub is_utf16: bool,
}

/// What copying depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClipboardEnvironment {
    /// Whether the person sits at another machine.
    pub is_remote: bool,
    /// The desktop's program, if there is a desktop with one.
    pub program: Option<Program>,
}

/// Name, the variable that says that its desktop is there ("" for any), arguments.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("wl-copy", "WAYLAND_DISPLAY", &[]),
    ("xclip", "DISPLAY", &["-selection", "clipboard", "-in"]),
    ("xsel", "DISPLAY", &["--clipboard", "--input"]),
    ("pbcopy", "", &[]),
    ("clip.exe", "", &[]),
];

impl ClipboardEnvironment {
    /// Reads the variables and looks along `PATH`.
    pub fn detect() -> Self {
        Self::from_variables(|name| std::env::var(name).ok(), Path::is_file)
    }

    /// The environment that these variables and files make.
    pub fn from_variables(
        variable: impl Fn(&str) -> Option<String>,
        is_file: impl Fn(&Path) -> bool,
    ) -> Self {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        let is_remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY");
        let path = variable("PATH").unwrap_or_default();
        let find = |name: &str| {
            std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_file(file))
        };
        let mut usable = PROGRAMS.iter().filter(|(_, desktop, _)| desktop.is_empty() || is_set(desktop));
        let program = usable.find_map(|(name, _, arguments)| {
            let is_utf16 = *name == "clip.exe";
            find(name).map(|path| Program { name, path, arguments, is_utf16 })
        });
        Self { is_remote, program }
    }

    /// The same without its program: what is left when that has failed.
    #[must_use]
    pub fn without_program(&self) -> Self {
        Self { program: None, ..self.clone() }
    }
}

/// How a text was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyRoute {
    /// Through the terminal, which doesn't say whether it has taken it.
    Terminal,
    /// Handed to a program, which reports only if it fails.
    Program(&'static str),
    /// Kept inside: the terminal can't take so much.
    TooLong {
        /// The characters of base64 that it would take.
        base64: usize,
    },
    /// Kept inside: the terminal can't be written to.
    Unwritable,
}

impl fmt::Display for CopyRoute {
    /// In words, for the status line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal => f.write_str("copied through the terminal (OSC 52)"),
            Self::Program(name) => write!(f, "copied with {name}"),
            Self::TooLong { base64 } => write!(
                f,
                "kept inside Casebook only: {} kB are more than the {} kB that terminals take; export it to a file instead",
                base64.div_ceil(1000),
                MOST_BASE64 / 1000
            ),
            Self::Unwritable => f.write_str("kept inside Casebook only: the terminal can't be written to"),
        }
    }
}

/// A program that didn't take the text. Copy it again with [`ClipboardEnvironment::without_program`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFailed {
    /// Its name.
    pub name: &'static str,
    /// Why, in words.
    pub reason: String,
    /// What was to be copied.
    pub text: String,
}

/// Copies a text and says how. Never blocks on a program: one runs on a thread of its own, and `failed` hears of it only
/// if it doesn't take the text. `out` is where the terminal is written; flush or present it afterwards.
pub fn copy(
    text: &str,
    environment: &ClipboardEnvironment,
    out: &mut dyn Write,
    failed: &Sender<ProgramFailed>,
) -> CopyRoute {
    if let Some(program) = environment.program.as_ref().filter(|_| !environment.is_remote) {
        let name = program.name;
        let (program, text, failed) = (program.clone(), text.to_owned(), failed.clone());
        let spawned = std::thread::Builder::new().name("clipboard".into()).spawn(move || {
            if let Err(error) = hand_over(&program, &text, PATIENCE) {
                // Nobody is left to tell when the loop has ended.
                let _ = failed.send(ProgramFailed { name: program.name, reason: error.to_string(), text });
            }
        });
        if spawned.is_ok() {
            return CopyRoute::Program(name);
        }
    }
    let base64 = text.len().div_ceil(3) * 4;
    if base64 > MOST_BASE64 {
        return CopyRoute::TooLong { base64 };
    }
    match write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text)) {
        Ok(()) => CopyRoute::Terminal,
        Err(_) => CopyRoute::Unwritable,
    }
}

fn hand_over(program: &Program, text: &str, patience: Duration) -> io::Result<()> {
    let bytes = if program.is_utf16 {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    } else {
        text.as_bytes().to_vec()
    };
    // Its output is not kept: xclip stays behind to serve the text, and holds what it was given.
    let mut child = Command::new(&program.path)
        .args(program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let input = child.stdin.take();
    // On a thread of its own: a program that doesn't read would hold up the writing beyond the patience.
    let writer = std::thread::Builder::new().name("clipboard text".into()).spawn(move || match input {
        Some(mut input) => input.write_all(&bytes),
        None => Ok(()),
    });
    let waited = writer.map(drop).and_then(|()| wait(&mut child, patience));
    if waited.is_err() {
        // Also unblocks the writer, whose pipe breaks.
        let _ = child.kill();
        let _ = child.wait();
    }
    waited
}

fn wait(child: &mut Child, patience: Duration) -> io::Result<()> {
    let deadline = Instant::now() + patience;
    // The standard library can't wait with a limit. This looks a few times while something is being copied.
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(io::Error::other(format!("it ended with {status}"))),
            None if Instant::now() >= deadline => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it didn't take the text in time"));
            }
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

#[cfg(test)]
#[path = "clipboard_tests.rs"]
mod tests;
