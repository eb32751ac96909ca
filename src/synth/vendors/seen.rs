//! When an account was made and when its owner was last seen there: the same life, told by different systems.

use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Lifecycle, Organisation, Person, Trait};

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

/// The day on which a person's accounts were made: shortly before the first day at work.
pub(super) fn made_on(organisation: &Organisation, person: &Person, index: u32) -> Day {
    let mut dice = organisation.dice("made", index as usize);
    let ahead = if person.kind == Kind::Staff { dice.between(1, 6) } else { 0 };
    let first = person.first_day() - Day::try_from(ahead).unwrap_or(1);
    // Whoever starts in the future has an account since some days.
    first
        .min(organisation.today - Day::try_from(dice.between(1, 9)).unwrap_or(1))
        .max(organisation.founded - 5)
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
    let mut dice = organisation.dice(system.name(), index as usize + (1 << 40));
    let today = i64::from(organisation.today);
    let made = i64::from(made_on(organisation, person, index));
    let never = match system {
        System::Okta => person.has(Trait::NeverOkta),
        System::Workspace => person.has(Trait::NeverWorkspace),
        System::Entra => dice.percent(3) && !person.has(Trait::IdleEntra),
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
                today - dice.between(16, 130)
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
