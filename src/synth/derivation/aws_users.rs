//! IAM users: passwords, MFA and access keys.

use super::Derivation;
use super::aws::{Entity, age, entities, entity, is_active_key, is_older, is_service, pair, pick};
use super::world::{Row, World};
use crate::synth::moment::Day;
use crate::synth::schema::Table;
use std::collections::{BTreeSet, HashMap, HashSet};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-AWS-01", old_active_keys),
    ("V-AWS-02", old_inactive_keys),
    ("V-AWS-03", two_active_keys),
    ("V-AWS-04", console_without_mfa),
    ("V-AWS-06", password_and_key),
    ("V-AWS-07", idle_credentials),
    ("V-AWS-08", keys_never_used),
    ("V-AWS-09", in_no_group),
    ("V-AWS-17", stale_passwords),
    ("V-AWS-19", passwords_never_used),
    ("V-AWS-20", service_at_the_console),
];

fn keys(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsIamAccessKey, "access_key_id", fits)
}

fn users(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsIamUser, "arn", fits)
}

/// The users of active keys that fit.
fn holders<'w>(world: &'w World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> HashSet<Entity<'w>> {
    let keys = world.rows(Table::AwsIamAccessKey).filter(|key| is_active_key(key) && fits(key));
    keys.map(|key| entity(&key, "user_name")).collect()
}

fn has_password(user: &Row<'_>) -> bool {
    user.flag("password_enabled")
}

/// V-AWS-01: active keys made more than 90 days ago.
fn old_active_keys(world: &World<'_>) -> BTreeSet<String> {
    keys(world, |key| is_active_key(key) && is_older(world, key, "create_date", 90))
}

/// V-AWS-02: keys that were switched off, made more than 90 days ago, and are still there.
fn old_inactive_keys(world: &World<'_>) -> BTreeSet<String> {
    keys(world, |key| !is_active_key(key) && is_older(world, key, "create_date", 90))
}

/// V-AWS-03: users, by account and name, with two active keys.
fn two_active_keys(world: &World<'_>) -> BTreeSet<String> {
    let mut counts: HashMap<Entity<'_>, usize> = HashMap::new();
    for key in world.rows(Table::AwsIamAccessKey).filter(is_active_key) {
        *counts.entry(entity(&key, "user_name")).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count >= 2).map(|(user, _)| pair(user)).collect()
}

/// V-AWS-04: users with a password and no MFA device.
fn console_without_mfa(world: &World<'_>) -> BTreeSet<String> {
    users(world, |user| has_password(user) && !user.flag("mfa_enabled"))
}

/// V-AWS-06: users with a password and an active key in the same account.
fn password_and_key(world: &World<'_>) -> BTreeSet<String> {
    let holders = holders(world, |_| true);
    users(world, |user| has_password(user) && holders.contains(&entity(user, "name")))
}

/// V-AWS-07: users with a password or an active key not used for 90 days or more; one never used counts from its making.
fn idle_credentials(world: &World<'_>) -> BTreeSet<String> {
    let is_idle = |row: &Row<'_>, used: &str, made: &str| {
        let idle: Option<Day> = age(world, row, used).or_else(|| age(world, row, made));
        idle.is_some_and(|days| days >= 90)
    };
    let with_key = holders(world, |key| is_idle(key, "last_used_date", "create_date"));
    users(world, |user| {
        with_key.contains(&entity(user, "name"))
            || has_password(user) && is_idle(user, "password_last_used", "password_last_changed")
    })
}

/// V-AWS-08: active keys made more than 30 days ago and never used.
fn keys_never_used(world: &World<'_>) -> BTreeSet<String> {
    keys(world, |key| {
        is_active_key(key) && key.text("last_used_date").is_none() && is_older(world, key, "create_date", 30)
    })
}

/// V-AWS-09: users without a group in their account.
fn in_no_group(world: &World<'_>) -> BTreeSet<String> {
    let members = entities(world, Table::AwsIamGroupMembership, "user_name");
    users(world, |user| !members.contains(&entity(user, "name")))
}

/// V-AWS-17: users whose password was last changed more than 365 days ago.
fn stale_passwords(world: &World<'_>) -> BTreeSet<String> {
    users(world, |user| has_password(user) && is_older(world, user, "password_last_changed", 365))
}

/// V-AWS-19: users made more than 30 days ago whose password was never used.
fn passwords_never_used(world: &World<'_>) -> BTreeSet<String> {
    users(world, |user| {
        has_password(user)
            && user.text("password_last_used").is_none()
            && is_older(world, user, "create_date", 30)
    })
}

/// V-AWS-20: users of machines with a password.
fn service_at_the_console(world: &World<'_>) -> BTreeSet<String> {
    users(world, |user| is_service(user) && has_password(user))
}
