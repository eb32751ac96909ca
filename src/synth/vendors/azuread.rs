//! Entra ID users, guests included, and their MFA registration.

use super::azuread_groups::{service_desk, service_desk_guest};
use super::hibob::hr_address;
use super::seen::{System, is_synced, last_seen, made_at};
use crate::synth::GenerateError;
use crate::synth::archetype::PARTNERS;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, OktaStatus, Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::{office_day, working_day};
use serde_json::{Value, json};

/// A guest: what the invitation made of an outsider.
#[derive(Debug)]
pub(super) struct Guest {
    pub(super) id: String,
    pub(super) mail: String,
    principal: String,
    pub(super) enabled: bool,
    pending: bool,
    created: Moment,
}

/// The object id of a person's user.
pub(super) fn entra_id(organisation: &Organisation, index: u32) -> String {
    organisation.dice("entra id", index as usize).guid()
}

/// The object id of an emergency administrator.
pub(super) fn emergency_id(organisation: &Organisation, nth: usize) -> String {
    organisation.dice("entra emergency", nth).guid()
}

/// How many emergency administrators there are: cloud-only accounts that belong to nobody.
pub(super) fn emergencies(organisation: &Organisation) -> usize {
    organisation.count([2, 2, 3])
}

/// The guests, in the order of the outsiders.
pub(super) fn guests(organisation: &Organisation) -> Vec<Guest> {
    let count = organisation.count([6, 33, 166]).min(organisation.outsiders.len());
    organisation
        .outsiders
        .iter()
        .take(count)
        .enumerate()
        .map(|(nth, outsider)| {
            let mut dice = organisation.dice("guest", nth);
            let (local, domain) = outsider.address.split_once('@').unwrap_or((&outsider.address, ""));
            // A quarter has never answered, for more than 90 days; a few more for less.
            let stale = nth % 4 == 1 || nth == 2;
            let waiting = stale || nth % 9 == 4;
            let ago = match (stale, waiting) {
                (true, _) => dice.between(91, 700),
                // Ninety days exactly is not more.
                (_, true) if nth == 4 => 90,
                (_, true) => dice.between(2, 88),
                _ => dice.between(3, 1400),
            };
            let latest = organisation.today - if stale { 91 } else { 0 };
            let earliest = if waiting && !stale { organisation.today - 90 } else { organisation.founded };
            let day = organisation.today - Day::try_from(ago).unwrap_or(20);
            let day = if ago == 90 { day } else { office_day(day, earliest, latest, &mut dice) };
            Guest {
                id: dice.guid(),
                mail: outsider.address.clone(),
                principal: format!("{local}_{domain}#EXT#@{}", organisation.domains[0]),
                enabled: nth % 11 != 8,
                pending: waiting,
                created: Moment::at_work(day, &mut dice),
            }
        })
        .collect()
}

/// Whether the directory keeps a user for this person.
pub(super) fn has_user(person: &Person) -> bool {
    person.entra != Standing::None
}

fn number_text(organisation: &Organisation, person: &Person, index: u32) -> Option<String> {
    let number = person.number?;
    let prefix: String = organisation.stem.chars().take(2).collect::<String>().to_uppercase();
    Some(match organisation.dice("entra number", index as usize).below(10) {
        0..6 => number.to_string(),
        6..8 => format!("{number:05}"),
        _ => format!("{prefix}-{number:05}"),
    })
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let desk = service_desk(organisation);
    for (index, person) in (0_u32..).zip(&organisation.people).filter(|(_, person)| has_user(person)) {
        let holds_role =
            person.traits.any(&[Trait::GlobalAdmin, Trait::DirectoryRole]) || desk.contains(&index);
        user(organisation, person, index, holds_role, out)?;
    }
    let guests = guests(organisation);
    let desk_guest = service_desk_guest(&guests);
    for (nth, guest) in guests.iter().enumerate() {
        write_guest(organisation, nth, guest, desk_guest.as_ref() == Some(&guest.id), out)?;
    }
    for nth in 0..emergencies(organisation) {
        emergency(organisation, nth, out)?;
    }
    Ok(())
}

fn user(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    holds_role: bool,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("entra user", index as usize);
    let created = made_at(organisation, person, index, "entra made");
    let principal = organisation.address(person);
    let mail = organisation.address_in(person, "entra", index);
    let id = entra_id(organisation, index);
    let mut proxies = vec![format!("SMTP:{mail}")];
    proxies.extend(organisation.alias(index).map(|alias| format!("smtp:{alias}")));
    if person.is_staff() && person.kind == Kind::Staff && dice.percent(15) {
        proxies.push(format!("smtp:{}@{}.onmicrosoft.example", person.local, organisation.stem));
    }
    let is_person = person.label.is_none();
    let display = if is_person && dice.percent(25) {
        format!("{}, {}", person.name.family(), person.name.given())
    } else {
        Organisation::preferred(person)
    };
    let last = last_seen(organisation, person, index, System::Entra).filter(|it| *it > created);
    let silent = silent_sign_in(person, created, last, organisation.today, &mut dice);
    let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
    // Whoever sets a new one signs in with it; who never came has the first.
    let last_day = last.map_or(created.day(), |last| last.day().min(last_day)).max(created.day());
    let changed = last_day - Day::try_from(1 + dice.fading(1100, 2)).unwrap_or(1);
    let changed = office_day(changed.max(created.day()), created.day(), last_day, &mut dice);
    let manager = person.manager.filter(|manager| has_user(organisation.person(*manager)));
    out.identity(index, Table::AzureadUser, &id)?;
    if person.entra == Standing::Live && person.is_leaver() {
        out.plant("leaver-enabled-in-entra", hr_address(organisation, person, index));
    }
    out.row(
        Table::AzureadUser,
        row![
            &id,
            &principal,
            &display,
            is_person.then(|| person.name.given()),
            is_person.then(|| person.name.family()),
            &mail,
            if dice.percent(50) { json!([]) } else { Value::Null },
            json!(proxies),
            person.entra == Standing::Live,
            // Accounts from before the column say nothing.
            (created.day() > organisation.today - 2750).then_some("Member"),
            Option::<&str>::None,
            number_text(organisation, person, index),
            person.is_staff().then(|| if dice.percent(70) {
                organisation.department(person).name
            } else {
                organisation.department(person).elsewhere
            }),
            person.is_staff().then(|| organisation.title_in(person, "Entra", index)),
            Organisation::firm(person).or_else(|| dice.percent(60).then_some(organisation.name)),
            manager.map(|manager| entra_id(organisation, manager)),
            created.seconds(),
            last.map(Moment::seconds),
            silent,
            Moment::at_work(changed, &mut dice)
                .max(created.plus_seconds(dice.between(150, 15_000)))
                .seconds(),
            *dice.weighted(&[
                (70, None),
                (12, Some("None")),
                (14, Some("DisablePasswordExpiration")),
                (4, Some("DisableStrongPassword"))
            ]),
            is_synced(organisation, person, index).then_some(true),
        ],
    )?;
    report(organisation, person, (&id, &principal, &display), (holds_role, last), &mut dice, out)
}

/// The last sign-in that nobody made by hand: a little later, or never, in either spelling of never.
fn silent_sign_in(
    person: &Person,
    created: Moment,
    last: Option<Moment>,
    today: Day,
    dice: &mut Dice,
) -> Option<String> {
    let Some(last) = last else {
        if person.kind == Kind::Service && dice.percent(85) {
            let day = today - Day::try_from(dice.between(0, 6) * dice.between(0, 6)).unwrap_or(0);
            return Some(Moment::any(day, dice).max(created.plus_seconds(600)).seconds());
        }
        return dice.percent(60).then(|| "0001-01-01T00:00:00Z".to_owned());
    };
    // Nothing after the last sign-in of who is idle, gone or shut out, or the idleness would be none.
    let ended = person.has(Trait::IdleEntra)
        || person.is_leaver()
        || person.entra != Standing::Live
        || !person.okta.is_some_and(OktaStatus::is_live);
    let soon = |most: i64, throws: usize, dice: &mut Dice| {
        let left = Moment::on(today, 86_399).unix_seconds() - last.unix_seconds();
        let later = dice.fading(most, throws);
        last.plus_seconds(if later < left { later } else { dice.between(left / 20, left.max(1)) })
    };
    let moment = match dice.below(100) {
        0..9 => return None,
        9..17 => return Some("0001-01-01T00:00:00Z".to_owned()),
        // No program of theirs renewed a session any more.
        17..30 => last.plus_seconds(-dice.fading(9 * 86_400, 3)),
        _ if ended => last.plus_seconds(-dice.fading(40 * 86_400, 3)),
        // A phone or a mail program does it by itself, some hours later, or days later when its owner is away.
        30..70 => soon(30_000, 2, dice),
        _ => soon(16 * 86_400, 3, dice),
    };
    Some(moment.max(created.plus_seconds(dice.between(60, 4000))).seconds())
}

/// When the report last looked at somebody: it goes round within some days.
fn reported(today: Day, dice: &mut Dice) -> Moment {
    Moment::any(today - Day::try_from(dice.fading(4, 1)).unwrap_or(0), dice)
}

fn report(
    organisation: &Organisation,
    person: &Person,
    (id, principal, display): (&str, &str, &str),
    (holds_role, last): (bool, Option<Moment>),
    dice: &mut Dice,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    if !person.is_staff() && last.is_none() && dice.percent(20) {
        return Ok(());
    }
    // Who never signed in has registered nothing.
    // The rule for everybody catches whoever has not registered at the next sign-in.
    let caught =
        !person.has(Trait::NoEntraMfa) || last.is_some_and(|last| last.day() > organisation.today - 60);
    let registered = last.is_some() && caught && person.entra == Standing::Live && person.label.is_none();
    let mut methods: Vec<&str> = Vec::new();
    if registered {
        methods.push(*dice.weighted(&[
            (70, "microsoftAuthenticatorPush"),
            (20, "softwareOneTimePasscode"),
            (10, "mobilePhone"),
        ]));
        if dice.percent(35) && methods[0] != "mobilePhone" {
            methods.push("mobilePhone");
        }
        if person.has(Trait::PhishingResistant) {
            methods.push("fido2");
        }
    } else if dice.percent(15) {
        methods.push("email");
    }
    let passwordless = methods.contains(&"fido2");
    // A telephone alone is registered, but the policy lets only few use one.
    let capable = registered && (methods.as_slice() != ["mobilePhone"] || dice.percent(30));
    out.row(
        Table::AzureadUserRegistrationDetailsReport,
        row![
            id,
            principal,
            display,
            "member",
            holds_role,
            registered,
            capable,
            passwordless,
            registered || methods.contains(&"email"),
            json!(methods),
            reported(organisation.today, dice).seconds(),
        ],
    )
}

fn write_guest(
    organisation: &Organisation,
    nth: usize,
    guest: &Guest,
    holds_role: bool,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("guest row", nth);
    let outsider = &organisation.outsiders[nth];
    let age = i64::from(organisation.today - guest.created.day());
    let seen = (!guest.pending && dice.percent(80)).then(|| {
        let day = organisation.today - Day::try_from(dice.fading(age.min(600), 2)).unwrap_or(0);
        let day = office_day(day, guest.created.day(), organisation.today, &mut dice);
        Moment::at_work(day, &mut dice).max(guest.created.plus_seconds(dice.between(90, 40_000)))
    });
    if guest.pending {
        out.plant("guest-invitation-unanswered", guest.principal.as_str());
    }
    out.row(
        Table::AzureadUser,
        row![
            &guest.id,
            &guest.principal,
            outsider.name.full(),
            (!guest.pending).then(|| outsider.name.given()),
            (!guest.pending).then(|| outsider.name.family()),
            &guest.mail,
            json!([guest.mail]),
            json!([format!("SMTP:{}", guest.mail)]),
            guest.enabled,
            "Guest",
            if guest.pending { "PendingAcceptance" } else { "Accepted" },
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<&str>::None,
            dice.percent(50).then_some(PARTNERS[outsider.firm].0),
            Option::<&str>::None,
            guest.created.seconds(),
            seen.map(Moment::seconds),
            if seen.is_some() { None } else { Some("0001-01-01T00:00:00Z").filter(|_| dice.percent(40)) },
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<bool>::None,
        ],
    )?;
    if guest.pending || dice.percent(40) {
        return Ok(());
    }
    let registered = seen.is_some() && dice.percent(85);
    let methods: &[&str] = if registered { &["microsoftAuthenticatorPush"] } else { &[] };
    out.row(
        Table::AzureadUserRegistrationDetailsReport,
        row![
            &guest.id,
            &guest.principal,
            outsider.name.full(),
            "guest",
            holds_role,
            registered,
            registered,
            false,
            false,
            json!(methods),
            reported(organisation.today, &mut dice).seconds(),
        ],
    )
}

fn emergency(organisation: &Organisation, nth: usize, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("emergency row", nth);
    let created = Moment::at_work(working_day(organisation.founded + 200), &mut dice);
    let password = created.plus_seconds(dice.between(200, 4000));
    let principal = format!("breakglass{}@{}", nth + 1, organisation.domains[0]);
    out.plant("entra-emergency-administrator", principal.as_str());
    let display = format!("Break Glass {}", nth + 1);
    out.row(
        Table::AzureadUser,
        row![
            emergency_id(organisation, nth),
            &principal,
            &display,
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<&str>::None,
            json!([]),
            json!([]),
            true,
            "Member",
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<&str>::None,
            Option::<&str>::None,
            created.seconds(),
            (nth == 0).then(|| Moment::at_work(organisation.today - 210, &mut dice).seconds()),
            "0001-01-01T00:00:00Z",
            password.seconds(),
            "DisablePasswordExpiration",
            Option::<bool>::None,
        ],
    )?;
    if nth == 1 {
        // No row in the report is no registration either.
        return Ok(());
    }
    out.row(
        Table::AzureadUserRegistrationDetailsReport,
        row![
            emergency_id(organisation, nth),
            &principal,
            &display,
            "member",
            true,
            false,
            false,
            false,
            false,
            json!([]),
            reported(organisation.today, &mut dice).seconds(),
        ],
    )
}
