//! Completions at the cursor of the editor: a short list, never off the screen.

use super::canvas::Canvas;
use super::pane::Pane;
use crate::screen::hit_map::Hit;
use crate::screen::theme::Role;
use crate::sql::completion::{Candidate, CandidateKind};
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::focus::Focus;
use crate::workbench::investigate::Workspace;
use crate::workbench::layout::{Area, editor_parts};

/// Rows at most.
const MOST: usize = 10;
/// The widest list, without its frame.
const WIDEST: usize = 56;
/// Cells and rows of the frame.
const FRAME: u16 = 2;

/// Draws the list; `pane` is the editor's frame, `over` what the list may cover.
pub(in crate::screen) fn draw(
    canvas: &mut Canvas<'_>,
    pane: Area,
    over: Area,
    state: &Workbench,
    space: &Workspace,
) {
    let Some(list) = space.completion.as_ref().filter(|list| !list.candidates.is_empty()) else { return };
    if !state.has_focus(Focus::Editor) || pane.is_empty() {
        return;
    }
    let count = list.candidates.len();
    let height = count.min(MOST).min(usize::from(over.height.saturating_sub(FRAME + 1)));
    let chosen = list.chosen.unwrap_or(0);
    let top = (chosen + 1).saturating_sub(height).min(count.saturating_sub(height));
    let buffer = space.editor.buffer();
    let rows = &list.candidates[top..top + height];
    let cells = |text: &str| width(&visible(text));
    let names = rows.iter().map(|row| cells(&row.text)).max().unwrap_or(0);
    let details = rows.iter().map(|row| cells(&row.detail)).max().unwrap_or(0);
    let wanted = (names + details + 7).min(WIDEST);
    let outer = u16::try_from(wanted + usize::from(FRAME)).unwrap_or(u16::MAX).min(over.width);
    let tall = u16::try_from(height).unwrap_or(0) + FRAME;

    // The list begins under the first letter of what it replaces.
    let text = editor_parts(space, pane).text;
    let start = buffer.text.place_of(list.replace.start);
    let column = buffer.text.column_of(start).saturating_sub(buffer.left);
    let line = buffer.text.cursor().line.saturating_sub(buffer.top);
    let at = |origin: u16, cells: usize| origin.saturating_add(u16::try_from(cells).unwrap_or(u16::MAX));
    let x = at(text.x, column)
        .saturating_sub(3)
        .clamp(over.x, (over.x + over.width).saturating_sub(outer).max(over.x));
    let cursor = at(text.y, line).min(over.y + over.height.saturating_sub(1));
    let below = (over.y + over.height).saturating_sub(cursor + 1);
    let y = if below >= tall {
        cursor + 1
    } else if cursor.saturating_sub(over.y) >= tall {
        cursor - tall
    } else {
        (over.y + over.height).saturating_sub(tall).max(over.y)
    };
    let area = Area { x, y, width: outer, height: tall };

    let ground = canvas.style(Role::Overlay);
    canvas.fill(area, ground);
    let foot = if count > height { format!("{} of {count}", chosen + 1) } else { String::new() };
    let inner = Pane { foot: &foot, has_focus: true, ..Pane::default() }.draw(canvas, area);
    canvas.hits().cover(area);
    let typed =
        buffer.text.lines().get(start.line).and_then(|it| it.get(start.byte..buffer.text.cursor().byte));
    for (place, (y, row)) in (inner.y..inner.y + inner.height).zip(rows).enumerate() {
        let line = Area { y, height: 1, ..inner };
        draw_row(canvas, line, row, typed.unwrap_or_default());
        if list.chosen == Some(top + place) {
            let style = canvas.style(Role::Selection);
            canvas.tint(line, style);
        }
        let press = Some(Invocation::of("completion.accept").with("index", top + place));
        let wheel_up = Some(Invocation::of("completion.previous"));
        let wheel_down = Some(Invocation::of("completion.next"));
        canvas.hits().add(line, Hit { press, wheel_up, wheel_down, ..Hit::default() });
    }
}

fn draw_row(canvas: &mut Canvas<'_>, line: Area, row: &Candidate, typed: &str) {
    let theme = canvas.theme;
    let on = |role: Role| theme.on(Role::Overlay, role);
    let (faint, muted) = (on(Role::Faint), on(Role::Muted));
    let (text, matched) = (on(Role::Text), on(Role::Match));
    canvas.text(line.x + 1, line.y, 1, sign(row.kind), faint);
    // The name comes first; the remark has what is left.
    let name = u16::try_from(width(&visible(&row.text))).unwrap_or(u16::MAX);
    let room = line.width.saturating_sub(4);
    let rest = room.saturating_sub(name.saturating_add(2));
    let detail = u16::try_from(width(&visible(&row.detail))).unwrap_or(u16::MAX).min(rest);
    let pieces = matches(&row.text, typed);
    let pieces: Vec<_> =
        pieces.iter().map(|(piece, is)| (*piece, if *is { matched } else { text })).collect();
    canvas.pieces(line.x + 3, line.y, room, &pieces);
    canvas.text_right(line.x + line.width - 1, line.y, detail, &row.detail, muted);
}

/// One letter for what a candidate is.
const fn sign(kind: CandidateKind) -> &'static str {
    match kind {
        CandidateKind::Table => "t",
        CandidateKind::Column => "c",
        CandidateKind::Alias => "a",
        CandidateKind::Cte => "w",
        CandidateKind::Function => "f",
        CandidateKind::Keyword => "k",
    }
}

/// A text in pieces, with whether they were typed: as one where it is in the text, else letter by letter.
fn matches<'t>(text: &'t str, typed: &str) -> Vec<(&'t str, bool)> {
    let (text_low, typed_low) = (text.to_ascii_lowercase(), typed.to_ascii_lowercase());
    if typed.is_empty() {
        return vec![(text, false)];
    }
    if let Some(at) = text_low.find(&typed_low) {
        let end = at + typed.len();
        return vec![(&text[..at], false), (&text[at..end], true), (&text[end..], false)];
    }
    let mut wanted = typed_low.chars().peekable();
    let mut pieces = Vec::new();
    for (at, character) in text.char_indices() {
        let is = wanted.next_if_eq(&character.to_ascii_lowercase()).is_some();
        pieces.push((&text[at..at + character.len_utf8()], is));
    }
    // It was found by something else, such as the name behind an alias.
    if wanted.peek().is_some() { vec![(text, false)] } else { pieces }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn typed_letters_are_found_again() {
        assert_eq!(matches("okta_user", "USE"), [("okta_", false), ("use", true), ("r", false)]);
        let found: String = matches("okta_user", "ous").iter().filter(|it| it.1).map(|it| it.0).collect();
        assert_eq!(found, "ous");
        assert_eq!(matches("okta", ""), [("okta", false)]);
        assert_eq!(matches("okta", "kz"), [("okta", false)]);
    }
}
