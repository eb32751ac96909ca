//! A call of the trace beside the same call run again: rows in pairs, and which of their cells differ. Plain data.

use crate::domain::ResultSet;
use crate::domain::replay::ReplayVerdict;
use std::sync::Arc;
use std::time::Duration;

/// No column asks for more cells.
pub const WIDEST: u16 = 36;

/// What was archived, and what came now.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The event that begins the step.
    pub event: u64,
    /// What was run.
    pub sql: String,
    /// Whether another statement was run than the trace has.
    pub is_what_if: bool,
    /// What the trace has.
    pub archived: Side,
    /// What came now.
    pub now: Side,
    /// The verdict on the call.
    pub verdict: Option<ReplayVerdict>,
    /// Rows beside each other.
    pub pairs: Arc<Vec<RowPair>>,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq)]
pub enum Side {
    /// Rows.
    Rows {
        /// The rows.
        result: Arc<ResultSet>,
        /// How long they took.
        elapsed: Option<Duration>,
        /// What is to be said about them: that they were cut.
        remark: Option<String>,
        /// Widths of the columns in cells.
        widths: Arc<Vec<u16>>,
    },
    /// An error.
    Error(String),
    /// A text.
    Text(String),
    /// Nothing, and why.
    Nothing(String),
}

/// A row of the one side, a row of the other, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPair {
    /// The row of the archive.
    pub archived: Option<u32>,
    /// The row of now.
    pub now: Option<u32>,
    /// Columns of the archive whose cells differ.
    pub differing: Vec<u16>,
}

impl RowPair {
    /// Whether both are there and the same.
    pub const fn is_same(&self) -> bool {
        self.archived.is_some() && self.now.is_some() && self.differing.is_empty()
    }
}

impl Side {
    /// The columns, where there are rows.
    pub fn columns(&self) -> usize {
        match self {
            Self::Rows { result, .. } => result.columns.len(),
            _ => 0,
        }
    }
}

impl Comparison {
    /// The first pair that is not the same.
    pub fn first_difference(&self) -> Option<usize> {
        self.pairs.iter().position(|pair| !pair.is_same())
    }

    /// The next pair that is not the same, behind a place; the first one again behind the last.
    pub fn next_difference(&self, from: usize) -> Option<usize> {
        (from + 1..self.pairs.len()).find(|at| !self.pairs[*at].is_same()).or_else(|| self.first_difference())
    }

    /// Whether both sides have rows.
    pub const fn has_both(&self) -> bool {
        matches!((&self.archived, &self.now), (Side::Rows { .. }, Side::Rows { .. }))
    }

    /// How many pairs are not the same; none where only one side has rows.
    pub fn differences(&self) -> usize {
        if !self.has_both() {
            return 0;
        }
        self.pairs.iter().filter(|pair| !pair.is_same()).count()
    }
}
