//! A picture of the workbench as text, with or without styles.

use crate::screen::theme::{Depth, Library, Symbols, Theme};
use crate::screen::view;
use crate::workbench::Workbench;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Picture {
    pub(super) rows: Vec<String>,
    pub(super) styles: Vec<Vec<String>>,
    pub(super) cursor: Option<(u16, u16)>,
}

/// Draws the state at its size with a theme of the binary, plain if none is named.
pub(super) fn picture(state: &Workbench, theme: Option<&str>) -> Result<Picture, String> {
    let theme = match theme {
        None => Theme::plain(Symbols::UNICODE),
        Some(name) => Library::embedded()
            .theme(name, Depth::TrueColour, Symbols::UNICODE)
            .map_err(|error| error.to_string())?,
    };
    let mut buffer = Buffer::empty(Rect::new(0, 0, state.size.width, state.size.height));
    let drawn = view(&mut buffer, state, &theme);
    let rows: Vec<&[Cell]> = buffer.content.chunks(usize::from(state.size.width.max(1))).collect();
    Ok(Picture {
        rows: rows.iter().map(|row| text(row)).collect(),
        styles: rows.iter().map(|row| runs(row)).collect(),
        cursor: drawn.cursor,
    })
}

/// The text of a row; the second half of a wide character is left out.
fn text(row: &[Cell]) -> String {
    let (mut text, mut skip) = (String::new(), 0);
    for cell in row {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        text.push_str(cell.symbol());
        skip = crate::text::width::width(cell.symbol()).saturating_sub(1);
    }
    text.trim_end().to_owned()
}

/// Runs of cells with the same style: `0-11 fg=Cyan bold`. What is as nothing is left out.
fn runs(row: &[Cell]) -> Vec<String> {
    let mut runs: Vec<(usize, usize, String)> = Vec::new();
    for (at, cell) in row.iter().enumerate() {
        let style = described(cell);
        match runs.last_mut() {
            Some((_, end, last)) if *last == style => *end = at,
            _ => runs.push((at, at, style)),
        }
    }
    let shown = runs.into_iter().filter(|(_, _, style)| !style.is_empty());
    shown.map(|(from, to, style)| format!("{from}-{to}{style}")).collect()
}

fn described(cell: &Cell) -> String {
    use ratatui::style::Color;
    use std::fmt::Write as _;
    // Writing to a String can't fail.
    let mut text = String::new();
    if cell.fg != Color::Reset {
        let _ = write!(text, " fg={}", cell.fg);
    }
    if cell.bg != Color::Reset {
        let _ = write!(text, " bg={}", cell.bg);
    }
    for (modifier, name) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underline"),
        (Modifier::REVERSED, "reverse"),
    ] {
        if cell.modifier.contains(modifier) {
            text.push(' ');
            text.push_str(name);
        }
    }
    text
}
