//! `HiBob`: what HR knows of people. A rehire has two records under one address.

use crate::synth::GenerateError;
use crate::synth::moment::{Day, Moment, date_text};
use crate::synth::organisation::{Lifecycle, Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;

/// When HR entered an employment.
fn entered_at(organisation: &Organisation, index: u32, start: Day) -> Moment {
    let mut dice = organisation.dice("hibob entered", index as usize | (start.unsigned_abs() as usize) << 32);
    Moment::at_work(organisation.entered_on(index, start), &mut dice)
}

/// The id of the record of an employment: the thousandth of a second in which it was entered, and some chance.
fn record_id(organisation: &Organisation, index: u32, start: Day) -> String {
    /// The seconds from 1970 to 2000, from which `HiBob` seems to count.
    const FROM: i64 = 946_684_800;
    let entered = entered_at(organisation, index, start);
    let mut dice = organisation.dice("hibob id", index as usize);
    let millis = (entered.unix_seconds() - FROM) * 1000 + dice.between(0, 999);
    ((millis << 22) + dice.between(0, (1 << 22) - 1)).to_string()
}

/// The address in HR: private before the first day.
pub(in crate::synth) fn hr_address(organisation: &Organisation, person: &Person, index: u32) -> String {
    if person.lifecycle == Lifecycle::Hired {
        organisation.private_address(person, index)
    } else {
        organisation.address_in(person, "hibob", index)
    }
}

/// One employment.
struct Post {
    start: Day,
    end: Option<Day>,
    lifecycle: Lifecycle,
    title: String,
    manager: Option<u32>,
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    for (index, person) in (0_u32..).zip(&organisation.people).filter(|(_, person)| person.is_staff()) {
        if let Some((start, end)) = person.earlier {
            let id = record_id(organisation, index, start);
            let post = Post {
                start,
                end: Some(end),
                lifecycle: Lifecycle::Terminated,
                title: organisation.earlier_title(person),
                manager: organisation.earlier_manager(person, index),
            };
            record(organisation, person, index, &id, &post, out)?;
        }
        let id = record_id(organisation, index, person.start);
        let post = Post {
            start: person.start,
            end: person.end,
            lifecycle: person.lifecycle,
            title: organisation.title(person),
            manager: person.manager,
        };
        record(organisation, person, index, &id, &post, out)?;
        plant(organisation, person, index, out);
    }
    Ok(())
}

fn record(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    id: &str,
    post: &Post,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("hibob", index as usize);
    let &Post { start, end, lifecycle, .. } = post;
    let manager = post.manager.map(|manager| (manager, organisation.person(manager)));
    let status = match lifecycle {
        Lifecycle::Terminated | Lifecycle::Hired => "Inactive",
        _ => "Active",
    };
    let lifecycle_text = match lifecycle {
        Lifecycle::Employed => "Employed",
        Lifecycle::Leave => "Leave",
        Lifecycle::GardenLeave => "Garden leave",
        Lifecycle::Hired => "Hired",
        Lifecycle::Terminated => "Terminated",
    };
    let employment = if person.firm.is_some() {
        "Contractor"
    } else {
        // Nobody leads people for the time being.
        let temporary = if person.leads || person.place == 0 { "Permanent" } else { "Temporary" };
        *dice.weighted(&[(88, "Permanent"), (7, "Full time"), (5, temporary)])
    };
    let why =
        *dice.weighted(&[(64, "Voluntary"), (20, "Dismissal"), (10, "Redundancy"), (6, "End of contract")]);
    let made = entered_at(organisation, index, start);
    out.identity(index, Table::HibobEmployee, id)?;
    out.row(
        Table::HibobEmployee,
        row![
            id,
            person.number.map(|number| number.to_string()),
            hr_address(organisation, person, index),
            (lifecycle == Lifecycle::Hired || dice.percent(70))
                .then(|| organisation.private_address(person, index)),
            person.name.full(),
            person.name.given(),
            person.name.family(),
            Organisation::preferred(person),
            status,
            lifecycle_text,
            employment,
            organisation.department(person).name,
            &post.title,
            organisation.archetype.sites[usize::from(person.site)].1,
            manager.map(|(manager, person)| record_id(organisation, manager, person.start)),
            manager.map(|(manager, person)| hr_address(organisation, person, manager)),
            date_text(start),
            end.map(date_text),
            (lifecycle == Lifecycle::Terminated).then_some(why),
            made.hibob(dice.between(0, 999)),
        ],
    )
}

fn plant(organisation: &Organisation, person: &Person, index: u32, out: &mut Output<'_>) {
    let address = || hr_address(organisation, person, index);
    let ahead = person.end.is_some_and(|end| end > organisation.today);
    for (holds, condition) in [
        (ahead, "future-termination"),
        (person.earlier.is_some(), "rehired"),
        (person.has(Trait::Twin), "name-twin"),
        (person.has(Trait::LeftLive), "leaver-live-in-okta"),
        (person.has(Trait::LeftBehind), "leaver-left-behind"),
        (person.has(Trait::AwayButActive), "away-but-signed-in"),
        (person.is_leaver() && person.leads, "manager-who-left"),
        (person.has(Trait::StaleManager), "stale-manager-in-okta"),
        (person.has(Trait::OfficeInAws), "office-worker-in-production"),
        (person.is_staff() && person.okta.is_none(), "no-okta-account"),
    ] {
        if holds {
            out.plant(condition, address());
        }
    }
}
