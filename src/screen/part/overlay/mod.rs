//! What lies over the page, one file a kind, the topmost last.
//!
//! Each clears what is under it, covers its hits and hides the cursor beneath.

pub(in crate::screen) mod cell;
mod confirm;
mod help;
mod key_inspector;
mod notices;
mod picker;
mod plan;
mod prompt;
mod reader;
mod record;
mod statistics;

use super::canvas::Canvas;
use super::pane::Pane;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::layout::{self, Area};
use crate::workbench::overlay::Overlay;
use ratatui::style::Style;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, state: &Workbench) {
    for (nth, overlay) in state.overlays.iter().enumerate() {
        let is_top = nth + 1 == state.overlays.len();
        // What lies beneath may not be pressed: the keys don't go there either.
        canvas.hits().cover(layout::screen(state).page);
        canvas.hide_cursor();
        match overlay {
            Overlay::Picker(it) => picker::draw(canvas, state, it, is_top),
            Overlay::Prompt(it) => prompt::draw(canvas, state, it, is_top),
            Overlay::Confirm(it) => confirm::draw(canvas, state, it, is_top),
            Overlay::Reader(it) => reader::draw(canvas, state, it, is_top),
            Overlay::Keys(it) => key_inspector::draw(canvas, state, it, is_top),
        }
    }
}

/// A cleared box with a frame; gives what is inside, without a blank column on each side.
fn boxed(canvas: &mut Canvas<'_>, area: Area, pane: Pane<'_>) -> Area {
    let ground = canvas.style(Role::Overlay);
    canvas.fill(area, ground);
    let inside = pane.draw(canvas, area);
    Area { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
}

/// A style on the ground of popups.
fn style(canvas: &Canvas<'_>, role: Role) -> Style {
    canvas.theme.on(Role::Overlay, role)
}

/// A line of an area, empty where the area has no such line.
const fn line(area: Area, nth: u16) -> Area {
    if nth < area.height { Area { y: area.y + nth, height: 1, ..area } } else { Area { height: 0, ..area } }
}
