//! Enterprise applications of Entra ID, their secrets and owners.

use super::azuread::entra_id;
use super::hibob::hr_address;
use super::naming::Taken;
use crate::synth::GenerateError;
use crate::synth::archetype::{PARTNERS, subjects};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};

/// The object id of an application.
pub(super) fn application_id(organisation: &Organisation, nth: usize) -> String {
    organisation.dice("application id", nth).guid()
}

const KNOWN: &[&str] = &[
    "Terraform Cloud",
    "Backup for M365",
    "Power BI Gateway",
    "Okta Provisioning",
    "GitHub Actions OIDC",
    "ServiceDesk Connector",
    "Meeting Room Displays",
    "Mail Archive",
    "Expense Export",
    "HR Sync",
];

/// What applications may do, by weight.
const RIGHTS: &[(usize, &[&str])] = &[
    (40, &[]),
    (20, &["User.Read.All"]),
    (12, &["Mail.Read"]),
    (10, &["Directory.Read.All", "Group.Read.All"]),
    (8, &["Directory.ReadWrite.All"]),
    (6, &["Sites.FullControl.All"]),
    (4, &["RoleManagement.ReadWrite.Directory"]),
];

/// What a firm's own application does in another's tenant.
const OFFERS: &[&str] = &[
    "Connector",
    "Sync",
    "Reporting",
    "Backup",
    "Insights",
    "Timesheets",
    "Portal",
    "e-Signature",
    "Calendar",
    "Archive",
    "Directory Reader",
    "Mail Add-in",
    "Billing",
    "Workflow",
    "Scanner",
];

const PURPOSES: &[&str] = &[
    "api",
    "automation",
    "exports",
    "pipeline",
    "dev",
    "bot",
    "webhook",
    "sync",
    "web",
    "mobile",
    "reports",
    "graph-reader",
    "importer",
    "notifier",
    "admin",
    "staging",
    "sso",
    "provisioning",
];

/// A name that no other application has; what another company runs has its name.
fn name(
    organisation: &Organisation,
    subjects: &[(usize, &'static str)],
    taken: &mut Taken,
    nth: usize,
    firm: Option<usize>,
) -> String {
    if let Some(known) = KNOWN.get(nth).filter(|known| taken.take(known)) {
        return (*known).to_owned();
    }
    let mut dice = organisation.dice("application name", nth);
    taken.fresh(|| match firm {
        Some(firm) => format!("{} {}", PARTNERS[firm].0, dice.pick(OFFERS)),
        None => format!("{}-{}-{}", organisation.stem, dice.weighted(subjects), dice.pick(PURPOSES)),
    })
}

/// First and last day of a credential, counted from today.
#[derive(Debug, Clone, Copy)]
struct Term {
    start: i64,
    end: i64,
}

/// For how many days the portal offers a secret.
const LIVES: &[i64] = &[90, 180, 180, 365, 365, 545, 730];

/// A credential of an ordinary life that has not run out.
fn good_term(age: i64, dice: &mut Dice) -> Term {
    let life = *dice.pick(LIVES);
    let start = dice.between(1, age.min(life - 3));
    Term { start: -start, end: life - start }
}

/// One that ran out so many days ago.
fn past_term(age: i64, ago: i64, dice: &mut Dice) -> Term {
    let life = *dice.pick(LIVES);
    Term { start: -age.min(ago + life), end: -ago }
}

/// What an application of somebody who left has: a secret that still works, and maybe one that does not.
fn leaver_terms(age: i64, expired_too: bool, dice: &mut Dice) -> Vec<Term> {
    let mut terms = vec![good_term(age, dice)];
    if expired_too {
        let ago = dice.between(2, (age - 5).min(240));
        terms.push(past_term(age, ago, dice));
    }
    terms
}

/// An expired credential, or one that lives for more than two years.
fn bad_term(age: i64, nth: usize, dice: &mut Dice) -> Term {
    let mut long = |life: i64| {
        let start = dice.between(1, age.min(life - 30));
        Term { start: -start, end: life - start }
    };
    match nth % 3 {
        0 => {
            let ago = dice.between(1, 200).min(age - 1);
            past_term(age, ago, dice)
        }
        // It ends today, and so is expired.
        1 if nth % 8 == 5 => Term { start: -age.min(365), end: 0 },
        // Ninety-nine years.
        1 => long(36_159),
        _ => {
            let life = [1095, 1095, 1826, 3652][nth / 12 % 4];
            long(life)
        }
    }
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let count = organisation.count([14, 48, 170]);
    let gone = organisation.all(|person| person.has(Trait::BehindApp));
    let people = organisation.all(|person| {
        person.entra == Standing::Live
            && person.is_staff()
            && !person.is_leaver()
            && person.has(Trait::AwsUser)
    });
    let own_tenant = organisation.dice("tenant", 0).guid();
    let subjects = subjects(organisation.archetype);
    let mut taken = Taken::default();
    for nth in 0..count {
        let mut dice = organisation.dice("application", nth);
        let today = organisation.today;
        let left = gone.get(nth.wrapping_sub(2)).copied();
        // Who has left made it before.
        let latest = left.and_then(|index| organisation.person(index).end).map_or(today - 8, |end| end - 12);
        let oldest = (latest - if left.is_some() { 700 } else { 1700 }).max(organisation.founded + 30);
        let made = latest - Day::try_from(dice.between(0, i64::from((latest - oldest).max(0)))).unwrap_or(0);
        let made = office_day(made, oldest.min(latest), latest, &mut dice);
        let age = i64::from(today - made);
        let created = Moment::at_work(made, &mut dice);
        let kind = if left.is_some() || nth < 4 {
            "Application"
        } else {
            *dice.weighted(&[(80, "Application"), (16, "ManagedIdentity"), (4, "Legacy")])
        };
        let managed = kind == "ManagedIdentity";
        let third_party = !managed && left.is_none() && dice.percent(20);
        let firm = organisation.dice("application firm", nth).below(PARTNERS.len());
        let name = name(organisation, &subjects, &mut taken, nth, third_party.then_some(firm));
        let bad = nth % 4 == 1 && !managed;
        let terms = if left.is_some() {
            leaver_terms(age, nth % 2 == 0, &mut dice)
        } else if bad {
            vec![bad_term(age, nth, &mut dice)]
        } else if !managed && dice.percent(60) {
            vec![good_term(age, &mut dice)]
        } else {
            Vec::new()
        };
        let credential = |term: Term, dice: &mut Dice| {
            let hour = dice.between(28_000, 66_000);
            let at = |days: i64| {
                Moment::on(organisation.today + Day::try_from(days).unwrap_or(0), hour)
                    .max(created.plus_seconds(300))
                    .seconds()
            };
            (at(term.start), at(term.end))
        };
        let mut secrets = Vec::new();
        for term in terms {
            let (start, end) = credential(term, &mut dice);
            let label = dice.pick(&["deploy", "rotate-me", "prod", "default"]);
            secrets.push(json!({"displayName": label, "endDateTime": end, "keyId": dice.guid(), "startDateTime": start}));
        }
        let certificate = (!managed && dice.percent(15)).then(|| {
            let term = good_term(age, &mut dice);
            let (start, end) = credential(term, &mut dice);
            json!({"displayName": format!("CN={name}"), "endDateTime": end, "keyId": dice.guid(), "startDateTime": start, "type": "AsymmetricX509Cert", "usage": "Verify"})
        });
        let mut owners: Vec<u32> = left.into_iter().collect();
        // An identity that Azure manages has nobody who answers for it.
        let owned = left.is_none_or(|_| nth % 2 == 0) && !managed && nth % 5 != 0;
        if owned && !people.is_empty() {
            owners.push(*dice.pick(&people));
        }
        if let Some(left) = left {
            out.plant(
                "application-owned-by-leaver",
                format!("{name} {}", hr_address(organisation, organisation.person(left), left)),
            );
        }
        let rights = *dice.weighted(RIGHTS);
        let tenant = if managed {
            None
        } else if third_party {
            let firm = if nth < KNOWN.len() { PARTNERS.len() + nth } else { firm };
            Some(organisation.dice("other tenant", firm).guid())
        } else {
            Some(own_tenant.clone())
        };
        let keys: Vec<Value> = certificate.into_iter().collect();
        out.row(
            Table::AzureadServicePrincipal,
            row![
                application_id(organisation, nth),
                dice.guid(),
                name,
                left.is_some() || !dice.percent(6),
                kind,
                tenant,
                dice.percent(35),
                (!managed).then_some(if third_party { "AzureADMultipleOrgs" } else { "AzureADMyOrg" }),
                json!(secrets),
                json!(keys),
                json!(rights),
                json!(owners.iter().map(|index| entra_id(organisation, *index)).collect::<Vec<_>>()),
                (kind != "Legacy").then(|| created.seconds()),
            ],
        )?;
    }
    Ok(())
}
