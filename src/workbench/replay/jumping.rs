//! Jumps in a trace: to the next statement, failure, first use of something needed, first sight of a subject, difference.

use super::Replay;
use super::evidence::EvidenceKind;
use crate::domain::replay::ReplayVerdict;
use std::collections::BTreeSet;

/// Where a jump goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::workbench) enum Jump {
    Query,
    Error,
    Model,
    Evidence,
    Subject,
    Difference,
    First,
    Last,
}

/// The words of jumps, as commands take them.
pub(in crate::workbench) const JUMPS: &[&str] =
    &["query", "error", "model", "evidence", "subject", "difference", "first", "last"];

impl Jump {
    pub(in crate::workbench) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "query" => Self::Query,
            "error" => Self::Error,
            "model" => Self::Model,
            "evidence" => Self::Evidence,
            "subject" => Self::Subject,
            "difference" => Self::Difference,
            "first" => Self::First,
            "last" => Self::Last,
            _ => return None,
        })
    }

    /// What is said where there is none.
    pub(in crate::workbench) const fn none(self) -> &'static str {
        match self {
            Self::Query => "no statement",
            Self::Error => "no failure",
            Self::Model => "no word of a model",
            Self::Evidence => "no first use of a table or join",
            Self::Subject => "no first sight of a subject",
            Self::Difference => "no call that comes out differently",
            Self::First | Self::Last => "no step",
        }
    }
}

impl Replay {
    /// The step that a jump from the chosen one leads to; `None` where there is none in that direction.
    pub(in crate::workbench) fn target(&self, jump: Jump, is_back: bool) -> Option<usize> {
        let steps = self.steps();
        let last = steps.len().checked_sub(1)?;
        let firsts = |subjects: bool| -> BTreeSet<usize> {
            let of_kind = |kind| (kind == EvidenceKind::Subject) == subjects;
            // Where what is needed is known, what is read beside it is no landmark.
            let counts = |required: Option<bool>| required != Some(false);
            let items = self.evidence.iter().filter(|item| of_kind(item.kind) && counts(item.is_required));
            items.filter_map(|item| item.first).collect()
        };
        let marks: BTreeSet<usize> = match jump {
            Jump::First => return Some(0),
            Jump::Last => return Some(last),
            Jump::Evidence => firsts(false),
            Jump::Subject => firsts(true),
            Jump::Query => self.places(|at| steps[at].kind.is_query()),
            Jump::Error => self.places(|at| steps[at].is_error()),
            Jump::Model => self.places(|at| steps[at].kind == super::step::StepKind::Model),
            Jump::Difference => {
                self.places(|at| matches!(self.verdicts.of(steps[at].event), Some(ReplayVerdict::Differs(_))))
            }
        };
        if is_back {
            marks.range(..self.chosen).next_back().copied()
        } else {
            marks.range(self.chosen + 1..).next().copied()
        }
    }

    fn places(&self, is: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        (0..self.steps().len()).filter(|at| is(*at)).collect()
    }
}
