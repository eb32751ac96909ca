//! A question for yes or no, with what would happen and two buttons.

use super::{boxed, line, style};
use crate::screen::part::canvas::Canvas;
use crate::screen::part::chip::Chip;
use crate::screen::part::pane::Pane;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::{middle, screen};
use crate::workbench::overlay::Confirm;

/// No question gets wider or narrower.
const WIDTHS: (u16, u16) = (44, 76);

pub(super) fn draw(canvas: &mut Canvas<'_>, state: &Workbench, confirm: &Confirm, is_top: bool) {
    let page = screen(state).page;
    let longest = confirm.lines.iter().map(|line| width(&visible(line))).max().unwrap_or(0);
    let longest = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(4);
    let wide = longest.clamp(WIDTHS.0, WIDTHS.1).min(page.width.saturating_sub(4));
    let cells = usize::from(wide.saturating_sub(4)).max(1);
    let mut lines: Vec<String> = confirm.lines.iter().flat_map(|line| wrap_visible(line, cells)).collect();
    // The frame, a blank line above and below the buttons, the buttons.
    lines.truncate(usize::from(page.height.saturating_sub(5)));
    let count = u16::try_from(lines.len()).unwrap_or(0);
    let area = middle(state, wide, count + 4);
    let inside = boxed(canvas, area, Pane { title: &confirm.title, has_focus: is_top, ..Pane::default() });
    let text = style(canvas, Role::Text);
    for (words, nth) in lines.iter().zip(0..) {
        let at = line(inside, nth);
        if at.height > 0 {
            canvas.text(at.x, at.y, at.width, words, text);
        }
    }
    let at = line(inside, count + 1);
    if at.height == 0 {
        return;
    }
    let button = |text: &str, gives: &str, is_active| Chip {
        key: String::new(),
        text: text.to_owned(),
        is_active,
        gives: is_top.then(|| Invocation::of(gives)),
    };
    let yes = button(&confirm.yes, "confirm.yes", true);
    let no = button("Cancel", "overlay.close", false);
    let mut x = at.x;
    for (button, command) in [(yes, "confirm.yes"), (no, "overlay.close")] {
        let room = (at.x + at.width).saturating_sub(x);
        let taken = button.draw(canvas, x, at.y, room);
        x += taken + 1;
        let Some(keys) = state.keymap.keys_of(state, command).filter(|_| is_top) else { continue };
        let key = style(canvas, Role::KeyHint);
        x += canvas.text(x, at.y, (at.x + at.width).saturating_sub(x), &keys, key) + 3;
    }
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, cases};
    use crate::workbench::command::Invocation;
    use crate::workbench::overlay::{Confirm, Overlay};

    #[test]
    fn both_buttons_can_be_pressed() {
        let mut state = cases();
        state.overlays.push(Overlay::Confirm(Confirm {
            title: "Submit?".to_owned(),
            lines: vec!["3 subjects".to_owned()],
            yes: "Submit".to_owned(),
            then: Invocation::of("answer.submit"),
        }));
        let picture = Picture::of(&state);
        let (row, line) = picture.find("Cancel");
        let at = |text: &str| {
            let byte = line.find(text).unwrap();
            u16::try_from(line[..byte].chars().count()).unwrap()
        };
        assert_eq!(picture.pressed(at("Submit"), row).unwrap().command, "confirm.yes");
        assert_eq!(picture.pressed(at("Cancel"), row).unwrap().command, "overlay.close");
    }
}
