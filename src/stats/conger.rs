//! Conger's kappa: Cohen's for many raters, whose own shares make the chance (Conger 1980; Gwet 2014 with missing).

use super::Tally;
use super::fleiss::mean_agreement;
use super::number::real;
use super::undefined::{Estimate, Undefined, raters};

/// Conger's unweighted kappa of a table of items × raters.
///
/// # Errors
/// [`Undefined::NoPairs`], [`Undefined::TooFew`] for one item, [`Undefined::OneLevel`], [`Undefined::AbsentRater`];
/// [`Undefined::Malformed`] when rows differ in length or a rating is not in the list.
pub fn conger(levels: usize, ratings: &[Vec<Option<usize>>]) -> Estimate {
    let tally = Tally::count(levels, ratings)?;
    tally.rated()?;
    let raters = raters(ratings)?;
    let mut chance = 0.0;
    let shares = (0..raters).map(|rater| shares(levels, ratings, rater)).collect::<Result<Vec<_>, _>>()?;
    if tally.one_level() {
        return Err(Undefined::OneLevel);
    }
    // Two raters drawn without putting one back agree by chance as often as their shares multiply.
    let r = real(raters);
    for level in 0..levels {
        let sum: f64 = shares.iter().map(|rater| rater[level]).sum();
        let squares: f64 = shares.iter().map(|rater| rater[level].powi(2)).sum();
        chance += (sum * sum - squares) / (r * (r - 1.0));
    }
    if chance >= 1.0 {
        return Err(Undefined::OneLevel);
    }
    Ok((mean_agreement(&tally)? - chance) / (1.0 - chance))
}

/// How a rater's ratings spread over the levels.
fn shares(levels: usize, ratings: &[Vec<Option<usize>>], rater: usize) -> Result<Vec<f64>, Undefined> {
    let mut counts = vec![0; levels];
    for level in ratings.iter().filter_map(|row| row[rater]) {
        counts[level] += 1;
    }
    match counts.iter().sum() {
        0 => Err(Undefined::AbsentRater),
        total => Ok(counts.into_iter().map(|count| real(count) / real(total)).collect()),
    }
}
