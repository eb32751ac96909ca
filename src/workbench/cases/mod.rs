//! The Cases page: tasks and snapshots to work on, filtered and found, with the own status of each.

mod commands;
mod filter;

pub(in crate::workbench) use commands::COMMANDS;
pub use filter::{FILTERS, Filter, Filters, Status};

use super::overlay::picker::narrowed;
use super::reply::{OwnTrial, PackSummary, SnapshotSummary};
use super::state::Workbench;
use crate::domain::TaskBrief;
use crate::domain::trial::{Ending, INVESTIGATION, TrialName};
use crate::text::edit_buffer::EditBuffer;
use serde::Serialize;
use serde_json::{Value, json};

/// The Cases page.
#[derive(Debug, Clone, PartialEq)]
pub struct Cases {
    /// What the list is narrowed to.
    pub filters: Filters,
    /// What is looked for.
    pub find: EditBuffer,
    /// Whether it is being written.
    pub is_finding: bool,
    /// What is listed, in order.
    pub rows: Vec<Row>,
    /// Which of the rows is chosen.
    pub chosen: usize,
    /// The first row that is shown.
    pub top: usize,
}

impl Default for Cases {
    fn default() -> Self {
        Self {
            filters: Filters::default(),
            find: EditBuffer::one_line(""),
            is_finding: false,
            rows: Vec::new(),
            chosen: 0,
            top: 0,
        }
    }
}

/// A row of the list: places in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// What it is.
    pub entry: Entry,
    /// Letters of `id title` that match what is looked for.
    pub letters: Vec<u32>,
}

/// Something to work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// A task: the pack's place, the task's place in it.
    Task(usize, usize),
    /// A snapshot to investigate freely.
    Snapshot(usize),
}

impl Cases {
    /// The chosen entry.
    pub fn choice(&self) -> Option<Entry> {
        self.rows.get(self.chosen).map(|row| row.entry)
    }

    pub(super) fn scroll(&mut self, height: usize) {
        super::layout::keep_in_view(&mut self.top, self.chosen, height);
        self.top = self.top.min(self.rows.len().saturating_sub(height));
    }
}

impl Workbench {
    /// A task of the catalogue with its pack.
    pub fn task_at(&self, pack: usize, task: usize) -> Option<(&PackSummary, &TaskBrief)> {
        let pack = self.catalogue.as_ref()?.packs.get(pack)?;
        Some((pack, pack.tasks.get(task)?))
    }

    /// A snapshot of the catalogue.
    pub fn snapshot_at(&self, snapshot: usize) -> Option<&SnapshotSummary> {
        self.catalogue.as_ref()?.snapshots.get(snapshot)
    }

    /// The snapshot that a pack's tasks are begun on: the one that was chosen if the pack is written for it, else its first.
    pub fn snapshot_for(&self, pack: &PackSummary) -> Option<&SnapshotSummary> {
        let catalogue = self.catalogue.as_ref()?;
        let names =
            self.kept.snapshot.iter().filter(|name| pack.snapshots.contains(name)).chain(&pack.snapshots);
        names.into_iter().find_map(|name| catalogue.snapshots.iter().find(|it| it.name == *name))
    }

    /// Own trials of an entry, newest first.
    pub fn own_of(&self, entry: Entry) -> Vec<&OwnTrial> {
        self.own.iter().filter(|own| self.is_of(&own.trial, entry)).collect()
    }

    fn is_of(&self, trial: &TrialName, entry: Entry) -> bool {
        match entry {
            Entry::Task(pack, task) => self
                .task_at(pack, task)
                .is_some_and(|(pack, task)| trial.pack == pack.id && trial.task == task.id),
            Entry::Snapshot(snapshot) => self
                .snapshot_at(snapshot)
                .is_some_and(|it| trial.pack == INVESTIGATION && trial.revision == it.revision),
        }
    }

    /// The own status of an entry.
    pub fn status_of(&self, entry: Entry) -> Status {
        let is_open =
            self.workspace.as_ref().is_some_and(|space| !space.is_over() && self.is_of(&space.trial, entry));
        if is_open {
            return Status::Open;
        }
        let own = self.own.iter().filter(|own| self.is_of(&own.trial, entry));
        let (mut is_answered, mut is_begun) = (false, false);
        for own in own {
            is_answered |= own.ending == Ending::Answered;
            is_begun |= own.ending == Ending::Interrupted;
        }
        match (is_begun, is_answered) {
            (true, _) => Status::Begun,
            (false, true) => Status::Answered,
            (false, false) => Status::New,
        }
    }
}

/// Lists anew what the filters and the search leave; the chosen entry stays chosen where it is still there.
pub(super) fn refresh(state: &mut Workbench) {
    let before = state.cases.choice();
    let mut entries: Vec<Entry> = Vec::new();
    if let Some(catalogue) = &state.catalogue {
        for (nth, pack) in catalogue.packs.iter().enumerate() {
            entries.extend((0..pack.tasks.len()).map(|task| Entry::Task(nth, task)));
        }
        entries.extend((0..catalogue.snapshots.len()).map(Entry::Snapshot));
    }
    entries.retain(|entry| state.cases.filters.keep(state, *entry));
    let texts: Vec<(String, String)> = entries.iter().map(|entry| texts(state, *entry)).collect();
    let found = narrowed(
        &state.cases.find.text(),
        texts.iter().map(|(label, detail)| (label.as_str(), detail.as_str())),
    );
    let rows: Vec<Row> = found
        .into_iter()
        .filter_map(|found| Some(Row { entry: *entries.get(found.item)?, letters: found.letters }))
        .collect();
    let is_searching = !state.cases.find.is_empty();
    let again = before.and_then(|entry| rows.iter().position(|row| row.entry == entry));
    state.cases.chosen = if is_searching && state.cases.is_finding { 0 } else { again.unwrap_or(0) };
    state.cases.rows = rows;
}

/// What is searched in an entry: what the list shows first, then the rest.
fn texts(state: &Workbench, entry: Entry) -> (String, String) {
    match entry {
        Entry::Task(pack, task) => state.task_at(pack, task).map_or_else(Default::default, |(pack, task)| {
            let platforms: Vec<&str> = task.platforms.iter().map(|platform| platform.label()).collect();
            (
                format!("{} {}", task.id, task.title),
                format!("{} {} {}", task.question, platforms.join(" "), pack.title),
            )
        }),
        Entry::Snapshot(snapshot) => state.snapshot_at(snapshot).map_or_else(Default::default, |it| {
            (format!("{} {}", it.name, it.organisation), "free investigation".to_owned())
        }),
    }
}

pub(super) fn document(state: &Workbench) -> Value {
    let rows: Vec<Value> = state
        .cases
        .rows
        .iter()
        .map(|row| match row.entry {
            Entry::Task(pack, task) => state.task_at(pack, task).map_or(Value::Null, |(pack, task)| {
                json!({"pack": pack.id, "task": task.id, "title": task.title, "status": state.status_of(row.entry)})
            }),
            Entry::Snapshot(snapshot) => state.snapshot_at(snapshot).map_or(Value::Null, |it| {
                json!({"snapshot": it.name, "revision": it.revision, "status": state.status_of(row.entry)})
            }),
        })
        .collect();
    json!({
        "filters": state.cases.filters,
        "find": state.cases.find.text(),
        "finding": state.cases.is_finding,
        "rows": rows,
        "chosen": state.cases.chosen,
    })
}
