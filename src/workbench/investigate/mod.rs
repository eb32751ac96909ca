//! The Investigate page: what is open on it. One file an area, with the commands of each beside it.

pub mod answer;
pub mod answer_commands;
pub mod cell_text;
pub mod completion;
pub mod editor;
pub mod editor_commands;
pub mod grid;
pub mod grid_commands;
pub mod history;
pub mod joins;
pub(super) mod opening;
pub mod prose;
pub(super) mod running;
pub mod saved;
pub(super) mod saving;
pub mod schema_tree;
pub mod statement_commands;
pub mod statistics;
pub mod take_out;
pub mod trial_commands;

use super::effect::Work;
use super::event::Moment;
use super::reply::{QueryFailure, SnapshotSummary};
use super::request::RequestId;
use crate::domain::trial::{Answer, INVESTIGATION, Mode, TrialName};
use crate::domain::{SchemaDocument, TaskBrief};
use answer::AnswerForm;
use completion::CompletionList;
use editor::Editor;
use grid::Grid;
use schema_tree::SchemaTree;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Results that are kept; the oldest goes first.
const RESULTS: usize = 8;

/// What is open on the Investigate page: a trial, or an investigation.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// The run that records it.
    pub run: String,
    /// Which trial it is.
    pub trial: TrialName,
    /// Scored or practice.
    pub mode: Mode,
    /// The snapshot.
    pub snapshot: SnapshotSummary,
    /// Its schema.
    pub schema: Arc<SchemaDocument>,
    /// The task; `None` in an investigation.
    pub task: Option<TaskBrief>,
    /// Tables and columns.
    pub tree: SchemaTree,
    /// The SQL editor.
    pub editor: Editor,
    /// Completions, while they are shown.
    pub completion: Option<CompletionList>,
    /// The statement that is running.
    pub running: Option<Running>,
    /// When the last statement ended.
    pub ended: Option<Moment>,
    /// Statements that run after it.
    pub queue: VecDeque<Statement>,
    /// Results, oldest first.
    pub grids: Vec<Grid>,
    /// Which of them is shown.
    pub shown: usize,
    /// Why the last statement failed, if it did.
    pub failure: Option<QueryFailure>,
    /// The answer that is being written.
    pub answer: AnswerForm,
    /// The answer that was given: the trial is over.
    pub submitted: Option<Answer>,
    /// How many hints were shown.
    pub hints: usize,
    /// When it was opened here.
    pub opened: Moment,
    /// Whether something was written since it was saved.
    pub needs_saving: bool,
}

/// A statement that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The request.
    pub request: RequestId,
    /// Since when.
    pub since: Moment,
    /// What runs.
    pub statement: Statement,
    /// Whether it is being cancelled.
    pub is_cancelled: bool,
    /// What is done with its rows.
    pub purpose: Purpose,
}

/// What is done with the rows of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// They are a result of the person's.
    Result,
    /// They are a look at a table.
    Preview,
    /// They are a plan.
    Plan,
}

/// A statement, and where it stands in which buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its text.
    pub sql: String,
    /// The buffer's number, and the byte at which it begins there.
    pub place: Option<(u64, usize)>,
}

impl Workspace {
    /// Whether the trial is over: an answer was given.
    pub const fn is_over(&self) -> bool {
        self.submitted.is_some()
    }

    /// Whether this is what is worked on.
    pub(super) fn is_work(&self, work: &Work) -> bool {
        match work {
            Work::Task { pack, task } => self.trial.pack == *pack && self.trial.task == *task,
            Work::Investigation => self.trial.pack == INVESTIGATION,
        }
    }

    /// What it is called: the task's id, or the snapshot's name.
    pub fn title(&self) -> String {
        match &self.task {
            Some(task) => format!("{} {}", task.id, task.title),
            None => format!("Investigation of {}", self.snapshot.name),
        }
    }

    /// The result that is shown.
    pub fn grid(&self) -> Option<&Grid> {
        self.grids.get(self.shown)
    }

    /// The result that is shown, to change how it is looked at.
    pub fn grid_mut(&mut self) -> Option<&mut Grid> {
        self.grids.get_mut(self.shown)
    }

    /// Adds a result and shows it.
    pub(super) fn add_grid(&mut self, grid: Grid) {
        if self.grids.len() >= RESULTS {
            self.grids.remove(0);
        }
        self.grids.push(grid);
        self.shown = self.grids.len() - 1;
    }

    /// Takes an order of rows where it is still wanted.
    pub(super) fn arranged(&mut self, request: RequestId, order: Arc<Vec<u32>>) {
        if let Some(grid) = self.grids.iter_mut().find(|grid| grid.arranging == Some(request)) {
            grid.take_order(order);
        }
    }

    pub(super) fn document(&self) -> Value {
        json!({
            "run": self.run,
            "trial": self.trial,
            "mode": self.mode,
            "snapshot": self.snapshot,
            "task": self.task,
            "schema": self.tree.document(),
            "editor": self.editor.document(),
            "completion": self.completion,
            "running": self.running.as_ref().map(|it| &it.statement.sql),
            "queued": self.queue.len(),
            "results": self.grids.iter().map(Grid::document).collect::<Vec<_>>(),
            "shown": self.shown,
            "failure": self.failure,
            "answer": self.answer.document(),
            "submitted": self.submitted,
            "hints": self.hints,
        })
    }
}
