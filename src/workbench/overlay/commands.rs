//! Commands of what lies over a page, and of writing text, which goes wherever text is written.

#![allow(clippy::unnecessary_wraps)] // every command has the signature of the table

use super::super::command::{Arguments, Command, Done, Invocation, Kind, find, optional};
use super::super::effect::{Drive, Effect};
use super::super::state::Workbench;
use super::super::{shell, text_input, update};
use super::picker::{Item, Picker, Purpose};
use super::reader::Content;
use super::{Overlay, Prompt};
use crate::text::edit_buffer::{EditOp, Motion};
use serde_json::Value;

const MOTIONS: &[&str] = &[
    "left",
    "right",
    "up",
    "down",
    "word_left",
    "word_right",
    "line_start",
    "line_end",
    "text_start",
    "text_end",
    "page_up",
    "page_down",
];
const PARTS: &[&str] =
    &["before", "after", "word_before", "word_after", "to_line_start", "to_line_end", "line"];
/// Lines that a page of the editor moves.
const PAGE: usize = 10;

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new("overlay.close", "Close", "Closes what lies on top.", "overlay", |state, _| {
        state.overlays.pop();
        Ok(Vec::new())
    }),
    Command::new("picker.next", "Next item", "Chooses the item below.", "picker", |state, arguments| {
        step(state, arguments.integer("by").unwrap_or(1))
    })
    .takes(&[optional("by", Kind::Integer, "How many items.")]),
    Command::new(
        "picker.previous",
        "Previous item",
        "Chooses the item above.",
        "picker",
        |state, arguments| step(state, arguments.integer("by").unwrap_or(1).saturating_neg()),
    )
    .takes(&[optional("by", Kind::Integer, "How many items.")]),
    Command::new("picker.accept", "Pick", "Picks the chosen item.", "picker", accept).takes(&[optional(
        "index",
        Kind::Integer,
        "Which of the matches; the chosen one if absent.",
    )]),
    Command::new("prompt.accept", "Accept", "Takes the text that was typed.", "prompt", answered),
    Command::new("confirm.yes", "Yes", "Does what was asked about.", "confirm", |state, _| {
        let Some(Overlay::Confirm(confirm)) = state.overlays.pop() else { return Ok(Vec::new()) };
        Ok(update::give(state, &confirm.then))
    }),
    Command::new("reader.scroll", "Scroll", "Scrolls the text.", "reader", scroll).takes(&[optional(
        "by",
        Kind::Integer,
        "Lines; below zero goes up.",
    )]),
    Command::new(
        "cell.raw",
        "Raw or readable",
        "Shows the value as it is, or made readable.",
        "reader",
        |state, _| {
            if let Some(Overlay::Reader(reader)) = state.overlays.last_mut()
                && let Content::Cell(cell) = &mut reader.content
            {
                cell.raw = !cell.raw;
                reader.top = 0;
            }
            Ok(Vec::new())
        },
    ),
    Command::new(
        "text.insert",
        "Insert text",
        "Writes a text at the cursor.",
        "typing",
        |state, arguments| {
            text_input::apply(state, &EditOp::Insert(arguments.text("text").unwrap_or_default().to_owned()))
        },
    )
    .takes(&[super::super::command::required("text", Kind::Text, "The text.")]),
    Command::new(
        "text.newline",
        "New line",
        "Begins a line, indented like the one before.",
        "typing",
        |state, _| text_input::apply(state, &EditOp::Newline),
    ),
    Command::new(
        "text.move",
        "Move the cursor",
        "Moves the cursor, and selects on the way if asked.",
        "typing || editor",
        motion,
    )
    .takes(&[
        super::super::command::required("to", Kind::Choice(MOTIONS), "Where to."),
        optional("select", Kind::Boolean, "Whether to select."),
    ]),
    Command::new("text.delete", "Delete", "Deletes a part of the text at the cursor.", "typing", delete)
        .takes(&[super::super::command::required("what", Kind::Choice(PARTS), "Which part.")]),
    Command::new("text.select_all", "Select all", "Selects the whole text.", "typing", |state, _| {
        text_input::apply(state, &EditOp::SelectAll)
    }),
    Command::new(
        "text.undo",
        "Undo",
        "Takes the last change of the text back.",
        "typing || editor",
        |state, _| text_input::apply_here(state, &EditOp::Undo),
    ),
    Command::new("text.redo", "Redo", "Makes what was taken back again.", "typing || editor", |state, _| {
        text_input::apply_here(state, &EditOp::Redo)
    }),
    Command::new(
        "text.copy",
        "Copy the selection",
        "Copies the selected text.",
        "typing || editor",
        |state, _| Ok(copy(state)?.into_iter().collect()),
    ),
    Command::new(
        "text.cut",
        "Cut the selection",
        "Copies the selected text and deletes it.",
        "typing",
        |state, _| {
            let copied = copy(state)?;
            let mut effects = text_input::apply(state, &EditOp::Insert(String::new()))?;
            effects.extend(copied);
            Ok(effects)
        },
    ),
];

fn step(state: &mut Workbench, by: i64) -> Done {
    if let Some(Overlay::Picker(picker)) = state.overlays.last_mut() {
        picker.step(isize::try_from(by).unwrap_or(0));
    }
    Ok(Vec::new())
}

fn accept(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(Overlay::Picker(picker)) = state.overlays.last_mut() else { return Ok(Vec::new()) };
    if let Some(index) = arguments.index("index") {
        picker.chosen = index.min(picker.matches.len().saturating_sub(1));
    }
    let Some(item) = picker.choice().cloned() else { return Ok(Vec::new()) };
    let purpose = picker.purpose;
    state.overlays.pop();
    let mut effects = Vec::new();
    if purpose == Purpose::Palette {
        effects.push(shell::remember(state, &item.gives.command));
        if let Some(asking) = ask_for_missing(&item) {
            state.overlays.push(asking);
            return Ok(effects);
        }
    }
    effects.extend(update::give(state, &item.gives));
    Ok(effects)
}

/// The question for an argument that a command can't do without.
fn ask_for_missing(item: &Item) -> Option<Overlay> {
    let command = find(&item.gives.command)?;
    let argument = shell::missing(command)?;
    Some(match argument.kind {
        Kind::Choice(choices) => {
            let items = choices
                .iter()
                .map(|choice| Item {
                    label: choice.replace('_', " "),
                    detail: String::new(),
                    aside: String::new(),
                    gives: item.gives.clone().with(argument.name, *choice),
                })
                .collect();
            Overlay::Picker(Picker::new(argument.doc, Purpose::Choice, items))
        }
        _ => Overlay::Prompt(Prompt::new(command.title, argument.doc, item.gives.clone(), argument.name)),
    })
}

fn answered(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let Some(Overlay::Prompt(prompt)) = state.overlays.pop() else { return Ok(Vec::new()) };
    let text = prompt.input.text();
    let kind = find(&prompt.then.command)
        .and_then(|command| command.arguments.iter().find(|argument| argument.name == prompt.argument))
        .map(|argument| argument.kind);
    let value = match kind {
        Some(Kind::Integer) => match text.trim().parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_) => return Err(format!("'{}' is no whole number", text.trim())),
        },
        Some(Kind::Boolean) => Value::from(matches!(text.trim(), "yes" | "true" | "y")),
        Some(Kind::Texts) => {
            Value::from(text.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>())
        }
        _ => Value::from(text),
    };
    let then: Invocation = prompt.then.with(&prompt.argument, value);
    Ok(update::give(state, &then))
}

fn scroll(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
    if let Some(Overlay::Reader(reader)) = state.overlays.last_mut() {
        reader.top = reader.top.saturating_add_signed(by);
    }
    Ok(Vec::new())
}

fn motion(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let motion = match arguments.text("to").unwrap_or_default() {
        "left" => Motion::Left,
        "right" => Motion::Right,
        "up" => Motion::Up,
        "down" => Motion::Down,
        "word_left" => Motion::WordLeft,
        "word_right" => Motion::WordRight,
        "line_start" => Motion::LineStart,
        "line_end" => Motion::LineEnd,
        "text_start" => Motion::TextStart,
        "text_end" => Motion::TextEnd,
        "page_up" => Motion::PageUp(PAGE),
        _ => Motion::PageDown(PAGE),
    };
    text_input::apply_here(state, &EditOp::Move { motion, select: arguments.flag("select") == Some(true) })
}

fn delete(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let op = match arguments.text("what").unwrap_or_default() {
        "before" => EditOp::Backspace,
        "after" => EditOp::Delete,
        "word_before" => EditOp::DeleteWordBack,
        "word_after" => EditOp::DeleteWordForward,
        "to_line_start" => EditOp::DeleteToLineStart,
        "to_line_end" => EditOp::DeleteToLineEnd,
        _ => EditOp::DeleteLine,
    };
    text_input::apply(state, &op)
}

fn copy(state: &mut Workbench) -> Result<Option<Effect>, String> {
    let text = match state.typing() {
        Some(text) => text.selected_text(),
        None => state.space()?.editor.buffer().text.selected_text(),
    };
    if text.is_empty() {
        return Err("nothing is selected; Shift with the arrows selects".to_owned());
    }
    state.register.clone_from(&text);
    Ok(Some(Effect::Drive(Drive::Copy { text, what: "the selection".to_owned() })))
}
