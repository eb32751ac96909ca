//! The share of equal pairs: always shown, since it exists where coefficients don't.

use super::number::real;
use super::undefined::{Estimate, Undefined};
use super::{Confusion, Interval, wilson};

/// The share of items on which both said the same.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn percent_agreement(table: &Confusion) -> Estimate {
    share_within(table, 0)
}

/// The share of items on which both said the same or neighbouring levels.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn adjacent_agreement(table: &Confusion) -> Estimate {
    share_within(table, 1)
}

/// Wilson's interval of percent agreement.
///
/// # Errors
/// [`Undefined::NoPairs`]; [`Undefined::Malformed`] for a confidence outside 0..1.
pub fn percent_agreement_interval(table: &Confusion, confidence: f64) -> Result<Interval, Undefined> {
    if table.total() == 0 {
        return Err(Undefined::NoPairs);
    }
    wilson::interval(equal_or_within(table, 0), table.total(), confidence)
}

fn share_within(table: &Confusion, steps: usize) -> Estimate {
    match table.total() {
        0 => Err(Undefined::NoPairs),
        total => Ok(real(equal_or_within(table, steps)) / real(total)),
    }
}

fn equal_or_within(table: &Confusion, steps: usize) -> usize {
    table.cells().filter(|(i, j, _)| i.abs_diff(*j) <= steps).map(|(_, _, count)| count).sum()
}
