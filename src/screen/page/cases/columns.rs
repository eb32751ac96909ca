//! Columns of the list of cases: which there is room for, and where they stand.

use super::short;
use crate::domain::TaskBrief;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::cases::Entry;
use crate::workbench::layout::Area;

/// Cells between two columns.
const GAP: u16 = 2;
/// Cells before the id: the mark of the chosen row, the own status, a blank.
const SIGNS: u16 = 3;
/// A title keeps so many cells before other columns get any.
const TITLE: u16 = 34;
/// Cells of the sign of three levels: its name above it has four letters.
const LEVEL: u16 = 4;
/// Most titles are not longer.
const MOST_TITLES: u16 = 46;
/// Cells of the word for complexity.
const WORD: u16 = 6;
/// Ids and packs take no more cells.
const WIDEST: u16 = 14;

/// A column: its first cell, and its cells; none where there is no room for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) x: u16,
    pub(super) width: u16,
}

/// The columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Columns {
    /// The own status.
    pub(super) status: Column,
    /// The id of a task, the name of a snapshot.
    pub(super) id: Column,
    /// The title.
    pub(super) title: Column,
    /// How much work, as a sign of three levels.
    pub(super) level: Column,
    /// How much work, in a word.
    pub(super) complexity: Column,
    /// What it is about.
    pub(super) focus: Column,
    /// Products.
    pub(super) platforms: Column,
    /// The pack.
    pub(super) pack: Column,
}

impl Columns {
    /// The columns of a list so wide. Platforms get room first, then the pack, the focus, all of the platforms, the word for
    /// complexity.
    pub(super) fn of(state: &Workbench, area: Area) -> Self {
        let widest = Widest::of(state);
        let id = widest.id.min(WIDEST);
        let mut title = area.width.saturating_sub(SIGNS + id + GAP + GAP + LEVEL + 1);
        let mut is_room = true;
        let mut take = |wanted: u16| {
            // Where one has no room, those after it get none.
            is_room = is_room && wanted > 0 && title >= TITLE + GAP + wanted;
            if is_room {
                title -= GAP + wanted;
            }
            if is_room { wanted } else { 0 }
        };
        let mut platforms = take(widest.platforms.min(14));
        let pack = take(widest.pack.min(WIDEST));
        let focus = take(14);
        // What is left beyond most titles goes to platforms, and only then to what the sign of levels says already.
        let more = title.saturating_sub(MOST_TITLES).min(widest.platforms.saturating_sub(platforms));
        if focus > 0 {
            platforms += more;
            title -= more;
        }
        let is_wide = focus > 0 && title >= MOST_TITLES + GAP + WORD;
        let complexity = if is_wide { WORD } else { 0 };
        if is_wide {
            title -= GAP + WORD;
        }
        let mut x = area.x + SIGNS;
        let mut place = |width: u16| {
            let column = Column { x, width };
            if width > 0 {
                x += width + GAP;
            }
            column
        };
        let id = place(id);
        let title = place(title);
        let level = place(LEVEL);
        let complexity = place(complexity);
        Self {
            status: Column { x: area.x + 1, width: 1 },
            id,
            title,
            level,
            complexity,
            focus: place(focus),
            platforms: place(platforms),
            pack: place(pack),
        }
    }
}

/// Cells that the columns need for all that there is, listed or not: nothing moves while the list is narrowed.
struct Widest {
    id: u16,
    platforms: u16,
    pack: u16,
}

impl Widest {
    fn of(state: &Workbench) -> Self {
        let cells = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
        let mut widest = Self { id: 4, platforms: 0, pack: 0 };
        for pack in state.catalogue.iter().flat_map(|catalogue| &catalogue.packs) {
            widest.pack = widest.pack.max(cells(&pack.id));
            for task in &pack.tasks {
                widest.id = widest.id.max(cells(&task.id));
                widest.platforms = widest.platforms.max(cells(&platforms(task)));
            }
        }
        for snapshot in state.catalogue.iter().flat_map(|catalogue| &catalogue.snapshots) {
            widest.id = widest.id.max(cells(&snapshot.name));
        }
        widest
    }
}

/// The products of a task, short.
pub(super) fn platforms(task: &TaskBrief) -> String {
    let names: Vec<&str> = task.platforms.iter().map(|platform| short(*platform)).collect();
    names.join(", ")
}

/// The id and the title that a row shows, as the letters of its match count them.
pub(super) fn names(state: &Workbench, entry: Entry) -> Option<(&str, &str)> {
    match entry {
        Entry::Task(pack, task) => {
            state.task_at(pack, task).map(|(_, it)| (it.id.as_str(), it.title.as_str()))
        }
        Entry::Snapshot(snapshot) => {
            state.snapshot_at(snapshot).map(|it| (it.name.as_str(), it.organisation.as_str()))
        }
    }
}
