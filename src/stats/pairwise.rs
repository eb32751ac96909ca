//! Cohen's kappa of every two raters of a group.

use super::kappa::kappa;
use super::undefined::{Estimate, Undefined, raters};
use super::{Confusion, Weights, moments};

/// Two raters of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The columns of the two.
    pub raters: (usize, usize),
    /// How many items both rated.
    pub items: usize,
    /// Their kappa on those.
    pub kappa: Estimate,
}

/// Kappa of every two columns of a table of items × raters, on the items that both rated.
///
/// # Errors
/// [`Undefined::Malformed`] when rows differ in length or a rating is not in the list.
pub fn pairwise(
    levels: usize,
    ratings: &[Vec<Option<usize>>],
    weights: Weights,
) -> Result<Vec<Pair>, Undefined> {
    let raters = raters(ratings)?;
    let column = |rater: usize| ratings.iter().map(|row| row[rater]).collect::<Vec<_>>();
    let columns: Vec<_> = (0..raters).map(column).collect();
    let mut pairs = Vec::new();
    for (a, left) in columns.iter().enumerate() {
        for (b, right) in columns.iter().enumerate().skip(a + 1) {
            let table = Confusion::count(levels, left, right)?;
            pairs.push(Pair { raters: (a, b), items: table.total(), kappa: kappa(&table, weights) });
        }
    }
    Ok(pairs)
}

/// The mean of the defined kappas.
///
/// # Errors
/// [`Undefined::NoneDefined`].
pub fn mean(pairs: &[Pair]) -> Estimate {
    let defined: Vec<f64> = pairs.iter().filter_map(|pair| pair.kappa.ok()).collect();
    if defined.is_empty() {
        return Err(Undefined::NoneDefined);
    }
    moments::mean(&defined)
}
