//! Enterprise applications of Entra ID, their secrets and owners.

use super::azuread::entra_id;
use super::hibob::hr_address;
use crate::synth::GenerateError;
use crate::synth::archetype::PARTNERS;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
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

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let count = organisation.count([14, 48, 170]);
    let gone = organisation.all(|person| person.has(Trait::BehindApp));
    let people = organisation.all(|person| {
        person.entra == Standing::Live
            && person.is_staff()
            && !person.is_leaver()
            && person.has(Trait::AwsUser)
    });
    let other_tenants: Vec<String> =
        (0..4).map(|nth| organisation.dice("other tenant", nth).guid()).collect();
    let own_tenant = organisation.dice("tenant", 0).guid();
    for nth in 0..count {
        let mut dice = organisation.dice("application", nth);
        let systems = organisation.archetype.systems;
        let name = if let Some(known) = KNOWN.get(nth) {
            (*known).to_owned()
        } else {
            let at = nth - KNOWN.len();
            let kind = ["api", "automation", "exports", "pipeline", "dev", "bot", "webhook", "sync"]
                [at / systems.len() % 8];
            let round = at / (systems.len() * 8);
            let more = if round == 0 { String::new() } else { format!("-{}", round + 1) };
            format!("{}-{}-{kind}{more}", organisation.stem, systems[at % systems.len()])
        };
        let age = dice.between(40, 1700);
        let created = Moment::at_work(organisation.today - Day::try_from(age).unwrap_or(40), &mut dice);
        let left = gone.get(nth.wrapping_sub(2)).copied();
        let kind = if left.is_some() || nth < 4 {
            "Application"
        } else {
            *dice.weighted(&[(80, "Application"), (16, "ManagedIdentity"), (4, "Legacy")])
        };
        let managed = kind == "ManagedIdentity";
        let third_party = !managed && left.is_none() && dice.percent(20);
        // What another company runs has its name.
        let name = if third_party && nth >= KNOWN.len() {
            let kind = ["Connector", "Sync", "Reporting", "Backup", "Insights"][nth % 5];
            format!("{} {kind}", PARTNERS[nth % PARTNERS.len()].0)
        } else {
            name
        };
        // 25 of 100 have an expired secret or one that lives longer than two years.
        let secret = |start: i64, end: i64, dice: &mut crate::synth::dice::Dice| {
            let hour = dice.between(28_000, 66_000);
            let at = |days: i64| {
                Moment::on(organisation.today + Day::try_from(days).unwrap_or(0), hour)
                    .max(created.plus_seconds(300))
                    .seconds()
            };
            json!({"displayName": dice.pick(&["deploy", "rotate-me", "prod", "default"]), "endDateTime": at(end), "keyId": dice.guid(), "startDateTime": at(-start)})
        };
        let mut secrets = Vec::new();
        let bad = nth % 4 == 1 && !managed;
        if left.is_some() {
            secrets.push(secret(age.min(200), 160, &mut dice));
            if nth % 2 == 0 {
                secrets.push(secret(age, -3, &mut dice));
            }
        } else if bad {
            match nth % 3 {
                0 => secrets.push(secret(age, -dice.between(1, 200).min(age - 1), &mut dice)),
                // It ends today, and so is expired.
                1 if nth % 8 == 5 => secrets.push(secret(age.min(365), 0, &mut dice)),
                1 => secrets.push(secret(age.min(300), 36_135, &mut dice)),
                _ => secrets.push(secret(age.min(300), 730 + dice.between(30, 700), &mut dice)),
            }
        } else if !managed && dice.percent(60) {
            secrets.push(secret(age.min(180), dice.between(5, 180), &mut dice));
        }
        let certificate = (!managed && dice.percent(15)).then(|| {
            let hour = dice.between(28_000, 66_000);
            let at = |days: i64| {
                Moment::on(organisation.today + Day::try_from(days).unwrap_or(0), hour)
                    .max(created.plus_seconds(300))
                    .seconds()
            };
            json!({"displayName": format!("CN={name}"), "endDateTime": at(dice.between(20, 700)), "keyId": dice.guid(), "startDateTime": at(-age.min(300)), "type": "AsymmetricX509Cert", "usage": "Verify"})
        });
        let mut owners: Vec<u32> = left.into_iter().collect();
        // An identity that Azure manages has nobody who answers for it.
        let owned = left.is_none_or(|_| nth % 2 == 0) && !managed && nth % 6 != 0;
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
            Some(dice.pick(&other_tenants).clone())
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
