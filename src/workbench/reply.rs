//! What services answer, as plain data.

use super::draft::Draft;
use super::investigate::history::HistoryEntry;
use super::investigate::joins::JoinSuggestion;
use super::investigate::statistics::ColumnStatistics;
use super::overlay::cell::PrettyText;
use super::replay::comparison::Comparison;
use super::replay::detail::Detail;
use super::replay::trace::{Trace, TraceChoice, TraceSource};
use super::settings::Kept;
use crate::domain::evidence::MinimalEvidence;
use crate::domain::replay::ReplayVerdict;
use crate::domain::trial::{Answer, Ending, Mode, TrialName};
use crate::domain::{ResultSet, Revision, SchemaDocument, TaskBrief};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// An answer of a service.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// What there is to work on.
    Catalogue(Catalogue),
    /// What was kept from last time: settings, history.
    Kept {
        /// Sizes and choices.
        kept: Kept,
        /// Statements run before, oldest first.
        history: Vec<HistoryEntry>,
        /// What could not be read, and where it was put.
        problems: Vec<String>,
    },
    /// Own trials so far, newest first.
    OwnTrials(Vec<OwnTrial>),
    /// A trial is open.
    Opened(Box<OpenedTrial>),
    /// A statement gave rows, or changed some.
    Rows(QueryRows),
    /// A statement failed.
    QueryFailed(QueryFailure),
    /// Rows in a new order.
    Arranged(Arc<Vec<u32>>),
    /// Statistics of a column.
    Statistics(ColumnStatistics),
    /// Columns with the values of one.
    Joins {
        /// Its table.
        table: String,
        /// The column.
        column: String,
        /// What was found, best first.
        joins: Vec<JoinSuggestion>,
    },
    /// A payload made readable.
    Pretty(PrettyText),
    /// Text is ready to be copied.
    CopyReady {
        /// The text.
        text: String,
        /// What it is: "12 rows as TSV".
        what: String,
    },
    /// A text file was read.
    TextRead {
        /// Its name, without folders.
        name: String,
        /// Its text.
        text: String,
    },
    /// Runs whose traces can be opened.
    TraceChoices(Vec<TraceChoice>),
    /// A run or a file is open.
    TraceOpened(TraceSource),
    /// A trial of it.
    TraceShown(Box<Trace>),
    /// Nobody asked: the trial that is shown has grown, or ended.
    TraceGrew {
        /// The path of what it belongs to.
        path: String,
        /// All of it.
        trace: Box<Trace>,
    },
    /// A step, whole.
    TraceDetail(Detail),
    /// A call, then and now.
    TraceCompared(Box<Comparison>),
    /// Verdicts on all calls, by their events.
    TraceReplayed(BTreeMap<u64, ReplayVerdict>),
    /// What the answer to a task needs.
    MinimalEvidence {
        /// The pack.
        pack: String,
        /// The task.
        task: String,
        /// What it is; `None` where the pack does not say.
        required: Option<MinimalEvidence>,
    },
    /// Something was done; the words say what.
    Done(String),
    /// The answer is recorded.
    Submitted {
        /// The run that holds it.
        run: String,
        /// What was recorded.
        answer: Box<Answer>,
    },
    /// It could not be done.
    Failed(String),
    /// It could not be done, and no case is open any more; the words say why.
    Closed(String),
    /// Nobody asked: something that is done by itself, such as writing drafts, does not work.
    Trouble(String),
}

/// What there is to work on.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Catalogue {
    /// The packs.
    pub packs: Vec<PackSummary>,
    /// The snapshots.
    pub snapshots: Vec<SnapshotSummary>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// A pack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PackSummary {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether it is for learning.
    pub practice: bool,
    /// Snapshots it is written for, by name.
    pub snapshots: Vec<String>,
    /// Its tasks.
    pub tasks: Vec<TaskBrief>,
}

/// A snapshot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SnapshotSummary {
    /// Its name.
    pub name: String,
    /// Its revision.
    pub revision: Revision,
    /// Whose data it is.
    pub organisation: String,
    /// The environment's today.
    pub release_date: String,
    /// Tables.
    pub tables: u64,
    /// Rows in all tables.
    pub rows: u64,
}

/// A trial of the person at the workbench.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnTrial {
    /// The run's folder name.
    pub run: String,
    /// Which.
    pub trial: TrialName,
    /// Scored or practice.
    pub mode: Mode,
    /// How it ended.
    pub ending: Ending,
    /// When it was begun, RFC 3339 in UTC.
    pub started: String,
    /// Statements run in it.
    pub queries: u64,
}

/// A trial that is open.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenedTrial {
    /// The run's folder name.
    pub run: String,
    /// Which.
    pub trial: TrialName,
    /// Scored or practice.
    pub mode: Mode,
    /// The snapshot.
    pub snapshot: SnapshotSummary,
    /// Its schema.
    pub schema: Arc<SchemaDocument>,
    /// What was being written when it was left.
    pub draft: Option<Draft>,
    /// Why what was being written can't be read, and where it is now.
    pub problem: Option<String>,
    /// The answer, where the trial is over.
    pub answer: Option<Answer>,
    /// Whether it was gone on with.
    pub resumed: bool,
}

/// Rows of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRows {
    /// The statement.
    pub sql: String,
    /// Its rows.
    pub result: Arc<ResultSet>,
    /// SHA-256 of the rows, as the archive keeps them.
    pub sha256: String,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why a statement gave none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueryFailure {
    /// The statement.
    pub sql: String,
    /// In words.
    pub message: String,
    /// Where in the statement, in bytes.
    pub offset: Option<usize>,
    /// Whether it was cancelled by the person.
    pub cancelled: bool,
}
