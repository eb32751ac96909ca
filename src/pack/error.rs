//! What is wrong with a pack: where, in which task, and why.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PackProblem {
    /// The file in the pack, such as `tasks/okta.toml`.
    pub file: String,
    /// The line in it, from 1, where one is known.
    pub line: Option<usize>,
    /// The task, where it is about one.
    pub task: Option<String>,
    /// What is wrong and what to do.
    pub reason: String,
}

impl PackProblem {
    /// A problem of a whole file.
    pub fn of_file(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, task: None, reason: reason.into() }
    }

    /// A problem of a task.
    pub fn of_task(place: &Place, task: &str, reason: impl Into<String>) -> Self {
        Self {
            file: place.file.clone(),
            line: Some(place.line),
            task: Some(task.to_owned()),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for PackProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(task) = &self.task {
            write!(f, ": {task}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for PackProblem {}

/// Where something was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The file in the pack.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
}

impl Place {
    /// The place of a byte in a file's text.
    pub(super) fn at(file: &str, text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        Self { file: file.to_owned(), line: 1 + before.matches('\n').count() }
    }
}
