//! The bias-corrected and accelerated interval (Efron 1987) of bootstrap replicates.

use super::Interval;
use super::bootstrap::Replicates;
use super::distribution::{checked, normal_cdf, normal_quantile};
use super::moments::{all_equal, mean};
use super::number::real;
use super::undefined::{Estimate, Undefined};

/// The correction for bias, z0: how far the replicates lie to one side of the estimate. Replicates equal to it count
/// half on each side.
///
/// # Errors
/// [`Undefined::NoneDefined`]; [`Undefined::OneSided`] when all are on one side.
pub fn bias_correction(estimate: f64, replicates: &Replicates) -> Estimate {
    replicates.some()?;
    let below = replicates.values.iter().filter(|value| **value < estimate).count();
    let up_to = replicates.values.iter().filter(|value| **value <= estimate).count();
    let share = real(below + up_to) / real(2 * replicates.values.len());
    if share > 0.0 && share < 1.0 { Ok(normal_quantile(share)) } else { Err(Undefined::OneSided) }
}

/// The acceleration, a: how the error changes with the estimate, from the jackknife.
///
/// # Errors
/// [`Undefined::Jackknife`] when one of the values is undefined, [`Undefined::NoSpread`] when all are equal.
pub fn acceleration(jackknife: &[Estimate]) -> Estimate {
    let values: Vec<f64> =
        jackknife.iter().map(|value| value.map_err(|_| Undefined::Jackknife)).collect::<Result<_, _>>()?;
    let centre = mean(&values)?;
    if all_equal(&values) {
        return Err(Undefined::NoSpread);
    }
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in &values {
        let u = centre - value;
        squares += u * u;
        cubes += u * u * u;
    }
    Ok(cubes / (6.0 * squares.powf(1.5)))
}

/// The interval.
///
/// # Errors
/// As [`bias_correction`] and [`acceleration`]; [`Undefined::Malformed`] for a confidence outside 0..1.
pub fn interval(
    estimate: f64,
    replicates: &Replicates,
    jackknife: &[Estimate],
    confidence: f64,
) -> Result<Interval, Undefined> {
    let tail = (1.0 - checked(confidence)?) / 2.0;
    let (a, z0) = (acceleration(jackknife)?, bias_correction(estimate, replicates)?);
    let end = |p: f64| {
        let z = z0 + normal_quantile(p);
        normal_cdf(z0 + z / (1.0 - a * z))
    };
    replicates.between(end(tail), end(1.0 - tail))
}
