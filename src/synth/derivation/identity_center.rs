//! IAM Identity Center: its users, permission sets and assignments.

use super::Derivation;
use super::aws::{ADMINISTRATOR, pick};
use super::world::{Row, World};
use crate::synth::schema::Table;
use jiff::SignedDuration;
use std::collections::{BTreeSet, HashSet};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-AWS-21", long_administrator_sessions),
    ("V-AWS-22", made_by_hand),
    ("V-AWS-34", direct_permission_sets),
];

fn users(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsIdentitystoreUser, "name", fits)
}

/// V-AWS-21: permission sets with the administrator policy of AWS whose sessions last more than four hours.
fn long_administrator_sessions(world: &World<'_>) -> BTreeSet<String> {
    let is_long = |session: &str| {
        session.parse::<SignedDuration>().is_ok_and(|length| length > SignedDuration::from_hours(4))
    };
    pick(world, Table::AwsSsoadminPermissionSet, "name", |set| {
        set.texts("managed_policy_arns").contains(ADMINISTRATOR) && is_long(set.word("session_duration"))
    })
}

/// V-AWS-22: users, not disabled, whom no identity provider knows.
fn made_by_hand(world: &World<'_>) -> BTreeSet<String> {
    users(world, |user| user.word("user_status") != "DISABLED" && user.list("external_ids").is_empty())
}

/// V-AWS-34: users to whom a permission set is assigned directly, disabled ones too.
fn direct_permission_sets(world: &World<'_>) -> BTreeSet<String> {
    let direct: HashSet<&str> = world
        .rows_with(Table::AwsSsoadminAccountAssignment, "principal_type", "USER")
        .map(|assignment| assignment.word("principal_id"))
        .collect();
    users(world, |user| direct.contains(user.word("id")))
}
