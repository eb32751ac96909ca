//! What the derivations about AWS share: who is meant by a name, what a service user is, how old something is.

use super::world::{Row, World};
use crate::synth::moment::Day;
use crate::synth::schema::Table;
use std::collections::{BTreeSet, HashSet};

/// The policy of AWS that allows everything.
pub(super) const ADMINISTRATOR: &str = "arn:aws:iam::aws:policy/AdministratorAccess";

/// A user, group or role by account and name: names are unique within an account only.
pub(super) type Entity<'w> = (&'w str, &'w str);

/// The entity whose name a column holds.
pub(super) fn entity<'w>(row: &Row<'w>, name: &str) -> Entity<'w> {
    (row.word("account_id"), row.word(name))
}

/// The entities that a column of a table names.
pub(super) fn entities<'w>(world: &'w World<'_>, table: Table, name: &str) -> HashSet<Entity<'w>> {
    world.rows(table).map(|row| entity(&row, name)).collect()
}

/// An entity as a subject.
pub(super) fn pair((account, name): Entity<'_>) -> String {
    format!("{account} {name}")
}

/// A column of the rows that fit.
pub(super) fn pick(
    world: &World<'_>,
    table: Table,
    column: &str,
    fits: impl Fn(&Row<'_>) -> bool,
) -> BTreeSet<String> {
    world.rows(table).filter(|row| fits(row)).map(|row| row.word(column).to_owned()).collect()
}

/// The days since the time in a column; none for NULL.
pub(super) fn age(world: &World<'_>, row: &Row<'_>, column: &str) -> Option<Day> {
    row.day(column).map(|day| world.today - day)
}

/// Whether the time in a column lies more than so many days back.
pub(super) fn is_older(world: &World<'_>, row: &Row<'_>, column: &str, days: Day) -> bool {
    age(world, row, column).is_some_and(|age| age > days)
}

/// Whether an IAM user is that of a machine.
pub(super) fn is_service(user: &Row<'_>) -> bool {
    user.word("path") == "/service/" || user.word("name").starts_with("svc-")
}

/// Whether an access key works.
pub(super) fn is_active_key(key: &Row<'_>) -> bool {
    key.word("status") == "Active"
}

/// Whether an account of the organization is in use.
pub(super) fn is_active_account(account: &Row<'_>) -> bool {
    account.word("status") == "ACTIVE"
}
