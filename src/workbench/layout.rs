//! Where things stand on the screen: rectangles in cells, as a function of the size and of what the person chose.
//!
//! It is here and not in `screen`, because scrolling needs to know how many lines an area shows. Nothing here draws.

mod replay;
mod workspace;

pub use replay::{CompareParts, ReplayAreas, compare_parts, evidence_row, evidence_rows, replay};
pub use workspace::{
    AnswerParts, EditorParts, GridParts, InvestigateAreas, QuestionLine, SchemaParts, answer_parts,
    editor_parts, failure_lines, grid_parts, investigate, question_indent, question_lines, schema_parts,
};

use super::focus::Page;
use super::overlay::Overlay;
use super::overlay::reader::Reader;
use super::state::Workbench;
use serde::Serialize;

/// The smallest size at which the workbench can be used.
pub const SMALLEST: (u16, u16) = (60, 16);
/// Text to read has at least so many rows.
const READER_LEAST: u16 = 4;
/// From this width on the brief stands beside the list of cases.
const BESIDE: u16 = 110;

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Area {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Area {
    /// Whether it has no cells.
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Whether a cell is in it.
    pub const fn contains(self, x: u16, y: u16) -> bool {
        x >= self.x && y >= self.y && x - self.x < self.width && y - self.y < self.height
    }

    /// Its left part of a width, and the rest.
    #[must_use]
    pub const fn split_left(self, width: u16) -> (Self, Self) {
        let width = if width < self.width { width } else { self.width };
        (Self { width, ..self }, Self { x: self.x + width, width: self.width - width, ..self })
    }

    /// Its upper part of a height, and the rest.
    #[must_use]
    pub const fn split_top(self, height: u16) -> (Self, Self) {
        let height = if height < self.height { height } else { self.height };
        (Self { height, ..self }, Self { y: self.y + height, height: self.height - height, ..self })
    }

    /// Without a frame of one cell.
    #[must_use]
    pub const fn inside(self) -> Self {
        Self {
            x: self.x + 1,
            y: self.y + 1,
            width: self.width.saturating_sub(2),
            height: self.height.saturating_sub(2),
        }
    }
}

/// The whole screen: a line of titles, the page, a line of status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Screen {
    /// The line at the top.
    pub title: Area,
    /// The page.
    pub page: Area,
    /// The line at the bottom.
    pub status: Area,
}

/// The Cases page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CasesAreas {
    /// The filters.
    pub chips: Area,
    /// The list, with its frame.
    pub list: Area,
    /// The brief, with its frame.
    pub brief: Area,
}

/// The whole screen.
pub fn screen(state: &Workbench) -> Screen {
    let all = Area { x: 0, y: 0, width: state.size.width, height: state.size.height };
    let (title, rest) = all.split_top(1);
    let (page, status) = rest.split_top(rest.height.saturating_sub(1));
    Screen { title, page, status }
}

/// Whether the terminal is too small.
pub const fn is_too_small(state: &Workbench) -> bool {
    state.size.width < SMALLEST.0 || state.size.height < SMALLEST.1
}

/// A share of a length in hundredths.
fn share(length: u16, hundredths: u16) -> u16 {
    u16::try_from(u32::from(length) * u32::from(hundredths) / 100).unwrap_or(length)
}

/// A length between two others; where those leave nothing between them, the greatest counts.
fn between(length: u16, least: u16, greatest: u16) -> u16 {
    length.max(least).min(greatest)
}

/// The Cases page.
pub fn cases(state: &Workbench) -> CasesAreas {
    let (chips, rest) = screen(state).page.split_top(1);
    let panes = &state.kept.panes;
    let (list, brief) = if state.size.width >= BESIDE {
        rest.split_left(between(share(rest.width, panes.list), 46, rest.width.saturating_sub(30)))
    } else {
        rest.split_top(between(share(rest.height, panes.list), 6, rest.height.saturating_sub(6)))
    };
    CasesAreas { chips, list, brief }
}

/// A box over the page, in its middle, with room around it; as small as the page where that is smaller.
pub fn middle(state: &Workbench, width: u16, height: u16) -> Area {
    let page = screen(state).page;
    let (width, height) = (width.min(page.width), height.min(page.height));
    let (x, y) = (page.x + (page.width - width) / 2, page.y + (page.height - height) / 2);
    Area { x, y, width, height }
}

/// The frame of text to read, as wide as lines can be read and as high as the text.
pub fn reader(state: &Workbench, reader: &Reader) -> Area {
    let page = screen(state).page;
    let width = between(page.width.saturating_sub(8), 56, reader.content.widest());
    let rows = reader.rows(state, reader_cells(Area { width, ..page }));
    let height = u16::try_from(rows).unwrap_or(u16::MAX).max(READER_LEAST).saturating_add(2);
    middle(state, width, height.min(page.height.saturating_sub(2)))
}

/// The cells of a row of text to read: a blank on each side, inside the frame.
pub fn reader_cells(frame: Area) -> usize {
    usize::from(frame.width.saturating_sub(4)).max(1)
}

/// Moves what is chosen into what is shown, after every event.
pub(super) fn scroll_into_view(state: &mut Workbench) {
    let list = cases(state).list.inside();
    // The names of the columns have a line, and so may the heading of the snapshots.
    state.cases.scroll(usize::from(list.height.saturating_sub(2)));
    if let Some(Overlay::Reader(it)) = state.overlays.last() {
        let frame = reader(state, it);
        let furthest = it.rows(state, reader_cells(frame)).saturating_sub(usize::from(frame.inside().height));
        if let Some(Overlay::Reader(it)) = state.overlays.last_mut() {
            it.top = it.top.min(furthest);
        }
    }
    match state.page {
        Page::Cases => {}
        Page::Investigate => workspace::scroll_into_view(state),
        Page::Replay => replay::scroll_into_view(state),
    }
}

/// Keeps `top` so that `chosen` is among the `height` shown, moving as little as possible.
pub(super) const fn keep_in_view(top: &mut usize, chosen: usize, height: usize) {
    if height == 0 {
        return;
    }
    if chosen < *top {
        *top = chosen;
    } else if chosen >= *top + height {
        *top = chosen + 1 - height;
    }
}

#[cfg(test)]
mod tests {
    use super::{Area, cases, keep_in_view, screen};
    use crate::workbench::event::Size;
    use crate::workbench::state::Workbench;
    use proptest::prelude::*;

    #[test]
    fn what_is_chosen_is_kept_in_view() {
        let mut top = 0;
        keep_in_view(&mut top, 12, 10);
        assert_eq!(top, 3);
        keep_in_view(&mut top, 5, 10);
        assert_eq!(top, 3);
        keep_in_view(&mut top, 1, 10);
        assert_eq!(top, 1);
    }

    proptest! {
        #[test]
        fn areas_stay_on_the_screen(width in 0_u16..500, height in 0_u16..200, side in 0_u16..200) {
            let mut state = Workbench { size: Size { width, height }, ..Workbench::default() };
            state.kept.panes.list = side;
            let is_inside = |area: Area| area.x + area.width <= width && area.y + area.height <= height;
            let whole = screen(&state);
            let page = cases(&state);
            for area in [whole.title, whole.page, whole.status, page.chips, page.list, page.brief] {
                prop_assert!(area.is_empty() || is_inside(area), "{area:?}");
            }
        }
    }
}
