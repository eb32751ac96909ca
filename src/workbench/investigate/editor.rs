//! The SQL editor: several buffers, each with its text, its colours and the place of its last error.

use crate::text::edit_buffer::{EditBuffer, EditOp};
use crate::text::sql_colours::SqlLines;
use crate::workbench::layout::keep_in_view;
use serde_json::{Value, json};

/// The editor.
#[derive(Debug, Clone, PartialEq)]
pub struct Editor {
    buffers: Vec<Buffer>,
    current: usize,
    /// The number that the next buffer gets.
    next: u64,
    /// Whether keys write text.
    pub is_writing: bool,
}

/// A buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Its number, which stays.
    pub number: u64,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: EditBuffer,
    /// Its colours.
    pub colours: SqlLines,
    /// The revision of the text that the colours are of.
    coloured: u64,
    /// Where the last statement from it failed, in bytes.
    pub error: Option<usize>,
    /// The first line that is shown.
    pub top: usize,
    /// The first column that is shown, in cells.
    pub left: usize,
}

impl Buffer {
    pub(in crate::workbench) fn new(number: u64, name: String, text: &str) -> Self {
        let text = EditBuffer::from_text(text);
        let (colours, coloured) = (SqlLines::new(text.lines()), text.revision());
        Self { number, name, text, colours, coloured, error: None, top: 0, left: 0 }
    }

    /// What follows when the text was changed: new colours, and the error is somewhere else.
    pub(in crate::workbench) fn changed(&mut self) {
        if let Some(changed) = self.text.changed_since(self.coloured) {
            self.colours.update(self.text.lines(), changed);
            self.coloured = self.text.revision();
            self.error = None;
        }
    }

    /// Applies an operation with what follows; gives whether text or cursor changed.
    pub(in crate::workbench) fn edit(&mut self, op: &EditOp) -> bool {
        let has_moved = self.text.apply(op);
        if has_moved {
            self.changed();
        }
        has_moved
    }

    /// Columns that line numbers take, with a space behind.
    pub fn gutter(&self) -> usize {
        let lines = self.text.lines().len();
        lines.to_string().len().max(2) + 1
    }

    /// Moves the cursor into what is shown.
    pub(in crate::workbench) fn scroll(&mut self, height: usize, width: usize) {
        let cursor = self.text.cursor();
        keep_in_view(&mut self.top, cursor.line, height);
        self.top = self.top.min(self.text.lines().len().saturating_sub(height.max(1)));
        let column = self.text.column_of(cursor);
        if column < width {
            // Where the beginning of the line can show, it does.
            self.left = 0;
        } else if column < self.left {
            self.left = column - width / 4;
        } else if column >= self.left + width {
            // Some of what comes next shows too.
            self.left = column + 1 + width / 4 - width;
        }
    }
}

impl Default for Editor {
    fn default() -> Self {
        Self {
            buffers: vec![Buffer::new(1, "query 1".to_owned(), "")],
            current: 0,
            next: 2,
            is_writing: true,
        }
    }
}

impl Editor {
    /// An editor with these buffers, by name and text, one of them shown with the cursor at a byte.
    pub(in crate::workbench) fn with(buffers: &[(String, String)], current: usize, cursor: usize) -> Self {
        if buffers.is_empty() {
            return Self::default();
        }
        let buffers: Vec<Buffer> = (1..)
            .zip(buffers)
            .map(|(number, (name, text))| Buffer::new(number, name.clone(), text))
            .collect();
        let mut editor = Self {
            current: current.min(buffers.len() - 1),
            next: buffers.len() as u64 + 1,
            buffers,
            is_writing: true,
        };
        let text = &mut editor.buffer_mut().text;
        let place = text.place_of(cursor);
        text.apply(&EditOp::Move { motion: crate::text::edit_buffer::Motion::To(place), select: false });
        editor
    }

    /// The buffer that is shown.
    pub fn buffer(&self) -> &Buffer {
        &self.buffers[self.current]
    }

    /// The buffer that is shown, to be changed.
    pub fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffers[self.current]
    }

    /// All buffers.
    pub fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// Which of them is shown.
    pub const fn current(&self) -> usize {
        self.current
    }

    /// The buffer of a number, to be changed.
    pub(in crate::workbench) fn numbered(&mut self, number: u64) -> Option<&mut Buffer> {
        self.buffers.iter_mut().find(|buffer| buffer.number == number)
    }

    /// Shows a buffer.
    pub(in crate::workbench) fn show(&mut self, index: usize) {
        self.current = index.min(self.buffers.len() - 1);
    }

    /// Begins a buffer and shows it.
    pub(in crate::workbench) fn add(&mut self, text: &str) {
        let number = self.next;
        self.next += 1;
        self.buffers.push(Buffer::new(number, format!("query {number}"), text));
        self.current = self.buffers.len() - 1;
    }

    /// Begins a buffer with a name, and shows it.
    pub(in crate::workbench) fn add_named(&mut self, name: String, text: &str) {
        self.add(text);
        self.buffer_mut().name = name;
    }

    /// Closes the buffer that is shown. There is always one.
    pub(in crate::workbench) fn close(&mut self) {
        self.buffers.remove(self.current);
        if self.buffers.is_empty() {
            self.add("");
        }
        self.current = self.current.min(self.buffers.len() - 1);
    }

    pub(in crate::workbench) fn document(&self) -> Value {
        let buffers: Vec<Value> = self
            .buffers
            .iter()
            .map(|it| json!({"name": it.name, "text": it.text.text(), "error": it.error}))
            .collect();
        let text = &self.buffer().text;
        json!({
            "buffers": buffers,
            "current": self.current,
            "cursor": text.offset_of(text.cursor()),
            "writing": self.is_writing,
        })
    }
}
