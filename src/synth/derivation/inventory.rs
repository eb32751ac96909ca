//! What there is: the inventory of HR, AWS, GitHub, Entra, GCP and Atlas (V-INV-01 to 05, 08, 09, 12, 13).

use super::Derivation;
use super::group_walk::Groups;
use super::world::World;
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-INV-01", departures_ahead),
    ("V-INV-02", permission_sets),
    ("V-INV-03", repositories_asleep),
    ("V-INV-04", roles_that_trust_other_accounts),
    ("V-INV-05", exempt_from_mfa),
    ("V-INV-08", basic_roles_on_projects),
    ("V-INV-09", groups_nobody_answers_for),
    ("V-INV-12", invitations_never_answered),
    ("V-INV-13", atlas_administrators_for_ever),
];

/// The texts of a JSON value that is one text or a list of them.
fn one_or_many(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// V-INV-01: HR records that end after today, whatever their status.
fn departures_ahead(world: &World<'_>) -> BTreeSet<String> {
    world
        .rows(Table::HibobEmployee)
        .filter(|record| record.day("terminationdate").is_some_and(|end| end > world.today))
        .map(|record| record.word("email").to_owned())
        .collect()
}

/// V-INV-02: every permission set, used or not.
fn permission_sets(world: &World<'_>) -> BTreeSet<String> {
    world.rows(Table::AwsSsoadminPermissionSet).map(|set| set.word("name").to_owned()).collect()
}

/// V-INV-03: repositories in use that nobody pushed to for more than 365 days; without any push, since their making.
fn repositories_asleep(world: &World<'_>) -> BTreeSet<String> {
    world
        .rows(Table::GithubRepository)
        .filter(|repository| !repository.flag("is_archived"))
        .filter(|repository| {
            let since = repository.day("pushed_at").or_else(|| repository.day("created_at"));
            since.is_some_and(|since| world.today - since > 365)
        })
        .map(|repository| repository.word("full_name").to_owned())
        .collect()
}

/// V-INV-04: roles that a principal of an account the organization does not have may assume, by ARN or account id;
/// everybody at once is another matter.
fn roles_that_trust_other_accounts(world: &World<'_>) -> BTreeSet<String> {
    let own: BTreeSet<&str> =
        world.rows(Table::AwsOrganizationsAccount).map(|account| account.word("id")).collect();
    let is_foreign = |principal: &str| account_of(principal).is_some_and(|account| !own.contains(account));
    world
        .rows(Table::AwsIamRole)
        .filter(|role| {
            let trust = role.json("assume_role_policy");
            let statements = trust.get("Statement").and_then(Value::as_array);
            statements.into_iter().flatten().any(|statement| {
                lets_assume(statement)
                    && one_or_many(statement.pointer("/Principal/AWS")).into_iter().any(is_foreign)
            })
        })
        .map(|role| role.word("arn").to_owned())
        .collect()
}

/// The account of an AWS principal, given as ARN or as a bare account id.
fn account_of(principal: &str) -> Option<&str> {
    let account = if principal.starts_with("arn:") { principal.split(':').nth(4)? } else { principal };
    (account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit())).then_some(account)
}

/// Whether a statement allows to assume the role.
fn lets_assume(statement: &Value) -> bool {
    let is_meant = |action: &str| match action.split_once('*') {
        Some((beginning, _)) => "sts:AssumeRole".starts_with(beginning),
        None => action.eq_ignore_ascii_case("sts:AssumeRole"),
    };
    statement.get("Effect").and_then(Value::as_str) == Some("Allow")
        && one_or_many(statement.get("Action")).into_iter().any(is_meant)
}

/// V-INV-05: enabled users whom an enforced policy that asks everybody for MFA leaves out, by name or through a group at
/// any depth.
fn exempt_from_mfa(world: &World<'_>) -> BTreeSet<String> {
    let groups = Groups::of_entra(world);
    let mut exempt = BTreeSet::new();
    for policy in world.rows_with(Table::AzureadConditionalAccessPolicy, "state", "enabled") {
        let users = policy.json("users");
        let named = |field: &str| one_or_many(users.get(field));
        if !named("includeUsers").contains(&"All") || !policy.texts("built_in_controls").contains("mfa") {
            continue;
        }
        exempt.extend(named("excludeUsers").into_iter().map(str::to_owned));
        for group in named("excludeGroups") {
            let members = groups.everything_in(group).into_iter().filter(|member| !groups.is_group(member));
            exempt.extend(members.map(|member| member.word("member_id").to_owned()));
        }
    }
    world
        .rows(Table::AzureadUser)
        .filter(|user| user.flag("account_enabled") && exempt.contains(user.word("id")))
        .map(|user| user.word("user_principal_name").to_owned())
        .collect()
}

/// V-INV-08: addresses bound by themselves, under a condition or not, as owner or editor of a project.
fn basic_roles_on_projects(world: &World<'_>) -> BTreeSet<String> {
    let mut people = BTreeSet::new();
    for project in world.rows(Table::GcpIamPolicy) {
        for binding in project.list("bindings") {
            let role = binding.get("role").and_then(Value::as_str).unwrap_or_default();
            if matches!(role, "roles/owner" | "roles/editor") {
                let members = one_or_many(binding.get("members"));
                people.extend(
                    members
                        .into_iter()
                        .filter_map(|member| member.strip_prefix("user:"))
                        .map(str::to_lowercase),
                );
            }
        }
    }
    people
}

/// V-INV-09: Entra groups of any type without an owner whose account is enabled.
fn groups_nobody_answers_for(world: &World<'_>) -> BTreeSet<String> {
    let enabled: BTreeSet<String> = world
        .rows(Table::AzureadUser)
        .filter(|user| user.flag("account_enabled"))
        .map(|user| user.word("id").to_owned())
        .collect();
    world
        .rows(Table::AzureadGroup)
        .filter(|group| group.texts("owner_ids").is_disjoint(&enabled))
        .map(|group| group.word("display_name").to_owned())
        .collect()
}

/// V-INV-12: guests, disabled ones too, who were invited more than 90 days ago and have not answered.
fn invitations_never_answered(world: &World<'_>) -> BTreeSet<String> {
    world
        .rows_with(Table::AzureadUser, "user_type", "Guest")
        .filter(|guest| guest.word("external_user_state") == "PendingAcceptance")
        .filter(|guest| guest.day("created_date_time").is_some_and(|day| world.today - day > 90))
        .map(|guest| guest.word("user_principal_name").to_owned())
        .collect()
}

/// V-INV-13: database users with `atlasAdmin` on every cluster of their project and no end date, past or future.
fn atlas_administrators_for_ever(world: &World<'_>) -> BTreeSet<String> {
    world
        .rows(Table::MongodbatlasDatabaseUser)
        .filter(|user| user.list("scopes").is_empty() && user.text("delete_after_date").is_none())
        .filter(|user| {
            let roles = user.list("roles");
            roles.iter().any(|role| role.get("roleName").and_then(Value::as_str) == Some("atlasAdmin"))
        })
        .map(|user| format!("{} {}", user.word("username"), user.word("project_id")))
        .collect()
}
