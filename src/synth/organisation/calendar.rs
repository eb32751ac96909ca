//! Days on which an office works.

use crate::synth::moment::{Day, date_text};

/// Place in the week, Monday being 0; 1970-01-01 was a Thursday.
pub(in crate::synth) const fn weekday(day: Day) -> Day {
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

/// Whether somebody may start on this day: offices work, and it is neither Christmas nor New Year's Day.
fn is_for_starting(day: Day) -> bool {
    weekday(day) < 5 && !matches!(date_text(day).get(5..), Some("12-25" | "01-01"))
}

/// The day itself, or the next on which somebody may start.
pub(super) fn starting_day(day: Day) -> Day {
    (day..day + 9).find(|day| is_for_starting(*day)).unwrap_or(day)
}

/// The day itself, or the last before it on which somebody may start.
pub(super) fn starting_day_before(day: Day) -> Day {
    (day - 9..=day).rev().find(|day| is_for_starting(*day)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::{next_working_day, starting_day, starting_day_before, working_day};
    use crate::synth::moment::day_of;
    use jiff::civil::date;

    #[test]
    fn weekends_give_way_to_the_day_before_or_after() {
        let day = |day| day_of(date(2026, 6, day));
        for (given, before, after) in [(26, 26, 26), (27, 26, 29), (28, 26, 29), (29, 29, 29)] {
            assert_eq!((working_day(day(given)), next_working_day(day(given))), (day(before), day(after)));
        }
    }

    #[test]
    fn nobody_starts_at_christmas() {
        let christmas = day_of(date(2026, 12, 25));
        assert_eq!(starting_day(christmas), day_of(date(2026, 12, 28)));
        assert_eq!(starting_day_before(christmas), day_of(date(2026, 12, 24)));
        assert_eq!(starting_day(day_of(date(2027, 1, 1))), day_of(date(2027, 1, 4)));
    }
}
