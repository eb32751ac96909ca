//! What the answer rests on: tables, joins and subjects, each with the step that first had it.

use super::frame;
use crate::screen::hit_map::Hit;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::result_grid::words;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::theme::Role;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::{Area, ReplayAreas, evidence_rows};
use crate::workbench::replay::evidence::{EvidenceItem, EvidenceKind};
use crate::workbench::replay::{Replay, ReplayPane};

/// Cells for the step.
const STEP: u16 = 12;

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
    let aside = match (&replay.required, replay.withheld) {
        (_, Some(why)) => format!("needs not shown: {why}"),
        (Some(_), None) => {
            let missing = replay.evidence.iter().filter(|item| item.is_missing()).count();
            if missing == 0 { "all of it appeared".to_owned() } else { format!("{missing} never appeared") }
        }
        (None, None) => String::new(),
    };
    let inside = frame(canvas, area, state, areas, ReplayPane::Evidence, &aside, "");
    if replay.evidence.is_empty() {
        words(canvas, inside, &["No table was read, and no subject named.".to_owned()]);
        return;
    }
    let has_focus = state.has_replay_focus(ReplayPane::Evidence);
    let height = usize::from(inside.height);
    let total = evidence_rows(&replay.evidence);
    let top = replay.evidence_top;
    let mut row = 0_usize;
    let mut put = |canvas: &mut Canvas<'_>, draw: &mut dyn FnMut(&mut Canvas<'_>, Area)| {
        let offset = row.checked_sub(top).filter(|offset| *offset < height);
        if let Some(offset) = offset.and_then(|offset| u16::try_from(offset).ok()) {
            draw(canvas, Area { y: inside.y + offset, height: 1, ..inside });
        }
        row += 1;
    };
    let mut place = 0;
    for group in replay.evidence.chunk_by(|one, other| one.kind == other.kind) {
        put(canvas, &mut |canvas, line| heading(canvas, line, replay, group));
        for item in group {
            put(canvas, &mut |canvas, line| {
                if place == replay.evidence_chosen {
                    canvas.choose(line, has_focus);
                }
                one(canvas, line, item);
                let press = Some(Invocation::of("replay.evidence").with("index", place));
                let wheel = |by: i64| Some(super::scroll(ReplayPane::Evidence, by));
                let hit = Hit { press, wheel_up: wheel(-3), wheel_down: wheel(3), ..Hit::default() };
                canvas.hits().add(line, hit);
            });
            place += 1;
        }
    }
    scrollbar(canvas, inside, Scroll { total, shown: height, top });
}

/// What a group is, and how much of it appeared.
fn heading(canvas: &mut Canvas<'_>, line: Area, replay: &Replay, group: &[EvidenceItem]) {
    let Some(kind) = group.first().map(|item| item.kind) else { return };
    let style = canvas.style(Role::Heading);
    let taken = canvas.text(line.x + 1, line.y, line.width, kind.title(), style);
    let counted: Vec<&EvidenceItem> =
        group.iter().filter(|item| kind == EvidenceKind::Subject || item.is_required == Some(true)).collect();
    let text = match (counted.len(), kind) {
        (0, _) if replay.required.is_some() => String::new(),
        (0, _) => format!("{} used", group.len()),
        (all, EvidenceKind::Subject) => {
            format!(
                "{} of {all} seen in a result",
                counted.iter().filter(|item| item.first.is_some()).count()
            )
        }
        (all, _) => {
            format!("{} of {all} needed", counted.iter().filter(|item| item.first.is_some()).count())
        }
    };
    let style = canvas.style(Role::Muted);
    canvas.text(line.x + taken + 3, line.y, line.width.saturating_sub(taken + 3), &text, style);
}

fn one(canvas: &mut Canvas<'_>, line: Area, item: &EvidenceItem) {
    let symbols = canvas.symbols();
    let (sign, role) = match (item.first, item.is_required, item.kind) {
        (None, Some(true), _) | (None, _, EvidenceKind::Subject) => (symbols.failure, Role::Danger),
        (None, _, _) | (Some(_), Some(false), _) => (symbols.bullet, Role::Faint),
        (Some(_), _, _) => (symbols.success, Role::Success),
    };
    let style = canvas.style(role);
    canvas.text(line.x + 1, line.y, 1, sign, style);
    let (text, step_role) = match item.first {
        Some(step) => (format!("step {}", step + 1), Role::Muted),
        None => ("never seen".to_owned(), Role::Danger),
    };
    let end = line.x + line.width.saturating_sub(1);
    let style = canvas.style(step_role);
    canvas.text_right(end, line.y, STEP, &text, style);
    let room = line.width.saturating_sub(STEP + 4);
    let style = canvas.style(if item.is_required == Some(false) { Role::Muted } else { Role::Text });
    let name = match item.kind {
        EvidenceKind::Join => shortened(&item.name, usize::from(room), canvas.symbols().ellipsis),
        _ => item.name.clone(),
    };
    let taken = canvas.text(line.x + 3, line.y, room, &name, style);
    if !item.place.is_empty() && taken + 3 < room {
        let style = canvas.style(Role::Faint);
        canvas.text(line.x + 3 + taken + 2, line.y, room - taken - 2, &item.place, style);
    }
}

/// Both columns of a join in so many cells: of a name that is too long the end says most.
fn shortened(name: &str, cells: usize, ellipsis: &str) -> String {
    let Some((one, other)) = name.split_once(" = ").filter(|_| width(name) > cells) else {
        return name.to_owned();
    };
    let room = cells.saturating_sub(3);
    let (mut left, mut right) = (room / 2, room - room / 2);
    // What the one does not need the other may have.
    let (one_width, other_width) = (width(one), width(other));
    if one_width < left {
        right += left - one_width;
        left = one_width;
    } else if other_width < right {
        left += right - other_width;
        right = other_width;
    }
    let end = |text: &str, cells: usize| {
        let count = text.chars().count();
        if count <= cells {
            return text.to_owned();
        }
        let kept: String =
            text.chars().skip(count - cells.saturating_sub(width(ellipsis)).min(count)).collect();
        format!("{ellipsis}{kept}")
    };
    format!("{} = {}", end(one, left), end(other, right))
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn of_a_long_join_the_ends_of_both_names_are_left() {
        let name =
            "aws_identitystore_group_membership.group_id = aws_ssoadmin_account_assignment.principal_id";
        let short = shortened(name, 44, "…");
        assert_eq!(short.chars().count(), 44, "{short}");
        assert!(short.contains("group_id = …") && short.ends_with("principal_id"), "{short}");
        assert_eq!(shortened("a.b = c.d", 44, "…"), "a.b = c.d");
        let one = shortened("a.b = aws_ssoadmin_account_assignment.principal_id", 30, "…");
        assert!(one.starts_with("a.b = …") && one.chars().count() == 30, "{one}");
    }
}
