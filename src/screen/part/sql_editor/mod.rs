//! The pane with the SQL editor: its buffers as tabs, the text, why the last statement failed, what is running.

mod line;
pub(in crate::screen) mod text;

use super::canvas::Canvas;
use super::figures::{counted, took};
use super::key_hint::keys;
use super::pane::Pane;
use crate::screen::hit_map::{Hit, Surface};
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::event::Moment;
use crate::workbench::focus::Focus;
use crate::workbench::investigate::Workspace;
use crate::workbench::investigate::editor::Editor;
use crate::workbench::layout::{Area, editor_parts, failure_lines};
use text::Look;

/// A statement that is over before does not show as running.
const SLOW: Moment = Moment::from_millis(150);
/// How long each picture of the spinner stays.
const SPIN: u128 = 120;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    if area.is_empty() {
        return;
    }
    let has_focus = state.has_focus(Focus::Editor);
    let mode = mode(state, space, area.width);
    Pane { aside: &mode, has_focus, ..Pane::default() }.draw(canvas, area);
    canvas.hits().press(area, Invocation::of("focus.editor"));
    let taken = u16::try_from(width(&mode)).unwrap_or(0);
    tabs(canvas, area, &space.editor, has_focus, taken + 4);
    let parts = editor_parts(space, area);
    let placeholder =
        if space.is_over() { "" } else { "Write SQL here; r or F5 runs the statement at the cursor" };
    let is_writing = has_focus && space.editor.is_writing && !space.is_over();
    let look = Look { has_focus, is_writing, placeholder };
    text::draw(canvas, parts.gutter, parts.text, space.editor.buffer(), look);
    let wheel = |by: i32| Some(Invocation::of("editor.scroll").with("by", by));
    let buffer = space.editor.buffer();
    let surface = Surface::Editor { area: parts.text, top: buffer.top, left: buffer.left };
    let mut hit = Hit { wheel_up: wheel(-3), wheel_down: wheel(3), ..Hit::default() };
    if space.is_over() {
        hit.press = Some(Invocation::of("focus.editor"));
    } else {
        hit.surface = Some(surface);
    }
    canvas.hits().add(parts.text, hit);
    failure(canvas, parts.failure, space);
    foot(canvas, area, state, space);
}

/// What keys do now, in a few quiet words.
fn mode(state: &Workbench, space: &Workspace, cells: u16) -> String {
    if space.is_over() {
        return "read only".to_owned();
    }
    if !state.has_focus(Focus::Editor) {
        return String::new();
    }
    if space.editor.is_writing {
        let long = keys(state, "editor.leave").map(|key| format!("writing, {key}: keys are commands"));
        return long.filter(|it| it.len() + 24 <= usize::from(cells)).unwrap_or_else(|| "writing".to_owned());
    }
    keys(state, "editor.write").map_or_else(String::new, |key| format!("{key} to write"))
}

/// The names of the buffers on the upper line of the frame; those that don't fit go off on the left.
fn tabs(canvas: &mut Canvas<'_>, area: Area, editor: &Editor, has_focus: bool, aside: u16) {
    let mut x = area.x + 2;
    let end = (area.x + area.width).saturating_sub(aside.max(2));
    let cells = |name: &str| u16::try_from(width(&visible(name))).unwrap_or(u16::MAX).saturating_add(3);
    let buffers = editor.buffers();
    let mut first = 0;
    let room = end.saturating_sub(x + 2);
    let needed = |first: usize| {
        buffers[first..=editor.current()].iter().fold(0_u16, |sum, it| sum.saturating_add(cells(&it.name)))
    };
    while first < editor.current() && needed(first) > room {
        first += 1;
    }
    let border = canvas.style(if has_focus { Role::FocusBorder } else { Role::Border });
    let separator = canvas.symbols().separator;
    if first > 0 {
        let style = canvas.style(Role::Muted);
        let sign = canvas.symbols().ellipsis;
        x += canvas.text(x, area.y, 1, sign, style);
    }
    for (index, buffer) in buffers.iter().enumerate().skip(first) {
        if index > first && x < end {
            x += canvas.text(x, area.y, 1, separator, border);
        }
        let is_shown = index == editor.current();
        if x + 3 > end {
            break;
        }
        let role = match (is_shown, has_focus) {
            (true, true) => Role::Title,
            (true, false) => Role::Text,
            (false, _) => Role::Faint,
        };
        let style = canvas.style(role);
        let taken = canvas.text(x, area.y, end - x, &format!(" {} ", buffer.name), style);
        let tab = Area { x, y: area.y, width: taken, height: 1 };
        canvas.hits().press(tab, Invocation::of("buffer.show").with("index", index));
        x += taken;
    }
}

/// Why the last statement failed.
fn failure(canvas: &mut Canvas<'_>, area: Area, space: &Workspace) {
    let lines = failure_lines(space, area.width);
    let danger = canvas.style(Role::Danger);
    let sign = canvas.symbols().failure;
    for (place, (y, line)) in (area.y..area.y + area.height).zip(&lines).enumerate() {
        if place == 0 {
            canvas.text(area.x + 1, y, 1, sign, danger);
        }
        canvas.text(area.x + 3, y, area.width.saturating_sub(3), line, danger);
    }
}

/// On the lower line of the frame: what is running, else where the cursor stands.
fn foot(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    let (y, end) = (area.y + area.height - 1, area.x + area.width - 2);
    let room = area.width.saturating_sub(4);
    let muted = canvas.style(Role::Muted);
    let running = space.running.as_ref().map(|it| (it, state.now.saturating_sub(it.since)));
    let Some((running, time)) = running.filter(|(_, time)| *time >= SLOW) else {
        if state.has_focus(Focus::Editor) || space.editor.buffer().error.is_some() {
            let text = &space.editor.buffer().text;
            let (line, column) = (text.cursor().line + 1, text.column_of(text.cursor()) + 1);
            canvas.text_right(end, y, room, &format!(" {line}:{column} "), muted);
        }
        return;
    };
    let queued = match space.queue.len() as u64 {
        0 => String::new(),
        more => format!(", then {} more", counted(more, "statement", "statements")),
    };
    let cancel = keys(state, "query.cancel").unwrap_or_else(|| "Ctrl-C".to_owned());
    let what = if running.is_cancelled { "cancelling".to_owned() } else { format!("{cancel} cancels") };
    let words = format!(" {}{queued}, {what} ", took(time));
    let accent = canvas.style(Role::Accent);
    let turn = usize::try_from(time.as_millis() / SPIN).unwrap_or(0);
    let sign = canvas.symbols().spinner[turn % canvas.symbols().spinner.len()];
    let taken = canvas.text_right(end, y, room.saturating_sub(2), &words, muted);
    canvas.text(end.saturating_sub(taken + 2), y, 2, &format!(" {sign}"), accent);
}
