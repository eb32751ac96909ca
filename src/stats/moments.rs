//! Mean, variance, standard error.

use super::number::real;
use super::undefined::{Estimate, at_least, finite};

/// The mean.
///
/// # Errors
/// `TooFew` of nothing; `Malformed` for values that are no numbers.
pub fn mean(values: &[f64]) -> Estimate {
    at_least(1, values.len())?;
    finite(values)?;
    Ok(values.iter().sum::<f64>() / real(values.len()))
}

/// The variance of a sample (divided by n − 1).
///
/// # Errors
/// `TooFew` of fewer than two; `Malformed` for values that are no numbers.
pub fn variance(values: &[f64]) -> Estimate {
    at_least(2, values.len())?;
    Ok(squares(values)? / real(values.len() - 1))
}

/// The variance of a whole population (divided by n).
///
/// # Errors
/// `TooFew` of nothing; `Malformed` for values that are no numbers.
pub fn population_variance(values: &[f64]) -> Estimate {
    Ok(squares(values)? / real(values.len()))
}

/// The standard error of the mean.
///
/// # Errors
/// As [`variance`].
pub fn standard_error(values: &[f64]) -> Estimate {
    Ok((variance(values)? / real(values.len())).sqrt())
}

/// Whether all values are one.
#[allow(clippy::float_cmp)] // exactly equal is what makes a spread of exactly 0
pub(super) fn all_equal(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// The sum of squared distances from the mean: exactly 0 when all values are equal.
fn squares(values: &[f64]) -> Estimate {
    let mean = mean(values)?;
    if all_equal(values) {
        return Ok(0.0);
    }
    Ok(values.iter().map(|value| (value - mean).powi(2)).sum())
}
