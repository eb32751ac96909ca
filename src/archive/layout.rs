//! Where things lie in an archive.

use crate::domain::trial::{TrialName, is_task_name};
use crate::domain::{Revision, is_short_name};
use std::path::{Path, PathBuf};

/// The head of a run.
pub const RUN_FILE: &str = "run.json";
/// A line for each segment that ended.
pub const LEDGER_FILE: &str = "trials.jsonl";
/// The answer of a trial.
pub const ANSWER_FILE: &str = "answer.json";
/// Locked by whoever writes; it is no evidence.
pub(super) const LOCK_FILE: &str = ".lock";
/// Traces and answers.
pub(super) const TRIALS: &str = "trials";
/// Contents by hash.
pub(super) const BLOBS: &str = "blobs";

/// The folder of a trial.
pub(super) fn trial_folder(run: &Path, name: &TrialName) -> PathBuf {
    run.join(TRIALS)
        .join(name.revision.short())
        .join(&name.pack)
        .join(&name.task)
        .join(name.number.to_string())
}

/// The file name of a segment's trace.
pub(super) fn trace_file(segment: u32) -> String {
    format!("trace.{segment}.jsonl")
}

/// The number of a segment by its file name.
pub(super) fn segment_of(file: &str) -> Option<u32> {
    let number = file.strip_prefix("trace.")?.strip_suffix(".jsonl")?;
    number.parse().ok().filter(|number| *number > 0 && file == trace_file(*number))
}

/// A path as the archive names it: with `/`, from the run's folder.
pub(super) fn relative(run: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(run).unwrap_or(path);
    inner.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Whether a pack and a task can be folders.
pub(super) fn can_be_folders(pack: &str, task: &str) -> bool {
    is_short_name(pack) && is_task_name(task)
}

/// Whether the name can be a folder: a hostile archive must not lead out of its own.
pub(super) fn is_safe(name: &TrialName) -> bool {
    can_be_folders(&name.pack, &name.task) && name.number > 0
}

/// The trial of a folder under `trials`, given the revisions that the run knows.
pub(super) fn trial_of(parts: [&str; 4], revisions: impl Iterator<Item = Revision>) -> Option<TrialName> {
    let [short, pack, task, number] = parts;
    let revision = revisions.into_iter().find(|revision| revision.short() == short)?;
    let number = number.parse().ok().filter(|parsed: &u32| parsed.to_string() == number)?;
    let name = TrialName { revision, pack: pack.to_owned(), task: task.to_owned(), number };
    is_safe(&name).then_some(name)
}
