//! Commands that take rows out: to the clipboard, to a file. Always the stored values, never what is drawn.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::effect::{Ask, Drive, Effect, Selection};
use super::super::overlay::picker::{Item, Picker, Purpose};
use super::super::overlay::reader::Content;
use super::super::overlay::{Overlay, Prompt};
use super::super::request::WRITING;
use super::super::state::Workbench;
use super::grid_commands::grid;
use crate::text::result_text::TextFormat;
use std::sync::Arc;

const COPIED: &[&str] = &["tsv", "json", "markdown", "sql"];
const EXPORTED: &[&str] = &["csv", "tsv", "json", "markdown"];
const ROWS: &[&str] = &["all", "row", "marked"];

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "copy.cell",
        "Copy the value",
        "Copies the whole value of the cell.",
        "result",
        |state, _| {
            // A cell that lies open is what is meant.
            if let Some(Overlay::Reader(reader)) = state.overlays.last()
                && let Content::Cell(cell) = &reader.content
            {
                let text = cell.text.clone();
                return Ok(copied(state, text));
            }
            let text = grid(state)?.value().ok_or("there is no cell to copy")?.to_text();
            Ok(copied(state, text))
        },
    ),
    Command::new(
        "copy.rows",
        "Copy rows",
        "Copies the rows that are shown as TSV, JSON Lines, Markdown or an SQL list.",
        "result",
        copy_rows,
    )
    .takes(&[
        optional(
            "format",
            Kind::Choice(COPIED),
            "As what; a list is shown if absent. 'sql' is a list of the column's values.",
        ),
        optional("rows", Kind::Choice(ROWS), "Which rows; all that are shown if absent."),
    ]),
    Command::new("export.rows", "Export rows", "Writes the rows that are shown to a file.", "result", export)
        .takes(&[
            optional("format", Kind::Choice(EXPORTED), "As what; a list is shown if absent."),
            optional("path", Kind::Text, "Where to; asked for if absent."),
            optional("replace", Kind::Boolean, "Whether a file that is there may be replaced."),
        ]),
    Command::new(
        "copy.sql",
        "Copy the statement",
        "Copies the statement of the result.",
        "result",
        |state, _| {
            let text = grid(state)?.sql.clone();
            Ok(copied(state, text))
        },
    ),
    Command::new("copy.text", "Copy a text", "Copies a text that is given.", "", |state, arguments| {
        let text = arguments.text("text").unwrap_or_default().to_owned();
        Ok(copied(state, text))
    })
    .takes(&[required("text", Kind::Text, "The text.")]),
];

fn copied(state: &mut Workbench, text: String) -> Vec<Effect> {
    state.register.clone_from(&text);
    let what = format!("{} characters", text.chars().count());
    vec![Effect::Drive(Drive::Copy { text, what })]
}

const fn format_of(name: &str) -> TextFormat {
    match name.as_bytes() {
        b"csv" => TextFormat::Csv,
        b"json" => TextFormat::JsonLines,
        b"markdown" => TextFormat::Markdown,
        b"sql" => TextFormat::InList,
        _ => TextFormat::Tsv,
    }
}

/// A list of formats that gives a command with each.
fn formats(title: &str, command: &str, names: &[&str]) -> Overlay {
    let describe = |name: &str| match name {
        "csv" => ("CSV", "comma-separated, for spreadsheets"),
        "tsv" => ("TSV", "tab-separated, NULL as \\N"),
        "json" => ("JSON Lines", "an object a row, types kept"),
        "markdown" => ("Markdown", "a table for notes and tickets"),
        _ => ("SQL list", "the column's values as ('a', 'b') for IN"),
    };
    let items = names
        .iter()
        .map(|name| {
            let (label, detail) = describe(name);
            Item {
                label: label.to_owned(),
                detail: detail.to_owned(),
                aside: String::new(),
                gives: Invocation::of(command).with("format", *name),
            }
        })
        .collect();
    Overlay::Picker(Picker::new(title, Purpose::Choice, items))
}

fn copy_rows(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(format) = arguments.text("format") else {
        grid(state)?;
        state.overlays.push(formats("Copy rows as", "copy.rows", COPIED));
        return Ok(Vec::new());
    };
    let format = format_of(format);
    let subjects = state.space()?.answer.subjects.clone();
    let grid = grid(state)?;
    let columns = match format {
        TextFormat::InList => {
            vec![grid.current().map(|column| column.index).ok_or("the result has no columns")?]
        }
        _ => grid.shown().iter().map(|column| column.index).collect(),
    };
    let rows = match arguments.text("rows") {
        Some("row") => Arc::new(grid.order.get(grid.row).copied().into_iter().collect()),
        Some("marked") => {
            let is_marked = |place: &usize| grid.subject_at(*place).is_some_and(|it| subjects.contains(&it));
            let marked =
                (0..grid.order.len()).filter(is_marked).filter_map(|place| grid.order.get(place).copied());
            Arc::new(marked.collect())
        }
        _ => grid.order.clone(),
    };
    let selection = Selection { result: grid.result.clone(), rows, columns, format };
    let (_, effect) = state.ask("writing the rows", Ask::Render(selection));
    Ok(vec![effect])
}

fn export(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(name) = arguments.text("format") else {
        grid(state)?;
        state.overlays.push(formats("Export rows as", "export.rows", EXPORTED));
        return Ok(Vec::new());
    };
    let format = format_of(name);
    let Some(path) = arguments.text("path") else {
        let work = state.space()?.trial.task.to_lowercase();
        let path = format!("{work}.{}", format.extension());
        let then = Invocation::of("export.rows").with("format", name);
        return ask_for_path(state, "Export rows", &path, then);
    };
    let path = path.trim().to_owned();
    if path.is_empty() {
        return Err("a file needs a name".to_owned());
    }
    let replace = arguments.flag("replace") == Some(true);
    let grid = grid(state)?;
    let columns = grid.shown().iter().map(|column| column.index).collect();
    let selection = Selection { result: grid.result.clone(), rows: grid.order.clone(), columns, format };
    let (_, effect) = state.ask(WRITING, Ask::Export { selection, path, replace });
    Ok(vec![effect])
}

/// Asks for the path of a file.
pub(super) fn ask_for_path(state: &mut Workbench, title: &str, path: &str, then: Invocation) -> Done {
    let hint = "The file's path; from the folder that casebook was started in.";
    state.prompt(Prompt::new(title, hint, then, "path").with_text(path))
}
