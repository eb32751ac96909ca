//! The thread on which requests run: an asynchronous runtime of one thread, with a blocking surface.
//!
//! Connections belong to the runtime, so all who ask share it. Whoever asks sleeps until the answer is there; stopping is the
//! business of what runs.

use super::abort::Abort;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The thread and its runtime. Dropping it ends both, and whatever runs there.
#[derive(Debug)]
pub(super) struct Worker {
    handle: Handle,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn start() -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("provider".to_owned()).spawn(move || {
            // Ends when the other half is dropped.
            let _ = runtime.block_on(ended);
        })?;
        Ok(Self { handle, end: Some(end), thread: Some(thread) })
    }

    /// Runs a task to its end. `None` if it panicked.
    pub(super) fn run<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (sender, receiver) = mpsc::channel();
        self.handle.spawn(async move {
            // Whoever asked waits for it.
            let _ = sender.send(task.await);
        });
        receiver.recv().ok()
    }

    /// Sleeps for a time. Gives whether it was told to stop.
    pub(super) fn sleep(&self, time: Duration, abort: &Abort) -> bool {
        let abort = abort.clone();
        let slept = self.run(async move {
            tokio::select! {
                biased;
                () = abort.stopped() => true,
                () = tokio::time::sleep(time) => false,
            }
        });
        slept.unwrap_or(true)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has been seen by whoever asked.
            let _ = thread.join();
        }
    }
}
