//! Correlation of two columns: Pearson, Spearman, Kendall's tau-b.

use super::moments::{all_equal, mean};
use super::number::real;
use super::undefined::{Estimate, Undefined, at_least, same_length};

/// Pearson's correlation.
///
/// # Errors
/// [`Undefined::TooFew`] of fewer than two, [`Undefined::NoSpread`] when a column is constant, [`Undefined::Malformed`]
/// for columns of different lengths or values that are no numbers.
pub fn pearson(x: &[f64], y: &[f64]) -> Estimate {
    checked(x, y)?;
    let (mean_x, mean_y) = (mean(x)?, mean(y)?);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (x, y) = (x - mean_x, y - mean_y);
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    Ok((xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

/// Spearman's correlation: Pearson's of the ranks, where equal values share their mean rank.
///
/// # Errors
/// As [`pearson`].
pub fn spearman(x: &[f64], y: &[f64]) -> Estimate {
    checked(x, y)?;
    pearson(&ranks(x), &ranks(y))
}

/// Kendall's tau-b, corrected for ties. Time grows with the square of the number of *distinct* pairs of values.
///
/// # Errors
/// As [`pearson`].
pub fn kendall(x: &[f64], y: &[f64]) -> Estimate {
    checked(x, y)?;
    let pairs = distinct(x.iter().copied().zip(y.iter().copied()));
    let mut concordant = 0.0;
    for (at, ((x, y), count)) in pairs.iter().enumerate() {
        for ((other_x, other_y), other) in &pairs[at + 1..] {
            let (dx, dy) = (other_x - x, other_y - y);
            if dx != 0.0 && dy != 0.0 {
                concordant += count * other * (dx.signum() * dy.signum());
            }
        }
    }
    let ties = |values: &[f64]| -> f64 {
        distinct(values.iter().map(|value| (*value, 0.0)))
            .iter()
            .map(|(_, count)| count * (count - 1.0))
            .sum()
    };
    let n = real(x.len());
    let all = n * (n - 1.0);
    Ok(2.0 * concordant / ((all - ties(x)).sqrt() * (all - ties(y)).sqrt()))
}

/// The rank of each value from 1, equal values sharing the mean of theirs.
#[allow(clippy::float_cmp)] // equal values tie, near ones don't
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| (values[*a] + 0.0).total_cmp(&(values[*b] + 0.0)));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
        for at in group {
            ranks[*at] = real(2 * from + group.len() + 1) / 2.0;
        }
        from += group.len();
    }
    ranks
}

/// Distinct pairs of values, each with how often it occurs. Adding 0 makes -0 and 0 one.
fn distinct(pairs: impl Iterator<Item = (f64, f64)>) -> Vec<((f64, f64), f64)> {
    let mut pairs: Vec<_> = pairs.map(|(x, y)| (x + 0.0, y + 0.0)).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    pairs.chunk_by(|a, b| a == b).map(|group| (group[0], real(group.len()))).collect()
}

fn checked(x: &[f64], y: &[f64]) -> Result<(), Undefined> {
    same_length(x.len(), y.len())?;
    at_least(2, x.len())?;
    super::undefined::finite(x)?;
    super::undefined::finite(y)?;
    if all_equal(x) || all_equal(y) { Err(Undefined::NoSpread) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{Undefined, kendall, pearson, ranks, spearman};
    use proptest::prelude::*;

    /// Tau-b over every pair of items.
    #[allow(clippy::float_cmp)]
    fn tau_by_definition(x: &[f64], y: &[f64]) -> f64 {
        let (mut score, mut in_x, mut in_y) = (0.0, 0.0, 0.0);
        let sign = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).signum() };
        for i in 0..x.len() {
            for j in 0..i {
                let (a, b) = (sign(x[i], x[j]), sign(y[i], y[j]));
                score += a * b;
                in_x += a * a;
                in_y += b * b;
            }
        }
        score / f64::sqrt(in_x * in_y)
    }

    proptest! {
        #[test]
        fn symmetric_bounded_and_as_defined(pairs in prop::collection::vec((0_u8..5, 0_u8..5), 0..30)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip();
            let down: Vec<f64> = y.iter().map(|y| -y).collect();
            let cubed: Vec<f64> = y.iter().map(|y| y.powi(3)).collect();
            for correlation in [pearson, spearman, kendall] {
                match correlation(&x, &y) {
                    Ok(value) => {
                        prop_assert!((-1.0 - 1e-12..=1.0 + 1e-12).contains(&value));
                        prop_assert!((value - correlation(&y, &x).unwrap()).abs() < 1e-12);
                        prop_assert!((value + correlation(&x, &down).unwrap()).abs() < 1e-12);
                    }
                    Err(reason) => prop_assert!(!matches!(reason, Undefined::Malformed(_) | Undefined::NoPairs)),
                }
            }
            if let Ok(value) = kendall(&x, &y) {
                prop_assert!((value - tau_by_definition(&x, &y)).abs() < 1e-12);
                prop_assert!((spearman(&x, &y).unwrap() - spearman(&x, &cubed).unwrap()).abs() < 1e-12);
            }
            let sum: f64 = ranks(&x).iter().sum();
            let n = f64::from(u8::try_from(x.len()).unwrap());
            prop_assert!((sum - n * (n + 1.0) / 2.0).abs() < 1e-9);
        }
    }

    #[test]
    fn equal_values_share_their_rank() {
        assert_eq!(ranks(&[3.0, -0.0, 0.0, 1.0]), [4.0, 1.5, 1.5, 3.0]);
        assert!(matches!(pearson(&[1.0, f64::NAN], &[1.0, 2.0]), Err(Undefined::Malformed(_))));
    }
}
