//! Wall times of events: the beginning of the trial and so many milliseconds.

use crate::archive::moment::{moment, wall_time};

/// The time of an event, RFC 3339 in UTC.
pub(super) fn time(started: Option<&str>, milliseconds: Option<u64>) -> Option<String> {
    let start = moment(started?)?;
    let after = i64::try_from(milliseconds?).ok()?.checked_mul(1000)?;
    wall_time(start.checked_add(after)?)
}
