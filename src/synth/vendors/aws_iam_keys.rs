//! Access keys of IAM users: how many each has, how old they are, when they were last used.

use super::aws_iam::User;
use super::aws_organization::Account;
use crate::synth::dice::{Dice, choose};
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Trait};
use crate::synth::scale::share;
use crate::synth::workdays::office_day;
use std::collections::HashSet;

/// An access key.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) active: bool,
    pub(super) created: Moment,
    pub(super) used: Option<Moment>,
}

/// How old keys are, as the dice let it fade.
const AGES: (i64, usize) = (1500, 3);

/// Some days, rather few.
fn late(dice: &mut Dice) -> Day {
    Day::try_from(dice.between(0, 6) * dice.between(0, 6)).unwrap_or(0)
}

/// Gives the users their access keys.
pub(super) fn give_keys(organisation: &Organisation, accounts: &[Account], users: &mut [User]) {
    let today = organisation.today;
    let target = organisation.count([38, 155, 620]) * organisation.archetype.cloud / 100;
    let ages: Vec<Day> = users.iter().map(|user| today - user.created).collect();
    let person = |user: &User| user.person.map(|index| organisation.person(index));
    // How many keys each has.
    let mut counts: Vec<usize> = users
        .iter()
        .enumerate()
        .map(|(at, user)| {
            let needed =
                person(user).is_some_and(|it| it.traits.any(&[Trait::BehindIam, Trait::OldKeyAdmin]));
            let mut dice = organisation.dice("iam keys", at);
            usize::from(needed || user.service && dice.percent(92) || dice.percent(55))
        })
        .collect();
    let holders: Vec<u32> = (0..).zip(&counts).filter(|(_, count)| **count > 0).map(|(at, _)| at).collect();
    let second = target.saturating_sub(holders.len());
    for at in choose(organisation.seed, "second key", &holders, second) {
        counts[at as usize] = 2;
    }
    let two: Vec<u32> = (0..).zip(&counts).filter(|(_, count)| **count == 2).map(|(at, _)| at).collect();
    let both = choose(organisation.seed, "both active", &two, share(holders.len(), 80).max(2));
    // 55 of 100 active keys are older than 90 days: taken from those whose user is old enough.
    // Those of closed accounts are old anyhow.
    let is_closed = |at: &u32| accounts[users[*at as usize].account].last_day(today) < today;
    let old_anyhow = holders.iter().filter(|at| is_closed(at)).count();
    let old_enough: Vec<u32> =
        holders.iter().copied().filter(|at| ages[*at as usize] > 110 && !is_closed(at)).collect();
    let wanted = share(holders.len() + both.len(), 500).saturating_sub(old_anyhow);
    let old = choose(organisation.seed, "old key", &old_enough, wanted);
    let used_up = share(target, 90).max(4);
    // Half of the keys that nobody ever used are old ones.
    // Those whose use is told otherwise are left out.
    let plain = |at: &u32| {
        person(&users[*at as usize])
            .is_none_or(|it| !it.is_leaver() && !it.traits.any(&[Trait::BehindIam, Trait::OldKeyAdmin]))
    };
    let [old_plain, plain] =
        [&old, &holders].map(|pool| pool.iter().copied().filter(plain).collect::<Vec<u32>>());
    let mut never = choose(organisation.seed, "never used, old", &old_plain, used_up / 2);
    never.extend(choose(organisation.seed, "never used", &plain, used_up - used_up / 2));
    let [both, old, never] = [both, old, never].map(|chosen| chosen.into_iter().collect::<HashSet<u32>>());
    let mut exact = organisation.count([1, 1, 2]);
    for (at, user) in (0_u32..).zip(users.iter_mut()) {
        let mut dice = organisation.dice("iam key", at as usize);
        let age = i64::from(ages[at as usize]).max(0);
        let owner = user.person.map(|index| organisation.person(index));
        let left = owner.filter(|it| it.is_leaver());
        let last_day = accounts[user.account].last_day(today);
        let user_made = Moment::at_work(user.created, &mut organisation.dice("iam user row", at as usize));
        for nth in 0..counts[at as usize] {
            let wanted = owner.is_some_and(|it| it.traits.any(&[Trait::BehindIam, Trait::OldKeyAdmin]));
            let first = nth == 0;
            // A leaver's key is shut unless it was left behind.
            let active = if left.is_some() {
                first && wanted
            } else if first {
                wanted || counts[at as usize] == 2 || never.contains(&at) || dice.percent(86)
            } else {
                both.contains(&at)
            };
            // Days since the account was closed, if it was.
            let closed = i64::from(today - last_day);
            let day = if owner.is_some_and(|it| it.has(Trait::OldKeyAdmin)) && first {
                dice.between(366.min(age), age.min(1400))
            } else if let Some(end) = left.and_then(|it| it.end) {
                i64::from(today - end)
                    + dice.between(5.min(age - i64::from(today - end)), (age - i64::from(today - end)).max(5))
            } else if closed > 0 {
                dice.between((closed + 1).min(age), age.min(closed + 900))
            } else if !active {
                let successor = user.keys.first().filter(|key| key.active);
                put_away(&mut dice, age, successor.map(|key| i64::from(today - key.created.day())))
            } else if !old.contains(&at) {
                // Ninety days old is not yet more than ninety.
                if exact > 0 && age > 120 {
                    exact -= 1;
                    90
                } else {
                    dice.fading_in(1, 89.min(age), AGES)
                }
            } else {
                dice.fading_in(91.min(age), age.min(AGES.0), AGES)
            }
            .clamp(0, age);
            // Nobody gets a key of an account that is closed, or uses one.
            let day = day.max(closed).min(age);
            let some_day = today - Day::try_from(day).unwrap_or(0);
            // Old ones stay old and young ones young.
            let (earliest, latest) = match day {
                _ if wanted => (some_day, some_day),
                _ if !active => (user.created, last_day.min(today - 1)),
                ..90 => (today - 89, last_day),
                90 => (some_day, some_day),
                _ => (user.created, today - 91),
            };
            let latest = if left.is_some() { some_day } else { latest };
            let made = office_day(some_day, earliest.max(user.created), latest, &mut dice);
            let created =
                Moment::at_work(made, &mut dice).max(user_made.plus_seconds(60 + dice.fading(20_000, 2)));
            let unused = never.contains(&at) && first && !wanted || dice.percent(3);
            let used = (!unused).then(|| {
                let successor = user.keys.first().filter(|key| key.active && key.created > created);
                if active {
                    in_use(&mut dice, today, created)
                } else {
                    used_until(&mut dice, today, created, successor.map(|key| today - key.created.day()))
                }
            });
            let used = match (left, first) {
                (Some(gone), true) if gone.has(Trait::BehindIamUsed) => {
                    let end = gone.end.unwrap_or(today);
                    // The day after the last, or any until today.
                    (end < today).then(|| {
                        Moment::at_work(
                            (end + 1 + Day::try_from(dice.between(0, 60)).unwrap_or(0)).min(today),
                            &mut dice,
                        )
                    })
                }
                // Up to and on the last day is not after it.
                (Some(gone), _) => {
                    let end = gone.end.unwrap_or(today);
                    let day = if dice.percent(30) { end } else { end - 1 - late(&mut dice) };
                    Some(Moment::at_work(day, &mut dice)).filter(|it| *it > created)
                }
                _ => used,
            };
            let used = used.map(|it| {
                let over = it.day() - last_day;
                let before = late(&mut dice) + Day::try_from(dice.between(0, 5)).unwrap_or(0);
                if over > 0 {
                    after(it.earlier(over + before), created, &mut dice).min(Moment::on(last_day, 86_300))
                } else {
                    it
                }
            });
            user.keys.push(Key { active, created, used });
        }
    }
}

/// How many days ago a key was made that is not active any more: before the one that took its place, if one did, else at
/// any time.
fn put_away(dice: &mut Dice, age: i64, successor: Option<i64>) -> i64 {
    if let Some(ago) = successor.filter(|ago| ago + 7 < age && !dice.percent(8)) {
        return ago + dice.fading_in(7, age - ago, (900, 2));
    }
    let least = dice.between(0, 70).min(age);
    least + dice.fading_in(0, age - least, AGES)
}

/// The last use of a key that is active: mostly of these days.
fn in_use(dice: &mut Dice, today: Day, created: Moment) -> Moment {
    let age = i64::from(today - created.day());
    let ago = match dice.below(10) {
        0 => 90 + dice.fading(400, 2),
        1 => dice.between(8, 89),
        2 => dice.between(0, 9) * dice.between(0, 9),
        // Every day less likely than the one after it.
        _ => (0..30).take_while(|_| dice.percent(76)).map(|_| 1).sum(),
    };
    let ago = if ago > age { dice.between(0, age) } else { ago };
    after(Moment::any(today - Day::try_from(ago).unwrap_or(0), dice), created, dice)
        .min(Moment::on(today, 86_300))
}

/// The last use of a key that is not: about when another took its place, else at any time of its life.
fn used_until(dice: &mut Dice, today: Day, created: Moment, successor: Option<Day>) -> Moment {
    let age = i64::from(today - created.day());
    let ago = match successor {
        Some(ago) => (i64::from(ago) + dice.fading(40, 2) - dice.fading(45, 2)).clamp(0, age),
        None => dice.between(0, age),
    };
    after(Moment::any(today - Day::try_from(ago).unwrap_or(0), dice), created, dice)
        .min(Moment::on(today, 86_300))
}

/// This moment, or if there was no key yet, one soon after there was.
fn after(moment: Moment, created: Moment, dice: &mut Dice) -> Moment {
    if moment > created { moment } else { created.plus_seconds(120 + dice.fading(60_000, 2)) }
}
