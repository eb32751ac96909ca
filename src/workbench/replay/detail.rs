//! All of one step, laid out in lines of coloured pieces. Plain data, made by services.

use crate::text::sql_colours::SqlClass;
use crate::text::wrap::wrap_visible;
use crate::workbench::overlay::cell::{self, PayloadClass};
use std::sync::Arc;

/// A step, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// The event that begins it.
    pub event: u64,
    /// Its lines.
    pub lines: Arc<Vec<DetailLine>>,
    /// What copying gives: the statement, else the whole text.
    pub text: String,
    /// The statement, where it has one.
    pub sql: Option<String>,
}

/// A line in pieces.
pub type DetailLine = Vec<(Tone, String)>;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The name of a part.
    Heading,
    /// Words of the trace.
    Plain,
    /// What is said about it.
    Muted,
    /// A failure.
    Danger,
    /// What needs a look.
    Warning,
    /// SQL.
    Sql(SqlClass),
    /// JSON.
    Payload(PayloadClass),
}

impl Detail {
    /// The rows that it takes where a row has so many cells.
    pub fn rows(&self, cells: usize) -> usize {
        self.lines.iter().map(|line| line_rows(line, cells)).sum()
    }
}

/// The rows of a line: words are broken between words, all else anywhere.
pub fn line_rows(line: &DetailLine, cells: usize) -> usize {
    match line.as_slice() {
        [(tone, only)] if tone.is_prose() => wrap_visible(only, cells).len().max(1),
        pieces => cell::line_rows(pieces, cells),
    }
}

impl Tone {
    /// Whether it is words for people, which are broken between words.
    pub const fn is_prose(self) -> bool {
        matches!(self, Self::Heading | Self::Plain | Self::Muted | Self::Danger | Self::Warning)
    }
}
