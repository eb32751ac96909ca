//! Quantiles of a sample, type 7 (linear between order statistics; the default of R and numpy).

use super::number::real;
use super::undefined::{Estimate, Undefined, at_least, finite};

/// The value below which a share `p` of `values` lies.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing; [`Undefined::Malformed`] for `p` outside 0..=1 or values that are no numbers.
pub fn quantile(values: &[f64], p: f64) -> Estimate {
    at_least(1, values.len())?;
    finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    of_sorted(&sorted, p)
}

/// The same of values in rising order, at least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and the last position
pub(super) fn of_sorted(sorted: &[f64], p: f64) -> Estimate {
    if !(0.0..=1.0).contains(&p) {
        return Err(Undefined::Malformed("a share is between 0 and 1"));
    }
    let at = real(sorted.len() - 1) * p;
    let below = at.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(sorted.len() - 1)]);
    Ok(low + (high - low) * (at - real(below)))
}

#[cfg(test)]
mod tests {
    use super::quantile;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rises_within_the_sample(values in prop::collection::vec(-1e3_f64..1e3, 1..40), p in 0.0_f64..1.0) {
            let found = quantile(&values, p).unwrap();
            let (low, high) = (quantile(&values, 0.0).unwrap(), quantile(&values, 1.0).unwrap());
            prop_assert!(low <= found + 1e-9 && found <= high + 1e-9);
            prop_assert!(found <= quantile(&values, p.midpoint(1.0)).unwrap() + 1e-9);
            prop_assert!(values.contains(&low) && values.iter().all(|value| *value >= low));
        }
    }

    #[test]
    fn lies_between_order_statistics() {
        assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.5), Ok(2.5));
        assert_eq!(quantile(&[10.0, 20.0], 0.25), Ok(12.5));
        assert!(quantile(&[], 0.5).is_err() && quantile(&[1.0], 1.1).is_err());
    }
}
