//! Days on which things are made: few of them on a weekend.

use super::dice::Dice;
use super::moment::Day;

/// Of a hundred things that fall on a weekend, so many are made there.
const AT_WEEKEND: usize = 15;

/// Place in the week, Monday being 0; 1970-01-01 was a Thursday.
const fn weekday(day: Day) -> Day {
    (day + 3).rem_euclid(7)
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
    use super::{office_day, weekday};
    use crate::synth::dice::Dice;

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
}
