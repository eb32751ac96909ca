//! What each piece of an SQL text is, line by line, for colours in an editor.
//!
//! [`SqlLines`] remembers how each line begins (within a string, a comment …), so that an edit costs the lines it
//! touches and those whose beginning it changes. Not here: colours themselves, and whether the SQL is right.

use super::edit_buffer::ChangedLines;
use super::sql_lexer::{self, TokenKind, closing_quote};
use super::sql_words::is_keyword;
use std::ops::Range;

/// The sort of a piece of SQL, as a reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlClass {
    /// A word of the language.
    Keyword,
    /// A name that a `(` follows.
    Function,
    /// Any other bare word.
    Name,
    /// A name in quotes or brackets.
    QuotedName,
    /// A text.
    String,
    /// A number.
    Number,
    /// `x'…'`.
    Blob,
    /// A comment.
    Comment,
    /// An operator, a comma, a dot, a semicolon.
    Operator,
    /// `(` or `)`.
    Bracket,
    /// A placeholder for a value.
    Parameter,
    /// What SQL has no use for.
    Unknown,
}

/// What a line begins within.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    Comment,
    String,
    Blob,
    DoubleQuotes,
    BackQuotes,
    SquareBrackets,
}

impl Within {
    /// What an unterminated token leaves open for the next line.
    fn of(kind: TokenKind, token: &str) -> Self {
        match (kind, token.as_bytes().first()) {
            (TokenKind::Comment, _) => Self::Comment,
            (TokenKind::String, _) => Self::String,
            (TokenKind::Blob, _) => Self::Blob,
            (_, Some(b'`')) => Self::BackQuotes,
            (_, Some(b'[')) => Self::SquareBrackets,
            (_, Some(b'"')) => Self::DoubleQuotes,
            _ => Self::Nothing,
        }
    }

    const fn class(self) -> SqlClass {
        match self {
            Self::Nothing | Self::Comment => SqlClass::Comment,
            Self::String => SqlClass::String,
            Self::Blob => SqlClass::Blob,
            Self::DoubleQuotes | Self::BackQuotes | Self::SquareBrackets => SqlClass::QuotedName,
        }
    }

    /// Where a line leaves what it begins within; `None` where it does not.
    fn end(self, line: &str) -> Option<usize> {
        match self {
            Self::Nothing => Some(0),
            Self::Comment => line.find("*/").map(|at| at + 2),
            Self::SquareBrackets => line.find(']').map(|at| at + 1),
            Self::String | Self::Blob => closing_quote(line.as_bytes(), b'\''),
            Self::DoubleQuotes => closing_quote(line.as_bytes(), b'"'),
            Self::BackQuotes => closing_quote(line.as_bytes(), b'`'),
        }
    }

    /// What the line after this one begins within.
    fn after(self, line: &str) -> Self {
        let Some(start) = self.end(line) else { return self };
        let rest = &line[start..];
        match sql_lexer::tokens(rest).last() {
            Some(token) if token.unterminated => Self::of(token.kind, &rest[token.range]),
            _ => Self::Nothing,
        }
    }
}

/// How each line of an SQL text begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlLines {
    starts: Vec<Within>,
}

impl SqlLines {
    /// Reads a whole text.
    pub fn new(lines: &[String]) -> Self {
        let mut all = Self::default();
        all.update(lines, ChangedLines::ALL);
        all
    }

    /// Reads the lines again that changed, and those after them until one begins as before. Gives back the lines read;
    /// only their colours can have changed.
    ///
    /// `changed` must hold for everything since the last update, as [`EditBuffer::changed_since`] says it.
    ///
    /// [`EditBuffer::changed_since`]: super::edit_buffer::EditBuffer::changed_since
    pub fn update(&mut self, lines: &[String], changed: ChangedLines) -> Range<usize> {
        if lines.is_empty() {
            self.starts.clear();
            return 0..0;
        }
        if self.starts.is_empty() {
            self.starts.push(Within::Nothing);
        }
        let shorter = lines.len().min(self.starts.len());
        let first = changed.first.min(shorter - 1);
        let kept_at_end = changed.kept_at_end.min(shorter - 1 - first);
        let mut within = self.starts[first];
        let mut read = Vec::new();
        let mut stop = lines.len();
        for (number, line) in (first + 1..).zip(&lines[first..]) {
            within = within.after(line);
            let left = lines.len() - number;
            if left == 0 {
                break;
            }
            if left <= kept_at_end && self.starts[self.starts.len() - left] == within {
                stop = number;
                break;
            }
            read.push(within);
        }
        let kept_from = self.starts.len() - (lines.len() - stop);
        self.starts.splice(first + 1..kept_from, read);
        first..stop
    }

    /// The pieces of a line, white space left out, in order. A line beyond the last one read begins afresh.
    pub fn spans(&self, line: &str, number: usize) -> Vec<(Range<usize>, SqlClass)> {
        self.spans_within(line, number, 0..line.len())
    }

    /// Like [`SqlLines::spans`], of the pieces only that reach into a range of bytes: of a very long line the part that
    /// is on the screen.
    pub fn spans_within(
        &self,
        line: &str,
        number: usize,
        bytes: Range<usize>,
    ) -> Vec<(Range<usize>, SqlClass)> {
        let within = self.starts.get(number).copied().unwrap_or(Within::Nothing);
        let mut spans = Vec::new();
        let start = within.end(line).unwrap_or(line.len());
        if start > bytes.start && bytes.end > 0 {
            spans.push((0..start, within.class()));
        }
        let mut before = Before::Other;
        for token in sql_lexer::tokens(&line[start..]) {
            let range = start + token.range.start..start + token.range.end;
            if range.start >= bytes.end {
                break;
            }
            if token.kind == TokenKind::Space || token.kind == TokenKind::Comment && range.end <= bytes.start
            {
                continue;
            }
            let text = &line[range.clone()];
            if range.end > bytes.start {
                let class = class(token.kind, text, before, &line[range.end..]);
                spans.push((range, class));
            }
            if token.kind != TokenKind::Comment {
                before = Before::of(text);
            }
        }
        spans
    }
}

/// What stands before a word and tells what it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A dot: a word after it is a name.
    Dot,
    /// A keyword that a table follows, whose columns may stand in brackets after it.
    TableFollows,
    Other,
}

impl Before {
    fn of(token: &str) -> Self {
        let is = |word: &str| token.eq_ignore_ascii_case(word);
        if token == "." {
            Self::Dot
        } else if is("INTO") || is("TABLE") || is("REFERENCES") {
            Self::TableFollows
        } else {
            Self::Other
        }
    }
}

fn class(kind: TokenKind, text: &str, before: Before, rest: &str) -> SqlClass {
    match kind {
        TokenKind::Word => word_class(text, before, rest),
        TokenKind::Comment => SqlClass::Comment,
        TokenKind::String => SqlClass::String,
        TokenKind::QuotedName => SqlClass::QuotedName,
        TokenKind::Blob => SqlClass::Blob,
        TokenKind::Number => SqlClass::Number,
        TokenKind::Parameter => SqlClass::Parameter,
        TokenKind::Open | TokenKind::Close => SqlClass::Bracket,
        TokenKind::Operator | TokenKind::Semicolon => SqlClass::Operator,
        TokenKind::Space | TokenKind::Unknown => SqlClass::Unknown,
    }
}

fn word_class(word: &str, before: Before, rest: &str) -> SqlClass {
    if before == Before::Dot {
        return SqlClass::Name;
    }
    let is_called = rest.trim_start_matches([' ', '\t', '\x0c']).starts_with('(');
    // Two functions have the name of a keyword that no bracket can follow.
    let is_function = ["REPLACE", "IF"].iter().any(|name| word.eq_ignore_ascii_case(name));
    match (is_keyword(word), is_called) {
        (true, true) if is_function => SqlClass::Function,
        (true, _) => SqlClass::Keyword,
        (false, true) if before != Before::TableFollows => SqlClass::Function,
        (false, _) => SqlClass::Name,
    }
}

#[cfg(test)]
#[path = "sql_colours_tests.rs"]
mod tests;
