//! Undo and redo: each step is the text it took away and the text it put there.
//!
//! A run of typed or erased graphemes is one step, a new word begins a new one. The history is bounded in bytes, not in
//! steps; the oldest are forgotten, the latest never.

use super::{EditBuffer, Place};
use std::collections::VecDeque;

/// The most bytes that a history holds.
const LIMIT: usize = 16 << 20;
/// What a step counts beside its texts.
const OVERHEAD: usize = size_of::<Step>();

/// Cursor and selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) cursor: Place,
    pub(super) anchor: Option<Place>,
}

/// The run that a step may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    /// None.
    Alone,
    /// One grapheme was typed.
    Typing,
    /// One grapheme was erased before the cursor.
    ErasingBack,
    /// One grapheme was erased after the cursor.
    ErasingForward,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) at: Place,
    pub(super) removed: String,
    pub(super) inserted: String,
    pub(super) before: Marks,
    pub(super) after: Marks,
    pub(super) run: Run,
}

impl Step {
    const fn size(&self) -> usize {
        OVERHEAD + self.removed.len() + self.inserted.len()
    }

    /// Takes in the step that came right after, if both belong to one run.
    fn take_in(&mut self, next: &Step) -> bool {
        if self.run != next.run || self.after != next.before {
            return false;
        }
        let ends_in_blank = |text: &str| text.ends_with(char::is_whitespace);
        match self.run {
            Run::Alone => return false,
            Run::Typing => {
                let starts_word = ends_in_blank(&self.inserted) && !ends_in_blank(&next.inserted);
                if starts_word || self.at.after(&self.inserted) != next.at || !next.removed.is_empty() {
                    return false;
                }
                self.inserted.push_str(&next.inserted);
            }
            Run::ErasingBack => {
                if next.at.after(&next.removed) != self.at {
                    return false;
                }
                self.removed.insert_str(0, &next.removed);
                self.at = next.at;
            }
            Run::ErasingForward => {
                if next.at != self.at {
                    return false;
                }
                self.removed.push_str(&next.removed);
            }
        }
        self.after = next.after;
        true
    }
}

/// The steps that can be undone and redone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct History {
    undo: VecDeque<Step>,
    redo: Vec<Step>,
    bytes: usize,
    /// Whether the latest step may still grow.
    is_open: bool,
}

impl History {
    /// Ends the run: the next step stands for itself.
    pub(super) const fn close(&mut self) {
        self.is_open = false;
    }

    fn push(&mut self, step: Step) {
        for undone in self.redo.drain(..) {
            self.bytes -= undone.size();
        }
        let latest = self.undo.back_mut().filter(|_| self.is_open);
        self.is_open = step.run != Run::Alone;
        if latest.is_some_and(|latest| latest.take_in(&step)) {
            self.bytes += step.size() - OVERHEAD;
        } else {
            self.bytes += step.size();
            self.undo.push_back(step);
        }
        while self.bytes > LIMIT && self.undo.len() > 1 {
            self.bytes -= self.undo.pop_front().map_or(0, |oldest| oldest.size());
        }
    }
}

impl EditBuffer {
    /// Replaces what lies between two places as one step that can be undone. The cursor goes behind the new text, the
    /// selection ends. Says whether there was anything to replace or to put there.
    pub(super) fn change(&mut self, from: Place, to: Place, text: &str, run: Run) -> bool {
        let before = self.marks();
        if from == to && text.is_empty() {
            return false;
        }
        let inserted = text.to_owned();
        let removed = self.splice(from, to, text);
        self.anchor = None;
        self.cursor = self.clamped(from.after(&inserted));
        let after = self.marks();
        self.history.push(Step { at: from, removed, inserted, before, after, run });
        true
    }

    /// Puts cursor and selection elsewhere as part of the change just made.
    pub(super) fn mark_after_change(&mut self, cursor: Place, anchor: Option<Place>) {
        self.cursor = self.clamped(cursor);
        self.anchor = anchor.map(|anchor| self.clamped(anchor));
        let after = self.marks();
        if let Some(step) = self.history.undo.back_mut() {
            step.after = after;
        }
    }

    pub(super) fn undo(&mut self) {
        self.history.close();
        let Some(step) = self.history.undo.pop_back() else { return };
        self.splice(step.at, step.at.after(&step.inserted), &step.removed);
        (self.cursor, self.anchor) = (step.before.cursor, step.before.anchor);
        self.history.redo.push(step);
    }

    pub(super) fn redo(&mut self) {
        self.history.close();
        let Some(step) = self.history.redo.pop() else { return };
        self.splice(step.at, step.at.after(&step.removed), &step.inserted);
        (self.cursor, self.anchor) = (step.after.cursor, step.after.anchor);
        self.history.undo.push_back(step);
    }
}
