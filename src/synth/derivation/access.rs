//! Who can do what across clouds: administrators here and there, contractors with power, outsiders within.

use super::Derivation;
use super::cross_walks::{
    Grant, People, active_keys, aws_administrators, aws_reach, directory_role_holders, gcp_holders,
    github_person, grants, groups_within, is_contractor, is_current, is_live, is_open, members_of, named,
    own_iam_users, people, people_by_handle,
};
use super::world::World;
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("X-04", administrators_who_can_mint_credentials),
    ("X-19", repository_administrators_of_nobody),
    ("X-27", administrators_of_entra_and_aws),
    ("X-28", owners_of_gcp_who_administer_aws),
    ("X-29", repository_administrators_with_old_keys),
    ("X-30", office_workers_in_production),
    ("X-33", contractors_who_administer_okta),
    ("X-34", contractors_who_own_projects),
    ("X-38", guests_in_workspace_groups),
    ("X-43", groups_with_roles_and_outsiders),
];

/// Whether a GCP role lets its holder act as a service account by making credentials for it.
fn mints_credentials(role: &str) -> bool {
    matches!(
        role,
        "roles/owner"
            | "roles/iam.serviceAccountAdmin"
            | "roles/iam.serviceAccountKeyAdmin"
            | "roles/iam.serviceAccountTokenCreator"
    )
}

/// Workspace administrators not held to two steps, with a GCP role that mints credentials, own or through groups.
fn administrators_who_can_mint_credentials(world: &World<'_>) -> BTreeSet<String> {
    let minters = gcp_holders(world, mints_credentials);
    named(world, Table::GoogleworkspaceUser, "primary_email", |person, account| {
        (account.flag("is_admin") || account.flag("is_delegated_admin"))
            && is_open(account)
            && !account.flag("is_enforced_in_2sv")
            && minters.contains(&person)
    })
}

/// accounts with ADMIN on a repository in use that neither log-in, public address nor the handle in the GitHub app's
/// assignment ties to somebody who works here by HR.
fn repository_administrators_of_nobody(world: &World<'_>) -> BTreeSet<String> {
    let current = people(world, Table::HibobEmployee, |record| is_current(record, world.today));
    let in_use: BTreeSet<&str> = world
        .rows(Table::GithubRepository)
        .filter(|repository| !repository.flag("is_archived"))
        .filter_map(|repository| repository.text("full_name"))
        .collect();
    let apps: BTreeSet<&str> = world
        .rows(Table::OktaApplication)
        .filter(|app| app.word("name").starts_with("github"))
        .filter_map(|app| app.text("id"))
        .collect();
    let okta: HashMap<&str, u32> = world
        .rows(Table::OktaUser)
        .filter_map(|user| Some((user.text("id")?, world.person(&user)?)))
        .collect();
    let by_handle = people_by_handle(world);
    let mut tied: BTreeSet<String> = by_handle
        .into_iter()
        .filter(|(_, person)| current.contains(person))
        .map(|(login, _)| login)
        .collect();
    let by_assignment = world
        .rows(Table::OktaAppAssignedUser)
        .filter(|assigned| apps.contains(assigned.word("app_id")))
        .filter(|assigned| okta.get(assigned.word("id")).is_some_and(|person| current.contains(person)))
        .map(|assigned| assigned.word("user_name").to_lowercase());
    tied.extend(by_assignment);
    world
        .rows(Table::GithubRepositoryCollaborator)
        .filter(|access| access.word("permission") == "ADMIN")
        .filter(|access| in_use.contains(access.word("repository_full_name")))
        .filter_map(|access| access.text("user_login"))
        .filter(|login| !tied.contains(&login.to_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// enabled Global Administrators of the whole tenant who also administer AWS through Identity Center.
fn administrators_of_entra_and_aws(world: &World<'_>) -> BTreeSet<String> {
    let aws: People = aws_administrators(world).iter().filter_map(|user| world.person(user)).collect();
    directory_role_holders(world, |role| role == "Global Administrator")
        .into_iter()
        .filter(|user| world.person(user).is_some_and(|person| aws.contains(&person)))
        .filter_map(|user| user.text("user_principal_name"))
        .map(str::to_owned)
        .collect()
}

/// administrators of AWS through Identity Center who own a GCP project, in their own name or through groups.
fn owners_of_gcp_who_administer_aws(world: &World<'_>) -> BTreeSet<String> {
    let owners = gcp_holders(world, |role| role == "roles/owner");
    aws_administrators(world)
        .into_iter()
        .filter(|user| world.person(user).is_some_and(|person| owners.contains(&person)))
        .filter_map(|user| user.text("name"))
        .map(str::to_owned)
        .collect()
}

/// GitHub accounts with ADMIN on a private repository, of people with an own active AWS key older than 365 days.
fn repository_administrators_with_old_keys(world: &World<'_>) -> BTreeSet<String> {
    let old: People = own_iam_users(world)
        .into_iter()
        .filter(|(_, user)| {
            let keys = active_keys(world, user);
            keys.iter().filter_map(|key| key.day("create_date")).any(|made| world.today - made > 365)
        })
        .map(|(person, _)| person)
        .collect();
    let private: BTreeSet<&str> = world
        .rows(Table::GithubRepository)
        .filter(|repository| repository.flag("is_private"))
        .filter_map(|repository| repository.text("full_name"))
        .collect();
    let administrators: BTreeSet<String> = world
        .rows(Table::GithubRepositoryCollaborator)
        .filter(|access| access.word("permission") == "ADMIN")
        .filter(|access| private.contains(access.word("repository_full_name")))
        .map(|access| access.word("user_login").to_lowercase())
        .collect();
    world
        .rows(Table::GithubOrganizationMember)
        .filter(|member| github_person(world, member).is_some_and(|person| old.contains(&person)))
        .filter_map(|member| member.text("login"))
        .filter(|login| administrators.contains(&login.to_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// people of Sales, Marketing, Finance and People who work here and reach an active production account.
fn office_workers_in_production(world: &World<'_>) -> BTreeSet<String> {
    let production: BTreeSet<&str> = world
        .rows(Table::AwsOrganizationsAccount)
        .filter(|account| account.word("status") == "ACTIVE")
        .filter(|account| account.json("tags").get("env").and_then(Value::as_str) == Some("prod"))
        .filter_map(|account| account.text("id"))
        .collect();
    let reach: People = aws_reach(world)
        .iter()
        .filter(|(_, assignment)| production.contains(assignment.word("target_account_id")))
        .filter_map(|(user, _)| world.person(user))
        .collect();
    named(world, Table::HibobEmployee, "email", |person, record| {
        matches!(record.word("department"), "Sales" | "Marketing" | "Finance" | "People")
            && is_current(record, world.today)
            && reach.contains(&person)
    })
}

/// contractors with an administrator role in a live Okta account, its own or that of a group.
fn contractors_who_administer_okta(world: &World<'_>) -> BTreeSet<String> {
    let groups: BTreeSet<&str> = world
        .rows(Table::OktaGroup)
        .filter(|group| !group.list("admin_roles").is_empty())
        .filter_map(|group| group.text("id"))
        .collect();
    let through: BTreeSet<&str> = world
        .rows(Table::OktaGroupMember)
        .filter(|member| groups.contains(member.word("group_id")))
        .filter_map(|member| member.text("user_id"))
        .collect();
    let administrators = people(world, Table::OktaUser, |okta| {
        is_live(okta) && (!okta.list("assigned_roles").is_empty() || through.contains(okta.word("id")))
    });
    named(world, Table::HibobEmployee, "email", |person, record| {
        is_contractor(record) && administrators.contains(&person)
    })
}

/// contractors named as owner or editor of a GCP project, under a condition too.
fn contractors_who_own_projects(world: &World<'_>) -> BTreeSet<String> {
    let bound: People = grants(world)
        .iter()
        .filter(|grant| matches!(grant.role.as_str(), "roles/owner" | "roles/editor"))
        .filter_map(|grant| grant.user(world))
        .collect();
    named(world, Table::HibobEmployee, "email", |person, record| {
        is_contractor(record) && bound.contains(&person)
    })
}

/// Entra guests, enabled or not, one of whose addresses is a direct member of a Workspace group.
fn guests_in_workspace_groups(world: &World<'_>) -> BTreeSet<String> {
    let members: BTreeSet<String> = world
        .rows(Table::GoogleworkspaceGroupMember)
        .filter_map(|member| member.text("email"))
        .map(str::to_lowercase)
        .collect();
    world
        .rows(Table::AzureadUser)
        .filter(|user| user.word("user_type") == "Guest")
        .filter(|guest| {
            let others = guest.texts("other_mails");
            let mut addresses = others.iter().map(String::as_str).chain(guest.text("mail"));
            addresses.any(|address| members.contains(&address.to_lowercase()))
        })
        .filter_map(|guest| guest.text("mail"))
        .map(str::to_owned)
        .collect()
}

/// Workspace groups named in a GCP binding with an outside address in them at any depth.
fn groups_with_roles_and_outsiders(world: &World<'_>) -> BTreeSet<String> {
    let bound: BTreeSet<String> = grants(world).iter().filter_map(Grant::group).collect();
    bound
        .into_iter()
        .filter(|group| {
            let members = members_of(world, &groups_within(world, group));
            members.iter().filter_map(|member| member.text("email")).any(|address| world.is_outside(address))
        })
        .collect()
}
