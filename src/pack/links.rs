//! Links: ways of finding the same person or thing in two systems, any of which counts. Part of the vault.

use super::brief::{Pack, parse};
use super::{PackProblem, Place};
use crate::domain::{ColumnName, JoinEdge};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

const FILE: &str = "links.toml";

/// One way to follow a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The joins it consists of.
    pub joins: BTreeSet<JoinEdge>,
    /// Whether it only helps the shortest way out, because its columns are not always filled.
    pub beside: bool,
    /// How a query on the shortest way is rewritten to go this way: pieces of SQL and what stands for them. Only the first
    /// piece that a query has is replaced, wherever it has it.
    pub follow: Vec<(String, String)>,
}

impl Way {
    /// A query that follows the shortest way, rewritten to follow this one; `None` where no piece fits.
    pub fn rewrite(&self, sql: &str) -> Option<String> {
        let (from, to) = self.follow.iter().find(|(from, _)| sql.contains(from))?;
        Some(sql.replace(from, to))
    }
}

/// How the same person or thing is found in two systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its name, such as `HO`.
    pub id: String,
    /// What it ties, such as "HR to Okta".
    pub meaning: String,
    /// The shortest way.
    pub needed: BTreeSet<JoinEdge>,
    /// Other ways that count as well.
    pub instead: Vec<Way>,
}

impl Link {
    /// The joins of all its ways.
    pub fn joins(&self) -> impl Iterator<Item = &JoinEdge> {
        self.needed.iter().chain(self.instead.iter().flat_map(|way| &way.joins))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkFile {
    #[serde(default)]
    link: Vec<LinkEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkEntry {
    id: Spanned<String>,
    meaning: String,
    needed: Vec<String>,
    #[serde(default)]
    instead: Vec<WayEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WayEntry {
    joins: Vec<String>,
    #[serde(default)]
    beside: bool,
    #[serde(default)]
    follow: Vec<(String, String)>,
}

/// Reads `table.column = table.column`.
pub(super) fn edge(text: &str) -> Option<JoinEdge> {
    let column = |text: &str| {
        let (table, column) = text.trim().split_once('.')?;
        let plain = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        (plain(table) && plain(column))
            .then(|| ColumnName { table: table.to_lowercase(), column: column.to_lowercase() })
    };
    let (one, other) = text.split_once('=')?;
    Some(JoinEdge::new(column(one)?, column(other)?))
}

/// The links of a pack by name; none where it has no such file.
pub(super) fn load(pack: &Pack, problems: &mut Vec<PackProblem>) -> BTreeMap<String, Link> {
    let read = pack
        .files
        .read_if_there(FILE)
        .and_then(|text| text.map(|text| Ok((parse::<LinkFile>(FILE, &text)?, text))).transpose());
    let (entries, text) = match read {
        Ok(Some(read)) => read,
        Ok(None) => return BTreeMap::new(),
        Err(problem) => {
            problems.push(problem);
            return BTreeMap::new();
        }
    };
    let mut links = BTreeMap::new();
    for entry in entries.link {
        let place = Place::at(FILE, &text, entry.id.span().start);
        let LinkEntry { id, meaning, needed, instead } = entry;
        let id = id.into_inner();
        let mut wrong = |reason: String| {
            problems.push(PackProblem {
                file: place.file.clone(),
                line: Some(place.line),
                task: None,
                reason: format!("link {id}: {reason}"),
            });
        };
        let mut edges = |pairs: &[String]| {
            let edges: Option<BTreeSet<JoinEdge>> = pairs.iter().map(|text| edge(text)).collect();
            edges.filter(|edges| !edges.is_empty()).unwrap_or_else(|| {
                wrong(format!("'{}' is no pair 'table.column = table.column'", pairs.join(" & ")));
                BTreeSet::new()
            })
        };
        let needed = edges(&needed);
        let instead: Vec<Way> = instead
            .into_iter()
            .map(|WayEntry { joins, beside, follow }| Way { joins: edges(&joins), beside, follow })
            .collect();
        if instead.iter().flat_map(|way| &way.follow).any(|(from, to)| from.is_empty() || from == to) {
            wrong("a piece to follow is empty or replaced by itself".to_owned());
        }
        let link = Link { id: id.clone(), meaning, needed, instead };
        if links.insert(id, link).is_some() {
            problems.push(PackProblem {
                file: place.file,
                line: Some(place.line),
                task: None,
                reason: "there is a second link of this id".to_owned(),
            });
        }
    }
    links
}
