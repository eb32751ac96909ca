//! The chosen step, whole; or the statement that is tried in its place.

use super::frame;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::number;
use crate::screen::part::key_hint::keys;
use crate::screen::part::overlay::cell::role as payload_role;
use crate::screen::part::result_grid::words;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::part::sql_editor::text::{self, Look, role as sql_role};
use crate::screen::theme::Role;
use crate::text::rows::rows_of;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::layout::{Area, ReplayAreas, reader_cells};
use crate::workbench::replay::detail::{Detail, DetailLine, Tone, line_rows};
use crate::workbench::replay::what_if::WhatIf;
use crate::workbench::replay::{Replay, ReplayPane};

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
    let step = replay.step();
    if let Some(it) = replay.what_if.as_ref().filter(|it| step.is_some_and(|step| step.event == it.event)) {
        what_if(canvas, area, state, it, areas);
        return;
    }
    let aside = step.map_or_else(String::new, |step| {
        if step.event == step.until {
            format!("{}, event {}", step.kind.word(), step.event)
        } else {
            format!("{}, events {} to {}", step.kind.word(), step.event, step.until)
        }
    });
    let cells = reader_cells(area);
    let detail = replay.detail.as_ref();
    let total = detail.map_or(0, |detail| detail.rows(cells));
    let shown = usize::from(area.inside().height);
    let top = replay.detail_top.min(total.saturating_sub(shown));
    let foot = if total > shown {
        format!("{} to {} of {}", number(top as u64 + 1), number((top + shown) as u64), number(total as u64))
    } else {
        String::new()
    };
    let inside = frame(canvas, area, state, areas, ReplayPane::Detail, &aside, &foot);
    match detail {
        Some(detail) => lines(
            canvas,
            Area { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside },
            detail,
            top,
        ),
        None if state.is_slow() => words(canvas, inside, &["Reading the step.".to_owned()]),
        None => {}
    }
    scrollbar(canvas, inside, Scroll { total, shown, top });
}

/// The rows that show.
fn lines(canvas: &mut Canvas<'_>, area: Area, detail: &Detail, top: usize) {
    let cells = usize::from(area.width).max(1);
    let end = top + usize::from(area.height);
    let mut first = 0;
    for line in detail.lines.iter() {
        let rows = line_rows(line, cells);
        if first >= end {
            break;
        }
        if first + rows > top {
            one(canvas, area, line, first, top);
        }
        first += rows;
    }
}

/// A line in its pieces, over as many rows as it takes; its first row is row `first` of the text.
fn one(canvas: &mut Canvas<'_>, area: Area, line: &DetailLine, first: usize, top: usize) {
    let place = |nth: usize| {
        let offset = nth.checked_sub(top).and_then(|offset| u16::try_from(offset).ok());
        offset.filter(|offset| *offset < area.height).map(|offset| area.y + offset)
    };
    if let [(tone, only)] = line.as_slice()
        && tone.is_prose()
    {
        let style = canvas.style(role(*tone));
        for (row, nth) in wrap_visible(only, usize::from(area.width)).iter().zip(first..) {
            if let Some(y) = place(nth) {
                canvas.text(area.x, y, area.width, row, style);
            }
        }
        return;
    }
    let text: String = line.iter().map(|(_, text)| text.as_str()).collect();
    let mut start = 0;
    for (row, nth) in rows_of(&text, usize::from(area.width)).zip(first..) {
        let end = start + row.len();
        if let Some(y) = place(nth) {
            let (mut x, mut from) = (area.x, 0);
            for (tone, piece) in line {
                let to = from + piece.len();
                let (low, high) = (from.max(start), to.min(end));
                if low < high {
                    let style = canvas.style(role(*tone));
                    x += canvas.text(x, y, (area.x + area.width).saturating_sub(x), &text[low..high], style);
                }
                from = to;
            }
        }
        start = end;
    }
}

const fn role(tone: Tone) -> Role {
    match tone {
        Tone::Heading => Role::Heading,
        Tone::Plain => Role::Text,
        Tone::Muted => Role::Muted,
        Tone::Danger => Role::Danger,
        Tone::Warning => Role::Warning,
        Tone::Sql(class) => sql_role(class),
        Tone::Payload(class) => payload_role(class),
    }
}

/// The statement that is tried.
fn what_if(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, it: &WhatIf, areas: &ReplayAreas) {
    let has_focus = state.has_replay_focus(ReplayPane::Detail);
    let key = |command: &str| keys(state, command).unwrap_or_default();
    let aside = if it.is_writing {
        format!(
            "what-if: {} runs it, {} stops writing",
            key("replay.what_if_run"),
            key("replay.what_if_leave")
        )
    } else {
        format!(
            "what-if: {} writes, {} runs, {} drops it",
            key("replay.what_if"),
            key("replay.what_if_run"),
            key("replay.what_if_drop")
        )
    };
    let inside = frame(canvas, area, state, areas, ReplayPane::Detail, &aside, "never part of the evidence");
    let gutter = u16::try_from(it.buffer.gutter()).unwrap_or(3).min(inside.width);
    let (numbers, text_area) = inside.split_left(gutter + 1);
    let numbers = Area { width: gutter, ..numbers };
    let look = Look { has_focus, is_writing: has_focus && it.is_writing, placeholder: "Write SQL to try" };
    text::draw(canvas, numbers, text_area, &it.buffer, look);
}
