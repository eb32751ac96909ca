//! What is kept from one time to the next: sizes and choices (`workbench.json`), statements (`history.jsonl`).
//!
//! A file that can't be read is moved aside and said; the workbench goes on without it.

use crate::workbench::investigate::history::{HistoryEntry, MOST};
use crate::workbench::reply::Reply;
use crate::workbench::settings::Kept;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// The file of sizes and choices.
pub(super) const KEPT_FILE: &str = "workbench.json";
/// The file of statements.
pub(super) const HISTORY_FILE: &str = "history.jsonl";
/// No file of ours is longer; of the history the end counts.
const MOST_BYTES: u64 = 16 << 20;

pub(super) fn read(data_folder: Option<&Path>) -> Reply {
    let mut problems = Vec::new();
    let (mut kept, mut history) = (Kept::default(), Vec::new());
    if let Some(folder) = data_folder {
        let path = folder.join(KEPT_FILE);
        match read_text(&path) {
            Ok(None) => {}
            Ok(Some(text)) => match serde_json::from_str(&text) {
                Ok(read) => kept = read,
                Err(error) => problems.push(set_aside(&path, &error.to_string())),
            },
            Err(reason) => problems.push(set_aside(&path, &reason)),
        }
        let path = folder.join(HISTORY_FILE);
        match read_text(&path) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let (entries, broken) = parse_history(&text);
                history = entries;
                if let Some(reason) = broken {
                    problems.push(set_aside(&path, &reason));
                }
            }
            Err(reason) => problems.push(set_aside(&path, &reason)),
        }
    }
    Reply::Kept { kept, history, problems }
}

/// The statements of a history, each once, the latest last; and why a line is none. A last line without an end was being
/// written when the process was killed: that is no damage.
fn parse_history(text: &str) -> (Vec<HistoryEntry>, Option<String>) {
    let (mut entries, mut broken): (Vec<HistoryEntry>, Option<String>) = (Vec::new(), None);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_whole = line.ends_with('\n');
        match serde_json::from_str::<HistoryEntry>(line.trim_end()) {
            Ok(entry) => entries.push(entry),
            Err(_) if line.trim().is_empty() || !is_whole => {}
            Err(error) => {
                broken.get_or_insert_with(|| format!("line {}: {error}", number + 1));
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    let mut latest: Vec<HistoryEntry> =
        entries.into_iter().rev().filter(|entry| seen.insert(entry.sql.clone())).take(MOST).collect();
    latest.reverse();
    (latest, broken)
}

/// A file's text; `None` where it is not there.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, String> {
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is longer than {} MiB", MOST_BYTES >> 20));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
}

/// Moves a broken file out of the way, and says so.
pub(super) fn set_aside(path: &Path, reason: &str) -> String {
    let free = (1..).map(|number| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".broken-{number}"));
        PathBuf::from(name)
    });
    let shown = path.display();
    let Some(aside) = free.take(1000).find(|path| !path.exists()) else {
        return format!("{shown} can't be read: {reason}");
    };
    match std::fs::rename(path, &aside) {
        Ok(()) => format!("{shown} can't be read ({reason}); it is now {}", aside.display()),
        Err(error) => format!("{shown} can't be read ({reason}), nor moved aside: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{HISTORY_FILE, KEPT_FILE, parse_history, read};
    use crate::workbench::reply::Reply;

    #[test]
    fn a_statement_stands_once_where_it_was_run_last() {
        let line = |sql: &str| format!("{{\"sql\":\"{sql}\",\"snapshot\":\"small\",\"work\":\"T\"}}\n");
        let text = format!("{}{}{}{{\"sql\":\"cut", line("a"), line("b"), line("a"));
        let (entries, broken) = parse_history(&text);
        assert_eq!(entries.iter().map(|entry| entry.sql.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(broken, None);
        assert!(parse_history("nonsense\n").1.unwrap().starts_with("line 1"));
    }

    #[test]
    fn broken_files_are_named_and_moved_aside() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(KEPT_FILE), "{\"panes\": 3}").unwrap();
        std::fs::write(folder.path().join(HISTORY_FILE), b"\xff\n").unwrap();
        let Reply::Kept { problems, .. } = read(Some(folder.path())) else { panic!("another reply") };
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].contains("workbench.json.broken-1"), "{problems:?}");
        assert!(problems[1].contains("not UTF-8"), "{problems:?}");
        let Reply::Kept { problems, .. } = read(Some(folder.path())) else { panic!("another reply") };
        assert_eq!(problems, [] as [String; 0]);
    }
}
