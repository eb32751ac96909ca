//! The Investigate page: the question, and under it schema, editor, result and answer; the borders between them can be
//! dragged.

use crate::screen::hit_map::{Hit, Surface};
use crate::screen::part::canvas::Canvas;
use crate::screen::part::key_hint::keys;
use crate::screen::part::{answer_form, completion_popup, question, result_grid, schema_tree, sql_editor};
use crate::screen::theme::Role;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::{self, Area, InvestigateAreas};

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, state: &Workbench) {
    let page = layout::screen(state).page;
    let Some(space) = &state.workspace else {
        nothing_open(canvas, page, state);
        return;
    };
    let areas = layout::investigate(state);
    question::draw(canvas, areas.question, state, space);
    schema_tree::draw(canvas, areas.schema, state, space);
    sql_editor::draw(canvas, areas.editor, state, space);
    result_grid::draw(canvas, areas.grid, state, space);
    answer_form::draw(canvas, areas.answer, state, space);
    borders(canvas, page, &areas);
    completion_popup::draw(canvas, areas.editor, page, state, space);
}

/// The lines between panes can be dragged.
fn borders(canvas: &mut Canvas<'_>, page: Area, areas: &InvestigateAreas) {
    let InvestigateAreas { schema, editor, grid, answer, .. } = *areas;
    let mut add = |area: Area, pane: &'static str, shared: Area, is_vertical: bool, is_behind: bool| {
        let surface = Some(Surface::Border { pane, shared, is_vertical, is_behind });
        canvas.hits().add(area, Hit { surface, ..Hit::default() });
    };
    // Both lines of a border count: the end of one pane and the beginning of the next. The corners are left to the panes'
    // upper lines, where their titles stand.
    let upright = |x: u16, pane: Area| Area {
        x: x.saturating_sub(1),
        width: 2,
        y: pane.y + 1,
        height: pane.height.saturating_sub(1),
    };
    if !schema.is_empty() {
        add(upright(schema.x + schema.width, schema), "side", page, true, false);
    }
    if !answer.is_empty() {
        // A narrow terminal shows it in the place of the schema.
        if answer.x > editor.x {
            add(upright(answer.x, answer), "answer", page, true, true);
        } else {
            add(upright(answer.x + answer.width, answer), "side", page, true, false);
        }
    }
    if !editor.is_empty() && !grid.is_empty() {
        let shared = Area { height: editor.height + grid.height, ..editor };
        let lower = Area { x: editor.x + 1, width: editor.width.saturating_sub(2), height: 1, ..editor };
        let below = Area { y: editor.y + editor.height - 1, ..lower };
        add(below, "editor", shared, false, false);
    }
}

/// No case is open: what to do about it.
fn nothing_open(canvas: &mut Canvas<'_>, page: Area, state: &Workbench) {
    let key = keys(state, "page.cases").map_or_else(String::new, |key| format!("{key} "));
    let lines = [
        ("No case is open.".to_owned(), Role::Strong),
        (String::new(), Role::Muted),
        (format!("{key}goes to the Cases page; Enter begins a case there."), Role::Muted),
    ];
    let top = page.y + page.height.saturating_sub(4) / 2;
    for (y, (line, role)) in (top..page.y + page.height).zip(&lines) {
        let cells = u16::try_from(width(line)).unwrap_or(u16::MAX).min(page.width);
        let style = canvas.style(*role);
        canvas.text(page.x + (page.width - cells) / 2, y, page.width, line, style);
    }
    canvas.hits().press(page, Invocation::of("page.cases"));
}

#[cfg(test)]
#[path = "investigate_tests.rs"]
mod tests;
