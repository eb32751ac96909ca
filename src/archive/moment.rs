//! Times of other programs: microseconds since 1970, and the texts that stand for them.

/// Microseconds since 1970.
pub(super) type Moment = i64;

/// A time as sources write it: RFC 3339, or without a zone, which is taken as UTC.
pub(super) fn moment(text: &str) -> Option<Moment> {
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Some(time.as_microsecond());
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    Some(jiff::tz::Offset::UTC.to_timestamp(civil).ok()?.as_microsecond())
}

/// Seconds since 1970, as Python's `time.time()` gives them.
pub(super) fn moment_of_seconds(seconds: f64) -> Option<Moment> {
    #[allow(clippy::cast_possible_truncation)] // checked
    (seconds.is_finite() && seconds.abs() < 1e12).then_some((seconds * 1e6) as i64)
}

/// A moment as RFC 3339 in UTC.
pub(super) fn wall_time(moment: Moment) -> Option<String> {
    jiff::Timestamp::from_microsecond(moment).ok().map(|time| time.to_string())
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn times_are_read_as_sources_write_them() {
        let utc = moment("2026-11-30T02:52:35.580609+00:00").unwrap();
        assert_eq!(moment("2026-11-30T02:52:35.580609"), Some(utc));
        assert_eq!(moment("2026-11-30T03:52:35.580609+01:00"), Some(utc));
        assert_eq!(moment("yesterday"), None);
    }
}
