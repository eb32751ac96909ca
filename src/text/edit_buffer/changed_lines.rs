//! Which lines changed, for whoever keeps something for each line, such as colours.

/// Lines that changed: all but the first `first` and the last `kept_at_end` of the text as it is now. Those were not
/// touched, though the last ones may have moved up or down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedLines {
    /// Lines at the start that are as they were.
    pub first: usize,
    /// Lines at the end that are as they were.
    pub kept_at_end: usize,
}

impl ChangedLines {
    /// Any line may have changed.
    pub const ALL: Self = Self { first: 0, kept_at_end: 0 };
}

/// For every earlier revision, the lines kept since. Only the changes that lower one of the two numbers are held, so
/// it is never longer than the text, however many changes there were.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ChangeLog {
    /// Revisions with their number of lines kept, both rising.
    firsts: Vec<(u64, usize)>,
    ends: Vec<(u64, usize)>,
}

impl ChangeLog {
    pub(super) fn push(&mut self, revision: u64, first: usize, kept_at_end: usize) {
        for (stack, lines) in [(&mut self.firsts, first), (&mut self.ends, kept_at_end)] {
            while stack.pop_if(|(_, earlier)| *earlier >= lines).is_some() {}
            stack.push((revision, lines));
        }
    }

    pub(super) fn since(&self, revision: u64) -> Option<ChangedLines> {
        // Of the changes after a revision the first that is held has the fewest lines.
        let fewest = |stack: &[(u64, usize)]| {
            stack.get(stack.partition_point(|(at, _)| *at <= revision)).map(|(_, lines)| *lines)
        };
        Some(ChangedLines { first: fewest(&self.firsts)?, kept_at_end: fewest(&self.ends)? })
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeLog, ChangedLines};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_fewest_of_all_changes_since(
            changes in proptest::collection::vec((0_usize..9, 0_usize..9), 0..30), since in 0_u64..32,
        ) {
            let mut log = ChangeLog::default();
            for (revision, (first, end)) in (1..).zip(&changes) {
                log.push(revision, *first, *end);
            }
            let later = changes.get(usize::try_from(since).unwrap()..).unwrap_or_default();
            let wanted = later.iter().map(|change| change.0).min().map(|first| ChangedLines {
                first,
                kept_at_end: later.iter().map(|change| change.1).min().unwrap(),
            });
            prop_assert_eq!(log.since(since), wanted);
        }
    }
}
