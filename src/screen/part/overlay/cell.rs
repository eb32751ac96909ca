//! A value of a result: laid out and coloured where it is JSON, else as it is. Only the rows that show are laid out.

use super::reader::Window;
use super::style;
use crate::screen::part::canvas::Canvas;
use crate::screen::theme::Role;
use crate::text::rows::{rows_of, window as rows_in};
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
    let cells = usize::from(window.area.width);
    let mut first = 0;
    for line in &pretty.lines {
        let rows = line_rows(line, cells);
        if first >= window.top + window.height() {
            break;
        }
        if first + rows > window.top {
            readable_line(canvas, window, line, first);
        }
        first += rows;
    }
}

/// A line in its pieces, over as many rows as it takes; its first row is the content's row `first`.
fn readable_line(canvas: &mut Canvas<'_>, window: Window, line: &[(PayloadClass, String)], first: usize) {
    let text: String = line.iter().map(|(_, text)| text.as_str()).collect();
    // Bytes of the line that were drawn.
    let mut start = 0;
    for (row, nth) in rows_of(&text, usize::from(window.area.width)).zip(first..) {
        let end = start + row.len();
        if let Some(at) = window.row(nth) {
            let (mut x, mut from) = (at.x, 0);
            for (class, piece) in line {
                let to = from + piece.len();
                let (low, high) = (from.max(start), to.min(end));
                if low < high {
                    let style = style(canvas, role(*class));
                    x += canvas.text(x, at.y, (at.x + at.width).saturating_sub(x), &text[low..high], style);
                }
                from = to;
            }
        } else if nth > window.top + window.height() {
            break;
        }
        start = end;
    }
}
