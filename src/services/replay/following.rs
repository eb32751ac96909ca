//! A trial that is going on, followed: when its folder has grown it is read again and sent.

use super::Traces;
use super::source::Source;
use crate::workbench::reply::Reply;
use crate::workbench::request::RequestId;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Between two looks.
const EVERY: Duration = Duration::from_millis(250);

/// A thread that follows a trial until this goes.
pub(super) struct Follower {
    _stop: Sender<()>,
}

impl Follower {
    /// Follows a trial of a source; `number` is the count of shown trials at which it began.
    pub(super) fn start(traces: Traces, source: Arc<dyn Source>, index: usize, number: u64) -> Self {
        let (stop, stopped) = bounded::<()>(0);
        let path = source.summary().path;
        let follow = move || {
            let mut size = source.size(index);
            while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let now = source.size(index);
                if now == size {
                    continue;
                }
                size = now;
                let data_folder = traces.config.data_folder.clone();
                let Ok(trial) = source.trial(index, &traces.snapshots, data_folder.as_deref()) else {
                    continue;
                };
                let trace = trial.trace();
                let is_over = !trace.is_running;
                if traces.shown.load(Ordering::SeqCst) != number {
                    return;
                }
                traces.lock().trial = Some(trial);
                let grew = Reply::TraceGrew { path: path.clone(), trace: Box::new(trace) };
                if traces.answers.send((RequestId::NOBODY, grew)).is_err() || is_over {
                    return;
                }
            }
        };
        // Without a thread for it the trial stands still, as it was when it was opened.
        let _ = std::thread::Builder::new().name("casebook-follow".to_owned()).spawn(follow);
        Self { _stop: stop }
    }
}
