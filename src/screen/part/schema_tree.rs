//! The pane with tables and columns: what is searched for, the tree, what the chosen table is.

use super::canvas::Canvas;
use super::figures::{counted, number};
use super::input::input;
use super::key_hint;
use super::pane::Pane;
use super::scrollbar::{Scroll, scrollbar};
use crate::screen::hit_map::Hit;
use crate::screen::theme::Role;
use crate::text::edit_buffer::cells_of;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::text::wrap::wrap_visible;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::focus::Focus;
use crate::workbench::investigate::Workspace;
use crate::workbench::investigate::schema_tree::{SchemaTree, TreeRow};
use crate::workbench::layout::{Area, schema_parts};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    if area.is_empty() {
        return;
    }
    let has_focus = state.has_focus(Focus::Schema);
    let tree = &space.tree;
    let tables = tree.schema().tables.len() as u64;
    let found = tree.rows.iter().filter(|row| row.column.is_none()).count() as u64;
    let aside = match (tree.filter.is_empty(), area.width < 32) {
        (true, _) => counted(tables, "table", "tables"),
        (false, true) => format!("{} of {}", number(found), number(tables)),
        (false, false) => format!("{} of {}", number(found), counted(tables, "table", "tables")),
    };
    Pane { title: "Schema", aside: &aside, has_focus, ..Pane::default() }.draw(canvas, area);
    canvas.hits().press(area, Invocation::of("focus.schema"));
    let parts = schema_parts(area);
    filter(canvas, parts.filter, state, tree);
    let wheel = |by: i32| Some(Invocation::of("schema.move").with("by", by));
    let hit = Hit { wheel_up: wheel(-3), wheel_down: wheel(3), ..Hit::default() };
    canvas.hits().add(parts.rows, hit.clone());
    let height = usize::from(parts.rows.height);
    for (y, place) in (parts.rows.y..).zip(tree.top..tree.rows.len().min(tree.top + height)) {
        let line = Area { y, height: 1, ..parts.rows };
        row(canvas, line, tree, place);
        if place == tree.chosen {
            let role = if has_focus { Role::Selection } else { Role::SelectionUnfocused };
            let style = canvas.style(role);
            canvas.tint(line, style);
        }
        let select = Some(Invocation::of("schema.select").with("index", place));
        let again = Some(Invocation::of("schema.insert"));
        canvas.hits().add(line, Hit { press: select, again, ..hit.clone() });
        if tree.rows[place].column.is_none() && place == tree.chosen {
            // The sign opens and closes what is chosen already.
            let sign = Area { width: 2.min(line.width), ..line };
            let toggle = Some(Invocation::of("schema.toggle"));
            canvas.hits().add(sign, Hit { press: toggle, ..hit.clone() });
        }
    }
    if tree.rows.is_empty() {
        let style = canvas.style(Role::Muted);
        canvas.text(
            parts.rows.x + 1,
            parts.rows.y,
            parts.rows.width.saturating_sub(1),
            "nothing found",
            style,
        );
    }
    scrollbar(canvas, parts.rows, Scroll { total: tree.rows.len(), shown: height, top: tree.top });
    about(canvas, parts.about, tree, has_focus);
}

/// What is searched for, or how to search.
fn filter(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, tree: &SchemaTree) {
    canvas.hits().press(area, Invocation::of("schema.find"));
    let (hint, faint) = (canvas.style(Role::KeyHint), canvas.style(Role::Faint));
    if tree.is_filtering && state.has_focus(Focus::Schema) {
        canvas.text(area.x, area.y, 1, "/", hint);
        let style = canvas.style(Role::Text);
        let line = Area { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        input(canvas, line, &tree.filter, style, true);
    } else if tree.filter.is_empty() {
        let find = Invocation::of("schema.find");
        let key = key_hint::key_in(state, "schema", &find).unwrap_or_else(|| "/".to_owned());
        let muted = canvas.style(Role::Muted);
        canvas.pieces(area.x, area.y, area.width, &[(&key, muted), (" to search", faint)]);
    } else {
        let accent = canvas.style(Role::Accent);
        canvas.pieces(area.x, area.y, area.width, &[("/", hint), (&tree.filter.text(), accent)]);
    }
}

/// A table with its number of rows, or a column.
fn row(canvas: &mut Canvas<'_>, line: Area, tree: &SchemaTree, place: usize) {
    let row = &tree.rows[place];
    let name = tree.name(row);
    let border = canvas.style(Role::Border);
    if row.column.is_some() {
        let set = canvas.symbols();
        let branch = if tree.is_last(place) { set.tree_last } else { set.tree_branch };
        canvas.text(line.x + 1, line.y, 3, branch, border);
        let style = canvas.style(Role::Muted);
        label(canvas, line.x + 4, line.y, line.width.saturating_sub(5), name, &row.letters, style);
        return;
    }
    let is_open = tree.rows.get(place + 1).is_some_and(|next| next.column.is_some());
    let sign = if is_open { canvas.symbols().expanded } else { canvas.symbols().collapsed };
    let muted = canvas.style(Role::Muted);
    canvas.text(line.x, line.y, 1, sign, muted);
    let rows = tree.schema().tables.get(row.table).map_or(0, |table| table.rows);
    let rows = number(rows);
    let taken = u16::try_from(rows.len()).unwrap_or(u16::MAX);
    let room = line.width.saturating_sub(3);
    // The name comes first: where a narrow pane has no room for both, the count is said below.
    let needed = u16::try_from(width(&visible(name))).unwrap_or(u16::MAX);
    let has_count = needed.saturating_add(taken + 1) <= room;
    let style = canvas.style(Role::Text);
    let room = if has_count { room - taken - 1 } else { room };
    label(canvas, line.x + 2, line.y, room, name, &row.letters, style);
    if has_count {
        let style = canvas.style(Role::Faint);
        canvas.text_right(line.x + line.width - 1, line.y, taken, &rows, style);
    }
}

/// A name, the letters that match brought out. One that is too long is cut in its middle: names of tables differ at
/// their ends.
fn label(canvas: &mut Canvas<'_>, x: u16, y: u16, room: u16, name: &str, letters: &[u32], style: Style) {
    let matched = style.patch(canvas.style(Role::Match));
    let graphemes: Vec<&str> = name.graphemes(true).collect();
    let sizes: Vec<usize> = graphemes.iter().map(|grapheme| cells_of(grapheme)).collect();
    let cells = usize::from(room);
    let (head, tail) = if sizes.iter().sum::<usize>() <= cells {
        (graphemes.len(), graphemes.len())
    } else {
        middle(&sizes, cells)
    };
    let mut at = x;
    let mut character = 0_u32;
    for (place, grapheme) in graphemes.iter().enumerate() {
        let characters = u32::try_from(grapheme.chars().count()).unwrap_or(1);
        if place == head && tail > head {
            let sign = canvas.symbols().ellipsis;
            let muted = canvas.style(Role::Muted);
            at += canvas.text(at, y, (x + room).saturating_sub(at), sign, muted);
        }
        if place < head || place >= tail {
            let is_match = (character..character + characters).any(|it| letters.contains(&it));
            let style = if is_match { matched } else { style };
            at += canvas.text(at, y, (x + room).saturating_sub(at), grapheme, style);
        }
        character += characters;
    }
}

/// How many graphemes stay before a cut in the middle, and from which on they show again.
fn middle(sizes: &[usize], cells: usize) -> (usize, usize) {
    let room = cells.saturating_sub(1);
    let (mut head, mut used) = (0, 0);
    while head < sizes.len() && used + sizes[head] <= room * 2 / 5 {
        used += sizes[head];
        head += 1;
    }
    let mut tail = sizes.len();
    while tail > head && used + sizes[tail - 1] <= room {
        tail -= 1;
        used += sizes[tail];
    }
    (head, tail)
}

/// The chosen table: its rows and what it is; the whole name where the tree has no room for it.
fn about(canvas: &mut Canvas<'_>, area: Area, tree: &SchemaTree, has_focus: bool) {
    let Some(chosen) = tree.choice().filter(|_| area.height > 1) else { return };
    let Some(table) = tree.schema().tables.get(chosen.table) else { return };
    let border = canvas.style(if has_focus { Role::FocusBorder } else { Role::Border });
    let quiet = canvas.style(Role::Border);
    let line = canvas.symbols().line;
    for x in area.x..area.x + area.width {
        canvas.text(x, area.y, 1, line.horizontal, quiet);
    }
    canvas.text(area.x - 1, area.y, 1, line.vertical_right, border);
    canvas.text(area.x + area.width, area.y, 1, line.vertical_left, border);
    let muted = canvas.style(Role::Muted);
    let (rows, columns) =
        (counted(table.rows, "row", "rows"), counted(table.columns.len() as u64, "column", "columns"));
    let long = format!(" {rows}, {columns} ");
    let size = if long.len() + 2 <= usize::from(area.width) { long } else { format!(" {rows} ") };
    canvas.text(area.x + 1, area.y, area.width.saturating_sub(2), &size, muted);
    let room = area.width.saturating_sub(1);
    let mut y = area.y + 1;
    if !fits(tree, chosen, area.width) {
        let strong = canvas.style(Role::Strong);
        for text in broken(tree.name(chosen), usize::from(room).max(1)) {
            if y < area.y + area.height {
                canvas.text(area.x, y, room, &text, strong);
                y += 1;
            }
        }
    }
    let lines = wrap_visible(&table.description, usize::from(room).max(1));
    for (place, text) in lines.iter().enumerate() {
        if y >= area.y + area.height {
            break;
        }
        // What is left of a description that is too long ends in an ellipsis.
        let is_last = y + 1 == area.y + area.height;
        let rest = if is_last { lines[place..].join(" ") } else { text.clone() };
        canvas.text(area.x, y, room, &rest, muted);
        y += 1;
    }
}

/// A name broken into lines, behind its underscores where that helps.
fn broken(name: &str, cells: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in name.split_inclusive('_') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && width(&visible(&lines[last])) + width(&visible(word)) > cells {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        lines[last].push_str(word);
    }
    lines.iter().flat_map(|line| wrap_visible(line, cells)).collect()
}

/// Whether the tree shows the whole name of a row.
fn fits(tree: &SchemaTree, row: &TreeRow, cells: u16) -> bool {
    let indent = if row.column.is_some() { 5 } else { 3 };
    width(&visible(tree.name(row))) + indent <= usize::from(cells)
}
