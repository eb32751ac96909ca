//! What only an evaluator may see of a pack: reference queries, what identifies a subject, what a right answer rests on.
//!
//! `harness`, `agent` and `workbench` never name this module; `tests/layering.rs` sees to it.

pub use super::links::{Link, Way};
pub use super::truth::{TaskTruth, Truth, truth_file};

use super::brief::{Pack, parse};
use super::links::{self, edge};
use super::{PackProblem, Place};
use crate::domain::JoinEdge;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

/// How the verdict follows from the subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictRule {
    /// Yes if there is any subject.
    Any,
    /// Yes if there are fewer than 2 or more than 8.
    OutsideRange,
    /// An inventory: there is no yes or no.
    NotApplicable,
}

impl VerdictRule {
    /// The verdict for so many subjects; `None` where there is none.
    pub const fn verdict(self, subjects: usize) -> Option<bool> {
        match self {
            Self::Any => Some(subjects > 0),
            Self::OutsideRange => Some(subjects < 2 || subjects > 8),
            Self::NotApplicable => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceFile {
    #[serde(default)]
    reference: Vec<ReferenceEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceEntry {
    id: Spanned<String>,
    verdict: VerdictRule,
    subject: String,
    identified_by: String,
    #[serde(default)]
    aliases: Vec<String>,
    tables: BTreeSet<String>,
    #[serde(default)]
    joins: Vec<String>,
    #[serde(default)]
    links: Vec<String>,
    #[serde(default)]
    facts: Vec<String>,
    #[serde(default)]
    boundaries: String,
    #[serde(default)]
    empty_at: BTreeSet<String>,
    #[serde(default)]
    explanation: Option<String>,
    sql: String,
    #[serde(default)]
    second_sql: Option<String>,
}

/// What the answer to a task rests on.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The task.
    pub id: String,
    /// Where it is written.
    pub place: Place,
    /// How the verdict follows.
    pub verdict: VerdictRule,
    /// What counts as a subject.
    pub subject: String,
    /// The columns that identify one.
    pub identified_by: String,
    /// What else names one.
    pub aliases: Vec<String>,
    /// The smallest set of tables that is enough, on the shortest path.
    pub tables: BTreeSet<String>,
    /// Joins that are needed whatever the path.
    pub joins: BTreeSet<JoinEdge>,
    /// Links, each with ways that count as well.
    pub links: Vec<Link>,
    /// Facts that a right answer gives.
    pub facts: Vec<String>,
    /// How the cases at the edge are decided.
    pub boundaries: String,
    /// Snapshots at which nobody is hit, on purpose.
    pub empty_at: BTreeSet<String>,
    /// A worked explanation, in practice packs.
    pub explanation: Option<String>,
    /// The query: its first column is the subject, others are aliases and facts. `{{today}}` and `{{company_domains}}`
    /// stand for what the snapshot says.
    pub sql: String,
    /// A second query that must give the same subjects.
    pub second_sql: Option<String>,
}

impl Reference {
    /// The joins of the shortest path.
    pub fn shortest_path(&self) -> BTreeSet<JoinEdge> {
        self.joins.iter().chain(self.links.iter().flat_map(|link| &link.needed)).cloned().collect()
    }

    /// All joins that some accepted path has.
    pub fn accepted_joins(&self) -> BTreeSet<JoinEdge> {
        self.joins.iter().chain(self.links.iter().flat_map(Link::joins)).cloned().collect()
    }
}

/// The evaluator's side of a pack.
#[derive(Debug, Clone)]
pub struct Vault {
    /// References by task id.
    pub references: BTreeMap<String, Reference>,
}

impl Vault {
    /// Reads the evaluator's side of a pack. Problems of single tasks are all collected; what can be read is.
    pub fn load(pack: &Pack) -> (Self, Vec<PackProblem>) {
        let mut problems = Vec::new();
        let links = links::load(pack, &mut problems);
        let mut references = BTreeMap::new();
        let names = pack.files.list("reference").unwrap_or_else(|problem| {
            problems.push(problem);
            Vec::new()
        });
        for file in names {
            let read =
                pack.files.read(&file).and_then(|text| Ok((parse::<ReferenceFile>(&file, &text)?, text)));
            let (entries, text) = match read {
                Ok(read) => read,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            for entry in entries.reference {
                let place = Place::at(&file, &text, entry.id.span().start);
                let reference = reference(entry, place, &links, &mut problems);
                if let Some(twice) = references.insert(reference.id.clone(), reference) {
                    problems.push(PackProblem::of_task(&twice.place, &twice.id, "it has a second reference"));
                }
            }
        }
        (Self { references }, problems)
    }
}

fn reference(
    entry: ReferenceEntry,
    place: Place,
    links: &BTreeMap<String, Link>,
    problems: &mut Vec<PackProblem>,
) -> Reference {
    let id = entry.id.into_inner();
    let mut joins = BTreeSet::new();
    for text in &entry.joins {
        if let Some(edge) = edge(text) {
            joins.insert(edge);
        } else {
            let reason = format!("the join '{text}' is no pair 'table.column = table.column'");
            problems.push(PackProblem::of_task(&place, &id, reason));
        }
    }
    let mut found = Vec::new();
    for name in &entry.links {
        if let Some(link) = links.get(name) {
            found.push(link.clone());
        } else {
            problems.push(PackProblem::of_task(
                &place,
                &id,
                format!("the link '{name}' is not in links.toml"),
            ));
        }
    }
    Reference {
        id,
        place,
        verdict: entry.verdict,
        subject: entry.subject,
        identified_by: entry.identified_by,
        aliases: entry.aliases,
        tables: entry.tables.iter().map(|name| name.to_lowercase()).collect(),
        joins,
        links: found,
        facts: entry.facts,
        boundaries: entry.boundaries,
        empty_at: entry.empty_at,
        explanation: entry.explanation,
        sql: entry.sql,
        second_sql: entry.second_sql,
    }
}
