//! A result as text that other programs read: CSV, TSV, JSON Lines, a Markdown table, an SQL IN list.
//!
//! One way for the command line, the clipboard and files. Values are whole, never cut; but for Markdown, which people
//! look at, they are real, not made visible. Not here: tables for a terminal ([`grid`](super::grid)).

mod csv;
mod in_list;
mod json_lines;
mod markdown;
#[cfg(test)]
mod tests;

use super::tsv;
use crate::domain::Value;
use std::io::{self, BufWriter, Write};

/// A form of text for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextFormat {
    /// Comma-separated values (RFC 4180), with names. NULL is an empty field, the empty text is `""`.
    Csv,
    /// Tab-separated values, with names; escapes and `\N` for NULL as in [`tsv`].
    Tsv,
    /// One JSON object a row, by [`Value`]'s JSON form. A name that comes again is numbered: `name`, `name_2`.
    JsonLines,
    /// A Markdown table, with marks for what is invisible.
    Markdown,
    /// The first column as an SQL list, `('a', 'b', 3)`, on one line without an end. Values that come again are left
    /// out, and NULL, which no IN finds.
    InList,
}

impl TextFormat {
    /// All forms, the most usual first.
    pub const ALL: [Self; 5] = [Self::Csv, Self::Tsv, Self::JsonLines, Self::Markdown, Self::InList];

    /// Its name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::JsonLines => "JSON Lines",
            Self::Markdown => "Markdown table",
            Self::InList => "SQL IN list",
        }
    }

    /// The usual end of a file's name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::JsonLines => "jsonl",
            Self::Markdown => "md",
            Self::InList => "sql",
        }
    }
}

/// Writes a result. A result without columns is no text at all, or an empty list.
///
/// A part of the columns is written by giving that part of each row: `&row[2..=2]`.
///
/// # Errors
/// What `out` says.
pub fn write<'r>(
    format: TextFormat,
    columns: &[String],
    rows: impl IntoIterator<Item = &'r [Value]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = rows.into_iter();
    // A standard output that is flushed at each line end would be slow.
    let out = &mut BufWriter::with_capacity(1 << 16, out);
    match format {
        TextFormat::InList => in_list::write(rows, out)?,
        _ if columns.is_empty() => {}
        TextFormat::JsonLines => json_lines::write(columns, rows, out)?,
        TextFormat::Csv => lines(&csv::names(columns), rows, csv::row, out)?,
        TextFormat::Tsv => {
            let line = |text: String| text + "\n";
            lines(&line(tsv::names(columns)), rows, |row| line(tsv::row(row)), out)?;
        }
        TextFormat::Markdown => lines(&markdown::head(columns), rows, markdown::row, out)?,
    }
    out.flush()
}

/// Like [`write()`], into a text.
pub fn to_string<'r>(
    format: TextFormat,
    columns: &[String],
    rows: impl IntoIterator<Item = &'r [Value]>,
) -> String {
    let mut bytes = Vec::new();
    // Writing to memory can't fail, and all of it is UTF-8.
    let _ = write(format, columns, rows, &mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

fn lines<'r>(
    head: &str,
    mut rows: impl Iterator<Item = &'r [Value]>,
    line: impl Fn(&[Value]) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(head.as_bytes())?;
    rows.try_for_each(|row| out.write_all(line(row).as_bytes()))
}
