//! When an account was made and when its owner was last seen there: the same life, told by different systems.

use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Lifecycle, OktaStatus, Organisation, Person, Trait, working_day};

/// A system that records sign-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Okta,
    Workspace,
    Entra,
}

impl System {
    const fn name(self) -> &'static str {
        match self {
            Self::Okta => "okta",
            Self::Workspace => "workspace",
            Self::Entra => "entra",
        }
    }

    const fn idle(self) -> Trait {
        match self {
            Self::Okta => Trait::IdleOkta,
            Self::Workspace => Trait::IdleWorkspace,
            Self::Entra => Trait::IdleEntra,
        }
    }
}

/// The longest that a session goes on without the identity provider, in seconds: five days.
const SESSION: i64 = 5 * 86_400;

/// The day on which a person's accounts were made: a working day shortly before the first one.
pub(super) fn made_on(organisation: &Organisation, person: &Person, index: u32) -> Day {
    let mut dice = organisation.dice("made", index as usize);
    let ahead = if person.kind == Kind::Staff { dice.between(1, 6) } else { 0 };
    let first = person.first_day() - Day::try_from(ahead).unwrap_or(1);
    // Whoever starts in the future has an account since some days.
    let latest = organisation.today - Day::try_from(dice.between(1, 9)).unwrap_or(1);
    // Few are made by somebody who works on a Sunday.
    let day = first.min(latest);
    let day = if dice.percent(2) { day } else { working_day(day) };
    day.max(organisation.founded - 5)
}

/// The moment at which a system's account was made; the same whoever asks.
pub(super) fn made_at(organisation: &Organisation, person: &Person, index: u32, system: &str) -> Moment {
    let mut dice = organisation.dice(system, index as usize);
    Moment::at_work(made_on(organisation, person, index), &mut dice)
}

/// How many days ago somebody who is at work was last seen: mostly today and yesterday.
fn lately(dice: &mut Dice) -> i64 {
    *dice.weighted(&[(46, 0), (24, 1), (10, 2), (8, 4), (5, 7), (4, 12), (2, 23), (1, 47)])
}

/// The last sign-in of an account whose standing allows any.
pub(super) fn last_seen(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    system: System,
) -> Option<Moment> {
    match system {
        System::Okta => last_in_okta(organisation, person, index),
        System::Workspace | System::Entra => {
            let moment = last_by_habit(organisation, person, index, system)?;
            behind_okta(organisation, person, index, system, moment)
        }
    }
}

/// The last sign-in at the identity provider.
fn last_in_okta(organisation: &Organisation, person: &Person, index: u32) -> Option<Moment> {
    let status = person.okta?;
    let created = made_at(organisation, person, index, "okta made");
    let mut dice = organisation.dice("okta last", index as usize);
    if matches!(status, OktaStatus::Staged | OktaStatus::Provisioned) {
        return None;
    }
    if person.lifecycle == Lifecycle::Hired && status == OktaStatus::Active {
        return dice
            .percent(50)
            .then(|| Moment::at_work(organisation.today, &mut dice))
            .filter(|it| *it > created);
    }
    let last = last_by_habit(organisation, person, index, System::Okta);
    // Locked out and in recovery: the last good sign-in lies before that.
    if matches!(status, OktaStatus::LockedOut | OktaStatus::Recovery) {
        let day = organisation.today - Day::try_from(dice.between(3, 5)).unwrap_or(3);
        let latest = Moment::at_work(day, &mut dice);
        return last.map(|it| it.min(latest)).filter(|it| *it > created);
    }
    last
}

/// Workspace and Entra send everybody to Okta: what they saw is at most a session younger than what Okta saw. A service
/// that never went to Okta has a password of its own.
fn behind_okta(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    system: System,
    moment: Moment,
) -> Option<Moment> {
    if person.okta.is_none() {
        return Some(moment);
    }
    let Some(okta) = last_in_okta(organisation, person, index) else {
        return (person.kind != Kind::Staff).then_some(moment);
    };
    let mut dice = organisation.dice("session", index as usize * 2 + usize::from(system == System::Entra));
    let latest = okta.plus_seconds(dice.between(60, SESSION));
    if moment <= latest {
        return Some(moment);
    }
    // Whoever is idle stays so.
    let limit = organisation.today - if person.has(system.idle()) { 90 } else { 0 };
    if latest.day() <= limit { Some(latest) } else { Some(moment.min(Moment::at_work(limit, &mut dice))) }
}

/// When somebody of these habits was last seen.
fn last_by_habit(organisation: &Organisation, person: &Person, index: u32, system: System) -> Option<Moment> {
    let mut dice = organisation.dice(system.name(), index as usize + (1 << 40));
    let today = i64::from(organisation.today);
    let made = i64::from(made_on(organisation, person, index));
    let never = match system {
        System::Okta => person.has(Trait::NeverOkta),
        System::Workspace => person.has(Trait::NeverWorkspace),
        System::Entra => dice.percent(1) && !person.has(Trait::IdleEntra),
    };
    let started = person.first_day() <= organisation.today;
    if never || !started {
        return None;
    }
    let day = match person.lifecycle {
        Lifecycle::Terminated => {
            let end = i64::from(person.end.unwrap_or(organisation.today));
            if person.has(Trait::LeftLive) && dice.percent(60) {
                dice.between(end.max(today - 60), today)
            } else {
                end - dice.between(0, 9)
            }
        }
        Lifecycle::Leave | Lifecycle::GardenLeave => {
            if person.has(Trait::AwayButActive) {
                // Day 14 still counts.
                today - *dice.pick(&[2, 5, 9, 13, 14])
            } else {
                // The leave began on one day for all systems.
                let away = organisation.dice("away", index as usize).between(16, 130);
                today - away - dice.between(0, 3)
            }
        }
        _ if person.has(system.idle()) => {
            // Day 90 counts as idle.
            today - if dice.percent(8) { 90 } else { dice.between(91, 420) }
        }
        _ if person.kind == Kind::Mailbox || person.kind == Kind::Service => today - dice.between(0, 40),
        // One day short of idle is not idle.
        _ => today - if dice.percent(1) { 89 } else { lately(&mut dice) },
    };
    let day = day.max(made + 1).min(today);
    let moment = Moment::at_work(Day::try_from(day).unwrap_or(organisation.today), &mut dice);
    Some(moment)
}
