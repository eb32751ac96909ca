//! The chosen step, whole; or the statement that is tried in its place.

use super::frame;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::number;
use crate::screen::part::key_hint::keys;
use crate::screen::part::overlay::cell::role as payload_role;
use crate::screen::part::pieces::{Window, draw_lines, draw_pieces};
use crate::screen::part::result_grid::words;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::part::sql_editor::text::{self, Look, role as sql_role};
use crate::screen::theme::Role;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::layout::{Area, ReplayAreas, reader_cells};
use crate::workbench::replay::detail::{DetailLine, Tone, line_rows};
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
        Some(detail) => {
            let area = Area { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
            let window = Window { area, top };
            draw_lines(window, &detail.lines, line_rows, |line, first| one(canvas, window, line, first));
        }
        None if state.is_slow() => words(canvas, inside, &["Reading the step.".to_owned()]),
        None => {}
    }
    scrollbar(canvas, inside, Scroll { total, shown, top });
}

/// A line: words are broken between words, all else anywhere.
fn one(canvas: &mut Canvas<'_>, window: Window, line: &DetailLine, first: usize) {
    let in_style = |canvas: &Canvas<'_>, tone| canvas.style(role(tone));
    let prose = match line.as_slice() {
        [(tone, only)] if tone.is_prose() => Some((*tone, only)),
        _ => None,
    };
    let Some((tone, only)) = prose else {
        draw_pieces(canvas, window, line, first, in_style);
        return;
    };
    let style = canvas.style(role(tone));
    for (row, nth) in wrap_visible(only, usize::from(window.area.width)).iter().zip(first..) {
        if let Some(at) = window.row(nth) {
            canvas.text(at.x, at.y, at.width, row, style);
        }
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
