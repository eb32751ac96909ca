//! Names of imported trials: a task's id may be anything, a folder's name may not.

use crate::domain::Revision;
use crate::domain::trial::{TrialName, is_task_name};
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};

/// Characters of an id that are kept where it does not fit.
const KEPT: usize = 48;

/// The names that were given.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<TrialName>,
    /// The next free number, and how many trials there are, by task.
    next: HashMap<(Revision, String, String), (u32, u32)>,
    unnamed: u64,
}

impl Names {
    /// The name of a trial: its task, and its epoch as the number if that is free.
    pub(super) fn trial(
        &mut self,
        revision: Revision,
        pack: &str,
        task: Option<&str>,
        epoch: Option<u64>,
    ) -> TrialName {
        let task = if let Some(task) = task {
            task_name(task)
        } else {
            self.unnamed += 1;
            format!("trial-{}", self.unnamed)
        };
        let (next, count) = self.next.entry((revision, pack.to_owned(), task.clone())).or_insert((1, 0));
        *count += 1;
        let mut name = TrialName { revision, pack: pack.to_owned(), task, number: 0 };
        if let Some(epoch) = epoch.and_then(|epoch| u32::try_from(epoch).ok()).filter(|epoch| *epoch > 0) {
            name.number = epoch;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
        loop {
            name.number = *next;
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Whether this was the first trial of its task.
    pub(super) fn is_first(&self, name: &TrialName) -> bool {
        self.next
            .get(&(name.revision, name.pack.clone(), name.task.clone()))
            .is_some_and(|(_, count)| *count == 1)
    }
}

/// The id as a folder's name: itself if it can be one, else what of it can, and a digest of all of it.
fn task_name(id: &str) -> String {
    if is_task_name(id) {
        return id.to_owned();
    }
    let fits = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let kept: String = id.chars().take(KEPT).map(fits).collect();
    let digest = hex::encode(Sha256::digest(id));
    let kept = kept.trim_matches(['-', '.']);
    let kept = if kept.is_empty() { "task" } else { kept };
    format!("{kept}-{}", &digest[..12])
}

#[cfg(test)]
mod tests {
    use super::{Names, task_name};
    use crate::domain::Revision;
    use crate::domain::trial::is_task_name;

    #[test]
    fn any_id_becomes_a_folder_and_none_the_same_as_another() {
        for id in [
            "a",
            "",
            "../../etc/passwd",
            "日本",
            "x/y",
            "x-y",
            ".hidden",
            &"long".repeat(100),
            "a\0b",
            "con\n",
        ] {
            assert!(is_task_name(&task_name(id)), "{id:?}: {}", task_name(id));
        }
        assert_ne!(task_name("x/y"), task_name("x:y"));
        assert_eq!(task_name("V-AWS-01"), "V-AWS-01");
    }

    #[test]
    fn numbers_are_epochs_where_they_are_free() {
        let mut names = Names::default();
        let zero = Revision::from_bytes([0; 32]);
        let mut number = |task: Option<&str>, epoch| names.trial(zero, "imported", task, epoch).number;
        assert_eq!(number(Some("a"), Some(2)), 2);
        assert_eq!(number(Some("a"), Some(2)), 1);
        assert_eq!(number(Some("a"), None), 3);
        assert_eq!(number(Some("a"), Some(u64::MAX)), 4);
        assert_eq!(number(None, None), 1);
        assert_eq!(number(None, None), 1);
    }
}
