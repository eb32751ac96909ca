//! Work with a progress line beside it, stopped by Ctrl-C.

use super::interrupt::Interrupt;
use super::progress::ProgressLine;
use std::sync::mpsc;
use std::time::Duration;

/// How often the line and the interrupt are looked at.
const TICK: Duration = Duration::from_millis(25);

/// Does the work on this thread. `text` is what the line says; `stop` is called again and again from the first Ctrl-C on, until
/// the work has ended.
pub(super) fn watched<T>(
    text: impl Fn() -> String + Send,
    stop: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    let interrupt = Interrupt::listen();
    let (done, finished) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut line = ProgressLine::new();
            while let Err(mpsc::RecvTimeoutError::Timeout) = finished.recv_timeout(TICK) {
                if interrupt.came() {
                    stop();
                }
                line.show(&text());
            }
        });
        let result = work();
        drop(done);
        result
    })
}
