//! The ledger of a run.

use super::{Check, FindingKind, bytes};
use crate::archive::error::ArchiveError;
use crate::archive::layout::LEDGER_FILE;
use crate::archive::ledger::{self, LedgerLine};
use crate::archive::run_file::RunFile;

impl Check<'_> {
    /// The ledger, against itself and against what `run.json` keeps of it.
    pub(super) fn ledger(&mut self, run: &RunFile) -> Result<Vec<LedgerLine>, ArchiveError> {
        let text = ledger::look_through(&self.folder.join(LEDGER_FILE))?;
        for (line, reason) in &text.wrong {
            self.found(FindingKind::Changed, LEDGER_FILE, None, Some(*line), reason.clone());
        }
        let lines = text.lines.len() as u64;
        if text.rest > 0 {
            let reason = format!("{} behind the last whole line", bytes(text.rest));
            let kind = if run.end.is_some() { FindingKind::Changed } else { FindingKind::Incomplete };
            self.found(kind, LEDGER_FILE, None, Some(lines + 1), reason);
        }
        let Some(end) = &run.end else { return Ok(text.lines) };
        let kept = end.segments.len() as u64;
        if lines < kept && text.wrong.is_empty() {
            let reason = format!("{} of {kept} lines are not there", kept - lines);
            self.found(FindingKind::Missing, LEDGER_FILE, None, Some(lines + 1), reason);
        }
        for (nth, (line, kept)) in (1_u64..).zip(text.lines.iter().zip(&end.segments)) {
            if line != kept {
                let reason = "it is not what run.json keeps of it".to_owned();
                self.found(FindingKind::Changed, LEDGER_FILE, Some(&kept.trial), Some(nth), reason);
            }
        }
        if text.head != end.ledger_head && text.wrong.is_empty() && lines >= kept {
            let reason = "its last line is not the one that run.json names".to_owned();
            self.found(FindingKind::Changed, LEDGER_FILE, None, Some(lines.max(1)), reason);
        }
        // What the run says of itself is the better copy: traces are checked against it.
        Ok(end.segments.clone())
    }
}
