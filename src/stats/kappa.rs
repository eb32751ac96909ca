//! Cohen's kappa, weighted or not, its standard errors, and Scott's pi.
//!
//! Cohen 1960 and 1968; errors by Fleiss, Cohen and Everitt 1969.

use super::distribution::normal_critical;
use super::number::real;
use super::undefined::{Estimate, Undefined, at_least};
use super::{Confusion, Interval, Weights};

/// Cohen's kappa: agreement beyond what the raters' own shares would give by chance.
///
/// Calculated as 1 − observed/expected disagreement in whole units, so that it is exactly 0 when one rater is constant.
///
/// # Errors
/// [`Undefined::NoPairs`], [`Undefined::TooFew`] for one item, [`Undefined::OneLevel`].
pub fn kappa(table: &Confusion, weights: Weights) -> Estimate {
    rated(table)?;
    let (rows, columns) = (table.expert_totals(), table.judge_totals());
    let (mut observed, mut expected) = (0.0, 0.0);
    for (i, j, count) in table.cells() {
        let distance = weights.distance(i, j);
        observed += distance * real(count);
        expected += distance * real(rows[i]) * real(columns[j]);
    }
    Ok(1.0 - observed * real(table.total()) / expected)
}

/// The asymptotic standard error of [`kappa`].
///
/// # Errors
/// As [`kappa`].
pub fn standard_error(table: &Confusion, weights: Weights) -> Estimate {
    let kappa = kappa(table, weights)?;
    let parts = Parts::of(table, weights);
    // The published form subtracts the square of this mean at the end; taken out first, nothing cancels.
    let mean = kappa - parts.expected * (1.0 - kappa);
    let mut sum = 0.0;
    for (i, j, count) in table.cells() {
        let term = parts.weight(i, j) - (parts.by_row[i] + parts.by_column[j]) * (1.0 - kappa) - mean;
        sum += real(count) / parts.n * term * term;
    }
    Ok(parts.error(sum))
}

/// The standard error of [`kappa`] if the raters were independent: for a test against 0.
///
/// # Errors
/// As [`kappa`].
pub fn standard_error_of_chance(table: &Confusion, weights: Weights) -> Estimate {
    rated(table)?;
    let parts = Parts::of(table, weights);
    let mut sum = 0.0;
    for (i, j, _) in table.cells() {
        let term = parts.weight(i, j) - (parts.by_row[i] + parts.by_column[j]) + parts.expected;
        sum += parts.rows[i] * parts.columns[j] * term * term;
    }
    Ok(parts.error(sum))
}

/// The normal interval of [`kappa`]. It is not cut at 1, as published ones are not; a bootstrap interval is.
///
/// # Errors
/// As [`kappa`]; [`Undefined::Malformed`] for a confidence outside 0..1.
pub fn interval(table: &Confusion, weights: Weights, confidence: f64) -> Result<Interval, Undefined> {
    let half = normal_critical(confidence)? * standard_error(table, weights)?;
    Ok(Interval::around(kappa(table, weights)?, half))
}

/// The highest unweighted kappa that these shares of levels allow.
///
/// # Errors
/// As [`kappa`].
pub fn highest(table: &Confusion) -> Estimate {
    rated(table)?;
    let parts = Parts::of(table, Weights::Identity);
    let most: f64 = parts.rows.iter().zip(&parts.columns).map(|(a, b)| a.min(*b)).sum();
    Ok((most - parts.expected) / (1.0 - parts.expected))
}

/// Scott's pi: as kappa, with the shares of both raters pooled, on items that both rated. With the shares of all ratings
/// it is [`super::fleiss::with_missing`].
///
/// # Errors
/// As [`kappa`].
pub fn scott_pi(table: &Confusion) -> Estimate {
    rated(table)?;
    let parts = Parts::of(table, Weights::Identity);
    let expected: f64 = parts.rows.iter().zip(&parts.columns).map(|(a, b)| ((a + b) / 2.0).powi(2)).sum();
    let observed: usize = (0..table.levels()).map(|level| table.cell(level, level)).sum();
    Ok((real(observed) / parts.n - expected) / (1.0 - expected))
}

/// Refuses what no coefficient can be made of.
fn rated(table: &Confusion) -> Result<(), Undefined> {
    if table.total() == 0 {
        return Err(Undefined::NoPairs);
    }
    at_least(2, table.total())?;
    if table.one_level() { Err(Undefined::OneLevel) } else { Ok(()) }
}

/// What the errors share: marginal shares, expected agreement, mean weights.
struct Parts {
    n: f64,
    rows: Vec<f64>,
    columns: Vec<f64>,
    expected: f64,
    by_row: Vec<f64>,
    by_column: Vec<f64>,
    weights: Weights,
}

impl Parts {
    fn of(table: &Confusion, weights: Weights) -> Parts {
        let n = real(table.total());
        let shares = |totals: Vec<usize>| totals.into_iter().map(|count| real(count) / n).collect::<Vec<_>>();
        let (rows, columns) = (shares(table.expert_totals()), shares(table.judge_totals()));
        let levels = rows.len();
        let mean = |shares: &[f64], of: usize| -> f64 {
            shares.iter().enumerate().map(|(at, share)| share * weights.agreement(of, at, levels)).sum()
        };
        let by_row: Vec<f64> = (0..levels).map(|i| mean(&columns, i)).collect();
        let by_column = (0..levels).map(|j| mean(&rows, j)).collect();
        let expected = rows.iter().zip(&by_row).map(|(a, w)| a * w).sum();
        Parts { n, rows, columns, expected, by_row, by_column, weights }
    }

    fn weight(&self, i: usize, j: usize) -> f64 {
        self.weights.agreement(i, j, self.rows.len())
    }

    fn error(&self, variance: f64) -> f64 {
        (variance / self.n).sqrt() / (1.0 - self.expected)
    }
}

#[cfg(test)]
#[path = "kappa_tests.rs"]
mod tests;
