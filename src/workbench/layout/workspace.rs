//! The Investigate page: its panes, what stands within each, and how each scrolls.
//!
//! Up to a certain width the answer takes the place of the schema while it has the focus; beyond, both have a column.

use super::{Area, between, screen, share};
use crate::text::wrap::wrap_visible;
use crate::workbench::focus::Focus;
use crate::workbench::investigate::Workspace;
use crate::workbench::investigate::prose;
use crate::workbench::state::Workbench;
use serde::Serialize;

/// From this width on the answer has a column of its own.
const WIDE: u16 = 140;
/// The least and the greatest width of the schema.
const SIDE: (u16, u16) = (24, 48);
/// The least and the greatest width of the answer.
const ANSWER: (u16, u16) = (36, 64);
/// Five lines in a frame: where there is room, the editor does not get smaller.
const EDITOR: u16 = 7;
/// A head and seven rows in a frame: what there must be beside the least editor.
const GRID: u16 = 10;
/// Neither editor nor result gets smaller.
const LEAST: u16 = 5;
/// Lines that say why a statement failed, at most.
const FAILURE: usize = 3;
/// Lines of the question that always show where it is not folded.
const QUESTION: u16 = 5;
/// Lines that describe the chosen table, with the line above them; one more where there is room.
const ABOUT: u16 = 3;

/// The Investigate page. Areas that don't show are empty; all but the question have a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct InvestigateAreas {
    /// The question.
    pub question: Area,
    /// Tables and columns.
    pub schema: Area,
    /// The editor.
    pub editor: Area,
    /// The result.
    pub grid: Area,
    /// The answer.
    pub answer: Area,
}

/// What is in the frame of the schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SchemaParts {
    /// What is searched for.
    pub filter: Area,
    /// The tree.
    pub rows: Area,
    /// What the chosen table is.
    pub about: Area,
}

/// What is in the frame of the editor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EditorParts {
    /// Line numbers.
    pub gutter: Area,
    /// The text.
    pub text: Area,
    /// Why the last statement failed.
    pub failure: Area,
}

/// What is in the frame of the result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GridParts {
    /// The names of the columns.
    pub head: Area,
    /// The rows.
    pub rows: Area,
    /// Cells for columns: one stays free before the frame.
    pub cells: u16,
}

/// What is in the frame of the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnswerParts {
    /// Verdict, subjects and facts.
    pub form: Area,
    /// The head of the words.
    pub prose_head: Area,
    /// The words.
    pub prose: Area,
    /// The button.
    pub submit: Area,
}

/// A line of the question's strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionLine {
    /// Of the question.
    Question(String),
    /// Of a hint that was shown; `Some` with its number where it begins.
    Hint(Option<usize>, String),
    /// The trial is over; what was answered.
    Answered,
}

/// The panes of the page.
pub fn investigate(state: &Workbench) -> InvestigateAreas {
    let page = screen(state).page;
    let panes = &state.kept.panes;
    let (question, rest) = page.split_top(question_height(state, page));
    let is_wide = page.width >= WIDE;
    let has_answer = state.focus == Focus::Answer;
    // However large the side was made, half of a small terminal is left.
    let side = share(page.width, panes.side).clamp(SIDE.0, SIDE.1).min(page.width / 2);
    let nothing = Area::default();
    let (schema, answer, centre) = if is_wide {
        let (schema, rest) = if panes.side_hidden { (nothing, rest) } else { rest.split_left(side) };
        let width = share(page.width, panes.answer).clamp(ANSWER.0, ANSWER.1);
        let (centre, answer) = rest.split_left(rest.width.saturating_sub(width));
        (schema, answer, centre)
    } else if has_answer {
        let (answer, centre) = rest.split_left(side.max(ANSWER.0));
        (nothing, answer, centre)
    } else if panes.side_hidden {
        (nothing, nothing, rest)
    } else {
        let (schema, centre) = rest.split_left(side);
        (schema, nothing, centre)
    };
    let least = if centre.height >= EDITOR + GRID { EDITOR } else { LEAST };
    let height = between(share(centre.height, panes.editor), least, centre.height.saturating_sub(LEAST));
    let (editor, grid) = centre.split_top(height);
    InvestigateAreas { question, schema, editor, grid, answer }
}

/// Columns that the task's id takes in the question's strip, with the space behind it.
pub fn question_indent(id: &str) -> u16 {
    u16::try_from(id.chars().count()).unwrap_or(u16::MAX).clamp(6, 16) + 2
}

/// The lines of the question's strip, wrapped: the question, the hints that were shown, what was answered.
pub fn question_lines(state: &Workbench, width: u16) -> Vec<QuestionLine> {
    let Some(space) = &state.workspace else { return Vec::new() };
    let Some(task) = &space.task else { return Vec::new() };
    // A cell stays free on the left, two on the right have the sign for folding.
    let cells = usize::from(width.saturating_sub(question_indent(&task.id) + 4)).max(10);
    let mut lines: Vec<QuestionLine> =
        wrap_visible(&task.question, cells).into_iter().map(QuestionLine::Question).collect();
    for (number, hint) in (1..).zip(task.hints.iter().take(space.hints)) {
        for (line, text) in wrap_visible(hint, cells).into_iter().enumerate() {
            lines.push(QuestionLine::Hint((line == 0).then_some(number), text));
        }
    }
    if space.is_over() {
        lines.push(QuestionLine::Answered);
    }
    lines
}

fn question_height(state: &Workbench, page: Area) -> u16 {
    let lines = u16::try_from(question_lines(state, page.width).len()).unwrap_or(u16::MAX);
    let most = if state.kept.panes.question_folded {
        1
    } else if page.height >= EDITOR + GRID + QUESTION {
        (page.height / 3).max(QUESTION)
    } else {
        (page.height / 5).max(2)
    };
    lines.min(most)
}

/// What is in the frame of the schema.
pub fn schema_parts(area: Area) -> SchemaParts {
    let (filter, rest) = area.inside().split_top(1);
    let about = match rest.height {
        0..10 => 0,
        10..16 => ABOUT,
        _ => ABOUT + 1,
    };
    let (rows, about) = rest.split_top(rest.height - about);
    SchemaParts { filter, rows, about }
}

/// What is in the frame of the editor.
pub fn editor_parts(space: &Workspace, area: Area) -> EditorParts {
    let inner = area.inside();
    let lines = failure_lines(space, inner.width).len().min(usize::from(inner.height / 2));
    let failure = u16::try_from(lines).unwrap_or(0);
    let (top, failure) = inner.split_top(inner.height - failure);
    let gutter = u16::try_from(space.editor.buffer().gutter()).unwrap_or(u16::MAX);
    let (gutter, text) = top.split_left(gutter);
    EditorParts { gutter, text, failure }
}

/// Why the last statement failed, wrapped to a pane; at most three lines, the last one cut.
pub fn failure_lines(space: &Workspace, width: u16) -> Vec<String> {
    let Some(failure) = &space.failure else { return Vec::new() };
    // The sign stands before it.
    let cells = usize::from(width.saturating_sub(3)).max(1);
    // No more of a message can be shown; it may hold a whole statement.
    let message: String = failure.message.chars().take(cells * (FAILURE + 1)).collect();
    let mut lines = wrap_visible(&message, cells);
    if lines.len() > FAILURE {
        lines.truncate(FAILURE);
        if let Some(last) = lines.last_mut() {
            *last = crate::text::width::fit(&format!("{last}…"), cells);
        }
    }
    lines
}

/// What is in the frame of the result.
pub fn grid_parts(area: Area) -> GridParts {
    let (head, rows) = area.inside().split_top(1);
    GridParts { head, rows, cells: rows.width.saturating_sub(1) }
}

/// What is in the frame of the answer. The words and the button stay at the bottom, the rest scrolls above them.
pub fn answer_parts(area: Area) -> AnswerParts {
    let inner = area.inside();
    let submit = u16::from(inner.height >= 6);
    let prose = (inner.height / 3).clamp(3, 16).min(inner.height.saturating_sub(submit + 2));
    let (form, rest) = inner.split_top(inner.height - prose - submit);
    let (prose, submit) = rest.split_top(prose);
    let (prose_head, prose) = prose.split_top(1);
    AnswerParts { form, prose_head, prose, submit }
}

/// Moves what is chosen on the page into what is shown.
pub(super) fn scroll_into_view(state: &mut Workbench) {
    let areas = investigate(state);
    let Some(space) = &mut state.workspace else { return };
    space.tree.scroll(usize::from(schema_parts(areas.schema).rows.height));
    let text = editor_parts(space, areas.editor).text;
    space.editor.buffer_mut().scroll(usize::from(text.height), usize::from(text.width));
    if let Some(grid) = space.grid_mut() {
        let parts = grid_parts(areas.grid);
        grid.scroll(usize::from(parts.rows.height), usize::from(parts.cells));
    }
    let parts = answer_parts(areas.answer);
    space.answer.scroll(usize::from(parts.form.height));
    let rows = prose::rows(space.answer.prose.lines(), usize::from(parts.prose.width));
    let (row, _) = prose::cursor(&space.answer.prose, &rows);
    space.answer.scroll_prose(row, rows.len(), usize::from(parts.prose.height));
}

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
