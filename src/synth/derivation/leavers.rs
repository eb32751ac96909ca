//! What people who left still have: accounts, keys, roles, applications, files, groups.

use super::Derivation;
use super::cross_walks::{
    Grant, People, active_keys, aws_reach, github_person, grants, groups_within, is_deactivated, is_enabled,
    is_live, is_open, is_usable, leavers, members_of, own_iam_users, people, people_by_handle,
};
use super::sharing::live_permissions;
use super::world::{World, day};
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("X-01", who_reach_aws),
    ("X-05", with_live_okta),
    ("X-06", with_open_workspace),
    ("X-07", enabled_in_entra),
    ("X-08", in_github),
    ("X-09", with_active_keys),
    ("X-10", in_atlas),
    ("X-11", named_in_gcp),
    ("X-12", with_keys_used_since),
    ("X-17", old_keys_within_reach),
    ("X-32", applications),
    ("X-39", files_open_to_outsiders),
    ("X-41", on_several_platforms),
    ("X-46", who_can_push),
    ("X-50", who_lead_groups_with_gcp_roles),
];

/// any account assignment of a usable Identity Center user, direct or through a group.
fn who_reach_aws(world: &World<'_>) -> BTreeSet<String> {
    let reached: People = aws_reach(world).iter().filter_map(|(user, _)| world.person(user)).collect();
    leavers(world, |person, _| reached.contains(&person))
}

/// an Okta account that works.
fn with_live_okta(world: &World<'_>) -> BTreeSet<String> {
    let live = people(world, Table::OktaUser, is_live);
    leavers(world, |person, _| live.contains(&person))
}

/// a Workspace account that is neither suspended nor archived.
fn with_open_workspace(world: &World<'_>) -> BTreeSet<String> {
    let open = people(world, Table::GoogleworkspaceUser, is_open);
    leavers(world, |person, _| open.contains(&person))
}

/// an enabled Entra user.
fn enabled_in_entra(world: &World<'_>) -> BTreeSet<String> {
    let enabled = people(world, Table::AzureadUser, is_enabled);
    leavers(world, |person, _| enabled.contains(&person))
}

/// Who can be tied to an account in a GitHub organization, whatever the role.
fn github_people(world: &World<'_>) -> People {
    world.rows(Table::GithubOrganizationMember).filter_map(|member| github_person(world, &member)).collect()
}

/// an account in the GitHub organization, of any role.
fn in_github(world: &World<'_>) -> BTreeSet<String> {
    let members = github_people(world);
    leavers(world, |person, _| members.contains(&person))
}

/// an active access key of an own IAM user.
fn with_active_keys(world: &World<'_>) -> BTreeSet<String> {
    let users = own_iam_users(world).into_iter();
    let holders: People =
        users.filter(|(_, user)| !active_keys(world, user).is_empty()).map(|(person, _)| person).collect();
    leavers(world, |person, _| holders.contains(&person))
}

/// an Atlas organization user, active or pending.
fn in_atlas(world: &World<'_>) -> BTreeSet<String> {
    let users = people(world, Table::MongodbatlasOrgUser, |_| true);
    leavers(world, |person, _| users.contains(&person))
}

/// named as user in any binding of a GCP project.
fn named_in_gcp(world: &World<'_>) -> BTreeSet<String> {
    let named: People = grants(world).iter().filter_map(|grant| grant.user(world)).collect();
    leavers(world, |person, _| named.contains(&person))
}

/// deactivated in Okta, and an active key of an own IAM user was used later than on the last day.
fn with_keys_used_since(world: &World<'_>) -> BTreeSet<String> {
    let deactivated = people(world, Table::OktaUser, is_deactivated);
    let uses: Vec<_> = own_iam_users(world)
        .into_iter()
        .flat_map(|(person, user)| active_keys(world, &user).into_iter().map(move |key| (person, key)))
        .filter_map(|(person, key)| Some((person, key.day("last_used_date")?)))
        .collect();
    leavers(world, |person, leaver| {
        deactivated.contains(&person) && uses.iter().any(|(user, used)| *user == person && *used > leaver.end)
    })
}

/// enabled service accounts with a valid key of more than 90 days that users manage, in a project where a leaver is
/// owner, editor or holds a role over service accounts.
fn old_keys_within_reach(world: &World<'_>) -> BTreeSet<String> {
    let left = world.leavers();
    let projects: BTreeSet<String> = grants(world)
        .into_iter()
        .filter(|grant| {
            matches!(grant.role.as_str(), "roles/owner" | "roles/editor")
                || grant.role.starts_with("roles/iam.serviceAccount")
        })
        .filter(|grant| grant.user(world).is_some_and(|person| left.contains_key(&person)))
        .map(|grant| grant.project)
        .collect();
    let old: BTreeSet<&str> = world
        .rows(Table::GcpServiceAccountKey)
        .filter(|key| {
            key.word("key_type") == "USER_MANAGED"
                && !key.flag("disabled")
                && key.day("valid_after_time").is_some_and(|made| world.today - made > 90)
                && key.day("valid_before_time").is_some_and(|end| end >= world.today)
        })
        .filter_map(|key| key.text("service_account_name"))
        .collect();
    world
        .rows(Table::GcpServiceAccount)
        .filter(|account| !account.flag("disabled") && projects.contains(account.word("project_id")))
        .filter_map(|account| account.text("email"))
        .filter(|email| old.contains(email))
        .map(str::to_owned)
        .collect()
}

/// enabled Entra applications with a client secret that ends after today and a leaver among the owners.
fn applications(world: &World<'_>) -> BTreeSet<String> {
    let left = world.leavers();
    let theirs: BTreeSet<&str> = world
        .rows(Table::AzureadUser)
        .filter(|user| world.person(user).is_some_and(|person| left.contains_key(&person)))
        .filter_map(|user| user.text("id"))
        .collect();
    let holds = |secret: &Value| {
        let end = secret.get("endDateTime").and_then(Value::as_str).and_then(day);
        end.is_some_and(|end| end > world.today)
    };
    world
        .rows(Table::AzureadServicePrincipal)
        .filter(is_enabled)
        .filter(|application| application.list("password_credentials").iter().any(holds))
        .filter(|application| application.texts("owner_ids").iter().any(|id| theirs.contains(id.as_str())))
        .filter_map(|application| application.text("display_name"))
        .map(str::to_owned)
        .collect()
}

/// files not in the trash whose owner left, with a live permission for somebody outside.
fn files_open_to_outsiders(world: &World<'_>) -> BTreeSet<String> {
    let left = world.leavers();
    world
        .rows(Table::GoogleworkspaceSharedDriveFile)
        .filter(|file| !file.flag("trashed"))
        .filter(|file| {
            let owner = file.text("owner_email").and_then(|owner| world.person_at(owner));
            owner.is_some_and(|owner| left.contains_key(&owner))
        })
        .filter(|file| {
            live_permissions(world, file).iter().any(|permission| permission.is_for_outside(world))
        })
        .filter_map(|file| file.text("id"))
        .map(str::to_owned)
        .collect()
}

/// accounts that work on two or more of Okta, Workspace, Entra, Identity Center and GitHub.
fn on_several_platforms(world: &World<'_>) -> BTreeSet<String> {
    let platforms = [
        people(world, Table::OktaUser, is_live),
        people(world, Table::GoogleworkspaceUser, is_open),
        people(world, Table::AzureadUser, is_enabled),
        people(world, Table::AwsIdentitystoreUser, is_usable),
        github_people(world),
    ];
    leavers(world, |person, _| platforms.iter().filter(|platform| platform.contains(&person)).count() >= 2)
}

/// an Okta account of any status, and a GitHub account that may write to a private repository in use.
fn who_can_push(world: &World<'_>) -> BTreeSet<String> {
    let known = people(world, Table::OktaUser, |_| true);
    let private: BTreeSet<&str> = world
        .rows(Table::GithubRepository)
        .filter(|repository| repository.flag("is_private") && !repository.flag("is_archived"))
        .filter_map(|repository| repository.text("full_name"))
        .collect();
    let by_handle = people_by_handle(world);
    let writers: People = world
        .rows(Table::GithubRepositoryCollaborator)
        .filter(|access| matches!(access.word("permission"), "WRITE" | "MAINTAIN" | "ADMIN"))
        .filter(|access| private.contains(access.word("repository_full_name")))
        .filter_map(|access| by_handle.get(&access.word("user_login").to_lowercase()).copied())
        .collect();
    leavers(world, |person, _| known.contains(&person) && writers.contains(&person))
}

/// owner or manager of a Workspace group with a GCP role, its own or that of a group it is in at any depth.
fn who_lead_groups_with_gcp_roles(world: &World<'_>) -> BTreeSet<String> {
    let bound: BTreeSet<String> = grants(world).iter().filter_map(Grant::group).collect();
    let inherit: BTreeSet<String> = bound.iter().flat_map(|group| groups_within(world, group)).collect();
    let leads: People = members_of(world, &inherit)
        .into_iter()
        .filter(|member| matches!(member.word("role"), "OWNER" | "MANAGER"))
        .filter_map(|member| world.person_at(member.text("email")?))
        .collect();
    leavers(world, |person, _| leads.contains(&person))
}
