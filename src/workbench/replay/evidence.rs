//! What the answer rests on: tables and joins with the step at which each first appears, and the subjects of the answer with the
//! row that first showed each.

use super::Replay;
use crate::domain::evidence::JoinsSeen;
use serde::Serialize;
use std::collections::BTreeSet;

/// A line of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceItem {
    /// What it is.
    pub kind: EvidenceKind,
    /// Its name.
    pub name: String,
    /// Whether the answer needs it; `None` where what it needs is not known.
    pub is_required: Option<bool>,
    /// The step at which it first appears.
    pub first: Option<usize>,
    /// More about it: the row and column of a subject.
    pub place: String,
}

/// What a line of evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// A base table.
    Table,
    /// A join.
    Join,
    /// A subject of the answer.
    Subject,
}

impl EvidenceKind {
    /// The heading above such lines.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Table => "Tables",
            Self::Join => "Joins",
            Self::Subject => "Subjects of the answer",
        }
    }
}

impl EvidenceItem {
    /// Whether it is needed, or claimed, and never appears.
    pub fn is_missing(&self) -> bool {
        self.first.is_none() && (self.kind == EvidenceKind::Subject || self.is_required == Some(true))
    }
}

impl Replay {
    /// Finds anew where what first appears.
    pub(in crate::workbench) fn find_evidence(&mut self) {
        let mut items = self.tables();
        items.extend(self.joins());
        items.extend(self.subjects());
        self.evidence = items;
        self.evidence_chosen = self.evidence_chosen.min(self.evidence.len().saturating_sub(1));
    }

    /// Needed tables first, in the order of their names; then those that were read beside them.
    fn tables(&self) -> Vec<EvidenceItem> {
        let known = self.required.as_ref();
        let first = |table: &str| self.steps().iter().position(|step| step.tables.contains(table));
        let item = |name: &str, is_required| EvidenceItem {
            kind: EvidenceKind::Table,
            name: name.to_owned(),
            is_required,
            first: first(name),
            place: String::new(),
        };
        let required = known.iter().flat_map(|it| &it.tables).map(|name| item(name, Some(true)));
        let read: BTreeSet<&String> = self.steps().iter().flat_map(|step| &step.tables).collect();
        let others = read
            .into_iter()
            .filter(|name| known.is_none_or(|it| !it.tables.contains(*name)))
            .map(|name| item(name, known.map(|_| false)));
        let mut all: Vec<EvidenceItem> = required.chain(others).collect();
        if known.is_none() {
            all.sort_by_key(|item| item.first);
        }
        all
    }

    /// The needed joins; where those are not known, all that were made.
    fn joins(&self) -> Vec<EvidenceItem> {
        let item = |name: String, is_required, first| EvidenceItem {
            kind: EvidenceKind::Join,
            name,
            is_required,
            first,
            place: String::new(),
        };
        if let Some(required) = &self.required {
            let mut seen = JoinsSeen::default();
            for (place, step) in self.steps().iter().enumerate() {
                seen.add(place, &step.joins);
            }
            let joins = required.joins.iter();
            return joins.map(|join| item(join.name.clone(), Some(true), seen.first(join))).collect();
        }
        let mut seen = BTreeSet::new();
        let mut items = Vec::new();
        for (place, step) in self.steps().iter().enumerate() {
            for join in step.joins.iter().filter(|join| seen.insert((*join).clone())) {
                let (one, other) = join.columns();
                items.push(item(format!("{one} = {other}"), None, Some(place)));
            }
        }
        items
    }

    fn subjects(&self) -> Vec<EvidenceItem> {
        let Some(trace) = &self.trace else { return Vec::new() };
        let item = |seen: &super::trace::SubjectSeen| {
            let place = seen.first.as_ref().map_or_else(String::new, |it| match (&it.row, &it.column) {
                (Some(row), Some(column)) => format!("row {row}, {column}"),
                (Some(row), None) => format!("row {row}"),
                _ => String::new(),
            });
            EvidenceItem {
                kind: EvidenceKind::Subject,
                name: seen.subject.clone(),
                is_required: None,
                first: seen.first.as_ref().and_then(|it| self.place_of(it.event)),
                place,
            }
        };
        trace.subjects.iter().map(item).collect()
    }
}
