//! Text in which a search found letters: they stand out.

use super::canvas::Canvas;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::layout::Area;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

/// Writes a text like [`Canvas::text`] and marks the characters whose places `letters` names, in order.
pub(in crate::screen) fn matched(
    canvas: &mut Canvas<'_>,
    at: (u16, u16),
    room: u16,
    text: &str,
    style: Style,
    letters: &[u32],
) -> u16 {
    let (x, y) = at;
    let taken = canvas.text(x, y, room, text, style);
    let (mut place, mut cell) = (0_u32, 0_usize);
    // The last cell of a cut text is the ellipsis.
    let is_cut = !letters.is_empty() && width(&visible(text)) > usize::from(room);
    let end = usize::from(taken) - usize::from(is_cut && taken > 0);
    for grapheme in text.graphemes(true) {
        if cell >= end {
            break;
        }
        let (cells, count) =
            (width(&visible(grapheme)), u32::try_from(grapheme.chars().count()).unwrap_or(1));
        if letters.iter().any(|letter| (place..place + count).contains(letter)) {
            let found = canvas.style(Role::Match);
            let left = u16::try_from(cell).unwrap_or(u16::MAX);
            let width = u16::try_from(cells.min(end - cell)).unwrap_or(0);
            canvas.tint(Area { x: x.saturating_add(left), y, width, height: 1 }, found);
        }
        place += count;
        cell += cells;
    }
    taken
}
