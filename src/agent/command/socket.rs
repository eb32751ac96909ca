//! A second way to a program's endpoint, for agents that start their MCP servers themselves and speak to them over standard
//! input and output: `casebook mcp --attach SOCKET` carries that to a socket in the trial's own folder.
//!
//! Who may come is said by the folder: nobody but its owner can open it.

use super::super::mcp::{Endpoint, serve_streams};
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use tokio_util::sync::CancellationToken;

/// An open socket; it is closed when this is dropped.
#[derive(Debug)]
pub(super) struct Socket {
    path: PathBuf,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Socket {
    /// Listens at a path, and serves whoever comes. That one leaves ends nothing: another may come.
    pub(super) fn open(path: &Path, endpoint: &Endpoint) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        let stop = CancellationToken::new();
        let (endpoint, stopped) = (endpoint.clone(), stop.clone());
        let thread = std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if stopped.is_cancelled() {
                    return;
                }
                let Ok(output) = connection.try_clone() else { continue };
                let (endpoint, stop) = (endpoint.clone(), stopped.clone());
                std::thread::spawn(move || {
                    // The reading side is told too, so that its thread ends.
                    let end = connection.try_clone();
                    serve_streams(&endpoint, connection, output, &stop, |_| {});
                    let _ = end.map(|end| end.shutdown(std::net::Shutdown::Both));
                });
            }
        });
        Ok(Self { path: path.to_owned(), stop, thread: Some(thread) })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.stop.cancel();
        // It waits for somebody to come: that is us.
        if UnixStream::connect(&self.path).is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}
