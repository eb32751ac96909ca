//! How well the accounts of people with power are protected by second factors, across systems.

use super::Derivation;
use super::cross_walks::{
    People, aws_administrators, directory_role_holders, github_person, grants, is_enabled, is_live, is_open,
    named, own_iam_users, people,
};
use super::world::World;
use crate::synth::schema::Table;
use std::collections::{BTreeSet, HashMap};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("X-21", project_owners_without_two_steps),
    ("X-22", aws_administrators_without_factor),
    ("X-23", strong_in_okta_weak_at_console),
    ("X-24", github_owners_without_2fa),
    ("X-25", workspace_administrators_without_security_key),
    ("X-26", entra_administrators_without_factor),
    ("X-35", without_factor_anywhere),
    ("X-45", github_without_2fa_entra_without_mfa),
];

/// The types of the active factors of each Okta account, by its id.
fn active_factors<'w>(world: &'w World<'_>) -> HashMap<&'w str, BTreeSet<&'w str>> {
    let mut factors: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for factor in world.rows(Table::OktaFactor).filter(|factor| factor.word("status") == "ACTIVE") {
        factors.entry(factor.word("user_id")).or_default().insert(factor.word("factor_type"));
    }
    factors
}

/// named as owner of a GCP project, with an open Workspace account that is not enrolled in two steps.
fn project_owners_without_two_steps(world: &World<'_>) -> BTreeSet<String> {
    let owners: People = grants(world)
        .iter()
        .filter(|grant| grant.role == "roles/owner")
        .filter_map(|grant| grant.user(world))
        .collect();
    named(world, Table::GoogleworkspaceUser, "primary_email", |person, account| {
        is_open(account) && !account.flag("is_enrolled_in_2sv") && owners.contains(&person)
    })
}

/// administrators of AWS through Identity Center whose live Okta account has no active factor.
fn aws_administrators_without_factor(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let bare = people(world, Table::OktaUser, |okta| is_live(okta) && !factors.contains_key(okta.word("id")));
    aws_administrators(world)
        .into_iter()
        .filter(|user| world.person(user).is_some_and(|person| bare.contains(&person)))
        .filter_map(|user| user.text("name"))
        .map(str::to_owned)
        .collect()
}

/// a strong active factor in a live Okta account, and an own IAM user with a console password and no MFA.
fn strong_in_okta_weak_at_console(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let is_strong = |factor: &&str| !matches!(*factor, "sms" | "call" | "email" | "question");
    let weak: People = own_iam_users(world)
        .into_iter()
        .filter(|(_, user)| user.flag("password_enabled") && !user.flag("mfa_enabled"))
        .map(|(person, _)| person)
        .collect();
    named(world, Table::OktaUser, "login", |person, okta| {
        is_live(okta)
            && factors.get(okta.word("id")).is_some_and(|held| held.iter().any(is_strong))
            && weak.contains(&person)
    })
}

/// owners without visible 2FA of an organization that is not seen to enforce it.
fn github_owners_without_2fa(world: &World<'_>) -> BTreeSet<String> {
    let lax: BTreeSet<&str> = world
        .rows(Table::GithubOrganization)
        .filter(|organization| !organization.flag("two_factor_requirement_enabled"))
        .filter_map(|organization| organization.text("login"))
        .collect();
    world
        .rows(Table::GithubOrganizationMember)
        .filter(|member| member.word("role") == "ADMIN" && lax.contains(member.word("organization")))
        .filter(|member| !member.flag("has_two_factor_enabled"))
        .filter_map(|member| member.text("login"))
        .map(str::to_owned)
        .collect()
}

/// open Workspace super administrators whose live Okta account has no active phishing-resistant factor.
fn workspace_administrators_without_security_key(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let resists = |factor: &&str| matches!(*factor, "webauthn" | "u2f" | "signed_nonce");
    let without = people(world, Table::OktaUser, |okta| {
        is_live(okta) && factors.get(okta.word("id")).is_none_or(|held| !held.iter().any(resists))
    });
    named(world, Table::GoogleworkspaceUser, "primary_email", |person, account| {
        account.flag("is_admin") && is_open(account) && without.contains(&person)
    })
}

/// enabled holders of a directory role, not registered for MFA, without an active Okta factor.
fn entra_administrators_without_factor(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let protected = people(world, Table::OktaUser, |okta| factors.contains_key(okta.word("id")));
    let registered: BTreeSet<&str> = world
        .rows(Table::AzureadUserRegistrationDetailsReport)
        .filter(|report| report.flag("is_mfa_registered"))
        .filter_map(|report| report.text("id"))
        .collect();
    directory_role_holders(world, |_| true)
        .into_iter()
        .filter(|user| !registered.contains(user.word("id")))
        .filter(|user| world.person(user).is_none_or(|person| !protected.contains(&person)))
        .filter_map(|user| user.text("user_principal_name"))
        .map(str::to_owned)
        .collect()
}

/// an active Okta account without active factor, and an open Workspace account that is not enrolled in two steps.
fn without_factor_anywhere(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let bare = people(world, Table::GoogleworkspaceUser, |account| {
        is_open(account) && !account.flag("is_enrolled_in_2sv")
    });
    named(world, Table::OktaUser, "login", |person, okta| {
        okta.word("status") == "ACTIVE" && !factors.contains_key(okta.word("id")) && bare.contains(&person)
    })
}

/// GitHub members seen to have no 2FA whose enabled Entra user is reported as not registered for MFA.
fn github_without_2fa_entra_without_mfa(world: &World<'_>) -> BTreeSet<String> {
    let unregistered: BTreeSet<&str> = world
        .rows(Table::AzureadUserRegistrationDetailsReport)
        .filter(|report| report.number("is_mfa_registered") == Some(0))
        .filter_map(|report| report.text("id"))
        .collect();
    let entra =
        people(world, Table::AzureadUser, |user| is_enabled(user) && unregistered.contains(user.word("id")));
    world
        .rows(Table::GithubOrganizationMember)
        .filter(|member| matches!(member.word("role"), "ADMIN" | "MEMBER"))
        .filter(|member| member.number("has_two_factor_enabled") == Some(0))
        .filter(|member| github_person(world, member).is_some_and(|person| entra.contains(&person)))
        .filter_map(|member| member.text("login"))
        .map(str::to_owned)
        .collect()
}
