//! IAM policies and who has them: attached, inline, through a group.

use super::Derivation;
use super::aws::{ADMINISTRATOR, Entity, entities, entity, is_service, pair, pick};
use super::policy_documents::{
    allows_everything, covers, grants, inline_documents, is_by_exclusion, is_every_action, is_unbounded,
};
use super::world::{Row, World};
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-AWS-05", administrators_without_mfa),
    ("V-AWS-25", users_with_inline_policies),
    ("V-AWS-26", policies_on_people),
    ("V-AWS-27", groups_with_inline_policies),
    ("V-AWS-28", empty_groups),
    ("V-AWS-29", administrator_roles),
    ("V-AWS-30", policies_for_everything),
    ("V-AWS-31", grants_by_exclusion),
    ("V-AWS-32", inline_for_everything),
    ("V-AWS-33", passing_any_role),
    ("V-AWS-35", policies_for_nobody),
];

fn attachments<'w>(world: &'w World<'_>, kind: &'w str) -> impl Iterator<Item = Row<'w>> {
    world.rows_with(Table::AwsIamPolicyAttachment, "entity_type", kind)
}

/// The customer-managed policies whose document fits.
fn own_policies(world: &World<'_>, fits: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    pick(world, Table::AwsIamPolicy, "arn", |policy| {
        !policy.flag("is_aws_managed") && fits(&policy.json("policy"))
    })
}

fn groups_with_members<'w>(world: &'w World<'_>) -> HashSet<Entity<'w>> {
    entities(world, Table::AwsIamGroupMembership, "group_name")
}

/// V-AWS-05: users without MFA who have a policy for everything, attached to themselves or to one of their groups.
fn administrators_without_mfa(world: &World<'_>) -> BTreeSet<String> {
    let full: HashSet<Entity<'_>> = world
        .rows(Table::AwsIamPolicy)
        .filter(|policy| allows_everything(&policy.json("policy")))
        .map(|policy| entity(&policy, "arn"))
        .collect();
    let holders = |kind| -> HashSet<Entity<'_>> {
        let held = attachments(world, kind).filter(|it| full.contains(&entity(it, "policy_arn")));
        held.map(|it| entity(&it, "entity_name")).collect()
    };
    let groups = holders("Group");
    let mut users = holders("User");
    let members = world.rows(Table::AwsIamGroupMembership);
    users.extend(
        members.filter(|it| groups.contains(&entity(it, "group_name"))).map(|it| entity(&it, "user_name")),
    );
    pick(world, Table::AwsIamUser, "arn", |user| {
        !user.flag("mfa_enabled") && users.contains(&entity(user, "name"))
    })
}

/// V-AWS-25: users that have inline policies.
fn users_with_inline_policies(world: &World<'_>) -> BTreeSet<String> {
    pick(world, Table::AwsIamUser, "arn", |user| !user.list("inline_policies").is_empty())
}

/// V-AWS-26: users, not those of machines, to whom a managed policy is attached.
fn policies_on_people(world: &World<'_>) -> BTreeSet<String> {
    let holders: HashSet<Entity<'_>> =
        attachments(world, "User").map(|it| entity(&it, "entity_name")).collect();
    pick(world, Table::AwsIamUser, "arn", |user| !is_service(user) && holders.contains(&entity(user, "name")))
}

/// V-AWS-27: groups that have inline policies.
fn groups_with_inline_policies(world: &World<'_>) -> BTreeSet<String> {
    pick(world, Table::AwsIamGroup, "arn", |group| !group.list("inline_policies").is_empty())
}

/// V-AWS-28: groups without a member in their account.
fn empty_groups(world: &World<'_>) -> BTreeSet<String> {
    let with_members = groups_with_members(world);
    pick(world, Table::AwsIamGroup, "arn", |group| !with_members.contains(&entity(group, "name")))
}

/// V-AWS-29: roles, not those of Identity Center, that have the administrator policy of AWS.
fn administrator_roles(world: &World<'_>) -> BTreeSet<String> {
    attachments(world, "Role")
        .filter(|it| it.word("policy_arn") == ADMINISTRATOR)
        .map(|it| entity(&it, "entity_name"))
        .filter(|(_, role)| !role.starts_with("AWSReservedSSO_"))
        .map(pair)
        .collect()
}

/// V-AWS-30: own policies that allow every action on every resource.
fn policies_for_everything(world: &World<'_>) -> BTreeSet<String> {
    own_policies(world, allows_everything)
}

/// V-AWS-31: own policies that allow all but a list of actions, under whatever condition.
fn grants_by_exclusion(world: &World<'_>) -> BTreeSet<String> {
    own_policies(world, |document| grants(document).any(is_by_exclusion))
}

/// V-AWS-32: users, groups and roles with an inline policy for everything, or for all but a list, everywhere.
fn inline_for_everything(world: &World<'_>) -> BTreeSet<String> {
    let is_total = |document: &Value| {
        grants(document).any(|it| is_unbounded(it) && (is_every_action(it) || is_by_exclusion(it)))
    };
    [Table::AwsIamUser, Table::AwsIamGroup, Table::AwsIamRole]
        .into_iter()
        .flat_map(|table| pick(world, table, "arn", |row| inline_documents(row).iter().any(is_total)))
        .collect()
}

/// V-AWS-33: own policies that let any role be passed.
fn passing_any_role(world: &World<'_>) -> BTreeSet<String> {
    own_policies(world, |document| grants(document).any(|it| is_unbounded(it) && covers(it, "iam:passrole")))
}

/// V-AWS-35: own policies that no user, no role and no group with a member has.
fn policies_for_nobody(world: &World<'_>) -> BTreeSet<String> {
    let with_members = groups_with_members(world);
    let reaching: HashSet<&str> = world
        .rows(Table::AwsIamPolicyAttachment)
        .filter(|it| it.word("entity_type") != "Group" || with_members.contains(&entity(it, "entity_name")))
        .map(|it| it.word("policy_arn"))
        .collect();
    pick(world, Table::AwsIamPolicy, "arn", |policy| {
        !policy.flag("is_aws_managed") && !reaching.contains(policy.word("arn"))
    })
}
