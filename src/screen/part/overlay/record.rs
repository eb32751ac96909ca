//! A row of the result as a list: the name of each column beside its value.

use super::style;
use crate::domain::Value;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::pieces::Window;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::overlay::reader::{record_indent, record_rows};

pub(super) fn draw(canvas: &mut Canvas<'_>, window: Window, state: &Workbench) {
    let Some(grid) = state.workspace.as_ref().and_then(|space| space.grid()) else { return };
    let Some(row) = grid.row_at(grid.row) else { return };
    let cells = usize::from(window.area.width);
    let indent = u16::try_from(record_indent(state, cells)).unwrap_or(0);
    let current = grid.current().map(|column| column.index);
    for ((column, line, words), nth) in record_rows(state, cells).iter().zip(0..) {
        let Some(at) = window.row(nth) else { continue };
        if *line == 0 {
            let role = if current == Some(*column) { Role::Accent } else { Role::Muted };
            let name = style(canvas, role);
            let text = grid.result.columns.get(*column).map_or("", String::as_str);
            canvas.text(at.x, at.y, indent.saturating_sub(2), text, name);
        }
        let role = match row.get(*column) {
            None | Some(Value::Null) => Role::NullValue,
            Some(Value::Text(text)) if text.is_empty() => Role::EmptyValue,
            Some(Value::Text(_)) => Role::TextValue,
            Some(Value::Blob(_) | Value::InvalidText(_)) => Role::BlobValue,
            Some(_) => Role::NumberValue,
        };
        let value = style(canvas, role);
        canvas.text(at.x + indent, at.y, at.width.saturating_sub(indent), words, value);
    }
}
