//! Counts as real numbers.

/// A count as a real number: exact up to 2^53, far above what can be rated.
#[allow(clippy::cast_precision_loss)] // see above
pub(super) fn real(count: usize) -> f64 {
    count as f64
}
