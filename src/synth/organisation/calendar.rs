//! Days on which an office works.

use crate::synth::moment::Day;

/// Place in the week, Monday being 0; 1970-01-01 was a Thursday.
const fn weekday(day: Day) -> Day {
    (day + 3).rem_euclid(7)
}

/// The day itself, or the Friday before a weekend.
pub(in crate::synth) const fn working_day(day: Day) -> Day {
    match weekday(day) {
        5 => day - 1,
        6 => day - 2,
        _ => day,
    }
}

/// The day itself, or the Monday after a weekend.
pub(in crate::synth) const fn next_working_day(day: Day) -> Day {
    match weekday(day) {
        5 => day + 2,
        6 => day + 1,
        _ => day,
    }
}

#[cfg(test)]
mod tests {
    use super::{next_working_day, working_day};
    use crate::synth::moment::day_of;
    use jiff::civil::date;

    #[test]
    fn weekends_give_way_to_the_day_before_or_after() {
        let day = |day| day_of(date(2026, 6, day));
        for (given, before, after) in [(26, 26, 26), (27, 26, 29), (28, 26, 29), (29, 29, 29)] {
            assert_eq!((working_day(day(given)), next_working_day(day(given))), (day(before), day(after)));
        }
    }
}
