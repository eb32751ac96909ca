//! Rows as text: to be copied, or in a file. The rows are those that were fetched; nothing is run again.

use super::writing;
use crate::domain::Value;
use crate::text::result_text::{TextFormat, write};
use crate::workbench::effect::Selection;
use crate::workbench::reply::Reply;
use std::io::{self, Write};
use std::path::Path;

/// Rows to be copied.
pub(super) fn render(selection: &Selection) -> Reply {
    let mut bytes = Vec::new();
    if let Err(error) = write_to(selection, &mut bytes) {
        return Reply::Failed(format!("the rows can't be written: {error}"));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let what = match selection.format {
        TextFormat::InList => "an SQL list".to_owned(),
        format => format!("{} as {}", rows(selection), format.name()),
    };
    Reply::CopyReady { text, what }
}

fn rows(selection: &Selection) -> String {
    match selection.rows.len() {
        1 => "1 row".to_owned(),
        count => format!("{count} rows"),
    }
}

fn write_to(selection: &Selection, out: &mut dyn Write) -> io::Result<()> {
    let result = &selection.result;
    let names: Vec<String> =
        selection.columns.iter().filter_map(|column| result.columns.get(*column).cloned()).collect();
    let whole: Vec<Vec<Value>> = selection
        .rows
        .iter()
        .filter_map(|row| result.rows.get(*row as usize))
        .map(|row| selection.columns.iter().filter_map(|column| row.get(*column).cloned()).collect())
        .collect();
    write(selection.format, &names, whole.iter().map(Vec::as_slice), out)
}

/// Rows in a file: whole or not at all.
pub(super) fn export(selection: &Selection, path: &str, replace: bool) -> Reply {
    let cut = match &selection.result.cut {
        Some(cut) => format!("; the result itself {cut}"),
        None => String::new(),
    };
    let done = format!("{} are in {path}{cut}", rows(selection));
    written(path, replace, done, |file| write_to(selection, file))
}

/// A text in a file: whole or not at all.
pub(super) fn write_text(path: &str, text: &str, replace: bool) -> Reply {
    written(path, replace, format!("it is in {path}"), |file| file.write_all(text.as_bytes()))
}

/// A text file, for a buffer.
pub(super) fn read_text(path: &str) -> Reply {
    match super::kept::read_text(Path::new(path)) {
        Ok(Some(text)) => {
            let name = Path::new(path)
                .file_name()
                .map_or_else(|| path.to_owned(), |it| it.to_string_lossy().into_owned());
            Reply::TextRead { name, text }
        }
        Ok(None) => Reply::Failed(format!("there is no file {path}")),
        Err(reason) => Reply::Failed(format!("{path} can't be read: {reason}")),
    }
}

/// Writes a file whole, and says what came of it.
pub(super) fn written(
    path: &str,
    replace: bool,
    done: String,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Reply {
    match writing::whole(Path::new(path), replace, write) {
        Ok(()) => Reply::Done(done),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Reply::Failed(format!("{path} is there already; give another name"))
        }
        Err(error) => Reply::Failed(format!("{path} can't be written: {error}")),
    }
}
