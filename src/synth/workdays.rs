//! Days on which things are made: few of them on a weekend.

use super::dice::Dice;
use super::moment::{Day, date_text};

/// Of a hundred things that fall on a weekend, so many are made there.
const AT_WEEKEND: usize = 15;

/// Place in the week, Monday being 0; 1970-01-01 was a Thursday.
pub(super) const fn weekday(day: Day) -> Day {
    (day + 3).rem_euclid(7)
}

/// The day itself, or the Friday before a weekend.
pub(super) const fn working_day(day: Day) -> Day {
    match weekday(day) {
        5 => day - 1,
        6 => day - 2,
        _ => day,
    }
}

/// The day itself, or the Monday after a weekend.
pub(super) const fn next_working_day(day: Day) -> Day {
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

/// The day itself; for most days of a weekend, a working day of the week before or after, not before `first` or after
/// `last`.
pub(super) fn office_day(day: Day, first: Day, last: Day, dice: &mut Dice) -> Day {
    if weekday(day) < 5 || dice.percent(AT_WEEKEND) {
        return day;
    }
    let friday = day + 4 - weekday(day);
    let monday = friday + 3;
    let some = Day::try_from(dice.below(5)).unwrap_or(0);
    let (near, other) = if weekday(day) == 5 { (friday - some, monday) } else { (monday + some, friday) };
    let mut days = [near, other, friday, monday].into_iter();
    days.find(|day| (first..=last).contains(day)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::{next_working_day, office_day, starting_day, starting_day_before, weekday, working_day};
    use crate::synth::dice::Dice;
    use crate::synth::moment::day_of;
    use jiff::civil::date;

    #[test]
    fn few_things_are_made_on_a_weekend() {
        let mut dice = Dice::new(1, "days", 0);
        let days: Vec<i32> = (0..7000).map(|day| office_day(day, 0, 7000, &mut dice)).collect();
        let at_weekend = days.iter().filter(|day| weekday(**day) > 4).count();
        assert!((210..400).contains(&at_weekend), "{at_weekend}");
        assert!((0..7000).zip(days).all(|(day, moved)| (moved - day).abs() < 7));
    }

    #[test]
    fn bounds_are_kept() {
        let mut dice = Dice::new(1, "days", 1);
        for day in 0..70 {
            assert_eq!(office_day(day, day, day, &mut dice), day);
            assert!(office_day(day, day, day + 2, &mut dice) >= day);
        }
    }

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
