//! IAM roles: whom they trust, and whether they are used.

use super::Derivation;
use super::aws::{age, pick};
use super::policy_documents::{account_of, admits_anyone, grants, is_guarded, is_unconditional, principals};
use super::world::World;
use crate::synth::schema::Table;
use std::collections::{BTreeSet, HashSet};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-AWS-36", open_to_anyone),
    ("V-AWS-37", unguarded_trust_in_outsiders),
    ("V-AWS-38", unused_compute_roles),
];

/// V-AWS-36: roles that any AWS principal may assume, without a condition.
fn open_to_anyone(world: &World<'_>) -> BTreeSet<String> {
    pick(world, Table::AwsIamRole, "arn", |role| {
        grants(&role.json("assume_role_policy")).any(|it| is_unconditional(it) && admits_anyone(it))
    })
}

/// V-AWS-37: roles with a statement that trusts an account outside the organization and demands neither external id nor MFA.
fn unguarded_trust_in_outsiders(world: &World<'_>) -> BTreeSet<String> {
    let ours: HashSet<&str> = world.rows(Table::AwsOrganizationsAccount).map(|it| it.word("id")).collect();
    let is_outside = |principal: &str| account_of(principal).is_some_and(|account| !ours.contains(account));
    pick(world, Table::AwsIamRole, "arn", |role| {
        grants(&role.json("assume_role_policy"))
            .any(|it| !is_guarded(it) && principals(it, "AWS").into_iter().any(is_outside))
    })
}

/// V-AWS-38: roles of EC2, Lambda or ECS tasks last used 90 days ago or more, or made so long ago and never used.
fn unused_compute_roles(world: &World<'_>) -> BTreeSet<String> {
    let is_compute =
        |service: &str| ["ec2.", "lambda.", "ecs-tasks"].iter().any(|it| service.starts_with(it));
    pick(world, Table::AwsIamRole, "arn", |role| {
        let trust = role.json("assume_role_policy");
        let idle = age(world, role, "role_last_used_date").or_else(|| age(world, role, "create_date"));
        idle.is_some_and(|days| days >= 90)
            && grants(&trust).any(|it| principals(it, "Service").into_iter().any(is_compute))
    })
}
