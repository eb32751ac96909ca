//! The bootstrap: a statistic on many resamples of whole units, drawn with a seed that the caller keeps.
//!
//! A resample on which the statistic is undefined is left out and counted; it never becomes a 0.

use super::clusters::Clusters;
use super::distribution::checked;
use super::undefined::{Estimate, Undefined, at_least};
use super::{Interval, moments, quantile};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// Draws `count` resamples of `units` units with replacement. The same seed gives the same rows on every machine:
/// `ChaCha8` keyed with the seed (little-endian, then zeros), and for each place the upper half of a 64-bit word times
/// the number of units.
#[allow(clippy::cast_possible_truncation)] // the product's upper half is below the number of units
pub fn resamples(units: usize, count: usize, seed: u64) -> impl Iterator<Item = Vec<usize>> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    let mut below = move || ((u128::from(random.next_u64()) * units as u128) >> 64) as usize;
    (0..count).map(move |_| (0..units).map(|_| below()).collect())
}

/// What the resamples gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Replicates {
    /// The defined values, in the order of the resamples.
    pub values: Vec<f64>,
    /// On how many resamples the statistic was undefined.
    pub undefined: usize,
}

/// Calculates a statistic on each resample. The statistic is given rows, with repetitions.
///
/// # Errors
/// [`Undefined::Malformed`] when a resample names a unit that does not exist.
pub fn replicate(
    clusters: &Clusters,
    resamples: impl IntoIterator<Item = Vec<usize>>,
    statistic: impl Fn(&[usize]) -> Estimate,
) -> Result<Replicates, Undefined> {
    let mut found = Replicates { values: Vec::new(), undefined: 0 };
    for units in resamples {
        match statistic(&clusters.rows(&units)?) {
            Ok(value) => found.values.push(value),
            Err(_) => found.undefined += 1,
        }
    }
    Ok(found)
}

impl Replicates {
    /// The bootstrap's standard error: the spread of the defined replicates.
    ///
    /// # Errors
    /// [`Undefined::NoneDefined`]; [`Undefined::TooFew`] of one.
    pub fn standard_error(&self) -> Estimate {
        self.some()?;
        Ok(moments::variance(&self.values)?.sqrt())
    }

    /// The percentile interval.
    ///
    /// # Errors
    /// [`Undefined::NoneDefined`]; [`Undefined::Malformed`] for a confidence outside 0..1.
    pub fn percentile(&self, confidence: f64) -> Result<Interval, Undefined> {
        let tail = (1.0 - checked(confidence)?) / 2.0;
        self.between(tail, 1.0 - tail)
    }

    /// The interval between two shares of the replicates.
    pub(super) fn between(&self, low: f64, high: f64) -> Result<Interval, Undefined> {
        self.some()?;
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        Ok(Interval { low: quantile::of_sorted(&sorted, low)?, high: quantile::of_sorted(&sorted, high)? })
    }

    pub(super) fn some(&self) -> Result<(), Undefined> {
        if self.values.is_empty() { Err(Undefined::NoneDefined) } else { Ok(()) }
    }
}

/// The statistic without each unit in turn, in the order of units.
///
/// # Errors
/// [`Undefined::TooFew`] of fewer than two units.
pub fn jackknife(
    clusters: &Clusters,
    statistic: impl Fn(&[usize]) -> Estimate,
) -> Result<Vec<Estimate>, Undefined> {
    at_least(2, clusters.units())?;
    let without = |unit: usize| {
        let others: Vec<usize> = (0..clusters.units()).filter(|other| *other != unit).collect();
        statistic(&clusters.rows(&others)?)
    };
    Ok((0..clusters.units()).map(without).collect())
}

#[cfg(test)]
#[path = "bootstrap_tests.rs"]
mod tests;
