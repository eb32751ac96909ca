//! The result of a call then and now, row beside row; cells that differ are marked.

use super::frame;
use super::timeline::verdict_sign;
use crate::domain::replay::ReplayVerdict;
use crate::screen::hit_map::Hit;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::{counted, number, took};
use crate::screen::part::result_grid::{one, words};
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::theme::Role;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::{Area, ReplayAreas, compare_parts};
use crate::workbench::replay::comparison::{Comparison, RowPair, Side, WIDEST};
use crate::workbench::replay::step::StepKind;
use crate::workbench::replay::{Replay, ReplayPane, Verdicts};

/// Cells between two columns.
const GAP: u16 = 2;
/// The head of what the trace has.
const THEN: &str = "Then";

pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    area: Area,
    state: &Workbench,
    replay: &Replay,
    areas: &ReplayAreas,
) {
    if area.is_empty() {
        return;
    }
    let shown = replay.comparison.as_ref().filter(|it| {
        replay.step().is_some_and(|step| step.event == it.event) || replay.asked_for_comparison()
    });
    let aside = shown.map_or_else(String::new, |it| match it.differences() {
        _ if it.pairs.is_empty() || !it.has_both() => String::new(),
        0 => "no row differs".to_owned(),
        count => {
            format!("{} of {} differ", number(count as u64), counted(it.pairs.len() as u64, "row", "rows"))
        }
    });
    let foot = shown.filter(|it| !it.pairs.is_empty()).map_or_else(String::new, |it| {
        format!("{} of {}", number(replay.pair as u64 + 1), number(it.pairs.len() as u64))
    });
    let inside = frame(canvas, area, state, areas, ReplayPane::Compare, &aside, &foot);
    let Some(comparison) = shown else {
        nothing(canvas, inside, state, replay);
        return;
    };
    let parts = compare_parts(area);
    verdict(canvas, parts.verdict, comparison);
    let half = inside.width / 2;
    let left = Area { width: half.saturating_sub(1), ..inside };
    let right = Area { x: inside.x + half + 1, width: inside.width.saturating_sub(half + 1), ..inside };
    let border = canvas.style(Role::Border);
    let sign = canvas.symbols().line.vertical;
    for y in parts.heads.y..parts.rows.y + parts.rows.height {
        canvas.text(inside.x + half, y, 1, sign, border);
    }
    let now = if comparison.is_what_if { "What-if" } else { "Now" };
    for (side, title, place) in [(&comparison.archived, THEN, left), (&comparison.now, now, right)] {
        head(canvas, Area { y: parts.heads.y, height: 1, ..place }, title, side);
        match side {
            Side::Rows { .. } => {
                columns(canvas, Area { y: parts.heads.y + 1, height: 1, ..place }, side, replay.compare_left);
            }
            Side::Error(text) => lines(canvas, parts, place, text, Role::Danger),
            Side::Text(text) => lines(canvas, parts, place, text, Role::Text),
            Side::Nothing(why) => lines(canvas, parts, place, why, Role::Muted),
        }
    }
    let has_focus = state.has_replay_focus(ReplayPane::Compare);
    let height = usize::from(parts.rows.height);
    let pairs = &comparison.pairs;
    for (y, place) in (parts.rows.y..).zip(replay.compare_top..pairs.len().min(replay.compare_top + height)) {
        let line = Area { y, height: 1, ..inside };
        if place == replay.pair && has_focus {
            let style = canvas.style(Role::CursorLine);
            canvas.tint(line, style);
        }
        let pair = &pairs[place];
        row(canvas, Area { y, height: 1, ..left }, comparison, pair, replay.compare_left, true);
        row(canvas, Area { y, height: 1, ..right }, comparison, pair, replay.compare_left, false);
        let press = Some(Invocation::of("replay.pair").with("index", place));
        let wheel = |by: i64| Some(super::scroll(ReplayPane::Compare, by));
        canvas.hits().add(line, Hit { press, wheel_up: wheel(-3), wheel_down: wheel(3), ..Hit::default() });
    }
    scrollbar(canvas, parts.rows, Scroll { total: pairs.len(), shown: height, top: replay.compare_top });
}

fn nothing(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, replay: &Replay) {
    let runs = replay.step().is_some_and(|step| step.kind.is_query() || step.kind == StepKind::Schema);
    let text = match (&replay.verdicts, runs) {
        (_, false) => "This step runs nothing.".to_owned(),
        (Verdicts::Impossible(reason), true) => format!("It can't be run again: {reason}"),
        (_, true) if state.is_slow() => "Running the call again.".to_owned(),
        _ => String::new(),
    };
    words(canvas, area, &[text]);
}

/// The verdict in a line.
fn verdict(canvas: &mut Canvas<'_>, area: Area, comparison: &Comparison) {
    if comparison.is_what_if {
        let style = canvas.style(Role::Warning);
        let text = "A what-if, on a copy of its own: never part of the evidence";
        canvas.text(area.x + 1, area.y, area.width.saturating_sub(2), text, style);
        return;
    }
    let Some((sign, role)) = verdict_sign(canvas, comparison.verdict.as_ref()) else { return };
    let text = match &comparison.verdict {
        Some(ReplayVerdict::Match) => "the same".to_owned(),
        Some(ReplayVerdict::MatchReordered) => "the same rows in another order".to_owned(),
        Some(ReplayVerdict::Prefix) => "the archive kept a cut result, and it agrees".to_owned(),
        Some(ReplayVerdict::SameError) => "the same error".to_owned(),
        Some(ReplayVerdict::Differs(difference)) => format!("differs: {difference}"),
        Some(ReplayVerdict::NotReplayable(not)) => format!("can't be repeated: {}", not.reason),
        None => return,
    };
    let style = canvas.style(role);
    let text = text.lines().collect::<Vec<_>>().join(" ");
    canvas.text(area.x + 1, area.y, area.width.saturating_sub(2), &format!("{sign} {text}"), style);
}

fn head(canvas: &mut Canvas<'_>, area: Area, title: &str, side: &Side) {
    let style = canvas.style(Role::Heading);
    let taken = canvas.text(area.x + 1, area.y, area.width.saturating_sub(1), title, style);
    let about = match side {
        Side::Rows { result, elapsed, remark, .. } => {
            let mut text = counted(result.rows.len() as u64, "row", "rows");
            // How long it takes now depends on what else the machine does: then is what counts.
            if let Some(elapsed) = elapsed.filter(|_| title == THEN) {
                text = format!("{text}, {}", took(elapsed));
            }
            if result.changed_rows > 0 {
                text = format!("{text}, {} changed", number(result.changed_rows));
            }
            if let Some(remark) = remark {
                text = format!("{text}, {remark}");
            }
            text
        }
        Side::Error(_) => "error".to_owned(),
        Side::Text(_) | Side::Nothing(_) => String::new(),
    };
    let style = canvas.style(Role::Muted);
    canvas.text(area.x + taken + 3, area.y, area.width.saturating_sub(taken + 3), &about, style);
}

/// A text in the place of rows.
fn lines(
    canvas: &mut Canvas<'_>,
    parts: crate::workbench::layout::CompareParts,
    place: Area,
    text: &str,
    role: Role,
) {
    let style = canvas.style(role);
    let room = place.width.saturating_sub(2);
    // More can't show.
    let most = usize::from(room).max(1) * usize::from(parts.rows.height + 2);
    let text: String = text.chars().take(most).collect();
    let top = parts.heads.y + 1;
    let bottom = parts.rows.y + parts.rows.height;
    for (y, line) in (top..bottom).zip(wrap_visible(&text, usize::from(room).max(1))) {
        canvas.text(place.x + 1, y, room, &line, style);
    }
}

/// The columns that show from one on: place, start, width.
fn shown(side: &Side, left: usize, cells: u16) -> Vec<(usize, u16, u16)> {
    let Side::Rows { widths, .. } = side else { return Vec::new() };
    let mut start = 2;
    let mut found = Vec::new();
    for (place, width) in widths.iter().enumerate().skip(left.min(widths.len().saturating_sub(1))) {
        let room = cells.saturating_sub(start);
        if room < (*width).min(3) {
            break;
        }
        // The last column, where it is longer than is shown, has what room there is.
        let is_last = place + 1 == widths.len() && *width >= WIDEST;
        let width = if is_last { room } else { (*width).min(room) };
        found.push((place, start, width));
        start = start.saturating_add(width).saturating_add(GAP);
    }
    found
}

fn columns(canvas: &mut Canvas<'_>, area: Area, side: &Side, left: usize) {
    let Side::Rows { result, .. } = side else { return };
    let style = canvas.style(Role::Heading);
    for (place, start, width) in shown(side, left, area.width) {
        canvas.text(area.x + start, area.y, width, &result.columns[place], style);
    }
}

fn row(
    canvas: &mut Canvas<'_>,
    area: Area,
    comparison: &Comparison,
    pair: &RowPair,
    left: usize,
    is_archived: bool,
) {
    let side = if is_archived { &comparison.archived } else { &comparison.now };
    let Side::Rows { result, .. } = side else { return };
    let row = if is_archived { pair.archived } else { pair.now };
    let has_both = comparison.has_both();
    let symbols = canvas.symbols();
    let (sign, role) = match (pair.archived, pair.now) {
        _ if !has_both => (" ", Role::Text),
        (Some(_), None) => (symbols.removed, Role::Removed),
        (None, Some(_)) => (symbols.added, Role::Added),
        _ if pair.differing.is_empty() => (" ", Role::Text),
        _ => (symbols.different, Role::Disagree),
    };
    let Some(values) = row.and_then(|row| result.rows.get(row as usize)) else { return };
    let mark = canvas.style(role);
    canvas.text(area.x, area.y, 1, sign, mark);
    let whole = has_both && (pair.archived.is_none() || pair.now.is_none());
    for (place, start, width) in shown(side, left, area.width) {
        let Some(value) = values.get(place) else { continue };
        let differs = pair.differing.iter().any(|at| {
            let at = usize::from(*at);
            if is_archived {
                at == place
            } else {
                name_at(comparison, at) == Some(result.columns[place].as_str())
            }
        });
        let over = (whole || differs).then_some(mark);
        one(canvas, Area { x: area.x + start, width, ..area }, value, over);
    }
}

/// The name of a column of the archive.
fn name_at(comparison: &Comparison, at: usize) -> Option<&str> {
    match &comparison.archived {
        Side::Rows { result, .. } => result.columns.get(at).map(String::as_str),
        _ => None,
    }
}
