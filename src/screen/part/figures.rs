//! Numbers, sizes and times as people read them.

use std::time::Duration;

/// A number with commas between its thousands.
pub(in crate::screen) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with what it counts: `1 row`, `1,200 rows`.
pub(in crate::screen) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A size in bytes; above a kilobyte in the greatest unit, with one decimal.
pub(in crate::screen) fn size(bytes: usize) -> String {
    const UNITS: [(&str, usize); 2] = [("MB", 1_000_000), ("kB", 1_000)];
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => {
            format!("{}.{} {name}", number((bytes / unit) as u64), bytes % unit * 10 / unit)
        }
        None => counted(bytes as u64, "byte", "bytes"),
    }
}

/// How long something has been going on: `0.4 s`, `12 s`, `3:07`.
pub(in crate::screen) fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// How long something took: `<1 ms`, `12 ms`, `1.4 s`, `3:07`.
pub(in crate::screen) fn took(time: Duration) -> String {
    match time.as_millis() {
        0 => "<1 ms".to_owned(),
        millis @ 1..1_000 => format!("{millis} ms"),
        _ => elapsed(time),
    }
}

/// How long ago something was, in a few words.
pub(in crate::screen) fn ago(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..5 => "just now".to_owned(),
        5..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        _ => format!("{} h ago", seconds / 3600),
    }
}

/// The moment of an RFC 3339 time to the minute, `2025-03-01 14:05`; what it is not, as it is.
pub(in crate::screen) fn moment(time: &str) -> String {
    match (time.get(..10), time.get(11..16)) {
        (Some(date), Some(clock)) if time.as_bytes().get(10) == Some(&b'T') => format!("{date} {clock}"),
        _ => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ago, elapsed, moment, number, size, took};
    use std::time::Duration;

    #[test]
    fn figures_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 999, 1_500, 2_340_000].map(size), ["1 byte", "999 bytes", "1.5 kB", "2.3 MB"]);
        let short = [0, 12, 1_449].map(Duration::from_millis);
        assert_eq!(short.map(took), ["<1 ms", "12 ms", "1.4 s"]);
        let times = [430, 12_000, 187_000, 3_725_000].map(Duration::from_millis);
        assert_eq!(times.map(elapsed), ["0.4 s", "12 s", "3:07", "1:02:05"]);
        assert_eq!(times.map(ago), ["just now", "12 s ago", "3 min ago", "1 h ago"]);
        assert_eq!(moment("2025-03-01T14:05:09Z"), "2025-03-01 14:05");
        assert_eq!(moment("soon"), "soon");
    }
}
