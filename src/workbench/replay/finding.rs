//! Looking for words in a trace: in the lines of the timeline.

use super::Replay;

impl Replay {
    /// The next step, from the chosen one on in a direction and round, whose line has what is looked for. Case is ignored.
    pub(in crate::workbench) fn next_hit(&self, is_back: bool) -> Option<usize> {
        let wanted = self.find.to_lowercase();
        let steps = self.steps();
        if wanted.is_empty() || steps.is_empty() {
            return None;
        }
        let hits = |at: &usize| {
            let step = &steps[*at];
            step.gist.to_lowercase().contains(&wanted)
                || step.kind.word() == wanted
                || step.tables.iter().any(|table| table.contains(&wanted))
        };
        let count = steps.len();
        let places = (1..=count)
            .map(|by| if is_back { (self.chosen + count - by) % count } else { (self.chosen + by) % count });
        places.into_iter().find(hits)
    }
}
