//! A list to pick from: what is typed, how many match, the matches with their letters marked.

use super::{boxed, line, style};
use crate::screen::hit_map::Hit;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::number;
use crate::screen::part::input::input;
use crate::screen::part::key_names::key_names;
use crate::screen::part::matched::matched;
use crate::screen::part::pane::Pane;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::{Area, middle, screen};
use crate::workbench::overlay::picker::{Item, Match, Picker, Purpose};
use std::borrow::Cow;

/// No list gets wider.
const WIDEST: u16 = 104;
/// Lines of the box that are not items: the frame, the input, the rule under it.
const AROUND: u16 = 4;
/// A detail that has less room is left out.
const LEAST_DETAIL: u16 = 12;

pub(super) fn draw(canvas: &mut Canvas<'_>, state: &Workbench, picker: &Picker, is_top: bool) {
    let area = place(state, picker);
    let count = if picker.matches.len() == picker.items.len() {
        number(picker.items.len() as u64)
    } else {
        format!("{} of {}", number(picker.matches.len() as u64), number(picker.items.len() as u64))
    };
    let pane = Pane { title: &picker.title, aside: &count, has_focus: is_top, ..Pane::default() };
    let inside = boxed(canvas, area, pane);
    let accent = style(canvas, Role::Accent);
    let sign = canvas.symbols().collapsed;
    let typed = line(inside, 0);
    canvas.text(typed.x, typed.y, typed.width.min(1), sign, accent);
    let typed = Area { x: typed.x + 2, width: typed.width.saturating_sub(2), ..typed };
    if picker.input.is_empty() {
        let faint = style(canvas, Role::Faint);
        canvas.text(typed.x, typed.y, typed.width, "type to narrow the list", faint);
    }
    let text = style(canvas, Role::Text);
    input(canvas, typed, &picker.input, text, is_top);
    let rule = style(canvas, Role::Border);
    for x in inside.x..inside.x + inside.width {
        canvas.text(x, inside.y + 1, 1, canvas.symbols().line.horizontal, rule);
    }
    let list = Area { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    items(canvas, list, picker);
}

/// As high as all items would be, so that it does not jump while they are narrowed.
fn place(state: &Workbench, picker: &Picker) -> Area {
    let page = screen(state).page;
    let most = if page.height > 30 { page.height * 3 / 4 } else { page.height.saturating_sub(2) };
    let height =
        u16::try_from(picker.items.len().max(1)).unwrap_or(u16::MAX).saturating_add(AROUND).min(most);
    let widest = |part: fn(&Item) -> &str| {
        let cells = picker.items.iter().map(|item| width(&visible(part(item)))).max().unwrap_or(0);
        u16::try_from(cells).unwrap_or(u16::MAX)
    };
    let needed = [widest(|it| &it.label), widest(|it| &it.detail), widest(|it| &it.aside), 14];
    let needed = needed.iter().fold(0_u16, |sum, part| sum.saturating_add(*part));
    middle(state, needed.clamp(48, WIDEST).min(page.width.saturating_sub(6)), height)
}

fn items(canvas: &mut Canvas<'_>, list: Area, picker: &Picker) {
    if picker.matches.is_empty() {
        let muted = style(canvas, Role::Muted);
        canvas.text(list.x + 2, list.y, list.width.saturating_sub(2), "nothing matches", muted);
        return;
    }
    let height = usize::from(list.height);
    // The chosen one stays in the middle, except at both ends.
    let furthest = picker.matches.len().saturating_sub(height);
    let top = picker.chosen.saturating_sub(height / 2).min(furthest);
    let columns = Columns::of(canvas, list, picker);
    for (nth, found) in picker.matches.iter().enumerate().skip(top).take(height) {
        let Some(item) = picker.items.get(found.item) else { continue };
        let at = line(list, u16::try_from(nth - top).unwrap_or(u16::MAX));
        columns.item(canvas, at, item, found);
        let whole = Area { x: at.x.saturating_sub(1), width: at.width + 2, ..at };
        if nth == picker.chosen {
            canvas.choose(whole, true);
        }
        // The wheel chooses; a press picks the item under it.
        let hit = Hit {
            press: Some(Invocation::of("picker.accept").with("index", nth)),
            wheel_up: Some(Invocation::of("picker.previous")),
            wheel_down: Some(Invocation::of("picker.next")),
            ..Hit::default()
        };
        canvas.hits().add(whole, hit);
    }
    let frame_inside = Area { width: list.width + 1, ..list };
    scrollbar(canvas, frame_inside, Scroll { total: picker.matches.len(), shown: height, top });
}

/// Cells of the parts of an item.
struct Columns {
    label: u16,
    detail: u16,
    aside: u16,
    is_palette: bool,
}

impl Columns {
    /// As wide as the items that match need, the label before the rest.
    fn of(canvas: &Canvas<'_>, list: Area, picker: &Picker) -> Self {
        let items = || picker.matches.iter().filter_map(|found| picker.items.get(found.item));
        let widest = |part: &dyn Fn(&Item) -> usize| {
            u16::try_from(items().map(part).max().unwrap_or(0)).unwrap_or(u16::MAX)
        };
        let room = list.width.saturating_sub(1);
        let aside = widest(&|it| width(&key_names(&visible(&it.aside), canvas.symbols()))).min(room / 3);
        let rest = room.saturating_sub(if aside > 0 { aside + 2 } else { 0 });
        let (label, detail) =
            (widest(&|it| width(&visible(&it.label))), widest(&|it| width(&visible(&it.detail))));
        // A statement may be as long as it likes; the detail of the history is short, and stays.
        let kept =
            if picker.purpose == Purpose::History { detail.min(rest / 3) } else { LEAST_DETAIL.min(detail) };
        let label = label.min(rest.saturating_sub(if kept > 0 { kept + 2 } else { 0 })).max(rest.min(8));
        let detail = detail.min(rest.saturating_sub(label + 2));
        Self { label, detail, aside, is_palette: picker.purpose == Purpose::Palette }
    }

    /// The label, its beginning left out where what was found would not show else; the letters found in that.
    fn moved<'i>(&self, canvas: &Canvas<'_>, item: &'i Item, found: &Match) -> (Cow<'i, str>, Vec<u32>) {
        let (room, last) = (u32::from(self.label), found.letters.last().copied().unwrap_or(0));
        if last + 2 < room {
            return (Cow::Borrowed(&item.label), found.letters.clone());
        }
        // What was found stands two thirds into the room.
        let skipped = last.saturating_sub(room * 2 / 3);
        let mark = canvas.symbols().ellipsis;
        let rest: String = item.label.chars().skip(usize::try_from(skipped).unwrap_or(0)).collect();
        let letters =
            found.letters.iter().filter_map(|letter| Some(letter.checked_sub(skipped)? + 1)).collect();
        (Cow::Owned(format!("{mark}{rest}")), letters)
    }

    fn item(&self, canvas: &mut Canvas<'_>, at: Area, item: &Item, found: &Match) {
        let (text, muted, key) =
            (style(canvas, Role::Text), style(canvas, Role::Muted), style(canvas, Role::KeyHint));
        let x = at.x + 1;
        let (label, letters) = self.moved(canvas, item, found);
        matched(canvas, (x, at.y), self.label, &label, text, &letters);
        if self.is_palette
            && let Some(group) = item.label.find(": ")
        {
            // The area of a command steps back behind its title.
            let cells = u16::try_from(width(&item.label[..=group])).unwrap_or(0).min(self.label);
            canvas.tint(Area { x, width: cells, ..at }, muted);
        }
        if self.detail > 0 {
            canvas.text(x + self.label + 2, at.y, self.detail, &item.detail, muted);
        }
        let aside = key_names(&item.aside, canvas.symbols()).into_owned();
        canvas.text_right(
            at.x + at.width,
            at.y,
            self.aside,
            &aside,
            if self.is_palette { key } else { muted },
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, after, cases};

    #[test]
    fn items_can_be_pressed_and_their_letters_stand_out() {
        let state = after(cases(), &[":", "t", "h", "e", "m", "e"]);
        let picture = Picture::of(&state);
        let (row, line) = picture.find("Choose a theme");
        assert!(line.contains("g t"), "{line}");
        let x = u16::try_from(line.find("Choose").unwrap()).unwrap();
        let pressed = picture.pressed(x, row).unwrap();
        assert_eq!((pressed.command.as_str(), &pressed.arguments["index"]), ("picker.accept", &0.into()));
        assert!(picture.drawn.cursor.is_some());
        // The list under the palette can't be pressed.
        assert_eq!(picture.pressed(1, row), None);
    }
}
