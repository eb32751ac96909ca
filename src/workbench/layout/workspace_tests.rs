use super::{answer_parts, grid_parts, investigate, schema_parts};
use crate::workbench::event::Size;
use crate::workbench::focus::{Focus, Page};
use crate::workbench::layout::{Area, screen};
use crate::workbench::state::Workbench;
use proptest::prelude::*;

fn state(width: u16, height: u16, focus: Focus) -> Workbench {
    Workbench { size: Size { width, height }, page: Page::Investigate, focus, ..Workbench::default() }
}

#[test]
fn a_small_terminal_is_enough_to_work_in() {
    let areas = investigate(&state(80, 24, Focus::Editor));
    assert_eq!(areas.schema.width, 24);
    assert!(areas.editor.inside().height >= 5, "{areas:?}");
    assert!(grid_parts(areas.grid).rows.height >= 7, "{areas:?}");
    assert!(areas.answer.is_empty());
    let answering = investigate(&state(80, 24, Focus::Answer));
    assert!(answering.schema.is_empty() && answering.answer.width >= 34);
    // It stands where the schema stood: the right edge of the others does not move.
    assert_eq!((answering.answer.x, answering.grid.x + answering.grid.width), (0, 80));
}

#[test]
fn a_large_terminal_has_three_columns() {
    let areas = investigate(&state(200, 60, Focus::Editor));
    assert!(!areas.schema.is_empty() && !areas.answer.is_empty() && areas.editor.width >= 80, "{areas:?}");
    assert_eq!(investigate(&state(200, 60, Focus::Answer)), areas, "the focus moves nothing");
}

proptest! {
    #[test]
    fn panes_cover_the_page_without_overlapping(
        width in 60_u16..400, height in 16_u16..120,
        side in 12_u16..=80, editor in 12_u16..=80, answer in 12_u16..=80,
        focus in 0_usize..4, hidden: bool,
    ) {
        let mut state = state(width, height, Focus::ALL[focus]);
        state.kept.panes.side = side;
        state.kept.panes.editor = editor;
        state.kept.panes.answer = answer;
        state.kept.panes.side_hidden = hidden;
        let areas = investigate(&state);
        let panes = [areas.question, areas.schema, areas.editor, areas.grid, areas.answer];
        let cells = |area: Area| u32::from(area.width) * u32::from(area.height);
        let page = screen(&state).page;
        prop_assert_eq!(panes.into_iter().map(cells).sum::<u32>(), cells(page));
        for area in panes.into_iter().filter(|area| !area.is_empty()) {
            prop_assert!(area.x + area.width <= width && area.y + area.height <= page.y + page.height);
        }
        prop_assert!(areas.editor.height >= 5 && areas.grid.height >= 5, "{:?}", areas);
        prop_assert!(areas.editor.width >= 20, "{:?}", areas);
    }

    #[test]
    fn parts_fill_their_frame(x in 0_u16..50, y in 0_u16..50, width in 0_u16..100, height in 0_u16..100) {
        let area = Area { x, y, width, height };
        let inner = area.inside().height;
        let schema = schema_parts(area);
        prop_assert_eq!(schema.filter.height + schema.rows.height + schema.about.height, inner);
        let answer = answer_parts(area);
        let sum = answer.form.height + answer.prose_head.height + answer.prose.height + answer.submit.height;
        prop_assert_eq!(sum, inner);
    }
}
