//! The least that an answer rests on: tables and joins that no way around can do without. For evaluators only.
//!
//! Built in `scoring` from the vault; no actor sees it before its trial is over.

use super::statement::JoinEdge;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Tables and joins that are needed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimalEvidence {
    /// Base tables, in lower case.
    pub tables: BTreeSet<String>,
    /// Joins, each with the ways that count for it.
    pub joins: Vec<RequiredJoin>,
}

/// A join that is needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequiredJoin {
    /// What it ties: "HR to Okta", or the two columns.
    pub name: String,
    /// Ways of making it, the shortest first. Any one counts, and needs all of its edges.
    pub ways: Vec<BTreeSet<JoinEdge>>,
}

/// The joins of a trial so far, statement by statement, as `first` use of each edge.
#[derive(Debug, Clone, Default)]
pub struct JoinsSeen {
    /// For each statement, in order: its place, and its edges.
    statements: Vec<(usize, BTreeSet<JoinEdge>)>,
}

impl JoinsSeen {
    /// Adds a statement at a place.
    pub fn add(&mut self, place: usize, joins: &BTreeSet<JoinEdge>) {
        if !joins.is_empty() {
            self.statements.push((place, joins.clone()));
        }
    }

    /// The place at which a required join is first complete: all edges of one of its ways were made by then.
    pub fn first(&self, required: &RequiredJoin) -> Option<usize> {
        required.ways.iter().filter_map(|way| self.complete(way)).min()
    }

    fn complete(&self, way: &BTreeSet<JoinEdge>) -> Option<usize> {
        way.iter().map(|edge| self.edge(edge)).try_fold(0, |latest, place| Some(latest.max(place?)))
    }

    /// The first statement that equates both columns, directly or through others that it equates with both.
    fn edge(&self, edge: &JoinEdge) -> Option<usize> {
        self.statements.iter().find(|(_, joins)| connects(joins, edge)).map(|(place, _)| *place)
    }
}

/// Whether the equalities of one statement make two columns equal.
fn connects(joins: &BTreeSet<JoinEdge>, edge: &JoinEdge) -> bool {
    if joins.contains(edge) {
        return true;
    }
    let mut near: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for join in joins {
        let (low, high) = join.columns();
        near.entry(low).or_default().push(high);
        near.entry(high).or_default().push(low);
    }
    let (from, to) = edge.columns();
    let (mut seen, mut next) = (BTreeSet::from([from]), vec![from]);
    while let Some(column) = next.pop() {
        if column == to {
            return true;
        }
        next.extend(near.get(column).into_iter().flatten().copied().filter(|it| seen.insert(*it)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{JoinsSeen, RequiredJoin};
    use crate::domain::{ColumnName, JoinEdge};
    use std::collections::BTreeSet;

    fn edge(one: &str, other: &str) -> JoinEdge {
        let column = |name: &str| ColumnName { table: name.to_owned(), column: "id".to_owned() };
        JoinEdge::new(column(one), column(other))
    }

    #[test]
    fn a_join_is_complete_when_one_of_its_ways_is() {
        let mut seen = JoinsSeen::default();
        seen.add(2, &BTreeSet::from([edge("a", "b"), edge("b", "c")]));
        seen.add(5, &BTreeSet::from([edge("x", "y")]));
        let required = |ways: &[&[JoinEdge]]| RequiredJoin {
            name: String::new(),
            ways: ways.iter().map(|way| way.iter().cloned().collect()).collect(),
        };
        assert_eq!(seen.first(&required(&[&[edge("a", "b")]])), Some(2));
        assert_eq!(seen.first(&required(&[&[edge("c", "a")]])), Some(2), "through b");
        assert_eq!(seen.first(&required(&[&[edge("a", "b"), edge("x", "y")]])), Some(5));
        assert_eq!(seen.first(&required(&[&[edge("a", "z")], &[edge("y", "x")]])), Some(5));
        assert_eq!(seen.first(&required(&[&[edge("a", "x")]])), None, "never in one statement");
        assert_eq!(seen.first(&required(&[])), None);
    }
}
