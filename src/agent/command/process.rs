//! The process of a program, with all that it starts: begun in an empty folder, watched, and killed as a group.

use super::super::mcp::{Endpoint, HttpDoor, Left};
use super::socket::Socket;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Bytes of standard output that are kept: what is behind them is read and dropped.
const MAX_STDOUT: usize = 1 << 20;
/// Bytes of standard error that are kept: the last ones.
const MAX_STDERR: usize = 4 << 10;
/// How long a program may take to end once it was asked to, and its streams to end once it is killed.
const POLITE: Duration = Duration::from_secs(1);

/// A running program.
pub(super) struct Process {
    child: Child,
    ended: Receiver<()>,
    has_ended: bool,
    was_killed: bool,
    stdout: Kept,
    stderr: Kept,
    _socket: Socket,
    /// Dropped last: the program may still be in it.
    _folder: TempDir,
}

/// What became of a program.
pub(super) struct End {
    status: Option<ExitStatus>,
    was_killed: bool,
    /// What it wrote to standard output.
    pub(super) stdout: String,
    stderr: String,
}

/// What a stream gave so far, and word of its end.
struct Kept {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Process {
    /// Starts a program for a trial. When it ends, the endpoint is told.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        endpoint: &Endpoint,
        door: &HttpDoor,
    ) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("casebook-trial-").tempdir()?;
        let (work, socket, config) =
            (folder.path().join("work"), folder.path().join("socket"), folder.path().join("mcp.json"));
        std::fs::create_dir(&work)?;
        let open = Socket::open(&socket, endpoint)?;
        std::fs::write(&config, client_config(&std::env::current_exe()?, &socket))?;
        let offer = endpoint.offer();
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&work)
            .env("CASEBOOK_MCP_CONFIG", &config)
            .env("CASEBOOK_MCP_URL", &door.url)
            .env("CASEBOOK_MCP_TOKEN", door.token())
            .env("CASEBOOK_TASK", &offer.name.task)
            .env("CASEBOOK_TRIAL", offer.name.to_string())
            .env("CASEBOOK_INSTRUCTIONS", &offer.prompts.system)
            .env("CASEBOOK_BRIEF", &offer.prompts.brief)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: whatever it starts is killed with it, and Ctrl-C at our terminal reaches us first.
            .process_group(0)
            .spawn()?;
        let text = offer.instructions();
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read it loses nothing.
            std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        }
        let stdout = Kept::of(child.stdout.take(), |kept, read| {
            let room = MAX_STDOUT.saturating_sub(kept.len());
            kept.extend_from_slice(&read[..read.len().min(room)]);
        });
        let stderr = Kept::of(child.stderr.take(), |kept, read| {
            kept.extend_from_slice(read);
            let over = kept.len().saturating_sub(MAX_STDERR);
            kept.drain(..over);
        });
        let (pid, watched) = (Pid::from_child(&child), endpoint.clone());
        let (tell, ended) = channel();
        std::thread::spawn(move || {
            // It is not reaped here: as long as it is not, its group's number is nobody else's.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
            let _ = tell.send(());
            watched.left(Left::Process);
        });
        Ok(Self {
            child,
            ended,
            has_ended: false,
            was_killed: false,
            stdout,
            stderr,
            _socket: open,
            _folder: folder,
        })
    }

    /// Waits until it has ended, for a while.
    pub(super) fn wait_for(&mut self, most: Duration) {
        self.has_ended |= self.ended.recv_timeout(most).is_ok();
    }

    /// Ends it and all that it started, and gives what became of it.
    pub(super) fn end(mut self) -> End {
        self.wait_for(Duration::ZERO);
        self.kill();
        let status = self.child.wait().ok();
        let was_killed = self.was_killed;
        End { status, was_killed, stdout: self.stdout.text(), stderr: self.stderr.text() }
    }

    /// Asks it to end, then makes it; its children too.
    fn kill(&mut self) {
        let group = Pid::from_child(&self.child);
        if !self.has_ended {
            self.was_killed = true;
            let _ = kill_process_group(group, Signal::TERM);
            self.wait_for(POLITE);
        }
        // Not yet reaped, so the group is still its own; where nothing is left of it this does nothing.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The settings by which an agent starts an MCP server: the form that most of them read.
fn client_config(casebook: &Path, socket: &Path) -> String {
    let arguments = ["mcp".into(), "--attach".into(), socket.to_string_lossy()];
    let server = serde_json::json!({"command": casebook.to_string_lossy(), "args": arguments});
    serde_json::json!({"mcpServers": {"casebook": server}}).to_string() + "\n"
}

impl Drop for Process {
    fn drop(&mut self) {
        // Reaped already, unless something failed in between.
        if let Ok(None) = self.child.try_wait() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

impl Kept {
    fn of(
        stream: Option<impl Read + Send + 'static>,
        keep: impl Fn(&mut Vec<u8>, &[u8]) + Send + 'static,
    ) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (tell, ended) = channel();
        if let Some(mut stream) = stream {
            let kept = Arc::clone(&bytes);
            std::thread::spawn(move || {
                let mut buffer = vec![0; 16 << 10];
                while let Ok(length @ 1..) = stream.read(&mut buffer) {
                    let read = buffer.get(..length).unwrap_or_default();
                    keep(&mut kept.lock().unwrap_or_else(PoisonError::into_inner), read);
                }
                let _ = tell.send(());
            });
        }
        Self { bytes, ended }
    }

    /// What came, once it has ended; or what came so far, if somebody who left the group still holds it.
    fn text(&self) -> String {
        let _ = self.ended.recv_timeout(POLITE);
        String::from_utf8_lossy(&self.bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl End {
    /// Whether it ended by itself, and well.
    pub(super) fn is_success(&self) -> bool {
        !self.was_killed && self.status.is_some_and(|status| status.success())
    }

    /// What became of it, with the last it wrote to standard error.
    pub(super) fn text(&self) -> String {
        let status = match self.status {
            _ if self.was_killed => "killed".to_owned(),
            None => "its exit status is not known".to_owned(),
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit status {code}"),
                (None, Some(signal)) => format!("ended by signal {signal}"),
                (None, None) => status.to_string(),
            },
        };
        let stderr = self.stderr.trim();
        if stderr.is_empty() {
            format!("program: {status}")
        } else {
            format!("program: {status}; the last of its standard error:\n{stderr}")
        }
    }
}
