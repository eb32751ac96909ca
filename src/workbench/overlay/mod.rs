//! What lies over a page: lists to pick from, questions, text to read. The last is on top and gets the keys.

pub mod cell;
pub mod commands;
pub mod help;
pub mod picker;
pub mod plan;
pub mod reader;

use super::command::Invocation;
use crate::text::edit_buffer::EditBuffer;
use picker::Picker;
use reader::Reader;
use serde::Serialize;

/// Something over the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Overlay {
    /// A list to pick from: palette, history, themes.
    Picker(Picker),
    /// A question for a text.
    Prompt(Prompt),
    /// A question for yes or no.
    Confirm(Confirm),
    /// Text to read: a cell, a record, a plan, statistics, notices, help.
    Reader(Reader),
    /// Shows what keys arrive and what they do.
    Keys(KeyInspector),
}

impl Overlay {
    /// Whether it is text to read, with the keys of such.
    pub const fn is_reader(&self) -> bool {
        matches!(self, Self::Reader(_))
    }
}

/// A question for a text: the answer becomes an argument of a command.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prompt {
    /// What is asked.
    pub title: String,
    /// What it is good for, in a sentence.
    pub hint: String,
    /// What was typed.
    #[serde(serialize_with = "super::document::buffer")]
    pub input: EditBuffer,
    /// The command that takes it.
    pub then: Invocation,
    /// The argument that it becomes.
    pub argument: String,
}

impl Prompt {
    /// A question whose answer becomes this argument of a command.
    pub(super) fn new(title: &str, hint: &str, then: Invocation, argument: &str) -> Self {
        Self {
            title: title.to_owned(),
            hint: hint.to_owned(),
            input: EditBuffer::one_line(""),
            then,
            argument: argument.to_owned(),
        }
    }

    /// The same with a text to begin from.
    pub(super) fn with_text(self, text: &str) -> Self {
        Self { input: EditBuffer::one_line(text), ..self }
    }
}

/// A question for yes or no.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Confirm {
    /// What is asked.
    pub title: String,
    /// What would happen.
    pub lines: Vec<String>,
    /// The word on the button.
    pub yes: String,
    /// The command that is given then.
    pub then: Invocation,
}

/// The last keys, and what they do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KeyInspector {
    /// Each key as it is written, and what it would do.
    pub seen: Vec<(String, String)>,
}
