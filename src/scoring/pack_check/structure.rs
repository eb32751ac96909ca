//! What can be checked of a pack without running anything.

use crate::pack::vault::{Vault, VerdictRule};
use crate::pack::{Pack, PackProblem};
use std::collections::BTreeSet;

/// The criteria that every rubric has.
const CRITERIA: &[&str] = &[
    "AnswerCorrectnessVsGT",
    "AnswerVerdictCorrectnessVsGT",
    "ReasoningUtility",
    "SQLSemanticAppropriateness",
];

pub(super) fn check(pack: &Pack, vault: &Vault, problems: &mut Vec<PackProblem>) {
    let mut seen = BTreeSet::new();
    for (task, place) in &pack.tasks {
        let mut wrong = |reason: &str| problems.push(PackProblem::of_task(place, &task.id, reason));
        if !seen.insert(task.id.to_lowercase()) {
            wrong("another task has this id: ids are compared without case");
        }
        if task.id.is_empty()
            || !task.id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        {
            wrong("its id is no name: use letters, digits, '-', '_' and '.'");
        }
        for (what, text) in [("title", &task.title), ("question", &task.question)] {
            if text.trim().is_empty() {
                wrong(&format!("its {what} is empty"));
            }
        }
        if !task.question.trim_end().ends_with('?') {
            wrong("its question does not end with a question mark");
        }
        if task.platforms.is_empty() {
            wrong("it names no platform");
        }
        if task.platforms.iter().collect::<BTreeSet<_>>().len() != task.platforms.len() {
            wrong("it names a platform twice");
        }
        if pack.practice && task.hints.len() != 3 {
            wrong("a practice task has three hints");
        }
        if !pack.practice && !task.hints.is_empty() {
            wrong("it has hints, but the pack is not for practice");
        }
        match vault.references.get(&task.id) {
            None => wrong("it has no [[reference]] of this id"),
            Some(reference) => {
                if pack.practice && reference.explanation.as_ref().is_none_or(|text| text.trim().is_empty()) {
                    wrong("a practice task has an explanation in its reference");
                }
                if reference.verdict == VerdictRule::NotApplicable && !reference.empty_at.is_empty() {
                    wrong("an inventory can't be empty on purpose");
                }
            }
        }
    }
    for reference in vault.references.values() {
        let mut wrong =
            |reason: String| problems.push(PackProblem::of_task(&reference.place, &reference.id, reason));
        if !pack.tasks.iter().any(|(task, _)| task.id == reference.id) {
            wrong("there is no [[task]] of this id".to_owned());
        }
        for name in &reference.empty_at {
            if !pack.snapshots.contains(name) {
                wrong(format!("empty_at names '{name}', which is none of the pack's snapshots"));
            }
        }
        if reference.subject.trim().is_empty() || reference.identified_by.trim().is_empty() {
            wrong("it does not say what a subject is and what identifies it".to_owned());
        }
        // A table of a needed join is a needed table.
        for edge in reference.shortest_path() {
            let (one, other) = edge.columns();
            for table in [&one.table, &other.table] {
                if !reference.tables.contains(table) {
                    wrong(format!("its joins need the table {table}, which is not among its tables"));
                }
            }
        }
    }
    check_prompts(pack, problems);
}

fn check_prompts(pack: &Pack, problems: &mut Vec<PackProblem>) {
    if !pack.brief_layout.contains("{{question}}") {
        problems.push(PackProblem::of_file(
            "prompts/brief.md",
            "it has no {{question}}: an agent would not be asked",
        ));
    }
    if pack.system_prompt.trim().is_empty() {
        problems.push(PackProblem::of_file("prompts/system.md", "it is empty"));
    }
    for wanted in CRITERIA {
        let Some(criterion) = pack.rubric.iter().find(|criterion| criterion.id == *wanted) else {
            problems.push(PackProblem::of_file("rubric.toml", format!("the criterion {wanted} is missing")));
            continue;
        };
        let grades: Vec<f64> = criterion.levels.iter().map(|level| level.grade).collect();
        let falling = grades.windows(2).all(|pair| pair[0] > pair[1]);
        let ends = grades.first().is_some_and(|first| (first - 1.0).abs() < 1e-9)
            && grades.last().is_some_and(|last| last.abs() < 1e-9);
        if !falling || !ends {
            let reason = format!("{wanted}: its levels do not fall from 1 to 0");
            problems.push(PackProblem::of_file("rubric.toml", reason));
        }
    }
}
