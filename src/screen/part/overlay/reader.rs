//! Text to read: the frame, the place in it, the wheel. What it says is drawn by one file for each content.

use super::{boxed, cell, help, notices, plan, record, statistics};
use crate::screen::hit_map::Hit;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::{number, size};
use crate::screen::part::pane::Pane;
use crate::screen::part::pieces::Window;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout;
use crate::workbench::overlay::reader::{Content, Reader};

/// Rows that a step of the wheel moves.
const WHEEL: i64 = 3;

pub(super) fn draw(canvas: &mut Canvas<'_>, state: &Workbench, reader: &Reader, is_top: bool) {
    let area = layout::reader(state, reader);
    let total = reader.rows(state, layout::reader_cells(area));
    let shown = usize::from(area.inside().height);
    let top = reader.top.min(total.saturating_sub(shown));
    let foot = if total > shown {
        format!("{} to {} of {}", number(top as u64 + 1), number((top + shown) as u64), number(total as u64))
    } else {
        String::new()
    };
    let (title, aside) = names(state, reader);
    let inside = boxed(canvas, area, Pane { title: &title, aside: &aside, foot: &foot, has_focus: is_top });
    let window = Window { area: inside, top };
    match &reader.content {
        Content::Help { sections } => help::draw(canvas, window, sections),
        Content::Notices => notices::draw(canvas, window, state),
        Content::Cell(cell) => cell::draw(canvas, window, cell),
        Content::Record => record::draw(canvas, window, state),
        Content::Plan { lines } => plan::draw(canvas, window, lines),
        Content::Statistics { counted, .. } => statistics::draw(canvas, window, state, counted.as_ref()),
    }
    scrollbar(canvas, area.inside(), Scroll { total, shown, top });
    let by = |by: i64| Some(Invocation::of("reader.scroll").with("by", by));
    canvas.hits().add(area, Hit { wheel_up: by(-WHEEL), wheel_down: by(WHEEL), ..Hit::default() });
}

/// What stands on the frame: the title, and what kind of thing it is.
fn names(state: &Workbench, reader: &Reader) -> (String, String) {
    match &reader.content {
        Content::Cell(cell) => {
            let language = cell.readable().map(|it| it.language.as_str()).filter(|it| *it != cell.kind);
            let read_as = language.map(|it| format!(" as {it}")).unwrap_or_default();
            (reader.title.clone(), format!("{}{read_as}, {}", cell.kind, size(cell.bytes)))
        }
        Content::Statistics { column, .. } => (format!("{}: {column}", reader.title), String::new()),
        Content::Record => {
            let grid = state.workspace.as_ref().and_then(|space| space.grid());
            let place = grid.map(|grid| {
                format!("{} of {}", number(grid.row as u64 + 1), number(grid.order.len() as u64))
            });
            (reader.title.clone(), place.unwrap_or_default())
        }
        _ => (reader.title.clone(), String::new()),
    }
}
