//! With whom files are shared.

use super::world::{Row, World, day};
use crate::synth::schema::Table;
use serde_json::Value;

/// One grant on a file.
pub(super) struct Permission(Value);

impl Permission {
    fn word(&self, field: &str) -> &str {
        self.0.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// `user`, `group`, `domain` or `anyone`.
    pub(super) fn kind(&self) -> &str {
        self.word("type")
    }

    pub(super) fn role(&self) -> &str {
        self.word("role")
    }

    /// Whom it is for, where that is a person or a group.
    pub(super) fn address(&self) -> &str {
        self.word("emailAddress")
    }

    /// Whether a search leads to the file; not where nothing is said of it.
    pub(super) fn is_found_by_search(&self) -> bool {
        self.flag("allowFileDiscovery")
    }

    /// Whether it lets in anyone.
    pub(super) fn is_for_anyone(&self) -> bool {
        self.kind() == "anyone"
    }

    /// Whether it lets in somebody outside of the company: anyone, another domain, an outside address.
    pub(super) fn is_for_outside(&self, world: &World<'_>) -> bool {
        match self.kind() {
            "anyone" => true,
            "domain" => world.is_outside(self.word("domain")),
            "user" | "group" => world.is_outside(self.address()),
            _ => false,
        }
    }

    fn flag(&self, field: &str) -> bool {
        self.0.get(field).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Whether it holds: the grantee exists, and it has not ended by today.
    fn is_live(&self, world: &World<'_>) -> bool {
        let end = day(self.word("expirationTime"));
        !self.flag("deleted") && end.is_none_or(|end| end > world.today)
    }
}

/// The permissions of a file that hold today.
pub(super) fn live_permissions(world: &World<'_>, file: &Row<'_>) -> Vec<Permission> {
    file.list("permissions")
        .into_iter()
        .map(Permission)
        .filter(|permission| permission.is_live(world))
        .collect()
}

/// Files that are not in the trash.
pub(super) fn kept_files<'w>(world: &'w World<'_>) -> impl Iterator<Item = Row<'w>> {
    world.rows(Table::GoogleworkspaceSharedDriveFile).filter(|file| !file.flag("trashed"))
}
