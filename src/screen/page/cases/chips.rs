//! The line of filters: what is looked for, the filters, the snapshot that tasks are begun on.
//!
//! Where the line is too short, keys go first, then the names of filters that are on, then filters that are off.

use crate::screen::part::canvas::Canvas;
use crate::screen::part::chip::Chip;
use crate::screen::part::input::input;
use crate::screen::part::key_names::keys_of_page;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::cases::{FILTERS, Filter};
use crate::workbench::command::Invocation;
use crate::workbench::layout::Area;

/// Cells of what is looked for, at least and at most.
const FIND: (u16, u16) = (16, 40);

/// From this width on the snapshot's chip has its key.
const WIDE: u16 = 110;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Keys, names, values.
    Keys,
    /// Names and values.
    Names,
    /// Of filters that are on, only the value.
    Values,
    /// Only filters that are on.
    OnlyActive,
}

const DETAILS: [Detail; 4] = [Detail::Keys, Detail::Names, Detail::Values, Detail::OnlyActive];

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench) {
    if area.height == 0 {
        return;
    }
    let line = Area { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let mut x = line.x;
    let mut end = line.x + line.width;
    let snapshot = snapshot(state, area.width);
    if let Some(chip) = snapshot.as_ref().filter(|chip| chip.width() < line.width / 2) {
        end -= chip.width();
        chip.draw(canvas, end, line.y, chip.width());
        end -= 1;
    }
    if state.cases.is_finding || !state.cases.find.is_empty() {
        x += find(canvas, Area { x, width: end.saturating_sub(x), ..line }, state) + 1;
    }
    let room = end.saturating_sub(x);
    let fits = |detail: &Detail| {
        let chips = chips(state, *detail);
        (chips.iter().map(|chip| chip.width() + 1).sum::<u16>() <= room).then_some(chips)
    };
    let chips = DETAILS.iter().find_map(fits).unwrap_or_else(|| chips(state, Detail::OnlyActive));
    for chip in chips {
        x += chip.draw(canvas, x, line.y, end.saturating_sub(x)) + 1;
    }
}

/// The chips of the filters.
fn chips(state: &Workbench, detail: Detail) -> Vec<Chip> {
    let filters = &state.cases.filters;
    FILTERS
        .into_iter()
        .filter(|filter| detail != Detail::OnlyActive || filters.get(*filter).is_some())
        .map(|filter| chip(state, filter, detail))
        .collect()
}

fn chip(state: &Workbench, filter: Filter, detail: Detail) -> Chip {
    let gives = Invocation::of("cases.filter").with("by", filter.name());
    let key = if detail == Detail::Keys { keys_of_page(state, &gives) } else { None };
    let value = state.cases.filters.get(filter);
    let text = match value {
        None => filter.name().to_owned(),
        Some(value) if matches!(detail, Detail::Values | Detail::OnlyActive) => value.to_owned(),
        Some(value) => format!("{}: {value}", filter.name()),
    };
    Chip { key: key.unwrap_or_default(), text, is_active: value.is_some(), gives: Some(gives) }
}

/// The snapshot that tasks are begun on.
fn snapshot(state: &Workbench, cells: u16) -> Option<Chip> {
    let snapshots = &state.catalogue.as_ref()?.snapshots;
    let chosen = state.kept.snapshot.as_ref().and_then(|name| snapshots.iter().find(|it| it.name == *name));
    let name = &chosen.or_else(|| snapshots.first())?.name;
    let gives = Invocation::of("cases.snapshot");
    let key = keys_of_page(state, &gives).filter(|_| cells >= WIDE).unwrap_or_default();
    Some(Chip { key, text: format!("snapshot: {name}"), is_active: false, gives: Some(gives) })
}

/// What is looked for, with the cursor while it is written; gives the cells that it took.
fn find(canvas: &mut Canvas<'_>, area: Area, state: &Workbench) -> u16 {
    let text = state.cases.find.text();
    let cells = u16::try_from(width(&visible(&text)) + 3).unwrap_or(u16::MAX);
    let width = cells.clamp(FIND.0, FIND.1).min(area.width);
    if width < 3 {
        return 0;
    }
    let field = Area { width, ..area };
    let (key, words) = (canvas.style(Role::KeyHint), canvas.style(Role::Strong));
    canvas.text(field.x, field.y, 1, "/", key);
    let has_keys = state.cases.is_finding && state.overlays.is_empty();
    let inside = Area { x: field.x + 1, width: width - 1, ..field };
    if text.is_empty() {
        let faint = canvas.style(Role::Faint);
        canvas.text(inside.x + 1, inside.y, inside.width.saturating_sub(1), "id, title, words", faint);
    }
    input(canvas, inside, &state.cases.find, words, has_keys);
    canvas.hits().press(field, Invocation::of("cases.find"));
    width
}

#[cfg(test)]
mod tests {
    use crate::screen::test_support::{Picture, after, cases, sized};

    #[test]
    fn chips_can_be_pressed_and_say_what_is_on() {
        let state = sized(after(cases(), &["c", "c"]), 120, 36);
        let picture = Picture::of(&state);
        let (row, line) = picture.find("complexity: medium");
        let x = u16::try_from(line.find("complexity").unwrap()).unwrap();
        let pressed = picture.pressed(x, row).unwrap();
        assert_eq!(
            (pressed.command.as_str(), &pressed.arguments["by"]),
            ("cases.filter", &"complexity".into())
        );
        let x = u16::try_from(line.find("snapshot:").unwrap()).unwrap();
        assert_eq!(picture.pressed(x, row).unwrap().command, "cases.snapshot");
    }

    #[test]
    fn what_is_on_shows_at_every_width() {
        for width in [60, 70, 80, 100, 140, 200] {
            let state = sized(after(cases(), &["c", "v", "s", "/", "m", "f", "a"]), width, 30);
            let picture = Picture::of(&state);
            for text in ["easy", "AWS IAM", "new", "/mfa", "snapshot: small"] {
                assert!(picture.lines[1].contains(text), "{width}: {text}: {}", picture.lines[1]);
            }
            assert!(picture.drawn.cursor.is_some());
        }
    }
}
