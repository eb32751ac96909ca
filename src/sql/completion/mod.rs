//! What could stand at the cursor of a statement that is still being written.
//!
//! It reads tokens only, since half a statement has no grammar: brackets, FROM lists, aliases, WITH. What it offers are
//! names of the schema, of the text and of SQLite; never how tables join, which is the task. Not here: when to ask, and
//! which candidate is taken.

mod candidate;
mod context;
mod keywords;
mod offer;
mod output;
mod ranking;
mod reading;
mod relation;
mod scope;
#[cfg(test)]
mod tests;

use crate::domain::SchemaDocument;
use std::ops::Range;

/// The most candidates given.
pub const MOST: usize = 50;

/// What could replace the word at a cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The bytes of the text that a candidate's text replaces; empty where no word is begun.
    pub replace: Range<usize>,
    /// The candidates, the best first; at most [`MOST`]. The same text, offset and schema always give the same.
    pub candidates: Vec<Candidate>,
}

/// One candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What to put into the text: quoted where it must be, qualified where it would be ambiguous, functions with their
    /// opening bracket.
    pub text: String,
    /// What it is.
    pub kind: CandidateKind,
    /// A remark: the table of a column or alias, size and description of a table, signature and meaning of a function.
    pub detail: String,
}

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CandidateKind {
    /// A table of the schema.
    Table,
    /// A column.
    Column,
    /// A name that the statement gives to a table.
    Alias,
    /// A table that WITH defines.
    Cte,
    /// A function.
    Function,
    /// A word of the language, or several.
    Keyword,
}

/// What could stand at `offset` of `text`: names that hold the letters before it in their order. Nothing within strings
/// and comments, where a new name is given, and after numbers.
pub fn complete(text: &str, offset: usize, schema: &SchemaDocument) -> Completion {
    let offset = text.floor_char_boundary(offset);
    let Some(reading) = reading::Reading::at(text, offset) else {
        return Completion { replace: offset..offset, candidates: Vec::new() };
    };
    let scope = scope::Scope::at_cursor(&reading, schema);
    // Some may fall together, and the last one's neighbour says whether its name is ambiguous.
    let mut best = ranking::Best::new(&reading.typed, 2 * MOST);
    offer::offers(&reading, &scope, schema, &mut best);
    let mut candidates = candidate::candidates(&best.into_sorted(), &reading);
    candidates.truncate(MOST);
    Completion { replace: reading.replace, candidates }
}
