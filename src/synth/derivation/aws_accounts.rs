//! AWS accounts: root users, password policies, owners, support.

use super::Derivation;
use super::aws::{is_active_account, is_active_key, pick};
use super::world::{Row, World};
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-AWS-10", root_without_mfa),
    ("V-AWS-11", without_password_policy),
    ("V-AWS-12", root_with_keys),
    ("V-AWS-13", root_with_password),
    ("V-AWS-14", suspended_with_live_keys),
    ("V-AWS-15", short_passwords),
    ("V-AWS-16", long_lived_passwords),
    ("V-AWS-18", reused_passwords),
    ("V-AWS-23", without_owner),
    ("V-AWS-24", below_the_baseline),
    ("V-AWS-39", without_support),
];

fn summaries(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsIamAccountSummary, "account_id", fits)
}

fn password_policies(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsIamAccountPasswordPolicy, "account_id", fits)
}

fn accounts(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsOrganizationsAccount, "id", fits)
}

/// V-AWS-10: accounts whose root user has no MFA.
fn root_without_mfa(world: &World<'_>) -> BTreeSet<String> {
    summaries(world, |account| !account.flag("account_mfa_enabled"))
}

/// V-AWS-11: active accounts without a password policy.
fn without_password_policy(world: &World<'_>) -> BTreeSet<String> {
    let with_one = password_policies(world, |_| true);
    accounts(world, |account| is_active_account(account) && !with_one.contains(account.word("id")))
}

/// V-AWS-12: accounts whose root user has access keys.
fn root_with_keys(world: &World<'_>) -> BTreeSet<String> {
    summaries(world, |account| account.number("account_access_keys_present").is_some_and(|keys| keys > 0))
}

/// V-AWS-13: accounts whose root user has a password.
fn root_with_password(world: &World<'_>) -> BTreeSet<String> {
    summaries(world, |account| account.number("account_password_present").is_some_and(|it| it > 0))
}

/// V-AWS-14: suspended accounts in which a user has an active key.
fn suspended_with_live_keys(world: &World<'_>) -> BTreeSet<String> {
    let with_keys = pick(world, Table::AwsIamAccessKey, "account_id", is_active_key);
    accounts(world, |account| account.word("status") == "SUSPENDED" && with_keys.contains(account.word("id")))
}

fn is_short(policy: &Row<'_>) -> bool {
    policy.number("minimum_password_length").is_none_or(|length| length < 14)
}

fn is_long_lived(policy: &Row<'_>) -> bool {
    policy.number("max_password_age").is_none_or(|days| days > 90)
}

fn is_reusable(policy: &Row<'_>) -> bool {
    policy.number("password_reuse_prevention").is_none_or(|passwords| passwords < 24)
}

/// V-AWS-15: password policies that let passwords be shorter than 14.
fn short_passwords(world: &World<'_>) -> BTreeSet<String> {
    password_policies(world, is_short)
}

/// V-AWS-16: password policies by which a password lives longer than 90 days, or for ever.
fn long_lived_passwords(world: &World<'_>) -> BTreeSet<String> {
    password_policies(world, is_long_lived)
}

/// V-AWS-18: password policies that remember fewer than 24 passwords, or none.
fn reused_passwords(world: &World<'_>) -> BTreeSet<String> {
    password_policies(world, is_reusable)
}

/// V-AWS-23: active accounts whose `owner` tag is missing or empty.
fn without_owner(world: &World<'_>) -> BTreeSet<String> {
    accounts(world, |account| {
        let tags = account.json("tags");
        let owner = tags.get("owner").and_then(Value::as_str).unwrap_or_default();
        is_active_account(account) && owner.is_empty()
    })
}

/// V-AWS-24: password policies that fail on length, a class of characters, age or reuse.
fn below_the_baseline(world: &World<'_>) -> BTreeSet<String> {
    let classes = [
        "require_symbols",
        "require_numbers",
        "require_uppercase_characters",
        "require_lowercase_characters",
    ];
    password_policies(world, |policy| {
        let demands_all = classes.iter().all(|class| policy.flag(class));
        is_short(policy) || !demands_all || is_long_lived(policy) || is_reusable(policy)
    })
}

/// V-AWS-39: active accounts in which nobody, not even an empty group, has the support policy of AWS.
fn without_support(world: &World<'_>) -> BTreeSet<String> {
    let supported: HashSet<&str> = world
        .rows_with(Table::AwsIamPolicyAttachment, "policy_name", "AWSSupportAccess")
        .filter(|it| it.word("policy_arn").starts_with("arn:aws:iam::aws:policy/"))
        .map(|it| it.word("account_id"))
        .collect();
    accounts(world, |account| is_active_account(account) && !supported.contains(account.word("id")))
}
