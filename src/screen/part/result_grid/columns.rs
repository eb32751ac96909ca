//! Which columns of a result show, and where each stands.

use crate::workbench::investigate::grid::{Column, GAP, Grid};

/// A column that shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShownColumn<'g> {
    /// The column.
    pub(super) column: &'g Column,
    /// Its place among those that are not hidden.
    pub(super) place: usize,
    /// Cells before it.
    pub(super) start: u16,
    /// Cells that it has.
    pub(super) width: u16,
}

/// The columns that show in an area of so many cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns<'g> {
    /// From left to right.
    pub(super) shown: Vec<ShownColumn<'g>>,
    /// Where the line behind the frozen ones stands.
    pub(super) frozen_end: Option<u16>,
    /// Whether there are more on the left, and on the right.
    pub(super) more: (bool, bool),
}

pub(super) fn columns(grid: &Grid, cells: u16) -> Columns<'_> {
    let all = grid.shown();
    let fixed = grid.fixed(usize::from(cells));
    let mut start = u16::try_from(grid.gutter()).unwrap_or(u16::MAX);
    let mut shown = Vec::new();
    let mut frozen_end = None;
    let mut is_cut = false;
    let left = grid.left.max(fixed);
    for place in (0..fixed).chain(left..all.len()) {
        let column = all[place];
        let room = cells.saturating_sub(start);
        // Too little of a column says nothing.
        if room < column.width.min(3) {
            is_cut = true;
            break;
        }
        let width = column.width.min(room);
        is_cut = width < column.width;
        shown.push(ShownColumn { column, place, start, width });
        start = start.saturating_add(width).saturating_add(GAP);
        if place + 1 == fixed && start <= cells {
            frozen_end = Some(start - GAP);
        }
    }
    let last = shown.last().map_or(0, |column| column.place + 1);
    Columns { frozen_end, more: (left > fixed, is_cut || last < all.len()), shown }
}
