//! What shows when the terminal is too small to work in.

use super::canvas::Canvas;
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::layout::SMALLEST;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, state: &Workbench) {
    let whole = canvas.whole();
    let times = canvas.symbols().times;
    let lines = [
        "Please make the terminal larger.".to_owned(),
        format!(
            "It is {} {times} {}; {} {times} {} is enough.",
            state.size.width, state.size.height, SMALLEST.0, SMALLEST.1
        ),
        // The key that quits also where keys write text.
        "Ctrl-Q quits; nothing is lost.".to_owned(),
    ];
    let top = whole.height.saturating_sub(3) / 2;
    for (line, y) in lines.iter().zip(top..whole.height) {
        let style = canvas.style(Role::Text);
        canvas.text(whole.x + 1, y, whole.width.saturating_sub(2), line, style);
    }
}
