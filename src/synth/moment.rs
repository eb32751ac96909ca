//! Days and moments of the synthetic enterprise, and how each vendor prints them.

use super::dice::Dice;
use jiff::civil::Date;

/// A day, counted from 1970-01-01.
pub(super) type Day = i32;

/// The day of a civil date.
pub(super) fn day_of(date: Date) -> Day {
    (date - jiff::civil::date(1970, 1, 1)).get_days()
}

/// The civil date of a day, `2024-03-05`.
pub(super) fn date_text(day: Day) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// First and last day of the month in which a day lies.
pub(super) const fn month_of(day: Day) -> (Day, Day) {
    let first = day - civil(day).2 as Day + 1;
    let in_next = first + 31;
    (first, in_next - civil(in_next).2 as Day)
}

/// First and last day of the year in which a day lies.
pub(super) const fn year_of(day: Day) -> (Day, Day) {
    let year = civil(day).0;
    let mut first = month_of(day).0;
    while civil(first - 1).0 == year {
        first = month_of(first - 1).0;
    }
    let in_next = first + 366;
    (first, in_next - if civil(in_next).2 == 2 { 2 } else { 1 })
}

/// A moment in milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64);

impl Moment {
    /// This many seconds into a day.
    pub(super) const fn on(day: Day, seconds: i64) -> Self {
        Self((day as i64 * 86_400 + seconds) * 1000)
    }

    /// A moment of a working day, by the dice: mostly in the middle of it, seldom early or late, and at no hour all at once.
    pub(super) fn at_work(day: Day, dice: &mut Dice) -> Self {
        let seconds = dice.between(19_000, 43_500) + dice.between(0, 27_500);
        Self::on(day, seconds).plus_millis(dice.between(0, 999))
    }

    /// A moment at any hour, by the dice.
    pub(super) fn any(day: Day, dice: &mut Dice) -> Self {
        Self::on(day, dice.between(0, 86_399)).plus_millis(dice.between(0, 999))
    }

    /// Later by so much.
    pub(super) const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0 + seconds * 1000)
    }

    /// Earlier by so many days, at the same time of day.
    pub(super) const fn earlier(self, days: Day) -> Self {
        self.plus_seconds(days as i64 * -86_400)
    }

    /// Later by so many thousandths of a second.
    pub(super) const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0 + millis)
    }

    /// Its day.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) const fn day(self) -> Day {
        self.0.div_euclid(86_400_000) as Day
    }

    /// Seconds since 1970.
    pub(super) const fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    fn parts(self) -> (String, i64) {
        let seconds = self.0.div_euclid(1000).rem_euclid(86_400);
        let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        (format!("{}T{clock}", date_text(self.day())), self.0.rem_euclid(1000))
    }

    /// `2024-03-05T10:11:12Z`: AWS, Entra, GitHub, Atlas.
    pub(super) fn seconds(self) -> String {
        self.parts().0 + "Z"
    }

    /// `2024-03-05T10:11:12.000Z`: Okta, whose times have whole seconds.
    pub(super) fn okta(self) -> String {
        self.parts().0 + ".000Z"
    }

    /// `2024-03-05T10:11:12.345Z`: Google.
    pub(super) fn millis(self) -> String {
        let (text, millis) = self.parts();
        format!("{text}.{millis:03}Z")
    }

    /// `2024-03-05T10:11:12.345678`, without a zone: `HiBob`.
    pub(super) fn hibob(self, micros: i64) -> String {
        let (text, millis) = self.parts();
        format!("{text}.{millis:03}{micros:03}")
    }
}

/// Year, month and day (Howard Hinnant's `civil_from_days`).
const fn civil(day: Day) -> (i64, i64, i64) {
    let shifted = day as i64 + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let month_of_year = if month < 10 { month + 3 } else { month - 9 };
    (
        year + era * 400 + if month_of_year <= 2 { 1 } else { 0 },
        month_of_year,
        of_year - (153 * month + 2) / 5 + 1,
    )
}

/// The month of a day, 1 to 12.
pub(super) const fn month_in_year(day: Day) -> i64 {
    civil(day).1
}

#[cfg(test)]
mod tests {
    use super::{Moment, date_text, day_of, month_of, year_of};
    use jiff::civil::date;

    #[test]
    fn days_agree_with_the_calendar() {
        for (year, month, day) in [(1970, 1, 1), (2000, 2, 29), (2024, 12, 31), (2026, 6, 30), (1969, 12, 31)]
        {
            let civil = date(year, month, day);
            assert_eq!(date_text(day_of(civil)), civil.to_string());
        }
    }

    #[test]
    fn months_and_years_begin_and_end() {
        let of = |year, month, day| day_of(date(year, month, day));
        assert_eq!(month_of(of(2024, 2, 15)), (of(2024, 2, 1), of(2024, 2, 29)));
        assert_eq!(month_of(of(2025, 12, 31)), (of(2025, 12, 1), of(2025, 12, 31)));
        for year in [2023, 2024, 2025] {
            assert_eq!(year_of(of(year, 7, 9)), (of(year, 1, 1), of(year, 12, 31)));
        }
    }

    #[test]
    fn each_vendor_prints_its_own_form() {
        let moment = Moment::on(day_of(date(2024, 3, 5)), 10 * 3600 + 11 * 60 + 12).plus_millis(45);
        assert_eq!(moment.seconds(), "2024-03-05T10:11:12Z");
        assert_eq!(moment.okta(), "2024-03-05T10:11:12.000Z");
        assert_eq!(moment.millis(), "2024-03-05T10:11:12.045Z");
        assert_eq!(moment.hibob(678), "2024-03-05T10:11:12.045678");
    }
}
