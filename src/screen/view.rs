//! The whole picture: the line of titles, the page, what lies over it, the line of status.

use super::hit_map::HitMap;
use super::page;
use super::part::canvas::Canvas;
use super::part::{overlay, status_line, title_line, too_small, which_key};
use super::theme::Theme;
use crate::workbench::Workbench;
use crate::workbench::focus::Page;
use crate::workbench::layout;
use ratatui::buffer::Buffer;

/// What was drawn, beside the cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawn {
    /// What the mouse gives where.
    pub hits: HitMap,
    /// Where the terminal's cursor stands, if it shows.
    pub cursor: Option<(u16, u16)>,
}

/// Draws the workbench into a buffer of its size.
pub fn view(buffer: &mut Buffer, state: &Workbench, theme: &Theme) -> Drawn {
    let mut canvas = Canvas::new(buffer, theme);
    canvas.fill_background();
    if layout::is_too_small(state) {
        too_small::draw(&mut canvas, state);
        return canvas.finish();
    }
    let screen = layout::screen(state);
    title_line::draw(&mut canvas, screen.title, state);
    match state.page {
        Page::Cases => page::cases::draw(&mut canvas, state),
        Page::Investigate => page::investigate::draw(&mut canvas, state),
        Page::Replay => page::replay::draw(&mut canvas, state),
    }
    status_line::draw(&mut canvas, screen.status, state);
    overlay::draw(&mut canvas, state);
    which_key::draw(&mut canvas, state);
    canvas.finish()
}
