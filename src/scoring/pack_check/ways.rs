//! Every accepted way of a link gives the subjects of the shortest: the reference is rewritten to go each way, the analysis
//! of statements confirms that it does, and it is run.

use super::on_snapshot::{WAY_DEADLINE, analyse, joins_told, run, shown};
use crate::domain::{ColumnName, JoinEdge, SchemaDocument};
use crate::pack::PackProblem;
use crate::pack::vault::{Reference, TaskTruth, Vault, Way};
use crate::query::{Engine as _, Limits, SqliteEngine};
use crate::snapshot::Manifest;
use std::collections::{BTreeMap, BTreeSet};

/// How many ways of one task were followed, and which were not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaysFollowed {
    /// Ways that were followed and gave the same subjects, or that the reference goes itself.
    pub followed: usize,
    /// Ways that nothing says how to follow, as `X-09 by HA 2`.
    pub unfollowed: Vec<String>,
}

/// Follows all ways of the links of all references that gave a truth. `watch` hears of each task, and stops the rest by
/// answering false.
pub(super) fn follow_all(
    engine: &mut SqliteEngine,
    vault: &Vault,
    truths: &BTreeMap<String, TaskTruth>,
    manifest: &Manifest,
    watch: &mut dyn FnMut(&str, &str) -> bool,
    problems: &mut Vec<PackProblem>,
) -> WaysFollowed {
    let told = &manifest.schema_document();
    let mut ways = WaysFollowed::default();
    index(engine, vault);
    for reference in vault.references.values().filter(|reference| !reference.links.is_empty()) {
        let Some(truth) = truths.get(&reference.id) else { continue };
        if !watch(&manifest.name, &reference.id) {
            problems.push(PackProblem::of_file("pack.toml", "the check was cancelled"));
            break;
        }
        let mut wrong = |reason: String| {
            let reason = format!("{}: {reason}", manifest.name);
            problems.push(PackProblem::of_task(&reference.place, &reference.id, reason));
        };
        follow(engine, reference, truth, told, &mut ways, &mut wrong);
    }
    ways
}

/// Gives the copy an index for each column of a link, as it is and in lower case: ways may be long, and how fast they are
/// is not what is checked. An index that can't be made only makes it slower.
fn index(engine: &mut SqliteEngine, vault: &Vault) {
    let links = vault.references.values().flat_map(|reference| &reference.links);
    let columns: BTreeSet<&ColumnName> =
        links.flat_map(|link| link.joins().flat_map(|edge| [edge.columns().0, edge.columns().1])).collect();
    for (number, ColumnName { table, column }) in columns.into_iter().enumerate() {
        for (form, key) in [("plain", format!("\"{column}\"")), ("lower", format!("lower(\"{column}\")"))] {
            let sql = format!("CREATE INDEX \"way {number} {form}\" ON \"{table}\" ({key})");
            let _ = engine.run(0, &sql, &Limits::default());
        }
    }
}

/// Follows all ways of a reference's links.
fn follow(
    engine: &mut SqliteEngine,
    reference: &Reference,
    truth: &TaskTruth,
    told: &SchemaDocument,
    ways: &mut WaysFollowed,
    wrong: &mut dyn FnMut(String),
) {
    let Ok(own) = analyse(engine, &reference.sql, told) else { return };
    let own = joins_told(own.joins);
    for link in &reference.links {
        for (number, way) in link.instead.iter().enumerate() {
            let name = format!("{} {}", link.id, number + 1);
            if way.beside && way.joins.is_subset(&own) {
                ways.followed += 1;
            } else if way.follow.is_empty() {
                ways.unfollowed.push(format!("{} by {name}", reference.id));
            } else if let Some(sql) = way.rewrite(&reference.sql) {
                let mut wrong = |reason: String| wrong(format!("link {name}: {reason}"));
                go(engine, reference, &sql, (&link.needed, way), truth, told, &mut wrong);
                ways.followed += 1;
            } else {
                wrong(format!("link {name}: none of the pieces to follow is in its query"));
            }
        }
    }
}

fn go(
    engine: &mut SqliteEngine,
    reference: &Reference,
    sql: &str,
    (needed, way): (&BTreeSet<JoinEdge>, &Way),
    truth: &TaskTruth,
    told: &SchemaDocument,
    wrong: &mut dyn FnMut(String),
) {
    let found = match analyse(engine, sql, told) {
        Ok(found) => found,
        Err(reason) => return wrong(format!("the query that goes this way does not run: {reason}")),
    };
    let joins = joins_told(found.joins);
    for edge in way.joins.difference(&joins) {
        wrong(format!("the query that goes this way does not join {}", shown(edge)));
    }
    let allowed = reference.accepted_joins();
    for edge in joins.difference(&allowed) {
        wrong(format!("the query that goes this way joins {}, which is on no accepted path", shown(edge)));
    }
    let elsewhere = |edge: &&JoinEdge| {
        let others = reference.links.iter().filter(|link| link.needed != *needed);
        way.joins.contains(edge)
            || reference.joins.contains(edge)
            || others.clone().any(|link| link.joins().any(|it| it == *edge))
    };
    let left: Vec<String> = needed.intersection(&joins).filter(|edge| !elsewhere(edge)).map(shown).collect();
    if !way.beside && !left.is_empty() {
        wrong(format!("the query that goes this way still joins {}", left.join(", ")));
    }
    let Some((other, _)) = run(engine, reference, (sql, WAY_DEADLINE), told, wrong) else { return };
    let set = |truth: &TaskTruth| truth.subjects().into_iter().collect::<BTreeSet<String>>();
    let (one, other) = (set(truth), set(&other));
    if one != other {
        let few = |set: Vec<&String>| {
            let few: Vec<&str> = set.iter().take(3).map(|it| it.as_str()).collect();
            format!("{} [{}{}]", set.len(), few.join(", "), if set.len() > 3 { ", …" } else { "" })
        };
        wrong(format!(
            "this way gives other subjects: missing {}, more {}",
            few(one.difference(&other).collect()),
            few(other.difference(&one).collect())
        ));
    }
}
