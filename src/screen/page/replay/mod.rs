//! The Replay page: what is open, its timeline, the chosen step, its result then and now, what the answer rests on.

mod compare;
mod detail;
mod evidence;
mod head;
mod timeline;

use crate::screen::hit_map::Hit;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::key_hint::keys;
use crate::screen::part::pane::Pane;
use crate::screen::theme::Role;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::{self, Area, ReplayAreas};
use crate::workbench::replay::{Replay, ReplayPane};

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, state: &Workbench) {
    let page = layout::screen(state).page;
    let Some(replay) = &state.replay else {
        nothing_open(canvas, page, state);
        return;
    };
    let areas = layout::replay(state);
    head::draw(canvas, areas.head, replay);
    timeline::draw(canvas, areas.timeline, state, replay);
    detail::draw(canvas, areas.detail, state, replay, &areas);
    compare::draw(canvas, areas.compare, state, replay, &areas);
    evidence::draw(canvas, areas.evidence, state, replay, &areas);
}

/// The frame of an area that stands beside the timeline: its title where all show, tabs where one does.
fn frame(
    canvas: &mut Canvas<'_>,
    area: Area,
    state: &Workbench,
    areas: &ReplayAreas,
    pane: ReplayPane,
    aside: &str,
    foot: &str,
) -> Area {
    let has_focus = state.has_replay_focus(pane);
    let title = if areas.is_wide { pane.title() } else { "" };
    // Tabs need their room before what stands on the right.
    let tabs: usize = ReplayPane::ALL[1..].iter().map(|pane| width(pane.title()) + 3).sum();
    let has_room = areas.is_wide || usize::from(area.width) > tabs + width(aside) + 8;
    let aside = if has_room { aside } else { "" };
    let inside = Pane { title, aside, foot, has_focus }.draw(canvas, area);
    let wheel = |by: i64| Some(scroll(pane, by));
    let press = Some(Invocation::of("replay.pane").with("to", pane.name()));
    canvas.hits().add(area, Hit { press, wheel_up: wheel(-3), wheel_down: wheel(3), ..Hit::default() });
    if !areas.is_wide {
        let mut x = area.x + 2;
        for tab in &ReplayPane::ALL[1..] {
            let role = match (*tab == pane, has_focus) {
                (true, true) => Role::Title,
                (true, false) => Role::Text,
                (false, _) => Role::Faint,
            };
            let style = canvas.style(role);
            let room = (area.x + area.width).saturating_sub(x + 2);
            let taken = canvas.text(x, area.y, room, &format!(" {} ", tab.title()), style);
            let hit = Area { x, y: area.y, width: taken, height: 1 };
            canvas.hits().press(hit, Invocation::of("replay.pane").with("to", tab.name()));
            x += taken;
            if *tab != ReplayPane::Evidence && room > taken {
                let style = canvas.style(if has_focus { Role::FocusBorder } else { Role::Border });
                let sign = canvas.symbols().separator;
                x += canvas.text(x, area.y, 1, sign, style);
            }
        }
    }
    inside
}

fn scroll(pane: ReplayPane, by: i64) -> Invocation {
    Invocation::of("replay.scroll").with("pane", pane.name()).with("by", by)
}

/// Nothing is open: what can be.
fn nothing_open(canvas: &mut Canvas<'_>, page: Area, state: &Workbench) {
    let key = |command: &str| keys(state, command).unwrap_or_default();
    let entries = [
        ("replay.runs", "lists the runs of this machine"),
        ("replay.open", "opens a run or a file: Inspect, ATIF, OpenTelemetry, chat, SWE-agent"),
        ("replay.demo", "opens the built-in demo run"),
    ];
    let room = page.width.saturating_sub(8);
    let top = page.y + page.height.saturating_sub(6) / 2;
    let style = canvas.style(Role::Strong);
    canvas.text(page.x + 4, top, room, "No trace is open.", style);
    for (y, (command, words)) in (top + 2..page.y + page.height).zip(entries) {
        let key_style = canvas.style(Role::KeyHint);
        let key = key(command);
        canvas.text(page.x + 4, y, room.min(4), &key, key_style);
        let style = canvas.style(Role::Muted);
        canvas.text(page.x + 8, y, room.saturating_sub(4), words, style);
        canvas.hits().press(Area { y, height: 1, ..page }, Invocation::of(command));
    }
}

/// The title of a trial for lists: the place among all.
fn which(replay: &Replay) -> String {
    let count = replay.source.trials.len();
    match (&replay.trace, count) {
        (Some(trace), 2..) => format!("{} of {count}", trace.index + 1),
        _ => String::new(),
    }
}
