//! Commands of the result: moving, sorting, filtering, columns, and looking closely.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::effect::{Arrangement, Ask};
use super::super::focus::Focus;
use super::super::layout;
use super::super::overlay::cell::CellView;
use super::super::overlay::reader::{Content, Reader};
use super::super::overlay::{Overlay, Prompt};
use super::super::state::Workbench;
use super::grid::{Grid, NARROWEST};
use crate::domain::Value;

const TO: &[&str] =
    &["left", "right", "up", "down", "page_up", "page_down", "top", "bottom", "first_column", "last_column"];
const DIRECTIONS: &[&str] = &["up", "down", "none"];
/// No column gets wider.
const WIDEST: u16 = 400;

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new("grid.move", "Move in the result", "Moves the cursor in the result.", "result", motion)
        .takes(&[
            required("to", Kind::Choice(TO), "Where to."),
            optional("by", Kind::Integer, "How many rows or columns."),
        ]),
    Command::new(
        "grid.select",
        "Select a cell",
        "Moves the cursor to a row and column.",
        "result",
        |state, arguments| {
            let (row, column) = (arguments.index("row"), arguments.index("column"));
            state.focus = Focus::Grid;
            let grid = grid(state)?;
            grid.row = row.unwrap_or(grid.row);
            grid.column = column.unwrap_or(grid.column);
            Ok(Vec::new())
        },
    )
    .takes(&[
        optional("row", Kind::Integer, "The row, from 0 among those shown."),
        optional("column", Kind::Integer, "The column, from 0 among those shown."),
    ]),
    Command::new(
        "grid.sort",
        "Sort by the column",
        "Sorts by the column of the cursor: up, down, as it came.",
        "result",
        sort,
    )
    .takes(&[
        optional("column", Kind::Text, "The column by name; the cursor's if absent."),
        optional("direction", Kind::Choice(DIRECTIONS), "Which way; the next one if absent."),
    ]),
    Command::new(
        "grid.filter",
        "Filter rows",
        "Shows only rows that have a text in a visible column.",
        "result",
        filter,
    )
    .takes(&[optional("text", Kind::Text, "The text; asked for if absent, all rows if empty.")]),
    Command::new("grid.hide", "Hide the column", "Hides the column of the cursor.", "result", |state, _| {
        let grid = grid(state)?;
        if grid.shown().len() < 2 {
            return Err("the last column can't be hidden".to_owned());
        }
        if let Some(column) = grid.current_mut() {
            column.is_hidden = true;
        }
        Ok(Vec::new())
    }),
    Command::new(
        "grid.show_all",
        "Show all",
        "Shows all columns and rows, in the order they came.",
        "result",
        |state, _| {
            let grid = grid(state)?;
            grid.columns.iter_mut().for_each(|column| column.is_hidden = false);
            grid.filter = String::new();
            grid.sort = None;
            arrange(state)
        },
    ),
    Command::new(
        "grid.freeze",
        "Freeze columns",
        "Keeps the columns up to the cursor's in place, or frees them.",
        "result",
        |state, _| {
            let grid = grid(state)?;
            grid.frozen = if grid.frozen == grid.column + 1 { 0 } else { grid.column + 1 };
            Ok(Vec::new())
        },
    ),
    Command::new(
        "grid.width",
        "Widen the column",
        "Makes the column of the cursor wider or narrower.",
        "result",
        |state, arguments| {
            let by = i16::try_from(arguments.integer("by").unwrap_or(4)).unwrap_or(4);
            if let Some(column) = grid(state)?.current_mut() {
                column.width = column.width.saturating_add_signed(by).clamp(NARROWEST, WIDEST);
            }
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "Cells; below zero makes it narrower.")]),
    Command::new(
        "grid.cell",
        "Inspect the cell",
        "Shows the whole value, JSON laid out.",
        "result",
        |state, _| cell(state),
    ),
    Command::new(
        "grid.record",
        "Show the row",
        "Shows the row as a list of its columns.",
        "result",
        |state, _| {
            state.overlays.push(Overlay::Reader(Reader::new("Row", Content::Record)));
            Ok(Vec::new())
        },
    ),
    Command::new(
        "grid.statistics",
        "Column statistics",
        "Counts the values of the column of the cursor.",
        "result",
        |state, _| {
            let (effect, column) = {
                let (result, rows, index, name) = {
                    let grid = grid(state)?;
                    let column = grid.current().ok_or("the result has no columns")?;
                    (grid.result.clone(), grid.order.clone(), column.index, column.name.clone())
                };
                let (_, effect) =
                    state.ask("counting the column", Ask::Statistics { result, rows, column: index });
                (effect, name)
            };
            let content = Content::Statistics { column, counted: None };
            state.overlays.push(Overlay::Reader(Reader::new("Column statistics", content)));
            Ok(vec![effect])
        },
    ),
    Command::new(
        "grid.next_result",
        "Next result",
        "Shows another result of this session.",
        "result",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            let space = state.space()?;
            let count = space.grids.len().cast_signed().max(1);
            space.shown = (space.shown.cast_signed() + by.rem_euclid(count)).rem_euclid(count).unsigned_abs();
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "How many further; below zero goes back.")]),
    Command::new(
        "grid.close",
        "Close the result",
        "Drops the result that is shown.",
        "result",
        |state, _| {
            let space = state.space()?;
            if space.shown < space.grids.len() {
                space.grids.remove(space.shown);
            }
            space.shown = space.shown.min(space.grids.len().saturating_sub(1));
            Ok(Vec::new())
        },
    ),
];

/// The result that is shown.
pub(super) fn grid(state: &mut Workbench) -> Result<&mut Grid, String> {
    state.space()?.grid_mut().ok_or_else(|| "there is no result yet; run a statement".to_owned())
}

fn motion(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let page =
        usize::from(layout::investigate(state).grid.inside().height).saturating_sub(2).max(1).cast_signed();
    let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
    let is_cell =
        matches!(state.overlays.last(), Some(Overlay::Reader(it)) if matches!(it.content, Content::Cell(_)));
    let grid = grid(state)?;
    match arguments.text("to").unwrap_or_default() {
        "left" => grid.step(0, by.saturating_neg()),
        "right" => grid.step(0, by),
        "up" => grid.step(by.saturating_neg(), 0),
        "down" => grid.step(by, 0),
        "page_up" => grid.step(page.saturating_mul(by).saturating_neg(), 0),
        "page_down" => grid.step(page.saturating_mul(by), 0),
        "top" => grid.step(isize::MIN, 0),
        "bottom" => grid.step(isize::MAX, 0),
        "first_column" => grid.step(0, isize::MIN),
        _ => grid.step(0, isize::MAX),
    }
    if is_cell {
        // The cell that lies open follows the cursor.
        state.overlays.pop();
        return cell(state);
    }
    Ok(Vec::new())
}

fn sort(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let grid = grid(state)?;
    let index = match arguments.text("column") {
        Some(name) => grid
            .columns
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(name))
            .map(|column| column.index)
            .ok_or_else(|| format!("the result has no column '{name}'"))?,
        None => grid.current().map(|column| column.index).ok_or("the result has no columns")?,
    };
    grid.sort = match arguments.text("direction") {
        Some("up") => Some((index, false)),
        Some("down") => Some((index, true)),
        Some(_) => None,
        None => match grid.sort {
            Some((by, false)) if by == index => Some((index, true)),
            Some((by, true)) if by == index => None,
            _ => Some((index, false)),
        },
    };
    arrange(state)
}

fn filter(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let grid = grid(state)?;
    let Some(text) = arguments.text("text") else {
        let hint = "Rows that have this in a visible column stay; nothing shows all.";
        let prompt =
            Prompt::new("Filter rows", hint, Invocation::of("grid.filter"), "text").with_text(&grid.filter);
        return state.prompt(prompt);
    };
    text.clone_into(&mut grid.filter);
    arrange(state)
}

/// Has the rows ordered and filtered.
fn arrange(state: &mut Workbench) -> Done {
    let grid = grid(state)?;
    let arrangement = Arrangement {
        result: grid.result.clone(),
        sort: grid.sort,
        filter: grid.filter.clone(),
        columns: grid.shown().iter().map(|column| column.index).collect(),
    };
    let (request, effect) = state.ask("ordering the rows", Ask::Arrange(arrangement));
    self::grid(state)?.arranging = Some(request);
    Ok(vec![effect])
}

/// Longer values are not made readable.
const PRETTY: usize = 4 << 20;

fn cell(state: &mut Workbench) -> Done {
    let grid = grid(state)?;
    let (Some(column), Some(value)) = (grid.current(), grid.value()) else {
        return Err("there is no cell to show".to_owned());
    };
    let kind = match value {
        Value::Null => "NULL",
        Value::Integer(_) => "integer",
        Value::Real(_) => "real",
        Value::Text(_) => "text",
        Value::InvalidText(_) => "text that is not UTF-8",
        Value::Blob(_) => "blob",
    };
    let bytes = value.size() - Value::OVERHEAD;
    let name = column.name.clone();
    let text = value.to_text();
    let is_payload = kind == "text" && text.len() <= PRETTY && text.trim_start().starts_with(['{', '[', '"']);
    let (mut effects, mut request) = (Vec::new(), None);
    if is_payload {
        let (id, effect) = state.ask("laying the value out", Ask::Pretty(text.clone()));
        request = Some(id);
        effects.push(effect);
    }
    let cell = CellView { column: name.clone(), kind, text, bytes, pretty: None, raw: false, request };
    state.overlays.push(Overlay::Reader(Reader::new(name, Content::Cell(Box::new(cell)))));
    Ok(effects)
}
