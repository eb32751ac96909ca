//! The blobs of a run.

use super::{Check, FindingKind};
use crate::archive::blobs::Blobs;
use crate::archive::error::ArchiveError;
use crate::archive::layout::relative;
use crate::domain::trial::TrialName;
use std::collections::BTreeSet;

impl Check<'_> {
    /// All blobs, whoever names them. Gives whether it came to the end.
    pub(super) fn blobs(&mut self, blobs: &Blobs) -> Result<bool, ArchiveError> {
        let (names, others) = blobs.all()?;
        for path in others {
            let file = relative(self.folder, &path);
            self.found(FindingKind::Changed, &file, None, None, "no blob has this name".to_owned());
        }
        let there: BTreeSet<&String> = names.iter().collect();
        for name in &names {
            if !(self.go_on)(&format!("blob {}", name.chars().take(12).collect::<String>())) {
                return Ok(false);
            }
            self.report.blobs += 1;
            let file = relative(self.folder, &blobs.path(name));
            let wanted = self.wanted.get(name).map(|it| (it.trial.clone(), it.line, it.bytes, it.rows));
            let (trial, line) =
                wanted.as_ref().map_or((None, None), |(trial, line, ..)| (trial.as_ref(), *line));
            match blobs.get(name) {
                Err(error) => {
                    let reason = match &error {
                        ArchiveError::Damaged { reason, .. } => reason.clone(),
                        other => other.to_string(),
                    };
                    self.found(FindingKind::Changed, &file, trial, line, reason);
                }
                Ok(contents) => {
                    let Some((_, _, bytes, rows)) = &wanted else { continue };
                    let counted = memchr::memchr_iter(b'\n', &contents).count() as u64;
                    if bytes.is_some_and(|bytes| bytes != contents.len() as u64)
                        || rows.is_some_and(|rows| rows.saturating_add(1) != counted)
                    {
                        let reason = "it is not as long as the event says that names it".to_owned();
                        self.found(FindingKind::Changed, &file, trial, line, reason);
                    }
                }
            }
        }
        let missing: Vec<(String, Option<TrialName>, Option<u64>, String)> = self
            .wanted
            .iter()
            .filter(|(name, _)| !there.contains(name))
            .map(|(name, wanted)| {
                (
                    relative(self.folder, &blobs.path(name)),
                    wanted.trial.clone(),
                    wanted.line,
                    wanted.file.clone(),
                )
            })
            .collect();
        for (file, trial, line, trace) in missing {
            let reason = match line {
                Some(line) => format!("it is not there; line {line} of {trace} names it"),
                None => format!("it is not there; {trace} names it"),
            };
            self.found(FindingKind::Missing, &file, trial.as_ref(), line, reason);
        }
        Ok(true)
    }
}
