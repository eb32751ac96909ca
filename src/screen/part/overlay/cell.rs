//! A value of a result: laid out and coloured where it is JSON, else as it is. Only the rows that show are laid out.

use super::style;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::pieces::{Window, draw_lines, draw_pieces};
use crate::screen::theme::Role;
use crate::text::rows::window as rows_in;
use crate::workbench::layout::Area;
use crate::workbench::overlay::cell::{CellView, PayloadClass, PrettyText, line_rows};

pub(super) fn draw(canvas: &mut Canvas<'_>, window: Window, cell: &CellView) {
    let mut window = window;
    if let Some(remark) = cell.remark() {
        if let Some(at) = window.row(0) {
            let warning = style(canvas, Role::Warning);
            canvas.text(at.x, at.y, at.width, remark, warning);
            window.area = Area { y: at.y + 1, height: window.area.height.saturating_sub(1), ..window.area };
        } else {
            window.top -= 1;
        }
    }
    match cell.readable() {
        Some(pretty) => readable(canvas, window, pretty),
        None => raw(canvas, window, cell),
    }
}

fn raw(canvas: &mut Canvas<'_>, window: Window, cell: &CellView) {
    let role = match cell.kind {
        "NULL" => Role::NullValue,
        "integer" | "real" => Role::NumberValue,
        "text" if cell.text.is_empty() => Role::EmptyValue,
        "text" => Role::TextValue,
        _ => Role::BlobValue,
    };
    let text = match (cell.kind, cell.text.is_empty()) {
        ("NULL", _) => "NULL",
        (_, true) => "(empty)",
        _ => &cell.text,
    };
    let style = style(canvas, role);
    let cells = usize::from(window.area.width);
    for (row, nth) in rows_in(text, cells, window.top, window.height()).into_iter().zip(window.top..) {
        if let Some(at) = window.row(nth) {
            canvas.text(at.x, at.y, at.width, row, style);
        }
    }
}

/// The role of a piece of a payload.
pub(in crate::screen) const fn role(class: PayloadClass) -> Role {
    match class {
        PayloadClass::Plain => Role::Text,
        PayloadClass::Key => Role::SyntaxJsonKey,
        PayloadClass::String => Role::SyntaxString,
        PayloadClass::Number => Role::SyntaxNumber,
        PayloadClass::Constant => Role::SyntaxKeyword,
        PayloadClass::Punctuation => Role::SyntaxBracket,
        PayloadClass::Comment => Role::SyntaxComment,
    }
}

fn readable(canvas: &mut Canvas<'_>, window: Window, pretty: &PrettyText) {
    let in_style = |canvas: &Canvas<'_>, class| style(canvas, role(class));
    draw_lines(
        window,
        &pretty.lines,
        |line, cells| line_rows(line, cells),
        |line, first| {
            draw_pieces(canvas, window, line, first, in_style);
        },
    );
}
