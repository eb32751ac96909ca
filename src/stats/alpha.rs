//! Krippendorff's alpha for nominal, ordinal and interval levels, with missing ratings (Krippendorff 2011).

use super::Tally;
use super::number::real;
use super::tally::ratings;
use super::undefined::{Estimate, Undefined, finite, same_length};

/// What a difference of two levels counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Metric<'a> {
    /// Equal or not.
    Nominal,
    /// By how many ratings lie between the two.
    Ordinal,
    /// By the square of the difference of these values, one a level.
    Interval(&'a [f64]),
}

/// Alpha: 1 − observed/expected disagreement. Items with fewer than two ratings are left out.
///
/// # Errors
/// [`Undefined::NoPairs`], [`Undefined::TooFew`] for one item, [`Undefined::OneLevel`]; [`Undefined::Malformed`] for
/// values that are not one a level.
pub fn alpha(tally: &Tally, metric: Metric) -> Estimate {
    if let Metric::Interval(values) = metric {
        same_length(values.len(), tally.levels())?;
        finite(values)?;
    }
    tally.rated()?;
    let totals: Vec<f64> =
        (0..tally.levels()).map(|level| real(tally.pairable().map(|item| item[level]).sum())).collect();
    if totals.iter().filter(|total| **total > 0.0).count() == 1 {
        return Err(Undefined::OneLevel);
    }
    let (mut observed, mut expected) = (0.0, 0.0);
    for i in 0..tally.levels() {
        for j in i + 1..tally.levels() {
            let distance = distance(metric, &totals, i, j);
            expected += distance * totals[i] * totals[j];
            observed += distance
                * tally
                    .pairable()
                    .map(|item| real(item[i]) * real(item[j]) / real(ratings(item) - 1))
                    .sum::<f64>();
        }
    }
    if expected == 0.0 {
        return Err(Undefined::NoSpread); // the levels that were used are worth the same
    }
    Ok(1.0 - (totals.iter().sum::<f64>() - 1.0) * observed / expected)
}

/// The squared difference of two levels, `i` below `j`.
fn distance(metric: Metric, totals: &[f64], i: usize, j: usize) -> f64 {
    match metric {
        Metric::Nominal => 1.0,
        Metric::Ordinal => (totals[i..=j].iter().sum::<f64>() - f64::midpoint(totals[i], totals[j])).powi(2),
        Metric::Interval(values) => (values[i] - values[j]).powi(2),
    }
}

#[cfg(test)]
#[path = "alpha_tests.rs"]
mod tests;
