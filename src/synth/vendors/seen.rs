//! When an account was made, when its owner was last seen there, and when it was shut: the same life, told by different
//! systems.

use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Lifecycle, OktaStatus, Organisation, Person, Trait};
use crate::synth::workdays::{next_working_day, office_day, weekday, working_day};

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

/// Future starters have their accounts for so many days at most.
const EARLY: Day = 28;

/// The day on which a person's accounts were made: a working day shortly before the first one.
pub(super) fn made_on(organisation: &Organisation, person: &Person, index: u32) -> Day {
    let mut dice = organisation.dice("made", index as usize);
    let ahead = if person.kind == Kind::Staff {
        *dice.weighted(&[(22, 1), (24, 2), (22, 3), (18, 4), (14, 5)])
    } else {
        0
    };
    let first = if ahead == 0 { person.first_day() } else { back(person.first_day() - 1, ahead - 1) };
    if person.lifecycle == Lifecycle::Hired {
        // HR enters a post, and some days later there is an account.
        let entered = organisation.entered_on(index, person.first_day());
        let latest = first.min(organisation.today - 1).max(entered);
        let soon = Day::try_from(dice.between(1, i64::from((latest - entered).clamp(1, 10)))).unwrap_or(1);
        let day = (entered + soon).min(latest);
        let early = organisation.today - EARLY + Day::try_from(dice.between(0, 20)).unwrap_or(0);
        let day = if day < organisation.today - EARLY { early.min(latest) } else { day };
        return working_day(day).max(entered);
    }
    // Few are made by somebody who works on a Sunday.
    let day = if dice.percent(1) && weekday(first) == 4 { first + 1 } else { working_day(first) };
    day.min(organisation.today - 1).min(person.first_day()).max(organisation.founded - 5)
}

/// Whether Entra has the account from a directory on the premises, not from Okta.
pub(super) fn is_synced(organisation: &Organisation, person: &Person, index: u32) -> bool {
    person.is_staff() && organisation.dice("entra synced", index as usize).percent(40)
}

/// The moment at which a system's account was made; the same whoever asks. Okta pushes whom it knows into the others: most
/// within minutes, some when somebody gave them the application.
pub(super) fn made_at(organisation: &Organisation, person: &Person, index: u32, system: &str) -> Moment {
    let mut dice = organisation.dice(system, index as usize);
    let moment = Moment::at_work(made_on(organisation, person, index), &mut dice);
    let pushed = system != "okta made"
        && person.okta.is_some()
        && !(system == "entra made" && is_synced(organisation, person, index));
    if !pushed {
        return moment;
    }
    let known = made_at(organisation, person, index, "okta made");
    let after = if dice.percent(88) { 30 + dice.fading(5400, 3) } else { 3600 + dice.fading(20_000, 1) };
    known.plus_seconds(after).plus_millis(dice.between(0, 999)).min(Moment::on(known.day(), 86_390))
}

/// Out of a hundred who left, so many lose the account on the last day; so many more within some days, and so many when
/// somebody notices. The others are found by a clean-up.
const SHUT: [usize; 3] = [68, 86, 94];

/// The moment at which a leaver's account was shut. A clean-up shuts one account after the other.
fn taken_away(organisation: &Organisation, person: &Person, index: u32, end: Day, dice: &mut Dice) -> Moment {
    let today = organisation.today;
    // Towards the evening of the place.
    let seconds = dice.between(16 * 3600, 20 * 3600) - organisation.clock(person, index, end) * 60;
    let evening = Moment::on(end, seconds.min(86_399 - dice.between(0, 1800)));
    let later = match dice.below(100) {
        drawn if drawn < SHUT[0] => return evening,
        drawn if drawn < SHUT[1] => next_working_day(end + 1 + Day::try_from(dice.fading(7, 2)).unwrap_or(0)),
        drawn if drawn < SHUT[2] => {
            next_working_day(end + 4 + Day::try_from(dice.fading(200, 2)).unwrap_or(0))
        }
        _ => {
            // The first after the last day; they come about once in three months.
            let first = end / 91;
            let cleaned = (first..first + 3).find_map(|quarter| {
                let mut dice = organisation.dice("clean-up", quarter.unsigned_abs() as usize);
                let day = working_day(quarter * 91 + Day::try_from(dice.between(3, 80)).unwrap_or(3));
                let begun = Moment::at_work(day, &mut dice);
                (day > end).then_some(begun)
            });
            let cleaned = cleaned.filter(|begun| begun.day() <= today);
            return cleaned.map_or(evening, |begun| begun.plus_seconds(dice.between(0, 420)));
        }
    };
    if later > today { evening } else { Moment::at_work(later, dice) }
}

/// When an account was shut in Okta, where it is: on the last day or later, or some hours after the last sign-in.
pub(super) fn shut_at(organisation: &Organisation, person: &Person, index: u32) -> Option<Moment> {
    if !matches!(person.okta?, OktaStatus::Suspended | OktaStatus::Deprovisioned) {
        return None;
    }
    let mut dice = organisation.dice("shut", index as usize);
    if let Some(end) = person.end.filter(|_| person.is_leaver()) {
        return Some(taken_away(organisation, person, index, end, &mut dice));
    }
    Some(match last_in_okta(organisation, person, index) {
        Some(last) if last.day() < organisation.today => {
            let same = Moment::at_work(last.day(), &mut dice);
            let next = next_working_day(last.day() + 1).min(organisation.today);
            let next = Moment::at_work(next, &mut dice);
            if same > last.plus_seconds(600) { same } else { next }
        }
        Some(last) => last.plus_seconds(dice.between(300, 9000)).min(Moment::on(organisation.today, 86_399)),
        None => Moment::at_work(organisation.today - 20, &mut dice).max(made_at(
            organisation,
            person,
            index,
            "okta made",
        )),
    })
}

/// How old a password can be that has not run out: with the default policy, as old as the account.
pub(super) fn oldest_password(organisation: &Organisation, person: &Person) -> Day {
    if person.has(Trait::OktaGroupAdmin) {
        return 89;
    }
    // Who came from the old directory is among the oldest, developers of a large organisation with them.
    let old = organisation.count([0, 4, 14]) > 0 && person.first_day() < organisation.today - 1800;
    let held = organisation.password_lasts(person).or_else(|| old.then_some(180));
    held.map_or(Day::MAX, |age| age - 1)
}

/// When a password that has run out had been set, and when it ran out.
pub(super) fn expiry(organisation: &Organisation, person: &Person, index: u32) -> (Moment, Moment) {
    let mut dice = organisation.dice("expiry", index as usize);
    let today = organisation.today;
    let begun = made_at(organisation, person, index, "okta made").plus_seconds(dice.between(700, 9000));
    let age = organisation.password_lasts(person).unwrap_or(180);
    let ago = match dice.below(20) {
        0..8 => dice.between(0, 6),
        8..15 => dice.between(7, 30),
        _ => dice.between(31, 150),
    };
    let latest = person.end.filter(|_| person.is_leaver()).map_or(today, |end| end - 20);
    let latest = latest.min(today - age);
    let day = latest - Day::try_from(ago).unwrap_or(0);
    let day = office_day(day, day - 6, latest, &mut dice);
    let set = organisation.at_desk(person, index, day, day, &mut dice).max(begun);
    (set, set.plus_seconds(i64::from(age) * 86_400))
}

/// The day on which somebody got stuck who cannot sign in: more than thirty days ago.
pub(super) fn stuck_since(organisation: &Organisation, index: u32) -> Day {
    let mut dice = organisation.dice("stuck", index as usize);
    let today = organisation.today;
    let day = today - Day::try_from(dice.between(31, 80)).unwrap_or(31);
    office_day(day, today - 80, today - 31, &mut dice)
}

/// Goes on, `percent` times in a hundred, for as many steps as allowed.
fn steps(dice: &mut Dice, percent: usize, most: usize) -> usize {
    (0..most).take_while(|_| dice.percent(percent)).count()
}

/// So many working days before this one.
fn back(from: Day, steps: usize) -> Day {
    (0..steps).fold(working_day(from), |day, _| working_day(day - 1))
}

/// The day on which somebody who is at work was last seen: mostly this one or the one before; some are on holiday, a few
/// sign in at weekends, too.
fn lately(today: Day, dice: &mut Dice) -> Day {
    let ago = match dice.below(100) {
        0..84 => steps(dice, 48, 12),
        84..97 => 1 + steps(dice, 84, 25),
        _ => 3 + dice.below(50),
    };
    let day = back(today, ago);
    let weekend = day + 1 + Day::from(dice.percent(45));
    if weekday(day) == 4 && weekend <= today && dice.percent(20) { weekend } else { day }
}

/// The last sign-in of an account whose standing allows any.
pub(super) fn last_seen(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    system: System,
) -> Option<Moment> {
    if system == System::Okta {
        return last_in_okta(organisation, person, index);
    }
    if system == System::Entra && never_in_entra(person) {
        return None;
    }
    let moment = last_by_habit(organisation, person, index, system)?;
    let moment = behind_okta(organisation, person, index, system, moment)?;
    Some(before_shut(organisation, person, index, moment, shut_at(organisation, person, index)))
}

/// Machines and mailboxes sign in there for nobody's eyes; and who holds a role, or works at GitHub alone, can have gone
/// without a second factor there only by never having come.
fn never_in_entra(person: &Person) -> bool {
    person.label.is_some()
        || (person.has(Trait::NoEntraMfa)
            && !person.is_leaver()
            && !person.has(Trait::IdleEntra)
            && person.traits.any(&[Trait::No2fa, Trait::GlobalAdmin]))
}

/// Nobody signs in after the account was shut.
fn before_shut(
    organisation: &Organisation,
    person: &Person,
    index: u32,
    moment: Moment,
    shut: Option<Moment>,
) -> Moment {
    let mut dice = organisation.dice("before shut", index as usize);
    shut.filter(|shut| moment >= *shut).map_or(moment, |shut| {
        let day = shut.day();
        let same = organisation.at_desk(person, index, day, day, &mut dice);
        let before = organisation.at_desk(person, index, working_day(day - 1), day - 1, &mut dice);
        if same < shut { same } else { before }
    })
}

/// The last sign-in at the identity provider.
fn last_in_okta(organisation: &Organisation, person: &Person, index: u32) -> Option<Moment> {
    let status = person.okta?;
    let created = made_at(organisation, person, index, "okta made");
    let mut dice = organisation.dice("okta last", index as usize);
    let today = organisation.today;
    if matches!(status, OktaStatus::Staged | OktaStatus::Provisioned) {
        return None;
    }
    let mut at = |day| organisation.at_desk(person, index, day, today, &mut dice);
    if person.lifecycle == Lifecycle::Hired && status == OktaStatus::Active {
        let moment = at(today);
        return dice.percent(50).then_some(moment).filter(|it| *it > created);
    }
    let last = last_by_habit(organisation, person, index, System::Okta)?;
    let latest = match status {
        // Locked out and in recovery: the last good sign-in lies before that.
        OktaStatus::LockedOut | OktaStatus::Recovery if person.has(Trait::Stuck) => {
            at(working_day(stuck_since(organisation, index) - 1))
        }
        OktaStatus::LockedOut | OktaStatus::Recovery => at(today - 3),
        // Nobody gets in with a password that has run out.
        OktaStatus::PasswordExpired => {
            let (_, out) = expiry(organisation, person, index);
            if out > last {
                return Some(last);
            }
            let day = lately(out.day() - 1, &mut dice);
            organisation.at_desk(person, index, day, out.day() - 1, &mut dice)
        }
        OktaStatus::Suspended | OktaStatus::Deprovisioned if person.is_leaver() => {
            let shut = shut_at(organisation, person, index);
            before_shut(organisation, person, index, last, shut)
        }
        // An investigation takes its time.
        OktaStatus::Suspended => {
            let ago = 1 + dice.between(0, 40) * dice.between(0, 40) / 40;
            let day = today - Day::try_from(ago).unwrap_or(1);
            let day = office_day(day, day - 5, today - 1, &mut dice);
            organisation.at_desk(person, index, day, today - 1, &mut dice)
        }
        _ => last,
    };
    Some(last.min(latest)).filter(|it| *it > created.plus_seconds(600))
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
        return (!matches!(person.kind, Kind::Staff | Kind::Ghost)).then_some(moment);
    };
    let mut dice = organisation.dice("session", index as usize * 2 + usize::from(system == System::Entra));
    // Most sessions end with the day.
    let end = okta
        .plus_seconds(60 + dice.between(0, SESSION) * dice.between(0, 100) * dice.between(0, 100) / 10_000);
    if moment <= end {
        return Some(moment);
    }
    // Whoever is idle stays so.
    let limit = organisation.today - if person.has(system.idle()) { 90 } else { 0 };
    let day = working_day(end.day()).max(okta.day()).min(limit);
    let at_desk = organisation.at_desk(person, index, day, limit, &mut dice);
    Some(if at_desk <= end { at_desk } else { okta.plus_seconds(dice.between(20, 1800)).min(at_desk) })
}

/// When somebody of these habits was last seen.
fn last_by_habit(organisation: &Organisation, person: &Person, index: u32, system: System) -> Option<Moment> {
    let mut dice = organisation.dice(system.name(), index as usize + (1 << 40));
    let today = organisation.today;
    let made = made_on(organisation, person, index);
    let never = match system {
        System::Okta => person.has(Trait::NeverOkta),
        System::Workspace => person.has(Trait::NeverWorkspace),
        System::Entra => dice.percent(1) && !person.has(Trait::IdleEntra),
    };
    let started = person.first_day() <= today;
    if never || !started {
        return None;
    }
    let ago = |days: i64| today - Day::try_from(days).unwrap_or(0);
    let mut latest = today;
    let day = match person.lifecycle {
        Lifecycle::Terminated => {
            let end = person.end.unwrap_or(today);
            if person.has(Trait::LeftLive) && dice.percent(60) {
                let span = i64::from(today - end).min(60);
                next_working_day(ago(dice.between(0, span))).min(today)
            } else {
                latest = end;
                let steps = steps(&mut dice, 50, 12);
                back(end, steps)
            }
        }
        Lifecycle::Leave | Lifecycle::GardenLeave => {
            if person.has(Trait::AwayButActive) {
                // Day 14 still counts.
                let days = if dice.percent(12) { 14 } else { dice.between(0, 13) };
                let day = ago(days);
                latest = day;
                if days == 14 { day } else { next_working_day(day).min(today) }
            } else {
                // The leave began on one day for all systems.
                let away = organisation.dice("away", index as usize).between(16, 130);
                latest = ago(away);
                working_day(ago(away + dice.between(0, 3)))
            }
        }
        _ if person.has(system.idle()) => {
            // Day 90 counts as idle.
            let more = dice.between(0, 330) * dice.between(100, 330) / 330;
            latest = ago(90);
            // In a large organisation a few are enough.
            let edge = if organisation.records < 1000 { 6 } else { 3 };
            if dice.percent(edge) { latest } else { working_day(ago(91 + more)) }
        }
        _ if person.kind == Kind::Mailbox => ago(dice.between(0, 40) * dice.between(0, 40) / 40),
        _ if person.kind == Kind::Service => today - Day::try_from(steps(&mut dice, 70, 40)).unwrap_or(0),
        // One day short of idle is not idle.
        _ if dice.below(250) == 0 => {
            latest = ago(89);
            working_day(ago(89 - dice.fading(60, 2)).max(latest + 2))
        }
        _ => lately(today, &mut dice),
    };
    let day = day.max(made + 1).max(person.first_day().min(latest)).min(today);
    Some(organisation.at_desk(person, index, day, latest.max(day), &mut dice))
}
