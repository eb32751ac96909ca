//! What questions across systems share: who can be told from an account, which accounts work, who reaches AWS through
//! Identity Center, who holds a GCP role, who is in which nested group.

use super::group_walk::Groups;
use super::policy_documents::allows_everything;
use super::world::{Leaver, Row, World};
use crate::synth::moment::Day;
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// People, by index.
pub(super) type People = BTreeSet<u32>;

/// Who has an account of this kind in a table.
pub(super) fn people(world: &World<'_>, table: Table, fits: impl Fn(&Row<'_>) -> bool) -> People {
    world.rows(table).filter(fits).filter_map(|row| world.person(&row)).collect()
}

/// What the accounts of people are called in a table: those that fit together with whose they are.
pub(super) fn named(
    world: &World<'_>,
    table: Table,
    column: &'static str,
    fits: impl Fn(u32, &Row<'_>) -> bool,
) -> BTreeSet<String> {
    world
        .rows(table)
        .filter(|row| world.person(row).is_some_and(|person| fits(person, row)))
        .filter_map(|row| row.text(column))
        .map(str::to_owned)
        .collect()
}

/// The HR addresses of the leavers whom this fits.
pub(super) fn leavers(world: &World<'_>, fits: impl Fn(u32, &Leaver) -> bool) -> BTreeSet<String> {
    let all = world.leavers().into_iter();
    all.filter(|(person, leaver)| fits(*person, leaver)).map(|(_, leaver)| leaver.mail).collect()
}

/// Whether an Okta account works.
pub(super) fn is_live(okta: &Row<'_>) -> bool {
    matches!(okta.word("status"), "ACTIVE" | "PASSWORD_EXPIRED" | "RECOVERY" | "LOCKED_OUT")
}

/// Whether an Okta account is deactivated.
pub(super) fn is_deactivated(okta: &Row<'_>) -> bool {
    okta.word("status") == "DEPROVISIONED"
}

/// Whether a Workspace account is neither suspended nor archived.
pub(super) fn is_open(workspace: &Row<'_>) -> bool {
    !workspace.flag("suspended") && !workspace.flag("archived")
}

/// Whether an Entra user is enabled.
pub(super) fn is_enabled(entra: &Row<'_>) -> bool {
    entra.flag("account_enabled")
}

/// Whether an Identity Center user works: old rows say nothing of it and do.
pub(super) fn is_usable(identity_center: &Row<'_>) -> bool {
    identity_center.word("user_status") != "DISABLED"
}

/// Whether an HR record is of somebody who works here: employed, on leave or on garden leave, and started.
pub(super) fn is_current(record: &Row<'_>, today: Day) -> bool {
    matches!(record.word("lifecyclestatus"), "Employed" | "Leave" | "Garden leave")
        && record.day("startdate").is_some_and(|start| start <= today)
}

/// Whether an HR record is of a contractor who is employed or on leave.
pub(super) fn is_contractor(record: &Row<'_>) -> bool {
    record.word("employmenttype") == "Contractor"
        && matches!(record.word("lifecyclestatus"), "Employed" | "Leave")
}

/// Whose a name is that is an address or the part of one before the @.
pub(super) fn person_called(world: &World<'_>, name: &str) -> Option<u32> {
    let domains = world.organisation.domains.iter();
    world
        .person_at(name)
        .or_else(|| domains.map(|domain| format!("{name}@{domain}")).find_map(|it| world.person_at(&it)))
}

/// Whom a GitHub account can be tied to by the log-in at the identity provider or the public address: the handle and the
/// profile name say nothing.
pub(super) fn github_person(world: &World<'_>, member: &Row<'_>) -> Option<u32> {
    ["saml_name_id", "email"].into_iter().find_map(|column| world.person_at(member.text(column)?))
}

/// People by GitHub handle, in lower case.
pub(super) fn people_by_handle(world: &World<'_>) -> HashMap<String, u32> {
    world
        .rows(Table::GithubOrganizationMember)
        .filter_map(|member| Some((member.word("login").to_lowercase(), github_person(world, &member)?)))
        .collect()
}

/// The IAM users of people, each with whose it is: tied by the tag `email`, else by the tag `owner` where it is an address,
/// else by name. Service users are nobody's own.
pub(super) fn own_iam_users<'w>(world: &'w World<'_>) -> Vec<(u32, Row<'w>)> {
    let tied = |user: &Row<'_>| {
        let tags = user.json("tags");
        let tag = |key: &str| tags.get(key).and_then(Value::as_str).filter(|it| !it.is_empty());
        match (tag("email"), tag("owner")) {
            (Some(address), _) => world.person_at(address),
            (None, Some(owner)) if owner.contains('@') => world.person_at(owner),
            (None, Some(_)) => None,
            (None, None) => person_called(world, user.word("name")),
        }
    };
    world
        .rows(Table::AwsIamUser)
        .filter(|user| user.word("path") != "/service/" && !user.word("name").starts_with("svc-"))
        .filter_map(|user| Some((tied(&user)?, user)))
        .collect()
}

/// The active access keys of an IAM user; its name alone may stand for another user in another account.
pub(super) fn active_keys<'w>(world: &'w World<'_>, user: &Row<'_>) -> Vec<Row<'w>> {
    world
        .rows(Table::AwsIamAccessKey)
        .filter(|key| {
            key.text("account_id") == user.text("account_id")
                && key.text("user_name") == user.text("name")
                && key.word("status") == "Active"
        })
        .collect()
}

/// Every usable Identity Center user with each account assignment that reaches it, by itself or through a group.
pub(super) fn aws_reach<'w>(world: &'w World<'_>) -> Vec<(Row<'w>, Row<'w>)> {
    let users: HashMap<&str, Row<'_>> = world
        .rows(Table::AwsIdentitystoreUser)
        .filter(is_usable)
        .filter_map(|user| Some((user.text("id")?, user)))
        .collect();
    let members = world.by(Table::AwsIdentitystoreGroupMembership, "group_id");
    let mut reach = Vec::new();
    for assignment in world.rows(Table::AwsSsoadminAccountAssignment) {
        let principal = assignment.word("principal_id");
        let reached: Vec<&str> = if assignment.word("principal_type") == "GROUP" {
            members.get(principal).into_iter().flatten().map(|member| member.word("member_id")).collect()
        } else {
            vec![principal]
        };
        reach.extend(reached.into_iter().filter_map(|id| Some((*users.get(id)?, assignment))));
    }
    reach
}

/// Whether a permission set makes an administrator.
fn is_administrative(set: &Row<'_>) -> bool {
    set.texts("managed_policy_arns").contains("arn:aws:iam::aws:policy/AdministratorAccess")
        || allows_everything(&set.json("inline_policy"))
}

/// The usable Identity Center users who hold an administrator permission set somewhere.
pub(super) fn aws_administrators<'w>(world: &'w World<'_>) -> Vec<Row<'w>> {
    let sets: BTreeSet<&str> = world
        .rows(Table::AwsSsoadminPermissionSet)
        .filter(is_administrative)
        .filter_map(|set| set.text("arn"))
        .collect();
    aws_reach(world)
        .into_iter()
        .filter(|(_, assignment)| sets.contains(assignment.word("permission_set_arn")))
        .map(|(user, _)| user)
        .collect()
}

/// The enabled Entra users who hold a directory role over the whole tenant, by themselves or as members of a group.
pub(super) fn directory_role_holders<'w>(world: &'w World<'_>, fits: impl Fn(&str) -> bool) -> Vec<Row<'w>> {
    let mut holders = BTreeSet::new();
    for role in world.rows(Table::AzureadDirectoryRoleAssignment) {
        if role.word("directory_scope_id") == "/" && fits(role.word("role_display_name")) {
            let principal = role.word("principal_id");
            holders.insert(principal);
            let members = world.rows_with(Table::AzureadGroupMember, "group_id", principal);
            holders.extend(members.map(|member| member.word("member_id")));
        }
    }
    let users = world.rows(Table::AzureadUser);
    users.filter(|user| is_enabled(user) && holders.contains(user.word("id"))).collect()
}

/// A member of a role in a GCP project.
pub(super) struct Grant {
    pub(super) project: String,
    pub(super) role: String,
    member: String,
}

impl Grant {
    /// Who it names, if it names somebody who exists.
    pub(super) fn user(&self, world: &World<'_>) -> Option<u32> {
        world.person_at(self.member.strip_prefix("user:")?)
    }

    /// The address of the group that it names, in lower case.
    pub(super) fn group(&self) -> Option<String> {
        self.member.strip_prefix("group:").map(str::to_lowercase)
    }
}

/// All members of all roles in all projects, under a condition or not.
pub(super) fn grants(world: &World<'_>) -> Vec<Grant> {
    let mut grants = Vec::new();
    for policy in world.rows(Table::GcpIamPolicy) {
        for binding in policy.list("bindings") {
            let role = binding.get("role").and_then(Value::as_str).unwrap_or_default();
            let members = binding.get("members").and_then(Value::as_array);
            grants.extend(members.into_iter().flatten().filter_map(Value::as_str).map(|member| Grant {
                project: policy.word("project_id").to_owned(),
                role: role.to_owned(),
                member: member.to_owned(),
            }));
        }
    }
    grants
}

/// A Workspace group with all groups in it at any depth, in lower case.
pub(super) fn groups_within(world: &World<'_>, group: &str) -> BTreeSet<String> {
    let groups = Groups::of_workspace(world);
    let inside = groups.everything_in(group);
    let nested = inside.iter().filter(|row| groups.is_group(row)).map(|row| row.word("email").to_lowercase());
    nested.chain([group.to_lowercase()]).collect()
}

/// The direct members of any of these Workspace groups.
pub(super) fn members_of<'w>(world: &'w World<'_>, groups: &BTreeSet<String>) -> Vec<Row<'w>> {
    world
        .rows(Table::GoogleworkspaceGroupMember)
        .filter(|member| groups.contains(&member.word("group_email").to_lowercase()))
        .collect()
}

/// Who holds a GCP role in a project, in their own name or through a group at any depth.
pub(super) fn gcp_holders(world: &World<'_>, fits: impl Fn(&str) -> bool) -> People {
    let mut holders = People::new();
    let mut groups = BTreeSet::new();
    for grant in grants(world).into_iter().filter(|grant| fits(&grant.role)) {
        holders.extend(grant.user(world));
        groups.extend(grant.group());
    }
    for group in groups {
        let members = members_of(world, &groups_within(world, &group));
        holders.extend(members.iter().filter_map(|member| world.person_at(member.text("email")?)));
    }
    holders
}
