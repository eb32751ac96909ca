//! What the workbench wants done, as plain data. Only `services` carries it out; what concerns the terminal, its driver.

use super::draft::{Draft, TaskDraft};
use super::investigate::history::HistoryEntry;
use super::panic_command::Place;
use super::replay::trace::TracePlace;
use super::request::RequestId;
use super::settings::Kept;
use crate::domain::trial::{Answer, Mode};
use crate::domain::{ResultSet, Revision};
use crate::text::result_text::TextFormat;
use std::sync::Arc;

/// Something to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Something whose reply is waited for.
    Ask(RequestId, Ask),
    /// Something that is only done.
    Tell(Tell),
    /// Something that the driver does to its terminal.
    Drive(Drive),
}

/// Requests, each answered by one [`super::reply::Reply`].
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// Lists packs and snapshots. Answer: `Catalogue`.
    Catalogue,
    /// Reads what was kept. Answer: `Kept`.
    Kept,
    /// Lists own trials. Answer: `OwnTrials`.
    OwnTrials,
    /// Opens a trial; one that is open is left first. Answer: `Opened`.
    Open(Opening),
    /// Leaves the open trial: it can be gone on with. Answer: `Done`.
    Leave,
    /// Runs a statement in the open trial. Answer: `Rows` or `QueryFailed`.
    Run {
        /// The statement.
        sql: String,
        /// Whether the interface wants it, not the person: recorded, not counted.
        look: bool,
    },
    /// Submits the answer. Answer: `Submitted`.
    Submit(Answer),
    /// Orders and filters rows. Answer: `Arranged`.
    Arrange(Arrangement),
    /// Counts a column. Answer: `Statistics`.
    Statistics {
        /// The rows.
        result: Arc<ResultSet>,
        /// Those of them that are shown.
        rows: Arc<Vec<u32>>,
        /// The column.
        column: usize,
    },
    /// Finds columns with the values of one. Answer: `Joins`.
    Joins {
        /// The snapshot.
        revision: Revision,
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// Makes a payload readable. Answer: `Pretty`.
    Pretty(String),
    /// Writes rows as text to be copied. Answer: `CopyReady`.
    Render(Selection),
    /// Writes rows to a file. Answer: `Done`.
    Export {
        /// What.
        selection: Selection,
        /// Where; relative to the working directory.
        path: String,
        /// Whether a file that is there may be replaced.
        replace: bool,
    },
    /// Writes a text to a file. Answer: `Done`.
    WriteText {
        /// Where.
        path: String,
        /// The text.
        text: String,
        /// Whether a file that is there may be replaced.
        replace: bool,
    },
    /// Reads a text file. Answer: `TextRead`.
    ReadText(String),
    /// Writes what was done in a run as Markdown. Answer: `Done`.
    Report {
        /// The run.
        run: String,
        /// Where.
        path: String,
        /// Whether a file that is there may be replaced.
        replace: bool,
    },
    /// Writes a task of a private pack from an investigation. Answer: `Done`.
    SaveTask(TaskDraft),
    /// Lists runs whose traces can be opened. Answer: `TraceChoices`.
    TraceChoices,
    /// Opens a run, or a file of another program. Answer: `TraceOpened`.
    TraceOpen(TracePlace),
    /// Reads a trial of what is open. Answer: `TraceShown`; while the trial goes on, `TraceGrew` again and again.
    TraceShow(usize),
    /// Reads a step of the trial that is shown, by its event. Answer: `TraceDetail`.
    TraceDetail(u64),
    /// Runs a call of the trial again. Answer: `TraceCompared`.
    TraceCompare {
        /// The call's event.
        event: u64,
        /// Another statement in its place; the call's own if absent.
        sql: Option<String>,
    },
    /// Runs all calls of the trial again. Answer: `TraceReplayed`.
    TraceReplay,
    /// Reads what the answer to a task needs, to show an evaluator where a trial first had it. Answer: `MinimalEvidence`.
    MinimalEvidence {
        /// The pack.
        pack: String,
        /// The task.
        task: String,
    },
    /// Panics there, for a test. Answer: `Failed` or `Closed`.
    Panic(Place),
}

/// Orders without an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Tell {
    /// Stops the running statement.
    Cancel,
    /// Keeps what is being written in the open trial. Written 300 ms after the last of these.
    Draft {
        /// The run.
        run: String,
        /// What is being written.
        draft: Draft,
    },
    /// What was written is not needed any more.
    DropDraft {
        /// The run.
        run: String,
    },
    /// Keeps sizes and choices.
    Keep(Kept),
    /// Adds a statement to the history.
    Remember(HistoryEntry),
}

/// What the driver does.
#[derive(Debug, Clone, PartialEq)]
pub enum Drive {
    /// Copies a text.
    Copy {
        /// The text.
        text: String,
        /// What it is.
        what: String,
    },
    /// Takes the mouse, or lets the terminal have it.
    Mouse(bool),
    /// Draws everything anew.
    Redraw,
    /// Stops the process until it is brought to the foreground again.
    Suspend,
    /// Ends.
    Quit,
}

/// A trial to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// What is worked on.
    pub work: Work,
    /// The snapshot.
    pub revision: Revision,
    /// Scored or practice.
    pub mode: Mode,
    /// The run to go on with; `None` begins one.
    pub resume: Option<String>,
}

/// What is worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// A task of a pack.
    Task {
        /// The pack.
        pack: String,
        /// The task.
        task: String,
    },
    /// Free work.
    Investigation,
}

/// Rows in an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    /// The rows.
    pub result: Arc<ResultSet>,
    /// By which column, and whether the greatest comes first.
    pub sort: Option<(usize, bool)>,
    /// Rows that have this in any visible column, ignoring case; empty keeps all.
    pub filter: String,
    /// The columns that are looked at by the filter.
    pub columns: Vec<usize>,
}

/// Some of the rows and columns of a result, as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The result.
    pub result: Arc<ResultSet>,
    /// The rows, in order.
    pub rows: Arc<Vec<u32>>,
    /// The columns, in order.
    pub columns: Vec<usize>,
    /// How.
    pub format: TextFormat,
}
