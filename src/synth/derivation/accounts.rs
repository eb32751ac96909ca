//! One person, several accounts: known here and unknown there, open here and shut there, different facts on either side.

use super::Derivation;
use super::cross_walks::{
    People, aws_reach, github_person, is_current, is_deactivated, is_enabled, is_live, is_open, is_usable,
    named, people, person_called,
};
use super::sharing::{Permission, live_permissions};
use super::world::{Row, World};
use crate::synth::moment::Day;
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("X-02", public_files_of_deactivated),
    ("X-03", github_members_unknown_to_entra),
    ("X-13", deactivated_in_identity_center),
    ("X-14", suspended_in_workspace),
    ("X-15", open_here_shut_there),
    ("X-16", okta_unknown_to_hr),
    ("X-18", identity_center_unknown_to_hr),
    ("X-20", atlas_owners_outside_okta),
    ("X-31", two_managers),
    ("X-36", github_without_assignment),
    ("X-37", groups_apart),
    ("X-40", groups_led_by_deactivated),
    ("X-42", database_users_of_deactivated),
    ("X-44", role_groups_beyond_hr),
    ("X-47", active_before_first_day),
    ("X-48", signed_in_while_away),
    ("X-49", idle_with_aws),
];

/// files not in the trash, open to anyone, whose owner is deactivated in Okta.
fn public_files_of_deactivated(world: &World<'_>) -> BTreeSet<String> {
    let deactivated = people(world, Table::OktaUser, is_deactivated);
    world
        .rows(Table::GoogleworkspaceSharedDriveFile)
        .filter(|file| !file.flag("trashed"))
        .filter(|file| {
            let owner = file.text("owner_email").and_then(|owner| world.person_at(owner));
            owner.is_some_and(|owner| deactivated.contains(&owner))
        })
        .filter(|file| live_permissions(world, file).iter().any(Permission::is_for_anyone))
        .filter_map(|file| file.text("id"))
        .map(str::to_owned)
        .collect()
}

/// Whether a GitHub account is of a member, not of an outside collaborator.
fn is_member(github: &Row<'_>) -> bool {
    matches!(github.word("role"), "ADMIN" | "MEMBER")
}

/// GitHub members whom neither the log-in nor the public address ties to an Entra user, enabled or not.
fn github_members_unknown_to_entra(world: &World<'_>) -> BTreeSet<String> {
    let known = people(world, Table::AzureadUser, |_| true);
    world
        .rows(Table::GithubOrganizationMember)
        .filter(is_member)
        .filter(|member| github_person(world, member).is_none_or(|person| !known.contains(&person)))
        .filter_map(|member| member.text("login"))
        .map(str::to_owned)
        .collect()
}

/// deactivated in Okta, and an Identity Center user that is not disabled.
fn deactivated_in_identity_center(world: &World<'_>) -> BTreeSet<String> {
    let usable = people(world, Table::AwsIdentitystoreUser, is_usable);
    named(world, Table::OktaUser, "login", |person, okta| is_deactivated(okta) && usable.contains(&person))
}

/// suspended in Okta, and a Workspace account that is neither suspended nor archived.
fn suspended_in_workspace(world: &World<'_>) -> BTreeSet<String> {
    let open = people(world, Table::GoogleworkspaceUser, is_open);
    named(world, Table::OktaUser, "login", |person, okta| {
        okta.word("status") == "SUSPENDED" && open.contains(&person)
    })
}

/// live in Okta and disabled in Entra, or deactivated or suspended in Okta and enabled in Entra.
fn open_here_shut_there(world: &World<'_>) -> BTreeSet<String> {
    let enabled = people(world, Table::AzureadUser, is_enabled);
    let disabled = people(world, Table::AzureadUser, |entra| !is_enabled(entra));
    named(world, Table::OktaUser, "login", |person, okta| {
        is_live(okta) && disabled.contains(&person)
            || matches!(okta.word("status"), "DEPROVISIONED" | "SUSPENDED") && enabled.contains(&person)
    })
}

/// Whom HR has any record of.
fn known_to_hr(world: &World<'_>) -> People {
    people(world, Table::HibobEmployee, |_| true)
}

/// active Okta accounts, not of services, of nobody whom HR has a record of.
fn okta_unknown_to_hr(world: &World<'_>) -> BTreeSet<String> {
    let known = known_to_hr(world);
    named(world, Table::OktaUser, "login", |person, okta| {
        okta.word("status") == "ACTIVE" && okta.word("user_type") != "Service" && !known.contains(&person)
    })
}

/// Identity Center users that are not disabled, of nobody whom HR has a record of.
fn identity_center_unknown_to_hr(world: &World<'_>) -> BTreeSet<String> {
    let known = known_to_hr(world);
    world
        .rows(Table::AwsIdentitystoreUser)
        .filter(is_usable)
        .filter(|user| world.person(user).is_none_or(|person| !known.contains(&person)))
        .filter_map(|user| user.text("name"))
        .map(str::to_owned)
        .collect()
}

/// owners of the Atlas organization, active or pending, without any Okta account.
fn atlas_owners_outside_okta(world: &World<'_>) -> BTreeSet<String> {
    let known = people(world, Table::OktaUser, |_| true);
    world
        .rows(Table::MongodbatlasOrgUser)
        .filter(|user| user.texts("org_roles").contains("ORG_OWNER"))
        .filter(|user| world.person(user).is_none_or(|person| !known.contains(&person)))
        .filter_map(|user| user.text("username"))
        .map(str::to_owned)
        .collect()
}

/// people who work here, with one manager's address in HR and another one's in an Okta account that is not
/// deactivated.
fn two_managers(world: &World<'_>) -> BTreeSet<String> {
    let okta = world.accounts(Table::OktaUser);
    named(world, Table::HibobEmployee, "email", |person, record| {
        let accounts = okta.get(&person).into_iter().flatten().filter(|account| !is_deactivated(account));
        is_current(record, world.today)
            && record.text("reportsto_email").is_some_and(|manager| {
                accounts
                    .filter_map(|account| account.text("manager_email"))
                    .any(|other| !other.eq_ignore_ascii_case(manager))
            })
    })
}

/// GitHub members whose handle no working assignment of the active GitHub app has.
fn github_without_assignment(world: &World<'_>) -> BTreeSet<String> {
    let apps: BTreeSet<&str> = world
        .rows(Table::OktaApplication)
        .filter(|app| app.word("name").starts_with("github") && app.word("status") == "ACTIVE")
        .filter_map(|app| app.text("id"))
        .collect();
    let covered: BTreeSet<String> = world
        .rows(Table::OktaAppAssignedUser)
        .filter(|assigned| apps.contains(assigned.word("app_id")))
        .filter(|assigned| matches!(assigned.word("status"), "ACTIVE" | "PROVISIONED"))
        .map(|assigned| assigned.word("user_name").to_lowercase())
        .collect();
    world
        .rows(Table::GithubOrganizationMember)
        .filter(is_member)
        .filter_map(|member| member.text("login"))
        .filter(|login| !covered.contains(&login.to_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// memberships of an Identity Center group, disabled users' as well, that its Okta namesake does not have.
fn groups_apart(world: &World<'_>) -> BTreeSet<String> {
    let by_id = |table| world.by(table, "id");
    let okta_users = by_id(Table::OktaUser);
    let okta_groups = by_id(Table::OktaGroup);
    let mut namesakes: BTreeMap<&str, People> =
        world.rows(Table::OktaGroup).map(|group| (group.word("name"), People::new())).collect();
    for member in world.rows(Table::OktaGroupMember) {
        let users = okta_users.get(member.word("user_id")).into_iter().flatten();
        let persons: People = users.filter_map(|user| world.person(user)).collect();
        for group in okta_groups.get(member.word("group_id")).into_iter().flatten() {
            namesakes.entry(group.word("name")).or_default().extend(&persons);
        }
    }
    let users = by_id(Table::AwsIdentitystoreUser);
    let groups = by_id(Table::AwsIdentitystoreGroup);
    let mut apart = BTreeSet::new();
    for membership in world.rows(Table::AwsIdentitystoreGroupMembership) {
        for group in groups.get(membership.word("group_id")).into_iter().flatten() {
            let Some(namesake) = namesakes.get(group.word("name")) else { continue };
            let members = users.get(membership.word("member_id")).into_iter().flatten();
            let strangers = members
                .filter(|user| world.person(user).is_none_or(|person| !namesake.contains(&person)))
                .map(|user| format!("{} {}", group.word("name"), user.word("name")));
            apart.extend(strangers);
        }
    }
    apart
}

/// deactivated in Okta, and owner or manager of a Workspace group.
fn groups_led_by_deactivated(world: &World<'_>) -> BTreeSet<String> {
    let leads: People = world
        .rows(Table::GoogleworkspaceGroupMember)
        .filter(|member| matches!(member.word("role"), "OWNER" | "MANAGER"))
        .filter_map(|member| world.person_at(member.text("email")?))
        .collect();
    named(world, Table::OktaUser, "login", |person, okta| is_deactivated(okta) && leads.contains(&person))
}

/// Atlas database users that have not expired, of people deactivated in Okta: tied by the label of the owner, else by
/// name.
fn database_users_of_deactivated(world: &World<'_>) -> BTreeSet<String> {
    let deactivated = people(world, Table::OktaUser, is_deactivated);
    let person = |user: &Row<'_>| {
        let labels = user.list("labels");
        let owner = labels.iter().find(|label| label.get("key").is_some_and(|key| key == "owner"));
        match owner.and_then(|label| label.get("value")).and_then(Value::as_str) {
            Some(owner) => world.person_at(owner),
            None => person_called(world, user.word("username")),
        }
    };
    world
        .rows(Table::MongodbatlasDatabaseUser)
        .filter(|user| user.day("delete_after_date").is_none_or(|end| end >= world.today))
        .filter(|user| person(user).is_some_and(|person| deactivated.contains(&person)))
        .map(|user| format!("{} {}", user.word("username"), user.word("project_id")))
        .collect()
}

/// enabled users, guests too, directly in a role-assignable Entra group, of nobody who works here by HR.
fn role_groups_beyond_hr(world: &World<'_>) -> BTreeSet<String> {
    let current = people(world, Table::HibobEmployee, |record| is_current(record, world.today));
    let members = world.by(Table::AzureadGroupMember, "group_id");
    let inside: BTreeSet<&str> = world
        .rows(Table::AzureadGroup)
        .filter(|group| group.flag("is_assignable_to_role"))
        .flat_map(|group| members.get(group.word("id")).into_iter().flatten())
        .filter_map(|member| member.text("member_id"))
        .collect();
    world
        .rows(Table::AzureadUser)
        .filter(|user| is_enabled(user) && inside.contains(user.word("id")))
        .filter(|user| world.person(user).is_none_or(|person| !current.contains(&person)))
        .filter_map(|user| user.text("user_principal_name"))
        .map(str::to_owned)
        .collect()
}

/// hired, the first day after today, and an active Okta account.
fn active_before_first_day(world: &World<'_>) -> BTreeSet<String> {
    let active = people(world, Table::OktaUser, |okta| okta.word("status") == "ACTIVE");
    let working = people(world, Table::HibobEmployee, |record| is_current(record, world.today));
    named(world, Table::HibobEmployee, "email", |person, record| {
        record.word("lifecyclestatus") == "Hired"
            && record.day("startdate").is_some_and(|start| start > world.today)
            && active.contains(&person)
            && !working.contains(&person)
    })
}

/// on leave or garden leave, and signed in to Okta or Workspace within the last 14 days.
fn signed_in_while_away(world: &World<'_>) -> BTreeSet<String> {
    let lately =
        |row: &Row<'_>, column: &'static str| row.day(column).is_some_and(|seen| world.today - seen <= 14);
    let mut seen = people(world, Table::OktaUser, |okta| lately(okta, "last_login"));
    seen.extend(people(world, Table::GoogleworkspaceUser, |account| lately(account, "last_login_time")));
    named(world, Table::HibobEmployee, "email", |person, record| {
        matches!(record.word("lifecyclestatus"), "Leave" | "Garden leave") && seen.contains(&person)
    })
}

/// a live Okta account and an enabled Entra user, neither used for 90 days or more, and an AWS account assignment.
fn idle_with_aws(world: &World<'_>) -> BTreeSet<String> {
    let reach: People = aws_reach(world).iter().filter_map(|(user, _)| world.person(user)).collect();
    // What was never used has been idle since it was made.
    let idle = |row: &Row<'_>, uses: &[&'static str], made: &'static str| {
        let used: Option<Day> = uses.iter().filter_map(|column| row.day(column)).filter(|day| *day > 0).max();
        used.or_else(|| row.day(made)).is_some_and(|last| world.today - last >= 90)
    };
    let entra = people(world, Table::AzureadUser, |user| {
        let uses = ["last_sign_in_date_time", "last_non_interactive_sign_in_date_time"];
        is_enabled(user) && idle(user, &uses, "created_date_time")
    });
    named(world, Table::OktaUser, "login", |person, okta| {
        is_live(okta)
            && idle(okta, &["last_login"], "created")
            && entra.contains(&person)
            && reach.contains(&person)
    })
}
