//! The Replay page: a trace step by step, each call beside the same call run again, what the answer rests on.
//!
//! Not here: reading traces, running statements, the vault (`services`). What is shown of a task's evidence comes only for a
//! trial that is over, and never for a task that the person has open as scored.

pub(super) mod commands;
pub mod comparison;
pub mod detail;
pub mod evidence;
mod finding;
mod jumping;
pub mod playing;
pub(super) mod replies;
mod showing;
pub mod step;
pub mod trace;
pub mod what_if;

use super::request::RequestId;
use crate::domain::evidence::MinimalEvidence;
use crate::domain::replay::ReplayVerdict;
use comparison::Comparison;
use detail::Detail;
use evidence::EvidenceItem;
use playing::Playing;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use step::Step;
use trace::{Trace, TraceSource};
use what_if::WhatIf;

/// An area of the Replay page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplayPane {
    /// The steps.
    #[default]
    Timeline,
    /// The chosen step, whole.
    Detail,
    /// Its result, then and now.
    Compare,
    /// What the answer rests on.
    Evidence,
}

impl ReplayPane {
    /// All areas, in the order in which the focus goes round.
    pub const ALL: [Self; 4] = [Self::Timeline, Self::Detail, Self::Compare, Self::Evidence];

    /// Its name in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timeline => "timeline",
            Self::Detail => "detail",
            Self::Compare => "compare",
            Self::Evidence => "evidence",
        }
    }

    /// The area of a name.
    pub(in crate::workbench) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pane| pane.name() == name)
    }

    /// The area `steps` further round.
    #[must_use]
    pub(in crate::workbench) fn round(self, steps: isize) -> Self {
        let at = Self::ALL.iter().position(|pane| *pane == self).unwrap_or(0).cast_signed();
        let next = at.saturating_add(steps).rem_euclid(Self::ALL.len().cast_signed());
        Self::ALL[next.unsigned_abs()]
    }

    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Timeline => "Timeline",
            Self::Detail => "Step",
            Self::Compare => "Then and now",
            Self::Evidence => "Evidence",
        }
    }
}

/// What is open on the Replay page.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// Where the trace comes from.
    pub source: TraceSource,
    /// The trial that is shown; `None` while it is being read.
    pub trace: Option<Trace>,
    /// The area with the keys.
    pub pane: ReplayPane,
    /// The last area beside the timeline that had the keys: a narrow terminal shows it.
    pub beside: ReplayPane,
    /// The chosen step.
    pub chosen: usize,
    /// The first step that is shown.
    pub top: usize,
    /// The chosen step, whole; that of an earlier choice until it comes.
    pub detail: Option<Detail>,
    /// The first row of it that is shown.
    pub detail_top: usize,
    /// The chosen call, then and now.
    pub comparison: Option<Comparison>,
    /// The chosen row of it.
    pub pair: usize,
    /// The first row of it that is shown.
    pub compare_top: usize,
    /// The first column of it that is shown.
    pub compare_left: usize,
    /// Verdicts on calls, by the event of each.
    pub verdicts: Verdicts,
    /// What the answer needs, where that may be shown.
    pub required: Option<MinimalEvidence>,
    /// Why it may not be shown, or is not known.
    pub withheld: Option<&'static str>,
    /// Tables, joins and subjects, each with where it first appeared.
    pub evidence: Vec<EvidenceItem>,
    /// The chosen one.
    pub evidence_chosen: usize,
    /// The first one that is shown.
    pub evidence_top: usize,
    /// What was looked for last.
    pub find: String,
    /// Playing, if it is.
    pub playing: Option<Playing>,
    /// How fast it plays: a place in [`playing::SPEEDS`].
    pub speed: usize,
    /// Another statement, tried in the place of the chosen one.
    pub what_if: Option<WhatIf>,
    /// Requests under way.
    pub(in crate::workbench) asked: Asked,
}

/// Requests of the page that are under way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::workbench) struct Asked {
    pub(in crate::workbench) trace: Option<RequestId>,
    pub(in crate::workbench) detail: Option<RequestId>,
    pub(in crate::workbench) comparison: Option<RequestId>,
    pub(in crate::workbench) verdicts: Option<RequestId>,
}

/// What is known of the verdicts.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Verdicts {
    /// Nothing was asked yet.
    #[default]
    Unknown,
    /// The calls are being run again.
    Running,
    /// They were: the verdict of each, by its event, and how many came out how, by the word of the verdict.
    Known(BTreeMap<u64, ReplayVerdict>, BTreeMap<&'static str, usize>),
    /// They can't be, and why.
    Impossible(String),
}

impl Verdicts {
    /// These.
    pub(in crate::workbench) fn known(verdicts: BTreeMap<u64, ReplayVerdict>) -> Self {
        let mut counts = BTreeMap::new();
        for verdict in verdicts.values() {
            *counts.entry(verdict.word()).or_default() += 1;
        }
        Self::Known(verdicts, counts)
    }

    /// The verdict on the call of an event.
    pub fn of(&self, event: u64) -> Option<&ReplayVerdict> {
        match self {
            Self::Known(verdicts, _) => verdicts.get(&event),
            _ => None,
        }
    }
}

impl Replay {
    /// A source that was just opened.
    pub(in crate::workbench) fn new(source: TraceSource) -> Self {
        Self {
            source,
            trace: None,
            pane: ReplayPane::Timeline,
            beside: ReplayPane::Detail,
            chosen: 0,
            top: 0,
            detail: None,
            detail_top: 0,
            comparison: None,
            pair: 0,
            compare_top: 0,
            compare_left: 0,
            verdicts: Verdicts::Unknown,
            required: None,
            withheld: None,
            evidence: Vec::new(),
            evidence_chosen: 0,
            evidence_top: 0,
            find: String::new(),
            playing: None,
            speed: playing::NORMAL,
            what_if: None,
            asked: Asked::default(),
        }
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        self.trace.as_ref().map_or(&[], |trace| trace.steps.as_slice())
    }

    /// The chosen step.
    pub fn step(&self) -> Option<&Step> {
        self.steps().get(self.chosen)
    }

    /// The step to which an event belongs.
    pub fn place_of(&self, event: u64) -> Option<usize> {
        let at = self.steps().partition_point(|step| step.event <= event).checked_sub(1)?;
        Some(at)
    }

    /// Whether the trial is being read.
    pub const fn asked_for_trace(&self) -> bool {
        self.asked.trace.is_some()
    }

    /// Whether a call is being run again.
    pub const fn asked_for_comparison(&self) -> bool {
        self.asked.comparison.is_some()
    }

    /// Whether text is being written on the page.
    pub fn is_writing(&self) -> bool {
        self.what_if.as_ref().is_some_and(|it| it.is_writing)
    }

    pub(in crate::workbench) fn document(&self) -> Value {
        let step = self.step();
        json!({
            "source": self.source,
            "trial": self.trace.as_ref().map(|trace| trace.index),
            "steps": self.steps().len(),
            "running": self.trace.as_ref().is_some_and(|trace| trace.is_running),
            "snapshot": self.trace.as_ref().map(|trace| &trace.snapshot),
            "pane": self.pane,
            "chosen": self.chosen,
            "step": step,
            "detail": self.detail.as_ref().map(|it| json!({"event": it.event, "text": it.text})),
            "verdict": step.and_then(|step| self.verdicts.of(step.event)),
            "verdicts": match &self.verdicts {
                Verdicts::Known(_, counts) => json!(counts),
                _ => json!({}),
            },
            "comparison": self.comparison.as_ref().map(|it| json!({
                "event": it.event,
                "what_if": it.is_what_if,
                "rows": it.pairs.len(),
                "differences": it.differences(),
                "verdict": it.verdict,
            })),
            "evidence": self.evidence,
            "withheld": self.withheld,
            "find": self.find,
            "playing": self.playing.is_some(),
            "what_if": self.what_if.as_ref().map(WhatIf::document),
        })
    }
}
