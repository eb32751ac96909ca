//! Wilson's score interval of a share (Wilson 1927), without continuity correction.

use super::Interval;
use super::distribution::normal_critical;
use super::number::real;
use super::undefined::{Estimate, Undefined, at_least};

/// The interval of `successes` out of `total`.
///
/// # Errors
/// [`Undefined::TooFew`] for nothing out of nothing; [`Undefined::Malformed`] for more successes than trials or a
/// confidence outside 0..1.
pub fn interval(successes: usize, total: usize, confidence: f64) -> Result<Interval, Undefined> {
    at_least(1, total)?;
    if successes > total {
        return Err(Undefined::Malformed("more successes than trials"));
    }
    Ok(of_share(real(successes) / real(total), real(total), normal_critical(confidence)?))
}

/// How wide the interval will be for a share expected near `share` after `total` observations: half of it is the usual
/// "plus or minus". Helps to choose a sample size.
///
/// # Errors
/// As [`interval`].
pub fn expected_width(share: f64, total: usize, confidence: f64) -> Estimate {
    at_least(1, total)?;
    if !(0.0..=1.0).contains(&share) {
        return Err(Undefined::Malformed("a share is between 0 and 1"));
    }
    Ok(of_share(share, real(total), normal_critical(confidence)?).width())
}

fn of_share(share: f64, n: f64, z: f64) -> Interval {
    let divisor = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / divisor;
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / divisor;
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::{expected_width, interval};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn holds_the_share_mirrors_and_narrows(total in 1_usize..500, part in 0_usize..500) {
            let successes = part % (total + 1);
            let found = interval(successes, total, 0.95).unwrap();
            let share = f64::from(u32::try_from(successes).unwrap()) / f64::from(u32::try_from(total).unwrap());
            prop_assert!(found.low <= share + 1e-12 && share <= found.high + 1e-12);
            let mirrored = interval(total - successes, total, 0.95).unwrap();
            prop_assert!((mirrored.low - (1.0 - found.high)).abs() < 1e-12);
            prop_assert!(interval(successes * 4, total * 4, 0.95).unwrap().width() < found.width());
            prop_assert!((expected_width(share, total, 0.95).unwrap() - found.width()).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_out_of_nothing_has_no_interval() {
        assert!(interval(0, 0, 0.95).is_err() && interval(2, 1, 0.95).is_err());
    }
}
