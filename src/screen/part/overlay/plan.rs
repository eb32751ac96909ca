//! A query plan as a tree; what reads a whole table stands out.

use super::style;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::pieces::Window;
use crate::screen::theme::Role;
use crate::workbench::overlay::plan::PlanLine;

pub(super) fn draw(canvas: &mut Canvas<'_>, window: Window, lines: &[PlanLine]) {
    let (rail, text, scan) =
        (style(canvas, Role::Border), style(canvas, Role::Text), style(canvas, Role::Warning));
    let faint = style(canvas, Role::Faint);
    if lines.is_empty() {
        canvas.text(
            window.area.x,
            window.area.y,
            window.area.width,
            "SQLite tells no steps for this.",
            faint,
        );
    }
    for (line, nth) in
        lines.iter().enumerate().skip(window.top).take(window.height()).map(|(nth, it)| (it, nth))
    {
        let Some(at) = window.row(nth) else { continue };
        let signs = canvas.symbols();
        let mut tree = String::new();
        for goes_on in line.rails.iter().skip(1) {
            tree.push_str(if *goes_on { signs.tree_line } else { "   " });
        }
        if line.depth > 0 {
            tree.push_str(if line.is_last { signs.tree_last } else { signs.tree_branch });
        }
        let (words, note) = if line.is_scan {
            (scan, format!("  {} reads the whole table", signs.warning))
        } else {
            (text, String::new())
        };
        canvas.pieces(at.x, at.y, at.width, &[(&tree, rail), (&line.text, words), (&note, faint)]);
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{ResultSet, Value};
    use crate::screen::test_support::{Picture, cases};
    use crate::workbench::overlay::Overlay;
    use crate::workbench::overlay::plan::plan_lines;
    use crate::workbench::overlay::reader::{Content, Reader};

    #[test]
    fn steps_stand_on_rails() {
        let row = |id, parent, detail: &str| {
            vec![Value::Integer(id), Value::Integer(parent), Value::Integer(0), Value::Text(detail.into())]
        };
        let result = ResultSet {
            columns: vec![],
            rows: vec![
                row(1, 0, "CO-ROUTINE x"),
                row(2, 1, "SCAN a"),
                row(3, 1, "SEARCH b USING INDEX i (c=?)"),
                row(4, 3, "SCAN deep"),
                row(5, 0, "SCAN x"),
            ],
            changed_rows: 0,
            cut: None,
        };
        let mut state = cases();
        let lines = plan_lines(&result);
        state.overlays.push(Overlay::Reader(Reader::new("Query plan", Content::Plan { lines })));
        let text = Picture::of(&state).text();
        for line in ["├─ SCAN a  ! reads the whole table", "╰─ SEARCH b", "   ╰─ SCAN deep", " SCAN x  !"]
        {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
