//! What an answer to a task rests on at least, for the page of an evaluator.

use crate::domain::evidence::{MinimalEvidence, RequiredJoin};
use crate::pack::Pack;
use crate::pack::vault::Vault;

/// The tables and joins that the answer to a task needs; `None` where the pack has no such task or no evaluator's side.
pub fn minimal_evidence(pack: &Pack, task: &str) -> Option<MinimalEvidence> {
    let (vault, _) = Vault::load(pack);
    let reference = vault.references.get(task)?;
    let plain = reference.joins.iter().map(|edge| {
        let (one, other) = edge.columns();
        RequiredJoin { name: format!("{one} = {other}"), ways: vec![[edge.clone()].into()] }
    });
    let links = reference.links.iter().map(|link| RequiredJoin {
        name: link.meaning.clone(),
        ways: std::iter::once(&link.needed)
            .chain(link.instead.iter().map(|way| &way.joins))
            .cloned()
            .collect(),
    });
    Some(MinimalEvidence { tables: reference.tables.clone(), joins: plain.chain(links).collect() })
}
