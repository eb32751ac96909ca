//! Accounts, factors, applications and policies of Okta (V-OKTA-01 to 10; V-INV-06, 07, 10).

use super::Derivation;
use super::world::{Row, World};
use crate::synth::schema::Table;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-INV-06", statuses),
    ("V-INV-07", administrators_of_their_own),
    ("V-INV-10", factor_types_in_use),
    ("V-OKTA-01", applications_without_mfa),
    ("V-OKTA-02", without_a_factor),
    ("V-OKTA-03", weak_before_strong_doors),
    ("V-OKTA-04", administrators_without_a_key),
    ("V-OKTA-05", policies_with_weak_authenticators),
    ("V-OKTA-06", weak_password_policies),
    ("V-OKTA-07", stored_passwords),
    ("V-OKTA-08", idle),
    ("V-OKTA-09", shut_with_live_assignments),
    ("V-OKTA-10", stuck_in_between),
];

/// Log-ins of the accounts that fit.
fn logins(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    world.rows(Table::OktaUser).filter(fits).map(|user| user.word("login").to_owned()).collect()
}

fn is_active(row: &Row<'_>) -> bool {
    row.word("status") == "ACTIVE"
}

fn is_live(user: &Row<'_>) -> bool {
    matches!(user.word("status"), "ACTIVE" | "PASSWORD_EXPIRED" | "RECOVERY" | "LOCKED_OUT")
}

/// Types of the active factors, by user id.
fn active_factors<'w>(world: &'w World<'_>) -> HashMap<&'w str, BTreeSet<&'w str>> {
    let mut types: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for factor in world.rows(Table::OktaFactor).filter(is_active) {
        types.entry(factor.word("user_id")).or_default().insert(factor.word("factor_type"));
    }
    types
}

/// Ids of the users with a working assignment, direct or by group, to an active application of this sort.
fn assigned<'w>(world: &'w World<'_>, sort: impl Fn(&Row<'_>) -> bool) -> BTreeSet<&'w str> {
    let applications: BTreeSet<&str> = world
        .rows(Table::OktaApplication)
        .filter(|application| is_active(application) && sort(application))
        .map(|application| application.word("id"))
        .collect();
    world
        .rows(Table::OktaAppAssignedUser)
        .filter(|assignment| matches!(assignment.word("status"), "ACTIVE" | "PROVISIONED"))
        .filter(|assignment| applications.contains(assignment.word("app_id")))
        .map(|assignment| assignment.word("id"))
        .collect()
}

/// V-INV-06: every status that an account has.
fn statuses(world: &World<'_>) -> BTreeSet<String> {
    world.rows(Table::OktaUser).map(|user| user.word("status").to_owned()).collect()
}

/// V-INV-07: accounts that are not deactivated, with a role given to the account itself.
fn administrators_of_their_own(world: &World<'_>) -> BTreeSet<String> {
    logins(world, |user| user.word("status") != "DEPROVISIONED" && !user.list("assigned_roles").is_empty())
}

/// V-INV-10: types of which an active user has an active factor.
fn factor_types_in_use(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    world
        .rows(Table::OktaUser)
        .filter(is_active)
        .filter_map(|user| factors.get(user.word("id")))
        .flatten()
        .map(|kind| (*kind).to_owned())
        .collect()
}

/// Labels of the active applications that fit.
fn application_labels(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    world
        .rows(Table::OktaApplication)
        .filter(is_active)
        .filter(fits)
        .map(|application| application.word("label").to_owned())
        .collect()
}

/// V-OKTA-01: active applications that say no, or nothing, about MFA.
fn applications_without_mfa(world: &World<'_>) -> BTreeSet<String> {
    application_labels(world, |application| !application.flag("mfa_required"))
}

/// V-OKTA-02: active users of whatever kind without an active factor.
fn without_a_factor(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    logins(world, |user| is_active(user) && !factors.contains_key(user.word("id")))
}

/// V-OKTA-03: active users whose active factors, at least one, are all weak, with an active application that requires MFA.
fn weak_before_strong_doors(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let behind_mfa = assigned(world, |application| application.flag("mfa_required"));
    let is_weak = |kind: &&str| matches!(*kind, "sms" | "call" | "email" | "question");
    logins(world, |user| {
        let id = user.word("id");
        is_active(user)
            && behind_mfa.contains(id)
            && factors.get(id).is_some_and(|kinds| kinds.iter().all(is_weak))
    })
}

/// V-OKTA-04: live accounts that administer, by themselves or through a group, without an active factor that phishing
/// cannot get at.
fn administrators_without_a_key(world: &World<'_>) -> BTreeSet<String> {
    let factors = active_factors(world);
    let powerful: BTreeSet<&str> = world
        .rows(Table::OktaGroup)
        .filter(|group| !group.list("admin_roles").is_empty())
        .map(|group| group.word("id"))
        .collect();
    let by_group: BTreeSet<&str> = world
        .rows(Table::OktaGroupMember)
        .filter(|member| powerful.contains(member.word("group_id")))
        .map(|member| member.word("user_id"))
        .collect();
    let is_key = |kind: &&str| matches!(*kind, "webauthn" | "u2f" | "signed_nonce");
    logins(world, |user| {
        let id = user.word("id");
        let administers = by_group.contains(id) || !user.list("assigned_roles").is_empty();
        is_live(user) && administers && factors.get(id).is_none_or(|kinds| !kinds.iter().any(is_key))
    })
}

/// V-OKTA-05: active enrolment policies, the default one too, that require or allow a weak authenticator.
fn policies_with_weak_authenticators(world: &World<'_>) -> BTreeSet<String> {
    let admits = |item: &Value| {
        let text = |field: &str| item.get(field).and_then(Value::as_str).unwrap_or_default();
        let is_weak = matches!(
            text("key"),
            "phone_number" | "security_question" | "okta_email" | "sms" | "call" | "email"
        );
        is_weak && matches!(text("enroll"), "REQUIRED" | "OPTIONAL")
    };
    world
        .rows(Table::OktaMfaPolicy)
        .filter(|policy| is_active(policy) && policy.list("authenticators").iter().any(admits))
        .map(|policy| policy.word("name").to_owned())
        .collect()
}

/// V-OKTA-06: active password policies, the default one too, that ask for less than 12 characters or remember less than
/// five passwords.
fn weak_password_policies(world: &World<'_>) -> BTreeSet<String> {
    world
        .rows(Table::OktaPasswordPolicy)
        .filter(is_active)
        .filter(|policy| {
            let below = |column: &str, least: i64| policy.number(column).is_some_and(|number| number < least);
            below("min_length", 12) || below("history_count", 5)
        })
        .map(|policy| policy.word("name").to_owned())
        .collect()
}

/// V-OKTA-07: active applications that replay a stored password.
fn stored_passwords(world: &World<'_>) -> BTreeSet<String> {
    application_labels(world, |application| {
        matches!(
            application.word("sign_on_mode"),
            "AUTO_LOGIN" | "SECURE_PASSWORD_STORE" | "BROWSER_PLUGIN" | "BASIC_AUTH"
        )
    })
}

/// V-OKTA-08: active users last seen 90 days ago or earlier; who was never seen counts from the activation.
fn idle(world: &World<'_>) -> BTreeSet<String> {
    logins(world, |user| {
        let since = user.day("last_login").or_else(|| user.day("activated"));
        is_active(user) && since.is_some_and(|since| world.today - since >= 90)
    })
}

/// V-OKTA-09: deactivated or suspended users with a working assignment to an active application.
fn shut_with_live_assignments(world: &World<'_>) -> BTreeSet<String> {
    let assigned = assigned(world, |_| true);
    logins(world, |user| {
        matches!(user.word("status"), "DEPROVISIONED" | "SUSPENDED") && assigned.contains(user.word("id"))
    })
}

/// V-OKTA-10: accounts in a passing status for more than 30 days, counted from their making where no change is noted.
fn stuck_in_between(world: &World<'_>) -> BTreeSet<String> {
    logins(world, |user| {
        let since = user.day("status_changed").or_else(|| user.day("created"));
        matches!(user.word("status"), "STAGED" | "PROVISIONED" | "RECOVERY" | "LOCKED_OUT")
            && since.is_some_and(|since| world.today - since > 30)
    })
}
