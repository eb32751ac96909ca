//! An input of one line: its text, moved so that the cursor shows, the selection, the terminal's cursor.

use super::canvas::Canvas;
use crate::screen::theme::Role;
use crate::text::edit_buffer::{EditBuffer, cells_of};
use crate::workbench::layout::Area;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

/// Draws the input into a line; the terminal's cursor stands in it if it has the keys.
pub(in crate::screen) fn input(
    canvas: &mut Canvas<'_>,
    area: Area,
    buffer: &EditBuffer,
    style: Style,
    has_keys: bool,
) {
    let room = usize::from(area.width);
    if room == 0 || area.height == 0 {
        return;
    }
    let cursor = buffer.column_of(buffer.cursor());
    // The cursor may stand after the last character, so it needs a cell of its own.
    let left = if has_keys { (cursor + 1).saturating_sub(room) } else { 0 };
    let text = buffer.lines().first().map_or("", String::as_str);
    let (mut cell, mut start) = (0, 0);
    for (at, grapheme) in text.grapheme_indices(true) {
        start = at;
        if cell >= left {
            break;
        }
        cell += cells_of(grapheme);
        start = at + grapheme.len();
    }
    // A wide character may be cut by the left edge: its other half is a blank.
    let gap = u16::try_from(cell - left.min(cell)).unwrap_or(0);
    canvas.text(area.x + gap, area.y, area.width.saturating_sub(gap), &text[start..], style);
    let column = |place: usize| u16::try_from(place.saturating_sub(left).min(room)).unwrap_or(area.width);
    if let Some((from, to)) = buffer.selection() {
        let (from, to) = (column(buffer.column_of(from)), column(buffer.column_of(to)));
        let selection = canvas.style(Role::Selection);
        canvas.tint(Area { x: area.x + from, width: to - from, ..area }, selection);
    }
    if has_keys {
        canvas.place_cursor(area.x + column(cursor).min(area.width - 1), area.y);
    }
}
