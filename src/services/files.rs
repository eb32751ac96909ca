//! The thread that writes small files: drafts a moment after the last change, choices and history at once.
//!
//! Nobody waits for it but whoever closes the workbench. While nothing is to be written it sleeps. What can't be written is told
//! at once and tried again with the next change and at the end.

use super::kept::{HISTORY_FILE, KEPT_FILE};
use super::{Answered, drafts, writing};
use crate::workbench::draft::Draft;
use crate::workbench::investigate::history::HistoryEntry;
use crate::workbench::reply::Reply;
use crate::workbench::request::RequestId;
use crate::workbench::settings::Kept;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// After the last change.
const QUIET: Duration = Duration::from_millis(300);
/// After the first change that was not written.
const LATEST: Duration = Duration::from_secs(2);

enum Order {
    Draft(String, Draft),
    DropDraft(String),
    Keep(Kept),
    Remember(HistoryEntry),
    Flush(Sender<Vec<String>>),
}

/// The thread, while the workbench is open.
#[derive(Debug)]
pub(super) struct Files {
    handle: FilesHandle,
}

/// A way to it for others.
#[derive(Debug, Clone)]
pub(super) struct FilesHandle(Option<Sender<Order>>);

impl Files {
    /// Starts the thread; without a folder nothing is written. Trouble is told through `answers`.
    pub(super) fn start(data_folder: Option<PathBuf>, answers: Sender<Answered>) -> Self {
        let Some(folder) = data_folder else { return Self { handle: FilesHandle(None) } };
        let (sender, orders) = unbounded();
        let thread = std::thread::Builder::new()
            .name("casebook-files".to_owned())
            .spawn(move || Writer::new(folder, answers).work(&orders));
        Self { handle: FilesHandle(thread.is_ok().then_some(sender)) }
    }

    pub(super) fn handle(&self) -> FilesHandle {
        self.handle.clone()
    }

    pub(super) fn draft(&self, run: String, draft: Draft) {
        self.handle.send(Order::Draft(run, draft));
    }

    pub(super) fn drop_draft(&self, run: String) {
        self.handle.send(Order::DropDraft(run));
    }

    pub(super) fn keep(&self, kept: Kept) {
        self.handle.send(Order::Keep(kept));
    }

    pub(super) fn remember(&self, entry: HistoryEntry) {
        self.handle.send(Order::Remember(entry));
    }

    pub(super) fn flush(&self) {
        self.handle.flush();
    }

    /// Writes what is left; gives what could not be written.
    pub(super) fn close(self) -> Vec<String> {
        // A handle for a panic may still be about, so the thread is not waited for.
        self.handle.flush()
    }
}

impl FilesHandle {
    fn send(&self, order: Order) {
        if let Some(sender) = &self.0 {
            let _ = sender.send(order);
        }
    }

    /// Waits until everything so far is written, at most two seconds; gives what could not be.
    pub(super) fn flush(&self) -> Vec<String> {
        if self.0.is_none() {
            return Vec::new();
        }
        let (done, wait) = bounded(1);
        self.send(Order::Flush(done));
        let late = || vec!["what was written last may be lost: the disk takes too long".to_owned()];
        wait.recv_timeout(LATEST).unwrap_or_else(|_| late())
    }
}

/// What the thread holds.
struct Writer {
    folder: PathBuf,
    /// Drafts that are not written: since when, and the latest change.
    waiting: HashMap<String, (Draft, Instant, Instant)>,
    /// Drafts that could not be written.
    unwritten: HashMap<String, Draft>,
    /// What is being told about, so that it is told once.
    troubled: HashSet<String>,
    answers: Sender<Answered>,
}

impl Writer {
    fn new(folder: PathBuf, answers: Sender<Answered>) -> Self {
        let (waiting, unwritten, troubled) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self { folder, waiting, unwritten, troubled, answers }
    }

    fn work(mut self, orders: &Receiver<Order>) {
        loop {
            let order = match self.next_deadline() {
                None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => orders.recv_deadline(deadline),
            };
            match order {
                Ok(order) => self.take(order),
                Err(RecvTimeoutError::Timeout) => self.write_due(Instant::now()),
                Err(RecvTimeoutError::Disconnected) => {
                    self.write_all();
                    return;
                }
            }
        }
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Draft(run, draft) => {
                let now = Instant::now();
                let first = self.waiting.get(&run).map_or(now, |(_, first, _)| *first);
                self.waiting.insert(run, (draft, first, now));
            }
            Order::DropDraft(run) => {
                self.waiting.remove(&run);
                self.unwritten.remove(&run);
                let removed = drafts::remove(&self.folder, &run);
                self.note("the draft", &removed);
            }
            Order::Keep(kept) => {
                let written = writing::json(&self.folder.join(KEPT_FILE), &kept);
                self.note(KEPT_FILE, &written);
            }
            Order::Remember(entry) => {
                let written = append(&self.folder.join(HISTORY_FILE), &entry);
                self.note(HISTORY_FILE, &written);
            }
            Order::Flush(done) => {
                let _ = done.send(self.write_all());
            }
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        self.waiting.values().map(|(_, first, last)| (*last + QUIET).min(*first + LATEST)).min()
    }

    fn write_due(&mut self, now: Instant) {
        let is_due = |first: Instant, last: Instant| now >= (last + QUIET).min(first + LATEST);
        let due: Vec<String> = self
            .waiting
            .iter()
            .filter(|(_, (_, first, last))| is_due(*first, *last))
            .map(|(run, _)| run.clone())
            .collect();
        for run in due {
            self.write(&run);
        }
    }

    /// Writes all drafts, also those that could not be written before; gives what still can't be.
    fn write_all(&mut self) -> Vec<String> {
        let all: Vec<String> = self.waiting.keys().chain(self.unwritten.keys()).cloned().collect();
        all.iter().filter_map(|run| self.write(run)).collect()
    }

    fn write(&mut self, run: &str) -> Option<String> {
        let older = self.unwritten.remove(run);
        let draft = self.waiting.remove(run).map(|(draft, _, _)| draft).or(older)?;
        let written = drafts::write(&self.folder, run, &draft);
        if written.is_err() {
            self.unwritten.insert(run.to_owned(), draft);
        }
        self.note("the draft", &written)
    }

    /// Tells of what could not be written, once until it can be again.
    fn note(&mut self, what: &str, written: &io::Result<()>) -> Option<String> {
        let Err(error) = written else {
            self.troubled.remove(what);
            return None;
        };
        let text = format!("{what} can't be written in {}: {error}", self.folder.display());
        if self.troubled.insert(what.to_owned()) {
            // Nobody listens any more when the workbench has ended.
            let _ = self.answers.send((RequestId::NOBODY, Reply::Trouble(text.clone())));
        }
        Some(text)
    }
}

/// Adds a line to the history.
fn append(path: &Path, entry: &HistoryEntry) -> io::Result<()> {
    let mut line = serde_json::to_vec(entry).map_err(io::Error::other)?;
    line.push(b'\n');
    writing::append(path, &line)
}
