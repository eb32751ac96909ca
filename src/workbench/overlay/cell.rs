//! A value of a result, whole: as it is, and made readable where it is JSON.

use super::super::request::RequestId;
use crate::text::rows::{Rows, count};
use serde::Serialize;

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellView {
    /// Its column.
    pub column: String,
    /// Its type, in a word.
    pub kind: &'static str,
    /// Its whole text.
    #[serde(skip)]
    pub text: String,
    /// Its length in bytes.
    pub bytes: usize,
    /// Made readable; `None` until that is done, and where it can't be.
    pub pretty: Option<PrettyText>,
    /// Whether the text is shown as it is.
    pub raw: bool,
    /// The request that makes it readable.
    #[serde(skip)]
    pub request: Option<RequestId>,
}

/// Text made readable, in coloured pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PrettyText {
    /// What it was read as: `JSON`, `text`.
    pub language: String,
    /// Its lines, each in pieces.
    #[serde(skip)]
    pub lines: Vec<Vec<(PayloadClass, String)>>,
    /// Why it is not coloured or not whole, if it isn't.
    pub remark: Option<String>,
}

/// What a piece of a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PayloadClass {
    /// Anything else.
    Plain,
    /// The name of a member.
    Key,
    /// A text.
    String,
    /// A number.
    Number,
    /// `true`, `false`, `null`, a keyword.
    Constant,
    /// Brackets, commas.
    Punctuation,
    /// A comment.
    Comment,
}

impl CellView {
    /// The text made readable, where there is one and it is wanted.
    pub fn readable(&self) -> Option<&PrettyText> {
        self.pretty.as_ref().filter(|_| !self.raw)
    }

    /// What is to be said above the value, if anything.
    pub fn remark(&self) -> Option<&str> {
        self.readable()?.remark.as_deref()
    }

    /// The rows that it takes where a row has so many cells. Nothing is laid out for it.
    pub fn rows(&self, cells: usize) -> usize {
        let above = usize::from(self.remark().is_some());
        above
            + match self.readable() {
                Some(pretty) => pretty.lines.iter().map(|line| line_rows(line, cells)).sum(),
                None => Rows::of(&self.text, cells).map(|row| row.1).sum::<usize>(),
            }
    }
}

/// The rows of a line in pieces.
pub fn line_rows<C>(line: &[(C, String)], cells: usize) -> usize {
    match line {
        [] => 1,
        [(_, only)] => count(only, cells),
        _ => {
            let text: String = line.iter().map(|(_, text)| text.as_str()).collect();
            count(&text, cells)
        }
    }
}
