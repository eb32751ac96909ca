//! When people are at their desks, by the clock of the place where they work.

use super::person::{Kind, Person};
use super::{Dice, Organisation};
use crate::synth::moment::{Day, Moment, month_in_year};

/// A place, how far its clock is ahead of UTC in winter, in minutes, and whether it has a summer time. Places that are not
/// here share the clock of the first of their archetype.
const CLOCKS: &[(&str, i64, bool)] = &[
    ("Austin", -360, true),
    ("Main Campus", -360, true),
    ("London", 0, true),
    ("Head Office", 0, true),
    ("Lisbon Hub", 0, true),
    ("Berlin", 60, true),
    ("Tel Aviv", 120, true),
    ("Bengaluru", 330, false),
];

/// The hours in which people sign in for the last time on a day, by weight.
const HOURS: &[(usize, i64)] = &[
    (2, 6),
    (8, 7),
    (19, 8),
    (23, 9),
    (13, 10),
    (8, 11),
    (4, 12),
    (7, 13),
    (6, 14),
    (4, 15),
    (3, 16),
    (2, 17),
    (2, 18),
    (1, 19),
    (1, 20),
    (1, 21),
];

impl Organisation {
    /// Minutes that the clock of the person's place is ahead of UTC on this day.
    pub(in crate::synth) fn clock(&self, person: &Person, index: u32, day: Day) -> i64 {
        let sites = self.archetype.sites;
        let at = |place: &str| CLOCKS.iter().find(|(known, _, _)| *known == place);
        let place = match sites[usize::from(person.site)].1 {
            // Whoever works from home lives somewhere.
            "Remote" => *self.dice("home", index as usize).weighted(sites),
            place => place,
        };
        let common = sites.iter().find_map(|(_, place)| at(place));
        let (_, ahead, has_summer) = at(place).or(common).copied().unwrap_or(("", 0, true));
        ahead + if has_summer && (4..=10).contains(&month_in_year(day)) { 60 } else { 0 }
    }

    /// A sign-in of this day. In the west an evening is of the next day by UTC; then it is as late as `latest` allows.
    pub(in crate::synth) fn at_desk(
        &self,
        person: &Person,
        index: u32,
        day: Day,
        latest: Day,
        dice: &mut Dice,
    ) -> Moment {
        if person.kind == Kind::Service {
            return Moment::any(day, dice);
        }
        let ahead = self.clock(person, index, day);
        let hour = *dice.weighted(HOURS);
        let seconds = hour * 3600 + dice.between(0, 3599) - ahead * 60;
        let moment = Moment::on(day, seconds).plus_millis(dice.between(0, 999));
        if moment.day() > latest.max(day) {
            // The morning of the same day.
            return moment.plus_seconds(-dice.between(8, 11) * 3600);
        }
        moment
    }
}
