//! What a panic leaves behind: a usable terminal, the drafts, a report.
//!
//! Not for catching panics: workers run under `catch_unwind` and the loop makes notices of theirs. This hook runs before
//! either and decides by the thread: a panic of the interface's thread ends the program, so the terminal is given back
//! before the message is printed; a panic elsewhere is survived, so nothing is printed over the screen and only the report
//! is written.

use super::guard::Restorer;
use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::Duration;

/// Something to do before a panic ends the program, such as writing drafts. It runs on a thread of its own, so that it
/// may panic or hang itself.
pub type LastWish = Box<dyn FnOnce() + Send>;

/// How long all last wishes have together.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the hook does.
pub struct PanicPlan {
    /// Gives the terminal back.
    pub restorer: Restorer,
    /// Where the report goes. Its folder exists; later reports are added to the file.
    pub report: PathBuf,
    /// What to do before the end, in this order.
    pub last_wishes: Vec<LastWish>,
}

/// Installs the hook, in front of the one that is there. The calling thread is the interface's.
pub fn install(plan: PanicPlan) {
    let PanicPlan { restorer, report, last_wishes } = plan;
    let last_wishes = Mutex::new(last_wishes);
    let interface = std::thread::current().id();
    let is_ending = AtomicBool::new(false);
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().id() != interface {
            let _ = write_report(&report, panic);
            // A last wish panics here too, while the first panic is still being answered; it needs no message.
            if !restorer.is_claimed() && !is_ending.load(Ordering::SeqCst) {
                previous(panic);
            }
            return;
        }
        is_ending.store(true, Ordering::SeqCst);
        restorer.restore();
        let wishes = match last_wishes.try_lock() {
            Ok(mut wishes) => std::mem::take(&mut *wishes),
            Err(TryLockError::Poisoned(wishes)) => std::mem::take(&mut *PoisonError::into_inner(wishes)),
            Err(TryLockError::WouldBlock) => Vec::new(),
        };
        carry_out(wishes);
        let written = write_report(&report, panic);
        previous(panic);
        let path = report.display();
        let _ = match written {
            Ok(()) => writeln!(io::stderr(), "A report of this panic is in {path}."),
            Err(error) => writeln!(io::stderr(), "No report could be written to {path}: {error}"),
        };
        is_ending.store(false, Ordering::SeqCst);
    }));
}

fn carry_out(wishes: Vec<LastWish>) {
    if wishes.is_empty() {
        return;
    }
    let (sender, is_done) = crossbeam_channel::bounded::<()>(0);
    let spawned = std::thread::Builder::new().name("last wishes".into()).spawn(move || {
        // Dropped at the end, and also by a panic.
        let _sender = sender;
        for wish in wishes {
            // One that fails doesn't take the others with it.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(wish));
        }
    });
    if spawned.is_ok() {
        let _ = is_done.recv_timeout(PATIENCE);
    }
}

/// Adds a report to the file, which only its owner may read: a message can hold what was on the screen.
fn write_report(path: &Path, panic: &PanicHookInfo<'_>) -> io::Result<()> {
    let mut text = format!("casebook {}, {}\n", env!("CARGO_PKG_VERSION"), std::env::consts::OS);
    let thread = std::thread::current();
    let _ = writeln!(text, "thread '{}' {panic}", thread.name().unwrap_or("without a name"));
    let _ = writeln!(text, "{}", Backtrace::force_capture());
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}
