//! Groups in groups: who and what is in a group at any depth.

use super::world::{Row, World};
use crate::synth::schema::Table;
use std::collections::{BTreeSet, HashMap};

/// The member rows of a directory's groups.
pub(super) struct Groups<'w> {
    /// Rows by group, in lower case.
    rows: HashMap<String, Vec<Row<'w>>>,
    member: &'static str,
    kind: &'static str,
}

impl<'w> Groups<'w> {
    /// The groups of Workspace, which go by address.
    pub(super) fn of_workspace(world: &'w World<'_>) -> Self {
        Self::new(world, Table::GoogleworkspaceGroupMember, "group_email", "email", "type")
    }

    /// The groups of Entra, which go by id.
    pub(super) fn of_entra(world: &'w World<'_>) -> Self {
        Self::new(world, Table::AzureadGroupMember, "group_id", "member_id", "member_type")
    }

    fn new(
        world: &'w World<'_>,
        table: Table,
        group: &'static str,
        member: &'static str,
        kind: &'static str,
    ) -> Self {
        let mut rows: HashMap<String, Vec<Row<'w>>> = HashMap::new();
        for row in world.rows(table) {
            rows.entry(row.word(group).to_lowercase()).or_default().push(row);
        }
        Self { rows, member, kind }
    }

    /// Whether what a row puts into a group is a group itself.
    pub(super) fn is_group(&self, row: &Row<'_>) -> bool {
        row.word(self.kind).eq_ignore_ascii_case("group")
    }

    /// The member rows of a group and of every group in it. Each group is looked into once, since groups may hold each
    /// other.
    pub(super) fn everything_in(&self, group: &str) -> Vec<Row<'w>> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![group.to_lowercase()];
        let mut found = Vec::new();
        while let Some(next) = waiting.pop() {
            let Some(rows) = self.rows.get(&next) else { continue };
            if !seen.insert(next) {
                continue;
            }
            for row in rows {
                if self.is_group(row) {
                    waiting.push(row.word(self.member).to_lowercase());
                }
                found.push(*row);
            }
        }
        found
    }
}
