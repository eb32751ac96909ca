//! A result as it is looked at: which rows in which order, which columns how wide, where the cursor stands.
//!
//! The rows themselves never change. Cost depends on what is shown, never on how many rows there are.

use super::cell_text::written;
use crate::domain::{ResultSet, Value};
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::layout::keep_in_view;
use crate::workbench::reply::QueryRows;
use crate::workbench::request::RequestId;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// No column begins wider.
const WIDEST: u16 = 40;
/// No column gets narrower.
pub(super) const NARROWEST: u16 = 4;
/// Rows that are looked at to find a width.
const SAMPLE: usize = 200;
/// Characters of a value that are looked at to find a width.
const SAMPLE_CHARACTERS: usize = 200;
/// Cells between two columns.
pub const GAP: u16 = 2;

/// A result as it is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// The statement.
    pub sql: String,
    /// The rows.
    pub result: Arc<ResultSet>,
    /// SHA-256 of the rows.
    pub sha256: String,
    /// How long the statement took.
    pub elapsed: Duration,
    /// Whether it is a look at a table.
    pub is_preview: bool,
    /// The rows that are shown, in order.
    pub order: Arc<Vec<u32>>,
    /// The columns in order, hidden ones too.
    pub columns: Vec<Column>,
    /// How many columns stay when the others move.
    pub frozen: usize,
    /// The row of the cursor, among those shown.
    pub row: usize,
    /// The column of the cursor, among those shown.
    pub column: usize,
    /// The first row that is shown.
    pub top: usize,
    /// The first column that is shown after the frozen ones.
    pub left: usize,
    /// By which column (of the result) it is sorted, and whether the greatest comes first.
    pub sort: Option<(usize, bool)>,
    /// What rows must have.
    pub filter: String,
    /// The column (of the result) that names a subject.
    pub identifying: Option<usize>,
    /// The order that is being made.
    pub arranging: Option<RequestId>,
}

/// A column as it is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its place in the result.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its width in cells.
    pub width: u16,
    /// Whether all its values are numbers, as far as they were looked at: they stand right.
    pub is_numeric: bool,
    /// Whether it is hidden.
    pub is_hidden: bool,
}

impl Grid {
    /// A result as it comes. `identifying` is the name of the column that named subjects before.
    pub(in crate::workbench) fn new(rows: QueryRows, identifying: Option<&str>, is_preview: bool) -> Self {
        let result = rows.result;
        let columns =
            result.columns.iter().enumerate().map(|(index, name)| column(&result, index, name)).collect();
        let named = identifying
            .and_then(|name| result.columns.iter().position(|column| column.eq_ignore_ascii_case(name)));
        let count = u32::try_from(result.rows.len()).unwrap_or(u32::MAX);
        Self {
            sql: rows.sql,
            sha256: rows.sha256,
            elapsed: rows.elapsed,
            is_preview,
            order: Arc::new((0..count).collect()),
            columns,
            frozen: 0,
            row: 0,
            column: 0,
            top: 0,
            left: 0,
            sort: None,
            filter: String::new(),
            identifying: named,
            arranging: None,
            result,
        }
    }

    /// Makes wide columns narrower, so that in an area of so many cells one does not push away the others.
    pub(in crate::workbench) fn fit(&mut self, cells: usize) {
        let widest = u16::try_from(cells * 2 / 5).unwrap_or(WIDEST).clamp(WIDEST / 2, WIDEST);
        for column in &mut self.columns {
            column.width = column.width.min(widest);
        }
    }

    /// The columns that are shown.
    pub fn shown(&self) -> Vec<&Column> {
        self.columns.iter().filter(|column| !column.is_hidden).collect()
    }

    /// The column of the cursor.
    pub fn current(&self) -> Option<&Column> {
        self.columns.iter().filter(|column| !column.is_hidden).nth(self.column)
    }

    /// The column of the cursor, to be changed.
    pub(super) fn current_mut(&mut self) -> Option<&mut Column> {
        self.columns.iter_mut().filter(|column| !column.is_hidden).nth(self.column)
    }

    /// A row of the result by its place among those shown.
    pub fn row_at(&self, place: usize) -> Option<&[Value]> {
        self.result.rows.get(*self.order.get(place)? as usize).map(Vec::as_slice)
    }

    /// The value at the cursor.
    pub fn value(&self) -> Option<&Value> {
        self.row_at(self.row)?.get(self.current()?.index)
    }

    /// The column that names a subject: the one that was chosen, else the first.
    pub fn naming(&self) -> usize {
        self.identifying.unwrap_or(0)
    }

    /// The subject that a row names; NULL and the empty text name none.
    pub fn subject_at(&self, place: usize) -> Option<String> {
        let value = self.row_at(place)?.get(self.naming())?;
        let text = value.to_text();
        (*value != Value::Null && !text.is_empty()).then_some(text)
    }

    pub(in crate::workbench) fn take_order(&mut self, order: Arc<Vec<u32>>) {
        // The row that the cursor stands on stays under it, where it is still there.
        let before = self.order.get(self.row).copied();
        self.order = order;
        let again = before.and_then(|row| self.order.iter().position(|it| *it == row));
        self.row = again.unwrap_or(0);
        self.arranging = None;
    }

    /// Moves the cursor by rows and columns, stopping at the edges.
    pub(super) fn step(&mut self, rows: isize, columns: isize) {
        let last = self.order.len().saturating_sub(1);
        self.row = self.row.saturating_add_signed(rows).min(last);
        let last = self.shown().len().saturating_sub(1);
        self.column = self.column.saturating_add_signed(columns).min(last);
    }

    /// Keeps the cursor in view of an area of so many rows and cells.
    pub(in crate::workbench) fn scroll(&mut self, height: usize, cells: usize) {
        self.step(0, 0);
        keep_in_view(&mut self.top, self.row, height);
        self.top = self.top.min(self.order.len().saturating_sub(height.max(1)));
        let shown: Vec<u16> = self.shown().iter().map(|column| column.width).collect();
        self.frozen = self.frozen.min(shown.len());
        let fixed = self.fixed(cells);
        self.left = self.left.clamp(fixed, shown.len().max(fixed));
        if self.column < fixed {
            return;
        }
        if self.column < self.left {
            self.left = self.column;
        }
        // Columns go off on the left until the cursor's fits.
        let room = cells.saturating_sub(taken(&shown[..fixed]) + self.gutter());
        while self.left < self.column && taken(&shown[self.left..=self.column]) > room + usize::from(GAP) {
            self.left += 1;
        }
    }

    /// How many of the frozen columns stay in an area of so many cells: half of it is kept for the others.
    pub fn fixed(&self, cells: usize) -> usize {
        let room = cells.saturating_sub(self.gutter()) / 2;
        let mut widths: Vec<u16> = self.shown().iter().take(self.frozen).map(|column| column.width).collect();
        while taken(&widths) > room && widths.pop().is_some() {}
        widths.len()
    }

    /// Cells that row numbers and marks take.
    pub fn gutter(&self) -> usize {
        self.result.rows.len().to_string().len().max(2) + 3
    }

    pub(super) fn document(&self) -> serde_json::Value {
        json!({
            "sql": self.sql,
            "sha256": self.sha256,
            "rows": self.result.rows.len(),
            "changed_rows": self.result.changed_rows,
            "cut": self.result.cut,
            "shown": self.order.len(),
            "columns": self.columns,
            "frozen": self.frozen,
            "row": self.row,
            "column": self.column,
            "top": self.top,
            "left": self.left,
            "sort": self.sort,
            "filter": self.filter,
            "identifying": self.identifying,
            "preview": self.is_preview,
        })
    }
}

/// Cells of columns with the gap behind each.
fn taken(widths: &[u16]) -> usize {
    widths.iter().map(|width| usize::from(*width) + usize::from(GAP)).sum()
}

/// Rows that stand for all: the first, which are seen first, some of the others, and the last, which often has the greatest number.
fn sampled(rows: &[Vec<Value>]) -> impl Iterator<Item = &Vec<Value>> {
    let (first, others) = rows.split_at(rows.len().min(SAMPLE / 2));
    let step = others.len().div_ceil(SAMPLE / 2).max(1);
    first.iter().chain(others.iter().step_by(step)).chain(others.last())
}

fn column(result: &ResultSet, index: usize, name: &str) -> Column {
    let cells = |text: &str| u16::try_from(width(&visible(text))).unwrap_or(u16::MAX);
    let sample = || sampled(&result.rows).filter_map(move |row| row.get(index));
    let widest = sample().map(|value| cells(&written(value, SAMPLE_CHARACTERS)));
    let widest = widest.max().unwrap_or(0).max(cells(name));
    let mut known = sample().filter(|value| **value != Value::Null).peekable();
    let is_numeric = known.peek().is_some() && known.all(Value::is_number);
    Column {
        index,
        name: name.to_owned(),
        width: widest.clamp(NARROWEST, WIDEST),
        is_numeric,
        is_hidden: false,
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use crate::domain::{ResultSet, Value};
    use crate::workbench::reply::QueryRows;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn a_column_is_as_wide_as_what_comes_late() {
        let rows = (1..=100_000).map(|number| vec![Value::Integer(number)]).collect();
        assert_eq!(grid(&["x"], rows).columns[0].width, 6);
    }

    fn grid(columns: &[&str], rows: Vec<Vec<Value>>) -> Grid {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        let result = Arc::new(ResultSet { columns, rows, changed_rows: 0, cut: None });
        let rows = QueryRows { sql: String::new(), result, sha256: String::new(), elapsed: Duration::ZERO };
        Grid::new(rows, Some("EMAIL"), false)
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn widths_fit_and_numbers_stand_right() {
        let rows =
            vec![vec![text("名前です"), Value::Integer(5)], vec![text("x".repeat(90).as_str()), Value::Null]];
        let grid = grid(&["email", "n"], rows);
        assert_eq!((grid.columns[0].width, grid.columns[1].width), (40, 4));
        assert!(!grid.columns[0].is_numeric && grid.columns[1].is_numeric);
        assert_eq!(grid.identifying, Some(0));
    }

    #[test]
    fn the_cursor_stays_in_view_and_frozen_columns_stay() {
        let names: Vec<String> = (0..20).map(|n| format!("column_{n:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut grid = grid(&names, vec![vec![Value::Integer(1); 20]; 100]);
        grid.frozen = 1;
        grid.step(50, 10);
        grid.scroll(10, 60);
        assert_eq!((grid.top, grid.row), (41, 50));
        let fits = (grid.left..=grid.column).map(|_| 11).sum::<usize>();
        assert!(fits <= 60 - 11 - grid.gutter() + 2 && grid.left > 1, "{} {}", grid.left, fits);
        grid.step(-1000, -1000);
        grid.scroll(10, 60);
        assert_eq!((grid.row, grid.column, grid.top), (0, 0, 0));
    }

    #[test]
    fn a_row_stays_under_the_cursor_when_the_order_changes() {
        let mut grid = grid(&["n"], (0..5).map(|n| vec![Value::Integer(n)]).collect());
        grid.step(2, 0);
        grid.take_order(Arc::new(vec![4, 3, 2, 1, 0]));
        assert_eq!(grid.value(), Some(&Value::Integer(2)));
        grid.take_order(Arc::new(vec![0]));
        assert_eq!((grid.row, grid.value()), (0, Some(&Value::Integer(0))));
    }

    #[test]
    fn nothing_names_no_subject() {
        let grid = grid(&["email"], vec![vec![Value::Null], vec![text("")], vec![text("a@x")]]);
        let subjects: Vec<Option<String>> = (0..4).map(|row| grid.subject_at(row)).collect();
        assert_eq!(subjects, [None, None, Some("a@x".to_owned()), None]);
    }
}
