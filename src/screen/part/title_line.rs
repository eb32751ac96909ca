//! The line at the top: the program, the pages with their keys, what is open, what is outstanding.

use super::canvas::Canvas;
use super::chip::Chip;
use super::figures::elapsed;
use super::key_names::key_names;
use crate::domain::trial::Mode;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::focus::Page;
use crate::workbench::investigate::Workspace;
use crate::workbench::keys::{Found, shown};
use crate::workbench::layout::Area;
use ratatui::style::Modifier;

/// Milliseconds that a picture of the spinner stays.
const SPIN: u128 = 120;
/// A title of what is open that has less room is left out.
const LEAST_TITLE: u16 = 8;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench) {
    let name = canvas.style(Role::Title);
    let mut x = area.x + 1;
    x += canvas.text(x, area.y, area.width.saturating_sub(1), "Casebook", name) + 3;
    for page in Page::ALL {
        x = tab(canvas, Area { x, width: (area.x + area.width).saturating_sub(x), ..area }, page, state) + 2;
    }
    let mut end = area.x + area.width.saturating_sub(1);
    if let Some(words) = outstanding(state) {
        let sign = canvas.symbols().spinner[spin(state)];
        let style = canvas.style(Role::Accent);
        let taken = canvas.text_right(end, area.y, end.saturating_sub(x), &format!("{sign} {words}"), style);
        end = end.saturating_sub(taken + 2);
    }
    if let Some(space) = state.workspace.as_ref().filter(|_| state.page != Page::Replay) {
        open(canvas, area.y, (x, end), space);
    }
}

/// A page's tab from the left of an area; gives the cell after it.
fn tab(canvas: &mut Canvas<'_>, area: Area, page: Page, state: &Workbench) -> u16 {
    let (id, is_there) = match page {
        Page::Cases => ("page.cases", true),
        Page::Investigate => ("page.investigate", state.workspace.is_some()),
        Page::Replay => ("page.replay", state.replay.is_some()),
    };
    // The key stays where it is while text is written, so that nothing moves; it is faint then.
    let key = state.keymap.bindings().iter().find(|it| it.gives.command == id && it.keys.len() == 1);
    let counts =
        is_there && key.is_some_and(|it| matches!(state.keymap.find(state, &it.keys), Found::Command(_)));
    let key =
        key.map(|it| key_names(&shown(&it.keys), canvas.symbols()).into_owned() + " ").unwrap_or_default();
    let is_shown = page == state.page;
    let key_style = canvas.style(if counts { Role::KeyHint } else { Role::Faint });
    let title_style = match (is_shown, is_there) {
        (true, _) => canvas.style(Role::Accent).add_modifier(Modifier::BOLD),
        (false, true) => canvas.style(Role::Muted),
        (false, false) => canvas.style(Role::Faint),
    };
    let taken = canvas.pieces(area.x, area.y, area.width, &[(&key, key_style), (page.title(), title_style)]);
    canvas.hits().press(Area { width: taken, ..area }, Invocation::of(id));
    area.x + taken
}

/// What is open, before a cell: its title, scored or practice, the snapshot. The title is cut first.
fn open(canvas: &mut Canvas<'_>, y: u16, (start, end): (u16, u16), space: &Workspace) {
    let snapshot = visible(&space.snapshot.name);
    let mode = Chip {
        key: String::new(),
        text: match (space.is_over(), space.mode) {
            (true, _) => "answered",
            (false, Mode::Scored) => "scored",
            (false, Mode::Practice) => "practice",
        }
        .to_owned(),
        is_active: false,
        gives: None,
    };
    let cells = u16::try_from(width(&snapshot)).unwrap_or(u16::MAX);
    let aside = mode.width().saturating_add(2).saturating_add(cells);
    let Some(room) = end.saturating_sub(start).checked_sub(aside) else { return };
    let (muted, strong) = (canvas.style(Role::Muted), canvas.style(Role::Text));
    canvas.text_right(end, y, cells, &snapshot, muted);
    let chip_at = end - aside;
    mode.draw(canvas, chip_at, y, mode.width());
    // An investigation is called after its snapshot, which stands there already.
    let title = if space.task.is_some() { space.title() } else { "Investigation".to_owned() };
    if room >= LEAST_TITLE + 2 {
        canvas.text_right(chip_at.saturating_sub(2), y, room - 2, &title, strong);
    }
}

/// What is outstanding, for how long.
pub(in crate::screen) fn outstanding(state: &Workbench) -> Option<String> {
    let since = |since| elapsed(state.now.saturating_sub(since));
    if let Some(running) = state.workspace.as_ref().and_then(|space| space.running.as_ref()) {
        let words = if running.is_cancelled { "cancelling" } else { "running" };
        return Some(format!("{words} {}", since(running.since)));
    }
    let (_, oldest) = state.requests.open().next().filter(|_| state.is_slow())?;
    Some(format!("{} {}", oldest.what, since(oldest.since)))
}

/// Which picture of the spinner shows.
pub(in crate::screen) fn spin(state: &Workbench) -> usize {
    usize::try_from(state.now.as_millis() / SPIN % 4).unwrap_or(0)
}
