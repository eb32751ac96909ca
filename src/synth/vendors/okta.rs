//! Okta accounts: the directory of record.

use super::hibob::hr_address;
use super::seen::{System, expiry, last_seen, made_at, made_on, oldest_password, shut_at, stuck_since};
use crate::synth::GenerateError;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Lifecycle, OktaStatus, Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::{office_day, working_day};
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
    // Some day between so many days ago and so many.
    let since = |days: i64, (most, least): (Day, Day), dice: &mut Dice| {
        let day = Day::try_from(days).map_or(made, |days| today - days);
        Moment::at_work(office_day(day, today - most, today - least, dice).max(made), dice)
    };
    match status {
        OktaStatus::Staged => None,
        OktaStatus::Provisioned => {
            // Exactly 30 days is not yet more than 30.
            let changed = if person.has(Trait::Stuck) {
                since(dice.between(31, 120), (120, 31), &mut dice)
            } else if dice.percent(5) {
                since(30, (30, 30), &mut dice)
            } else {
                since(dice.fading_in(1, 29, (60, 2)), (29, 0), &mut dice)
            };
            Some(changed).max(activated)
        }
        OktaStatus::LockedOut | OktaStatus::Recovery => {
            let moment = if person.has(Trait::Stuck) {
                Moment::at_work(stuck_since(organisation, index).max(made), &mut dice)
            } else {
                since(dice.fading(12, 2), (14, 0), &mut dice)
            };
            let after = dice.between(120, 3 * 3600);
            Some(last.map_or(moment, |last| moment.max(last.plus_seconds(after))))
        }
        OktaStatus::Suspended | OktaStatus::Deprovisioned => {
            shut_at(organisation, person, index).max(activated)
        }
        OktaStatus::PasswordExpired => Some(expiry(organisation, person, index).1),
        OktaStatus::Active => {
            came_back(organisation, person, index, activated, last, &mut dice).or(activated)
        }
    }
}

/// Some forgot their password, were locked out or suspended for a while; then they came back.
fn came_back(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    activated: Option<Moment>,
    last: Option<Moment>,
    dice: &mut Dice,
) -> Option<Moment> {
    let (activated, last) = (activated?, last?);
    let days = i64::from(last.day() - activated.day());
    if days < 30 || !dice.percent(11) {
        return None;
    }
    // Rather lately: nobody remembers what was before.
    let ago = dice.between(1, days - 10) * dice.between(20, 100) / 100;
    let day = last.day() - Day::try_from(ago).unwrap_or(1);
    let day = office_day(day, activated.day() + 1, last.day() - 1, dice);
    Some(organisation.at_desk(person, index, day, day, dice))
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
        (!matches!(status, OktaStatus::Staged)).then(|| begun.plus_seconds(15 + dice.fading(2400, 2)));
    let last = last_seen(organisation, person, index, System::Okta);
    let changed = status_changed(organisation, person, index, status, activated, last);
    let password = (!waiting).then(|| {
        if status == OktaStatus::PasswordExpired {
            return expiry(organisation, person, index).0;
        }
        // Whoever sets a new one signs in with it, so nobody has one from after the last sign-in.
        let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
        let last_day = last.map_or(last_day, Moment::day).max(begun.day());
        // It was good at the last sign-in, and still is where somebody comes these days.
        let allowed = oldest_password(organisation, person);
        let idle = organisation.today - last_day;
        let allowed = if idle < allowed { allowed - idle } else { allowed };
        let limit = allowed.min(last_day - begun.day()).max(0);
        // Where nothing makes people change it, few do, and the fewer the longer ago.
        let ago = match i64::from(limit) {
            limit @ ..200 => dice.between(0, limit),
            limit => dice.fading(limit, 3),
        };
        let day =
            office_day(last_day - Day::try_from(ago).unwrap_or(0), last_day - limit, last_day, &mut dice);
        let set_up = activated.unwrap_or(begun).plus_seconds(dice.between(100, 9000));
        let moment = organisation.at_desk(person, index, day, day, &mut dice);
        // On one day the password comes first: some forgot it, and got in with the new one at once or some hours later.
        let latest = last.map_or(moment, |last| last.plus_seconds(-20 - dice.fading(14_000, 2)));
        moment.max(set_up).min(latest.max(activated.unwrap_or(begun).plus_seconds(100)))
    });
    // Signing in changes nothing of the account; a new title or manager does.
    let edited = {
        let mut dice = organisation.dice("okta profile", index as usize);
        let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
        let last_day = last_day.max(begun.day());
        let ago = dice.fading(i64::from(last_day - begun.day()), 2);
        let day = last_day - Day::try_from(ago).unwrap_or(0);
        Moment::at_work(office_day(day, begun.day(), last_day, &mut dice), &mut dice)
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
        Some(_) if person.has(Trait::StaleManager) => former_manager(organisation, person, index),
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

/// Who led the person before, in the same department: best somebody who has left since, or whoever is above.
fn former_manager(organisation: &Organisation, person: &Person, index: u32) -> Option<u32> {
    let mut dice = organisation.dice("former manager", index as usize);
    let current = person.manager?;
    let fits = |other: u32| {
        let it = organisation.person(other);
        it.leads
            && it.department == person.department
            && other != current
            && other != index
            && it.end.is_none_or(|end| end > person.start + 30)
    };
    let drawn: Vec<u32> = (0..96)
        .map(|_| u32::try_from(dice.below(index as usize)).unwrap_or(0))
        .filter(|other| fits(*other))
        .collect();
    let above = organisation.person(current).manager.filter(|above| fits(*above));
    let gone = drawn.iter().copied().find(|other| organisation.person(*other).is_leaver());
    let drawn = gone.or_else(|| drawn.first().copied());
    if dice.percent(40) { above.or(drawn) } else { drawn.or(above) }.or(Some(current))
}
