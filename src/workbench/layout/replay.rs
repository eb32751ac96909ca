//! The Replay page: its areas, and how each scrolls.
//!
//! Wide, timeline and evidence stand on the left, the step and its results on the right. Narrow, the timeline is above, and
//! below it the area beside it that had the keys last.

use super::{Area, between, keep_in_view, reader_cells, screen, share};
use crate::workbench::replay::ReplayPane;
use crate::workbench::replay::evidence::EvidenceItem;
use crate::workbench::replay::step::StepKind;
use crate::workbench::state::Workbench;
use serde::Serialize;

/// From this width on all areas show.
const WIDE: u16 = 110;
/// The least and the greatest width of the timeline.
const TIMELINE: (u16, u16) = (54, 92);
/// Rows of the evidence with its frame, at least.
const EVIDENCE: u16 = 6;
/// From this height on the head has a second line, for the question.
const TALL: u16 = 22;

/// The Replay page. Areas that don't show are empty; all but the head have a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReplayAreas {
    /// What is open, and the question.
    pub head: Area,
    /// The steps.
    pub timeline: Area,
    /// The chosen step.
    pub detail: Area,
    /// Its result, then and now.
    pub compare: Area,
    /// What the answer rests on.
    pub evidence: Area,
    /// Whether all areas show.
    pub is_wide: bool,
}

/// What is in the frame of what came then and now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CompareParts {
    /// The verdict.
    pub verdict: Area,
    /// The heads of both sides.
    pub heads: Area,
    /// The rows of both sides.
    pub rows: Area,
}

/// The areas of the page.
pub fn replay(state: &Workbench) -> ReplayAreas {
    let page = screen(state).page;
    let Some(replay) = &state.replay else { return ReplayAreas::default() };
    let has_question = replay.trace.as_ref().is_some_and(|trace| trace.question.is_some());
    let (head, rest) = page.split_top(if page.height >= TALL && has_question { 2 } else { 1 });
    let is_wide = page.width >= WIDE;
    let mut areas = ReplayAreas { head, is_wide, ..ReplayAreas::default() };
    if is_wide {
        let (left, right) = rest.split_left(share(rest.width, 48).clamp(TIMELINE.0, TIMELINE.1));
        let wanted = u16::try_from(evidence_rows(&replay.evidence)).unwrap_or(u16::MAX).saturating_add(2);
        let most = share(left.height, 45).max(EVIDENCE);
        let height = between(wanted, EVIDENCE, most);
        (areas.timeline, areas.evidence) = left.split_top(left.height.saturating_sub(height));
        // A step that runs nothing has the whole side for itself.
        let runs = replay.step().is_some_and(|step| step.kind.is_query() || step.kind == StepKind::Schema);
        if runs || replay.pane == ReplayPane::Compare || replay.what_if.is_some() {
            (areas.detail, areas.compare) = right.split_top(share(right.height, 45));
        } else {
            areas.detail = right;
        }
    } else {
        let (above, below) =
            rest.split_top(between(share(rest.height, 45), 6, rest.height.saturating_sub(7)));
        areas.timeline = above;
        match replay.beside {
            ReplayPane::Compare => areas.compare = below,
            ReplayPane::Evidence => areas.evidence = below,
            ReplayPane::Timeline | ReplayPane::Detail => areas.detail = below,
        }
    }
    areas
}

/// What is in the frame of what came then and now.
pub fn compare_parts(area: Area) -> CompareParts {
    let (verdict, rest) = area.inside().split_top(1);
    let (heads, rows) = rest.split_top(2);
    CompareParts { verdict, heads, rows }
}

/// The rows of the evidence: a heading before each kind, and a line an item.
pub fn evidence_rows(items: &[EvidenceItem]) -> usize {
    let headings = items.chunk_by(|one, other| one.kind == other.kind).count();
    items.len() + headings
}

/// The row of an item among those of the evidence.
pub fn evidence_row(items: &[EvidenceItem], place: usize) -> usize {
    let place = place.min(items.len().saturating_sub(1));
    let before = items.get(..=place).unwrap_or_default();
    place + before.chunk_by(|one, other| one.kind == other.kind).count()
}

pub(super) fn scroll_into_view(state: &mut Workbench) {
    let areas = replay(state);
    let Some(replay) = &mut state.replay else { return };
    let inside = |area: Area| usize::from(area.inside().height);
    let height = inside(areas.timeline);
    keep_in_view(&mut replay.top, replay.chosen, height);
    replay.top = replay.top.min(replay.steps().len().saturating_sub(height));
    if !areas.compare.is_empty() {
        let height = usize::from(compare_parts(areas.compare).rows.height);
        let pairs = replay.comparison.as_ref().map_or(0, |it| it.pairs.len());
        replay.pair = replay.pair.min(pairs.saturating_sub(1));
        keep_in_view(&mut replay.compare_top, replay.pair, height);
        replay.compare_top = replay.compare_top.min(pairs.saturating_sub(height));
    }
    if !areas.evidence.is_empty() {
        let height = inside(areas.evidence);
        let (row, rows) =
            (evidence_row(&replay.evidence, replay.evidence_chosen), evidence_rows(&replay.evidence));
        if replay.evidence_chosen == 0 {
            replay.evidence_top = 0;
        }
        keep_in_view(&mut replay.evidence_top, row, height);
        replay.evidence_top = replay.evidence_top.min(rows.saturating_sub(height));
    }
    if !areas.detail.is_empty() {
        let rows = replay.detail.as_ref().map_or(0, |it| it.rows(reader_cells(areas.detail)));
        replay.detail_top = replay.detail_top.min(rows.saturating_sub(inside(areas.detail)));
        if let Some(it) = &mut replay.what_if {
            let gutter = it.buffer.gutter();
            let area = areas.detail.inside();
            let width = usize::from(area.width).saturating_sub(gutter + 1);
            it.buffer.scroll(usize::from(area.height), width);
        }
    }
}
