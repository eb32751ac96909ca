//! Nothing that an actor may see gives an answer away: no reference text, no note, no identifying subject.

use super::SnapshotCheck;
use crate::pack::vault::Vault;
use crate::pack::{Pack, PackProblem};
use std::collections::BTreeSet;

/// Shorter pieces of text occur by chance.
const LEAST_PIECE: usize = 24;

pub(super) fn check(
    pack: &Pack,
    vault: &Vault,
    snapshots: &[SnapshotCheck],
    problems: &mut Vec<PackProblem>,
) {
    let visible: Vec<(&str, String)> =
        pack.visible.iter().map(|(path, text)| (path.as_str(), squeezed(text))).collect();
    let mut report = |needle: &str, task: &str, what: &str| {
        let squeezed = squeezed(needle);
        if let Some((path, _)) = visible.iter().find(|(_, text)| text.contains(&squeezed)) {
            problems.push(PackProblem {
                file: (*path).to_owned(),
                line: None,
                task: Some(task.to_owned()),
                reason: format!("it shows {what} to whoever works on the task: '{}'", shortened(needle)),
            });
        }
    };
    for reference in vault.references.values() {
        for line in reference.sql.lines().map(str::trim).filter(|line| line.len() >= LEAST_PIECE) {
            report(line, &reference.id, "a piece of the reference query");
        }
        for sentence in reference.boundaries.split(". ").filter(|text| text.len() >= LEAST_PIECE) {
            report(sentence.trim_end_matches('.'), &reference.id, "a note for evaluators");
        }
        if let Some(explanation) = reference.explanation.as_ref().filter(|text| text.len() >= LEAST_PIECE) {
            report(explanation, &reference.id, "the explanation");
        }
    }
    let mut told = BTreeSet::new();
    for (task, truth) in snapshots.iter().flat_map(|snapshot| &snapshot.truth.tasks) {
        for subject in truth.subjects().into_iter().filter(|subject| identifies(subject)) {
            if told.insert(subject.clone()) {
                report(&subject, task, "a subject");
            }
        }
    }
}

/// Whether a subject names somebody or something of the enterprise; a status or a factor type may occur in a question.
fn identifies(subject: &str) -> bool {
    let long = subject.chars().count() >= 8;
    long && (subject.contains('@')
        || subject.contains(':')
        || subject.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Lower case, with each run of white space as one space.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
