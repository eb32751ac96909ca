//! Google Workspace accounts.

use super::hibob::hr_address;
use super::seen::{System, last_seen, made_at};
use crate::synth::GenerateError;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::working_day;
use serde_json::{Value, json};

/// The id of a person's account.
pub(super) fn workspace_id(organisation: &Organisation, index: u32) -> String {
    format!("1{}", organisation.dice("workspace id", index as usize).twenty_digits())
}

/// Where in the company's tree an account sits.
fn unit(organisation: &Organisation, person: &Person) -> String {
    match person.kind {
        Kind::Service => "/Service Accounts".to_owned(),
        Kind::Mailbox => "/Shared Mailboxes".to_owned(),
        _ if person.is_leaver() => "/Former Employees".to_owned(),
        _ if person.firm.is_some() || person.kind == Kind::Ghost => "/Contractors".to_owned(),
        Kind::Staff | Kind::Ghost => format!("/Employees/{}", organisation.department(person).name),
    }
}

/// When the owner of an account was last seen in it.
pub(super) fn last_sign_in(organisation: &Organisation, person: &Person, index: u32) -> Option<Moment> {
    let created = made_at(organisation, person, index, "workspace made");
    let last = last_seen(organisation, person, index, System::Workspace).filter(|it| *it > created)?;
    if !(person.has(Trait::No2sv) && organisation.is_held_to_two_steps(person)) {
        return Some(last);
    }
    // Who is held to it and has not enrolled gets in during the first weeks only, or did before the unit was held to it.
    let today = organisation.today;
    let mut dice = organisation.dice("before two steps", index as usize);
    let day = working_day(today - Day::try_from(dice.between(32, 84)).unwrap_or(32));
    if last.day() <= day || created.day() > today - 40 {
        return Some(last);
    }
    let day = day.max(created.day() + 1);
    Some(organisation.at_desk(person, index, day, day, &mut dice))
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let customer = format!("C0{}", organisation.dice("customer", 0).base36(7));
    for (index, person) in (0_u32..).zip(&organisation.people) {
        if person.workspace == Standing::None {
            continue;
        }
        let mut dice = organisation.dice("workspace user", index as usize);
        let created = made_at(organisation, person, index, "workspace made");
        let last = last_sign_in(organisation, person, index);
        let is_admin = person.has(Trait::WorkspaceSuper);
        let delegated = person.has(Trait::WorkspaceDelegated);
        // Whoever is new has some days for it.
        let has_time = created.day() > organisation.today - 14 && dice.percent(50);
        let enforced = organisation.is_held_to_two_steps(person);
        // Who never signed in has set up nothing.
        let enrolled = !person.has(Trait::No2sv)
            && !has_time
            && last.is_some()
            && (person.workspace == Standing::Live || enforced || dice.percent(80));
        let recovery = if is_admin || delegated {
            // Administrators: some have a private way back in.
            match dice.below(5) {
                0 => None,
                1 => Some(format!("it-recovery@{}", organisation.domains[0])),
                2 => Some(format!("{}@mail.{}", person.local, organisation.domains[0])),
                _ => Some(organisation.private_address(person, index)),
            }
        } else {
            (person.is_staff() && dice.percent(45)).then(|| organisation.private_address(person, index))
        };
        let aliases = organisation.alias(index).map(|alias| json!([alias]));
        let id = workspace_id(organisation, index);
        out.identity(index, Table::GoogleworkspaceUser, &id)?;
        if person.workspace == Standing::Live && person.is_leaver() {
            out.plant("leaver-live-in-workspace", hr_address(organisation, person, index));
        }
        if is_admin && !enrolled {
            out.plant("super-administrator-without-2sv", organisation.address(person));
        }
        let is_person = person.label.is_none();
        let (given, family) = if is_person {
            (person.name.given().to_owned(), person.name.family())
        } else {
            let label = Organisation::full_name(person);
            label.rsplit_once(' ').map_or_else(
                || (label.clone(), "Mailbox".to_owned()),
                |(first, last)| (first.to_owned(), last.to_owned()),
            )
        };
        out.row(
            Table::GoogleworkspaceUser,
            row![
                id,
                organisation.address(person),
                format!("{given} {family}"),
                given,
                family,
                aliases.unwrap_or(Value::Null),
                is_admin,
                delegated,
                person.workspace == Standing::Off,
                (person.workspace == Standing::Off).then(|| if dice.percent(92) {
                    "ADMIN"
                } else {
                    "WEB_LOGIN_REQUIRED"
                }),
                person.workspace == Standing::Archived,
                enrolled,
                enforced,
                last.map_or_else(|| "1970-01-01T00:00:00.000Z".to_owned(), Moment::millis),
                created.millis(),
                unit(organisation, person),
                recovery,
                person.number.map(|number| json!([{"type": "organization", "value": number.to_string()}])),
                &customer,
            ],
        )?;
    }
    Ok(())
}
