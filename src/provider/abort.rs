//! Stopping a request from another thread.

use tokio_util::sync::CancellationToken;

/// Stops the requests that were given it: at once, whatever they wait for.
#[derive(Debug, Clone, Default)]
pub struct Abort(CancellationToken);

impl Abort {
    /// Stops them, and those that come.
    pub fn stop(&self) {
        self.0.cancel();
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.is_cancelled()
    }

    pub(super) async fn stopped(&self) {
        self.0.cancelled().await;
    }
}
