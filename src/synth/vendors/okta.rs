//! Okta accounts: the directory of record.

use super::hibob::hr_address;
use super::seen::{System, last_seen, made_at, made_on};
use crate::synth::GenerateError;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Lifecycle, OktaStatus, Organisation, Person, Trait, working_day};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use serde_json::json;

/// The id of a person's account.
pub(super) fn okta_id(organisation: &Organisation, index: u32) -> String {
    format!("00u{}", organisation.dice("okta id", index as usize).base62(17))
}

/// The log-in.
pub(super) fn login(organisation: &Organisation, person: &Person) -> String {
    organisation.address(person)
}

/// An employee number as Okta keeps it: padded for some.
fn number_text(organisation: &Organisation, person: &Person, index: u32) -> Option<String> {
    let number = person.number?;
    let padded = organisation.dice("okta number", index as usize).percent(40);
    Some(if padded { format!("{number:05}") } else { number.to_string() })
}

/// Roles given to the account itself.
fn roles(organisation: &Organisation, person: &Person, index: u32) -> Vec<&'static str> {
    let mut dice = organisation.dice("okta roles", index as usize);
    let mut roles = Vec::new();
    if person.has(Trait::OktaSuper) {
        roles.push("SUPER_ADMIN");
    }
    if person.has(Trait::OktaRole) {
        roles.push(*dice.pick(&[
            "APP_ADMIN",
            "HELP_DESK_ADMIN",
            "READ_ONLY_ADMIN",
            "ORG_ADMIN",
            "USER_ADMIN",
        ]));
    }
    // The account that writes into the directory.
    if person.kind == Kind::Service && &*person.local == "svc-scim" {
        roles.push("USER_ADMIN");
    }
    roles
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    for (index, person) in (0_u32..).zip(&organisation.people) {
        if let Some(status) = person.okta {
            account(organisation, person, index, status, out)?;
        }
    }
    Ok(())
}

/// When the account came to the status it has.
fn status_changed(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    status: OktaStatus,
    activated: Option<Moment>,
    last: Option<Moment>,
) -> Option<Moment> {
    let mut dice = organisation.dice("okta status", index as usize);
    let today = organisation.today;
    let made = made_on(organisation, person, index);
    let since = |days: i64| Day::try_from(days).map_or(made, |days| (today - days).max(made));
    match status {
        OktaStatus::Staged => None,
        OktaStatus::Provisioned => {
            // Exactly 30 days is not yet more than 30.
            let days = if person.has(Trait::Stuck) {
                dice.between(31, 120)
            } else {
                *dice.weighted(&[(5, 3), (3, 12), (2, 30)])
            };
            Some(Moment::at_work(since(days), &mut dice)).max(activated)
        }
        OktaStatus::LockedOut | OktaStatus::Recovery => {
            let days = if person.has(Trait::Stuck) {
                dice.between(31, 80)
            } else {
                *dice.weighted(&[(4, 1), (3, 6)])
            };
            let moment = Moment::at_work(since(days), &mut dice);
            let after = dice.between(120, 3 * 3600);
            Some(last.map_or(moment, |last| moment.max(last.plus_seconds(after))))
        }
        OktaStatus::Suspended | OktaStatus::Deprovisioned => {
            match person.end.filter(|_| person.is_leaver()) {
                Some(end) => Some(Moment::on(end, 17 * 3600 + dice.between(0, 5 * 3600))),
                None => Some(match last {
                    Some(last) => {
                        let soon = last.plus_seconds(dice.between(300, 5 * 3600));
                        last.plus_seconds(dice.between(3600, 30 * 3600)).min(Moment::on(today, 0)).max(soon)
                    }
                    None => Moment::at_work(since(20), &mut dice),
                }),
            }
        }
        _ => activated,
    }
}

fn account(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    status: OktaStatus,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("okta user", index as usize);
    // Whoever comes back gets the account of the first employment again.
    let begun = made_at(organisation, person, index, "okta made");
    let created = person.earlier.map_or(begun, |(start, _)| {
        Moment::at_work(working_day(start - 3).max(organisation.founded - 5), &mut dice)
    });
    let waiting = matches!(status, OktaStatus::Staged | OktaStatus::Provisioned);
    let activated =
        (!matches!(status, OktaStatus::Staged)).then(|| begun.plus_seconds(dice.between(60, 600)));
    let last = last_seen(organisation, person, index, System::Okta);
    let changed = status_changed(organisation, person, index, status, activated, last);
    let password = (!waiting).then(|| {
        let oldest = i64::from(organisation.today - begun.day()).max(0);
        let ago =
            if status == OktaStatus::PasswordExpired { dice.between(181, 400) } else { dice.between(0, 200) };
        let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
        let day = (last_day - Day::try_from(ago.min(oldest)).unwrap_or(0)).max(begun.day());
        let set_up = begun.plus_seconds(dice.between(700, 9000));
        Moment::at_work(day, &mut dice).max(set_up)
    });
    // Signing in changes nothing of the account; a new title or manager does.
    let edited = {
        let mut dice = organisation.dice("okta profile", index as usize);
        let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
        let left = i64::from(last_day - begun.day()).clamp(0, 500);
        Moment::at_work(
            last_day.max(begun.day()) - Day::try_from(dice.between(0, left)).unwrap_or(0),
            &mut dice,
        )
    };
    let updated =
        [Some(edited), activated, changed, password].into_iter().flatten().max().unwrap_or(begun).max(begun);
    let private = organisation.private_address(person, index);
    let early = person.lifecycle == Lifecycle::Hired;
    // Before the first day the account goes by the private address, too.
    let login = if early { hr_address(organisation, person, index) } else { login(organisation, person) };
    let email = if early {
        hr_address(organisation, person, index)
    } else {
        organisation.address_in(person, "okta", index)
    };
    let manager = match person.manager {
        Some(_) if person.has(Trait::StaleManager) => Some(former_manager(organisation, person, index)),
        other => other,
    };
    let user_type = match person.kind {
        Kind::Staff if person.firm.is_some() => Some("Contractor"),
        Kind::Staff => (!dice.percent(3)).then_some("Employee"),
        Kind::Ghost => dice.percent(45).then_some("Contractor"),
        Kind::Service | Kind::Mailbox => Some("Service"),
    };
    let is_person = person.label.is_none();
    let id = okta_id(organisation, index);
    out.identity(index, Table::OktaUser, &id)?;
    if person.kind == Kind::Ghost {
        out.plant("okta-account-without-hr", login.as_str());
    }
    out.row(
        Table::OktaUser,
        row![
            id,
            login,
            email,
            (early || (is_person && person.is_staff() && dice.percent(55))).then_some(private),
            if is_person {
                Some(person.name.given().to_owned())
            } else {
                person.label.as_deref().map(str::to_owned)
            },
            if is_person {
                Some(person.name.family())
            } else {
                Some("Service Account".to_owned()).filter(|_| person.kind == Kind::Service)
            },
            (person.has(Trait::Nickname) || dice.percent(20) || !is_person)
                .then(|| Organisation::preferred(person)),
            status.text(),
            (is_person && (person.is_staff() || dice.percent(50)))
                .then(|| organisation.department(person).elsewhere),
            person.is_staff().then(|| organisation.title_in(person, "Okta", index)),
            user_type,
            number_text(organisation, person, index),
            manager.map(|manager| organisation.address(organisation.person(manager))),
            created.okta(),
            activated.map(Moment::okta),
            changed.map(Moment::okta),
            last.map(Moment::okta),
            updated.okta(),
            password.map(Moment::okta),
            json!(roles(organisation, person, index)),
        ],
    )
}

/// Who led the person before: somebody else who leads people.
fn former_manager(organisation: &Organisation, person: &Person, index: u32) -> u32 {
    let mut dice = organisation.dice("former manager", index as usize);
    let current = person.manager.unwrap_or(0);
    for _ in 0..64 {
        let other = u32::try_from(dice.below(organisation.people.len() / 4 + 2)).unwrap_or(0);
        let candidate = organisation.person(other);
        if candidate.leads && candidate.is_staff() && other != current && other != index {
            return other;
        }
    }
    u32::from(current == 0)
}
