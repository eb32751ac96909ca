//! Conditional access policies of Entra ID.

use super::azuread::{emergencies, emergency_id, entra_id};
use super::azuread_groups::{EXCLUDED, EXCLUDED_DEEP, ROLES, SERVICE_DESK};
use crate::synth::GenerateError;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Standing};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};

const REPORTING: &str = "enabledForReportingButNotEnforced";

// Role templates that nobody holds here: Microsoft retired them long ago (Partner Tier1 and Tier2 Support), or programs
// alone are meant to hold them (Directory Writers).
const RETIRED: &[&str] = &["4ba39ca4-527c-499a-b93d-d9b492c50246", "e00e864a-17c5-4a4b-9c06-f5b95a8d5bd8"];
const DIRECTORY_WRITERS: &str = "9360feb5-f418-4baa-8175-e2a00bac4301";

// Applications that Microsoft gives the same id in every tenant.
const AZURE_MANAGEMENT: &str = "797f4846-ba00-4fd7-ba43-dac1f8f63013";
const INTUNE_ENROLLMENT: &str = "d4ebce55-015a-49b5-a083-c84d1797ae8c";

/// A policy.
struct Policy {
    name: &'static str,
    state: &'static str,
    users: Value,
    applications: Value,
    clients: Value,
    controls: Value,
    operator: Option<&'static str>,
}

impl Policy {
    /// Of all applications and clients; any one of the controls is enough.
    fn new(name: &'static str, state: &'static str, users: Value, controls: &[&str]) -> Self {
        Self {
            name,
            state,
            users,
            applications: applications(&["All"], &[]),
            clients: json!(["all"]),
            // What only limits a session grants nothing.
            controls: if controls.is_empty() { Value::Null } else { json!(controls) },
            operator: (!controls.is_empty()).then_some("OR"),
        }
    }

    fn and(mut self) -> Self {
        self.operator = Some("AND");
        self
    }

    fn clients(mut self, clients: &[&str]) -> Self {
        self.clients = json!(clients);
        self
    }

    fn on(mut self, include: &[&str], exclude: &[&str]) -> Self {
        self.applications = applications(include, exclude);
        self
    }
}

fn applications(include: &[&str], exclude: &[&str]) -> Value {
    json!({"excludeApplications": exclude, "includeApplications": include})
}

/// Who is meant: users and groups by id, or roles by template.
#[derive(Default)]
struct Scope<'s> {
    users: &'s [&'s str],
    groups: &'s [String],
    roles: &'s [&'s str],
    excluded_users: &'s [String],
    excluded_groups: &'s [String],
}

impl Scope<'_> {
    fn json(&self) -> Value {
        json!({"excludeGroups": self.excluded_groups, "excludeRoles": [], "excludeUsers": self.excluded_users, "includeGroups": self.groups, "includeRoles": self.roles, "includeUsers": self.users})
    }
}

pub(super) fn write(
    organisation: &Organisation,
    find: &dyn Fn(&str) -> Option<String>,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let named: Vec<String> = organisation
        .some("excluded by name", organisation.count([2, 3, 7]), |person| {
            person.entra == Standing::Live && person.is_staff() && !person.is_leaver()
        })
        .into_iter()
        .map(|index| entra_id(organisation, index))
        .chain((0..emergencies(organisation)).map(|nth| emergency_id(organisation, nth)))
        .collect();
    let mut list = first(&named, find);
    list.extend(more(&named, find));
    list.truncate(organisation.count([5, 9, 16]));
    let today = organisation.today;
    let count = i64::try_from(list.len()).unwrap_or(1);
    for (nth, policy) in (0_i64..).zip(list) {
        let mut dice = organisation.dice("conditional access", usize::try_from(nth).unwrap_or(0));
        // They were numbered as they came; a few drafts lay about for some weeks.
        let ago = 1350 - 1150 * nth / count - dice.between(0, 1150 / count + 25);
        let created = today - Day::try_from(ago.max(195)).unwrap_or(200);
        let created = office_day(created, today - 1400, today - 190, &mut dice);
        let excludes = policy.users["excludeUsers"].as_array().is_some_and(|it| !it.is_empty());
        if policy.state == REPORTING || excludes {
            out.plant("conditional-access-with-holes", policy.name);
        }
        out.row(
            Table::AzureadConditionalAccessPolicy,
            row![
                dice.guid(),
                policy.name,
                policy.state,
                Moment::at_work(created, &mut dice).seconds(),
                dice.percent(60).then(|| {
                    let later = Day::try_from(dice.between(5, 190)).unwrap_or(5);
                    let later = office_day(created + later, created + 1, today, &mut dice);
                    Moment::at_work(later, &mut dice).seconds()
                }),
                policy.users,
                policy.applications,
                policy.clients,
                policy.controls,
                policy.operator,
            ],
        )?;
    }
    Ok(())
}

/// Those with a part to play: whom the rule for everybody leaves out, and what only looks enforced.
fn first(named: &[String], find: &dyn Fn(&str) -> Option<String>) -> Vec<Policy> {
    let exclusion: Vec<String> = find(EXCLUDED).into_iter().collect();
    let deep: Vec<String> = find(EXCLUDED_DEEP).into_iter().collect();
    let roles = administrators();
    let all = |excluded_users, excluded_groups| {
        Scope { users: &["All"], excluded_users, excluded_groups, ..Scope::default() }.json()
    };
    vec![
        Policy::new("CA001 Require MFA for all users", "enabled", all(named, &exclusion), &["mfa"]),
        Policy::new(
            "CA002 Require MFA for administrators",
            "enabled",
            Scope { roles: &roles, ..Scope::default() }.json(),
            &["mfa"],
        ),
        Policy::new("CA003 Block legacy authentication", REPORTING, all(&[], &deep), &["block"])
            .clients(&["exchangeActiveSync", "other"]),
        Policy::new(
            "CA004 Compliant device for everybody",
            REPORTING,
            all(&[], &exclusion),
            &["mfa", "compliantDevice"],
        )
        .and(),
        Policy::new(
            "CA005 MFA for guests",
            "disabled",
            Scope { users: &["GuestsOrExternalUsers"], ..Scope::default() }.json(),
            &["mfa"],
        ),
    ]
}

/// The others. None of them asks everybody for MFA and is enforced: that is the first one's part.
fn more(named: &[String], find: &dyn Fn(&str) -> Option<String>) -> Vec<Policy> {
    let desk: Vec<String> = find(SERVICE_DESK).into_iter().collect();
    let admins = administrators();
    let of = |roles: &[&str]| Scope { roles, ..Scope::default() }.json();
    let all = Scope { users: &["All"], ..Scope::default() }.json();
    vec![
        Policy::new("CA006 Block retired administrator roles", "enabled", of(RETIRED), &["block"]),
        Policy::new("CA007 Sign-in frequency for browsers", "enabled", all.clone(), &[])
            .clients(&["browser"])
            .on(&["Office365"], &[]),
        Policy::new(
            "CA008 MFA for privileged roles",
            "enabled",
            of(&[ROLES[0].0, ROLES[4].0, ROLES[7].0]),
            &["mfa"],
        )
        .on(&[AZURE_MANAGEMENT, "MicrosoftAdminPortals"], &[]),
        Policy::new("CA009 Terms of use", "disabled", all.clone(), &[]).on(&["All"], &[INTUNE_ENROLLMENT]),
        Policy::new(
            "CA010 Compliant device for administrators",
            REPORTING,
            of(&admins),
            &["mfa", "compliantDevice"],
        )
        .and()
        .on(&["All"], &[INTUNE_ENROLLMENT]),
        Policy::new("CA011 Risky sign-ins", "disabled", all.clone(), &["block"]),
        Policy::new("CA012 Risky users", REPORTING, all.clone(), &["mfa", "passwordChange"]).and(),
        Policy::new(
            "CA013 MFA for the service desk",
            "enabled",
            Scope { groups: &desk, roles: &[ROLES[5].0], ..Scope::default() }.json(),
            &["mfa"],
        ),
        Policy::new("CA014 Session limits for unmanaged devices", "enabled", all, &[])
            .clients(&["browser", "mobileAppsAndDesktopClients"])
            .on(&["Office365"], &[]),
        Policy::new(
            "CA015 Require MFA for all users (draft)",
            "disabled",
            Scope { users: &["All"], excluded_users: named, ..Scope::default() }.json(),
            &["mfa"],
        ),
        Policy::new("CA016 MFA for directory writers", "enabled", of(&[DIRECTORY_WRITERS]), &["mfa"])
            .on(&["MicrosoftAdminPortals"], &[]),
    ]
}

fn administrators() -> Vec<&'static str> {
    ROLES.iter().take(5).map(|(id, _)| *id).collect()
}
