//! Text to read, with a place in it: help, a record, statistics, notices, and cells (`cell`) and plans (`plan`).

use super::super::state::Workbench;
use super::cell::CellView;
use super::help::{self, HelpSection};
use super::plan::PlanLine;
use crate::domain::Value;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::text::wrap::wrap_visible;
use serde::Serialize;

/// Text to read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reader {
    /// What it is.
    pub title: String,
    /// The text.
    pub content: Content,
    /// The first line that is shown.
    pub top: usize,
}

/// What is read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Content {
    /// What can be done here, made from the command table.
    Help {
        /// What can be done, and every key.
        sections: Vec<HelpSection>,
    },
    /// All notices.
    Notices,
    /// A value of the result.
    Cell(Box<CellView>),
    /// A row of the result, a line a column: taken from the result as it is shown.
    Record,
    /// How a statement is run.
    Plan {
        /// Its steps.
        lines: Vec<PlanLine>,
    },
    /// A column of the result.
    Statistics {
        /// Its name.
        column: String,
        /// What was counted; `None` while it is.
        counted: Option<crate::workbench::investigate::statistics::ColumnStatistics>,
    },
}

impl Content {
    /// No frame around it gets wider, in cells.
    pub const fn widest(&self) -> u16 {
        match self {
            Self::Help { .. } | Self::Cell(_) | Self::Record => 112,
            Self::Notices | Self::Plan { .. } => 96,
            Self::Statistics { .. } => 84,
        }
    }
}

impl Reader {
    /// At its beginning.
    pub fn new(title: impl Into<String>, content: Content) -> Self {
        Self { title: title.into(), content, top: 0 }
    }
    /// The rows that its text takes where a row has so many cells.
    pub fn rows(&self, state: &Workbench, cells: usize) -> usize {
        match &self.content {
            Content::Help { sections } => help::rows(sections),
            Content::Notices => notice_rows(state, cells).len(),
            Content::Cell(cell) => cell.rows(cells),
            Content::Record => record_rows(state, cells).len(),
            Content::Plan { lines } => lines.len(),
            Content::Statistics { counted, .. } => counted
                .as_ref()
                .map_or(1, |counted| counted.facts().len() + counted.frequent.len() + FREQUENT_HEAD),
        }
    }
}

/// Rows above the frequent values of a column: an empty one and a title.
pub const FREQUENT_HEAD: usize = 2;
/// Cells before the text of a notice: its sign, and how long ago it was.
pub const NOTICE_INDENT: usize = 14;
/// A value of a record takes no more rows.
const RECORD_ROWS: usize = 4;

/// A row of the list of notices: which notice (of all, oldest first), and a line of it; the first has the number 0.
pub fn notice_rows(state: &Workbench, cells: usize) -> Vec<(usize, usize, String)> {
    let all = state.notices.all().iter().enumerate().rev();
    all.flat_map(|(nth, notice)| {
        let lines = lines(&notice.text, cells.saturating_sub(NOTICE_INDENT).max(10));
        lines.into_iter().enumerate().map(move |(line, text)| (nth, line, text))
    })
    .collect()
}

/// The cells that names of columns take in a record.
pub fn record_indent(state: &Workbench, cells: usize) -> usize {
    let grid = state.workspace.as_ref().and_then(|space| space.grid());
    let names = grid.iter().flat_map(|grid| &grid.columns).map(|column| width(&visible(&column.name)));
    names.max().unwrap_or(0).min(cells / 3) + 2
}

/// A row of a record: which column (of the result), and a line of its value; the first has the number 0. Long values are
/// cut.
pub fn record_rows(state: &Workbench, cells: usize) -> Vec<(usize, usize, String)> {
    let Some(grid) = state.workspace.as_ref().and_then(|space| space.grid()) else { return Vec::new() };
    let Some(row) = grid.row_at(grid.row) else { return Vec::new() };
    let room = cells.saturating_sub(record_indent(state, cells)).max(10);
    let columns = grid.columns.iter().filter_map(|column| Some((column.index, row.get(column.index)?)));
    columns
        .flat_map(|(index, value)| {
            let text = match value {
                Value::Null => "NULL".to_owned(),
                Value::Text(text) if text.is_empty() => "''".to_owned(),
                // More than the rows hold need not be laid out.
                Value::Text(text) => text.chars().take(room * (RECORD_ROWS + 1)).collect(),
                other => other.to_text(),
            };
            let mut lines = lines(&text, room);
            if lines.len() > RECORD_ROWS {
                // The last row is too long, so that it is seen to be cut.
                let rest = lines.split_off(RECORD_ROWS - 1).concat();
                lines.push(rest);
            }
            lines.into_iter().enumerate().map(move |(line, text)| (index, line, text))
        })
        .collect()
}

/// A text in lines that fit, at least one.
fn lines(text: &str, cells: usize) -> Vec<String> {
    let lines = wrap_visible(text, cells);
    if lines.is_empty() { vec![String::new()] } else { lines }
}
