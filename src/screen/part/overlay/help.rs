//! Help: titles, keys, what they do.

use super::style;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::key_names::key_names;
use crate::screen::part::pieces::Window;
use crate::screen::theme::Role;
use crate::text::width::width;
use crate::workbench::overlay::help::HelpSection;

/// Keys and titles take no more cells.
const WIDEST: (usize, usize) = (20, 28);

pub(super) fn draw(canvas: &mut Canvas<'_>, window: Window, sections: &[HelpSection]) {
    let entries = || sections.iter().flat_map(|section| &section.entries);
    let widest = |cells: usize, most: usize| u16::try_from(cells.min(most)).unwrap_or(0);
    let keys = entries().map(|it| width(&key_names(&it.keys, canvas.symbols()))).max().unwrap_or(0);
    let titles = entries().map(|it| width(&it.title)).max().unwrap_or(0);
    let (keys, titles) = (widest(keys, WIDEST.0), widest(titles, WIDEST.1));
    let (heading, key, text, muted) = (
        style(canvas, Role::Accent),
        style(canvas, Role::KeyHint),
        style(canvas, Role::Text),
        style(canvas, Role::Muted),
    );
    let mut nth = 0;
    for section in sections {
        if nth > window.top + window.height() {
            break;
        }
        if let Some(at) = window.row(nth) {
            canvas.text(at.x, at.y, at.width, &section.title, heading);
        }
        for (entry, row) in section.entries.iter().zip(nth + 1..) {
            let Some(at) = window.row(row) else { continue };
            let names = key_names(&entry.keys, canvas.symbols());
            canvas.text_right(at.x + keys + 1, at.y, keys, &names, key);
            let x = at.x + keys + 3;
            let end = at.x + at.width;
            canvas.text(x, at.y, titles.min(end.saturating_sub(x)), &entry.title, text);
            let x = x + titles + 2;
            canvas.text(x, at.y, end.saturating_sub(x), &entry.doc, muted);
        }
        nth += section.entries.len() + 2;
    }
}
