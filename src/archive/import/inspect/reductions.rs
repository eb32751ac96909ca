//! `reductions.json`: what the log itself made of the scores of several attempts. To be shown beside ours, never used instead:
//! Inspect's mode takes the first of a tie, the paper's rule the lowest.

use super::super::fields::{as_word, list, text};
use serde_json::Value;

/// The reduced scores of one scorer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Reduction {
    /// The scorer.
    pub scorer: String,
    /// How; absent where the log does not say.
    pub reducer: Option<String>,
    /// Task and value, in the order of the log.
    pub values: Vec<(String, Value)>,
}

pub(super) fn read(document: &Value) -> Vec<Reduction> {
    let of_sample = |sample: &Value| Some((as_word(sample.get("sample_id")?)?, sample.get("value")?.clone()));
    document
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            Some(Reduction {
                scorer: text(entry, "scorer")?,
                reducer: text(entry, "reducer"),
                values: list(entry, "samples").iter().filter_map(of_sample).collect(),
            })
        })
        .collect()
}
