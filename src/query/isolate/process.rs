//! A worker, seen from outside: started, asked, killed.

use super::bytes::{HEAD, Nonsense, body_length};
use super::message::{Opened, Opening, read_opened};
use super::stopping::Asking;
use super::{GRACE, WORKER_ARGUMENT, Worker};
use crate::query::FrozenDatabase;
use crate::text::visible::visible;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

/// How long a worker may take to open its copy: a busy machine may be slow.
const START: Duration = Duration::from_secs(20);
/// How long the rest of an answer may take whose beginning came in time.
const TRANSFER: Duration = Duration::from_secs(10);
/// How long a worker may leave a question unread.
const UNREAD: Duration = Duration::from_secs(5);
/// Time between two looks at whether somebody wants the statement stopped.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;
/// No first answer is longer.
const MOST_OPENED: usize = 64 << 10;
/// Of the last words of a worker, what is kept.
const WORDS: usize = 300;
/// By these words Rust's allocator ends a process.
const NO_MEMORY: &str = "memory allocation of";

/// Why there is no answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gone {
    /// Not within the time and the grace.
    Late,
    /// Somebody wanted it stopped, and it did not stop.
    Interrupted,
    /// The worker ended by itself.
    Ended,
    /// What came is no answer.
    Nonsense(Nonsense),
}

impl From<Nonsense> for Gone {
    fn from(nonsense: Nonsense) -> Self {
        Self::Nonsense(nonsense)
    }
}

/// How a worker ended.
#[derive(Debug)]
pub(super) struct Death {
    /// In a few words.
    pub(super) how: String,
    /// Whether it wanted memory that it was not given.
    pub(super) out_of_memory: bool,
}

/// A running worker. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    socket: UnixStream,
    line: UnixStream,
    buffer: Box<[u8]>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Starts a worker and has it open its copy; also gives what it could not give up.
    pub(super) fn start(
        worker: &Worker,
        frozen: &FrozenDatabase,
        opening: Opening,
        asking: &Asking,
    ) -> Result<(Self, Vec<String>), String> {
        let mut process = Self::spawn(worker, frozen).map_err(|error| error.to_string())?;
        asking.connect(process.line.try_clone().ok());
        let until = Instant::now() + START;
        let opened = process
            .ask(&opening.to_bytes(), MOST_OPENED, until, asking)
            .and_then(|body| Ok::<Opened, Gone>(read_opened(&body[HEAD..])?));
        match opened {
            Ok(Ok(lacks)) => Ok((process, lacks)),
            Ok(Err(reason)) => Err(reason),
            Err(Gone::Late | Gone::Interrupted) => Err(format!("it gave no answer within {START:?}")),
            Err(Gone::Ended) => Err(format!("it {}", process.end().how)),
            Err(Gone::Nonsense(nonsense)) => Err(nonsense.to_string()),
        }
    }

    fn spawn(worker: &Worker, frozen: &FrozenDatabase) -> io::Result<Self> {
        let (socket, its_socket) = UnixStream::pair()?;
        let (line, its_line) = UnixStream::pair()?;
        socket.set_write_timeout(Some(UNREAD))?;
        line.set_nonblocking(true)?;
        let mut command = Command::new(&worker.program);
        command
            .arg(WORKER_ARGUMENT)
            .env_clear()
            // A heap for each thread would reserve address space, which is limited.
            .env("MALLOC_ARENA_MAX", "1")
            .current_dir("/")
            // Ctrl-C at a terminal is for this process, which then stops the worker's statement.
            .process_group(0)
            .stdin(OwnedFd::from(its_socket))
            .stdout(frozen.file().try_clone()?)
            .stderr(OwnedFd::from(its_line));
        let child = spawn(command)?;
        Ok(Self { child, socket, line, buffer: vec![0; CHUNK].into() })
    }

    /// The number of the process, for tests that look at what it has left.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a message and waits for the answer, whose body is at most `most` bytes long, until a moment.
    pub(super) fn ask(
        &mut self,
        message: &[u8],
        most: usize,
        until: Instant,
        asking: &Asking,
    ) -> Result<Vec<u8>, Gone> {
        self.socket.write_all(message).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Gone::Late,
            _ => Gone::Ended,
        })?;
        let (mut received, mut total, mut until) = (Vec::new(), None, until);
        while total.is_none_or(|total| received.len() < total) {
            self.wait(until, asking)?;
            let count = self.socket.read(&mut self.buffer).map_err(|_| Gone::Ended)?;
            if count == 0 {
                return Err(Gone::Ended);
            }
            received.extend_from_slice(&self.buffer[..count]);
            if total.is_none()
                && let Some(head) = received.first_chunk::<HEAD>()
            {
                total = Some(HEAD + body_length(*head, most)?);
                until = until.max(Instant::now() + TRANSFER);
            }
        }
        if total != Some(received.len()) {
            return Err(Nonsense("it says more than it was asked").into());
        }
        Ok(received)
    }

    /// Waits until there is something to read.
    fn wait(&self, until: Instant, asking: &Asking) -> Result<(), Gone> {
        loop {
            let wanted = asking.wanted().map(|since| since + GRACE);
            let end = wanted.map_or(until, |wanted| wanted.min(until));
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(if wanted.is_some_and(|wanted| wanted <= until) {
                    Gone::Interrupted
                } else {
                    Gone::Late
                });
            }
            let look = Timespec::try_from(left.min(LOOK)).unwrap_or_default();
            match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&look)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(_) => return Err(Gone::Ended),
            }
        }
    }

    /// Kills it, and says how it had ended before, if it had.
    pub(super) fn end(mut self) -> Death {
        let _ = self.child.kill();
        let status = self.child.wait();
        let mut words = Vec::new();
        // It is dead: what it had to say has been said, or there is an end.
        let _ = (&self.line).take(1 << 12).read_to_end(&mut words);
        let words = String::from_utf8_lossy(&words);
        let first: String = words
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default()
            .chars()
            .take(WORDS)
            .collect();
        let how = match status {
            Ok(status) => ending(status),
            Err(error) => format!("ended, nobody knows how ({error})"),
        };
        let said = if first.is_empty() { String::new() } else { format!(": {}", visible(first.trim())) };
        Death { how: how + &said, out_of_memory: words.contains(NO_MEMORY) }
    }
}

fn ending(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "ended".to_owned(),
    }
}

/// Starts a program from a thread that lives as long as this process: a worker is killed when the thread that started it
/// ends, and threads come and go.
fn spawn(command: Command) -> io::Result<Child> {
    type Order = (Command, mpsc::Sender<io::Result<Child>>);
    static SPAWNER: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (orders, taken) = mpsc::channel::<Order>();
        // Where no thread can be started the orders come back as errors.
        let _ = std::thread::Builder::new().name("workers".to_owned()).spawn(move || {
            for (mut command, answer) in taken {
                let spawned = command.spawn();
                // It holds the worker's ends of the sockets: with them open, a dead worker would not be noticed.
                drop(command);
                let _ = answer.send(spawned);
            }
        });
        orders
    });
    let no_thread = || io::Error::other("there is no thread to start it from");
    let (answer, child) = mpsc::channel();
    spawner.send((command, answer)).map_err(|_| no_thread())?;
    child.recv().map_err(|_| no_thread())?
}
