//! Commands of the SQL editor.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::effect::Ask;
use super::super::focus::{Focus, Page};
use super::super::overlay::picker::{Item, Picker, Purpose};
use super::super::overlay::{Overlay, Prompt};
use super::super::request::WRITING;
use super::super::state::Workbench;
use super::super::text_input;
use super::completion;
use super::take_out::ask_for_path;
use crate::sql::format::format as format_sql;
use crate::text::brackets::matching;
use crate::text::edit_buffer::{EditOp, Motion};

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new("editor.write", "Write SQL", "Lets keys write into the editor.", "working", |state, _| {
        state.page = Page::Investigate;
        state.focus = Focus::Editor;
        state.space()?.editor.is_writing = true;
        Ok(Vec::new())
    }),
    Command::new(
        "editor.leave",
        "Stop writing",
        "Lets keys be commands again.",
        "editor && typing",
        |state, _| {
            let space = state.space()?;
            space.editor.is_writing = false;
            space.completion = None;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "editor.set",
        "Replace the text",
        "Writes the whole text of the buffer anew.",
        "working",
        |state, arguments| {
            let text = arguments.text("text").unwrap_or_default().to_owned();
            let space = state.space()?;
            let length = space.editor.buffer().text.text().len();
            space.editor.buffer_mut().edit(&EditOp::Replace { range: 0..length, text });
            space.completion = None;
            space.needs_saving = true;
            Ok(Vec::new())
        },
    )
    .takes(&[required("text", Kind::Text, "The text.")])
    .undoable(),
    Command::new(
        "editor.insert",
        "Insert into the editor",
        "Writes a text at the editor's cursor.",
        "working",
        |state, arguments| insert(state, arguments.text("text").unwrap_or_default()),
    )
    .takes(&[required("text", Kind::Text, "The text.")])
    .undoable(),
    Command::new(
        "editor.indent",
        "Indent",
        "Moves the line or the selected lines to the right.",
        "working && editor",
        |state, _| text_input::apply_here(state, &EditOp::Indent),
    )
    .undoable(),
    Command::new(
        "editor.outdent",
        "Outdent",
        "Moves the line or the selected lines to the left.",
        "working && editor",
        |state, _| text_input::apply_here(state, &EditOp::Outdent),
    )
    .undoable(),
    Command::new(
        "editor.comment",
        "Comment",
        "Makes the selected lines comments, or takes that back.",
        "working && editor",
        |state, _| text_input::apply_here(state, &EditOp::ToggleComment),
    )
    .undoable(),
    Command::new(
        "editor.format",
        "Format the statement",
        "Lays the statement at the cursor out anew.",
        "working",
        format,
    )
    .undoable(),
    Command::new(
        "editor.bracket",
        "Matching bracket",
        "Moves the cursor to the bracket that matches.",
        "open",
        bracket,
    ),
    Command::new(
        "editor.place",
        "Place the cursor",
        "Moves the cursor to a line and column.",
        "working",
        |state, arguments| {
            let (line, cell) = (arguments.index("line").unwrap_or(0), arguments.index("cell").unwrap_or(0));
            state.focus = Focus::Editor;
            let space = state.space()?;
            space.editor.is_writing = true;
            space.completion = None;
            let text = &mut space.editor.buffer_mut().text;
            let line = line.min(text.lines().len() - 1);
            let place = text.place_at_column(line, cell);
            text.apply(&EditOp::Move {
                motion: Motion::To(place),
                select: arguments.flag("select") == Some(true),
            });
            Ok(Vec::new())
        },
    )
    .takes(&[
        required("line", Kind::Integer, "The line, from 0."),
        required("cell", Kind::Integer, "The column in cells, from 0."),
        optional("select", Kind::Boolean, "Whether to select on the way."),
    ]),
    Command::new(
        "editor.scroll",
        "Scroll the editor",
        "Moves the editor's cursor by lines, wherever the focus is.",
        "open",
        |state, arguments| {
            let by = arguments.integer("by").unwrap_or(1);
            let lines = usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX);
            let motion = if by < 0 { Motion::PageUp(lines) } else { Motion::PageDown(lines) };
            let space = state.space()?;
            space.completion = None;
            space.editor.buffer_mut().text.apply(&EditOp::Move { motion, select: false });
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "Lines; below zero goes up.")]),
    Command::new(
        "completion.open",
        "Complete",
        "Shows what could be written here.",
        "working && editor",
        |state, _| {
            completion::open(state.space()?, true);
            Ok(Vec::new())
        },
    ),
    Command::new(
        "completion.next",
        "Next completion",
        "Chooses the completion below.",
        "completion",
        |state, _| {
            completion::step(state.space()?, 1);
            Ok(Vec::new())
        },
    ),
    Command::new(
        "completion.previous",
        "Previous completion",
        "Chooses the completion above.",
        "completion",
        |state, _| {
            completion::step(state.space()?, -1);
            Ok(Vec::new())
        },
    ),
    Command::new(
        "completion.accept",
        "Accept the completion",
        "Writes the chosen completion.",
        "completion",
        |state, arguments| {
            completion::accept(state.space()?, arguments.index("index"));
            Ok(Vec::new())
        },
    )
    .takes(&[optional("index", Kind::Integer, "Which of them; the chosen one, or the first, if absent.")])
    .undoable(),
    Command::new(
        "completion.close",
        "Close completions",
        "Hides the completions.",
        "completion",
        |state, _| {
            state.space()?.completion = None;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "editor.completions",
        "Switch completions on or off",
        "Decides whether completions show by themselves.",
        "",
        |state, _| {
            state.settings.completion = !state.settings.completion;
            state.inform(if state.settings.completion {
                "completions show while you type"
            } else {
                "completions show when asked for"
            });
            Ok(Vec::new())
        },
    ),
    Command::new("buffer.new", "New buffer", "Begins an empty buffer.", "working", |state, _| {
        state.focus = Focus::Editor;
        let space = state.space()?;
        space.editor.add("");
        space.editor.is_writing = true;
        space.needs_saving = true;
        Ok(Vec::new())
    }),
    Command::new("buffer.next", "Next buffer", "Shows the next buffer.", "open", |state, _| step(state, 1)),
    Command::new("buffer.previous", "Previous buffer", "Shows the buffer before.", "open", |state, _| {
        step(state, -1)
    }),
    Command::new(
        "buffer.show",
        "Show a buffer",
        "Shows a buffer by its place.",
        "open",
        |state, arguments| {
            let Some(index) = arguments.index("index") else {
                let items = state.space()?.editor.buffers().iter().zip(0_i64..).map(|(buffer, index)| Item {
                    label: buffer.name.clone(),
                    detail: buffer.text.lines().join(" ").chars().take(80).collect(),
                    aside: String::new(),
                    gives: Invocation::of("buffer.show").with("index", index),
                });
                let items = items.collect();
                state.overlays.push(Overlay::Picker(Picker::new("Buffers", Purpose::Choice, items)));
                return Ok(Vec::new());
            };
            state.space()?.editor.show(index);
            Ok(Vec::new())
        },
    )
    .takes(&[optional("index", Kind::Integer, "Its place, from 0; a list is shown if absent.")]),
    Command::new(
        "buffer.close",
        "Close the buffer",
        "Closes the buffer that is shown.",
        "working",
        |state, _| {
            let space = state.space()?;
            space.editor.close();
            space.needs_saving = true;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "buffer.write",
        "Write the buffer to a file",
        "Writes the text of the buffer to an .sql file.",
        "open",
        write,
    )
    .takes(&[
        optional("path", Kind::Text, "Where to; asked for if absent."),
        optional("replace", Kind::Boolean, "Whether a file that is there may be replaced."),
    ]),
    Command::new("buffer.read", "Open a file", "Reads an .sql file into a new buffer.", "working", read)
        .takes(&[optional("path", Kind::Text, "The file; asked for if absent.")]),
    Command::new("buffer.rename", "Rename the buffer", "Gives the buffer another name.", "working", rename)
        .takes(&[optional("name", Kind::Text, "The name; asked for if absent.")]),
];

/// Writes a text at the editor's cursor, wherever the focus is.
pub(super) fn insert(state: &mut Workbench, text: &str) -> Done {
    let space = state.space()?;
    space.editor.buffer_mut().edit(&EditOp::Insert(text.to_owned()));
    space.completion = None;
    space.needs_saving = true;
    Ok(Vec::new())
}

fn format(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let space = state.space()?;
    let buffer = space.editor.buffer_mut();
    let text = buffer.text.text();
    let cursor = buffer.text.offset_of(buffer.text.cursor());
    let Some(range) = crate::sql::statement_at::statement_at(&text, cursor) else {
        return Err("there is no statement to format".to_owned());
    };
    let formatted = format_sql(&text[range.clone()]);
    if formatted == text[range.clone()] {
        return Err("the statement stays as it is: it is laid out already, or can't be without changing it"
            .to_owned());
    }
    buffer.edit(&EditOp::Replace { range, text: formatted });
    space.needs_saving = true;
    Ok(Vec::new())
}

fn bracket(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let text = &mut state.space()?.editor.buffer_mut().text;
    let whole = text.text();
    let Some((_, other)) = matching(&whole, text.offset_of(text.cursor())) else {
        return Err("no bracket at the cursor has a match".to_owned());
    };
    let place = text.place_of(other);
    text.apply(&EditOp::Move { motion: Motion::To(place), select: false });
    Ok(Vec::new())
}

fn step(state: &mut Workbench, by: isize) -> Done {
    let space = state.space()?;
    let count = space.editor.buffers().len().cast_signed();
    let next = (space.editor.current().cast_signed() + by).rem_euclid(count);
    space.editor.show(next.unsigned_abs());
    space.completion = None;
    space.needs_saving = true;
    Ok(Vec::new())
}

fn write(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let buffer = state.space()?.editor.buffer();
    let (name, text) = (buffer.name.replace(' ', "-"), buffer.text.text());
    let Some(path) = arguments.text("path") else {
        let name = format!("{}.sql", name.trim_end_matches(".sql"));
        return ask_for_path(state, "Write the buffer to a file", &name, Invocation::of("buffer.write"));
    };
    let (path, replace) = (path.trim().to_owned(), arguments.flag("replace") == Some(true));
    let (_, effect) = state.ask(WRITING, Ask::WriteText { path, text, replace });
    Ok(vec![effect])
}

#[allow(clippy::unnecessary_wraps)] // the signature of the table
fn read(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(path) = arguments.text("path") else {
        return ask_for_path(state, "Open a file", "", Invocation::of("buffer.read"));
    };
    let (_, effect) = state.ask("reading the file", Ask::ReadText(path.trim().to_owned()));
    Ok(vec![effect])
}

/// A file was read into a buffer of its own.
pub(in crate::workbench) fn text_read(state: &mut Workbench, name: String, text: &str) {
    if let Some(space) = state.workspace.as_mut().filter(|space| !space.is_over()) {
        space.editor.add_named(name, text);
        space.completion = None;
        space.needs_saving = true;
        state.focus = Focus::Editor;
    }
}

fn rename(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let space = state.space()?;
    let Some(name) = arguments.text("name") else {
        let hint = "The name shows at the top of the editor.";
        let prompt = Prompt::new("Rename the buffer", hint, Invocation::of("buffer.rename"), "name")
            .with_text(&space.editor.buffer().name);
        return state.prompt(prompt);
    };
    let name: String = name.trim().chars().take(40).collect();
    if name.is_empty() {
        return Err("a buffer needs a name".to_owned());
    }
    space.editor.buffer_mut().name = name;
    space.needs_saving = true;
    Ok(Vec::new())
}
