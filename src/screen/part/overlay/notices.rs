//! All that was told, newest first, with how long ago it was.

use super::style;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::ago;
use crate::screen::part::pieces::Window;
use crate::screen::part::status_line::sign;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::overlay::reader::{NOTICE_INDENT, notice_rows};

pub(super) fn draw(canvas: &mut Canvas<'_>, window: Window, state: &Workbench) {
    let rows = notice_rows(state, usize::from(window.area.width));
    let (text, faint) = (style(canvas, Role::Text), style(canvas, Role::Faint));
    if rows.is_empty() {
        canvas.text(window.area.x, window.area.y, window.area.width, "Nothing was told yet.", faint);
    }
    let indent = u16::try_from(NOTICE_INDENT).unwrap_or(0);
    for ((notice, line, words), row) in rows.iter().zip(0..) {
        let (Some(at), Some(notice)) = (window.row(row), state.notices.all().get(*notice)) else { continue };
        if *line == 0 {
            let (sign, role) = sign(canvas, notice.gravity);
            let sign_style = style(canvas, role);
            canvas.text(at.x, at.y, 1, sign, sign_style);
            canvas.text_right(
                at.x + indent - 2,
                at.y,
                indent - 4,
                &ago(state.now.saturating_sub(notice.at)),
                faint,
            );
        }
        canvas.text(at.x + indent, at.y, at.width.saturating_sub(indent), words, text);
    }
}
