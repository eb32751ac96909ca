//! How much higher a judge grades than the expert.

use super::distribution::t_critical;
use super::number::real;
use super::undefined::{Estimate, Undefined, at_least, same_length};
use super::{Interval, moments};

/// The differences judge − expert of the items that both graded, in their order.
///
/// # Errors
/// [`Undefined::Malformed`] when the columns differ in length.
pub fn differences(expert: &[Option<f64>], judge: &[Option<f64>]) -> Result<Vec<f64>, Undefined> {
    same_length(expert.len(), judge.len())?;
    Ok(expert.iter().zip(judge).filter_map(|(expert, judge)| Some((*judge)? - (*expert)?)).collect())
}

/// The mean difference: above 0 the judge is lenient.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn bias(differences: &[f64]) -> Estimate {
    some(differences)?;
    moments::mean(differences)
}

/// The standard error of [`bias`].
///
/// # Errors
/// [`Undefined::NoPairs`], [`Undefined::TooFew`] for one pair.
pub fn standard_error(differences: &[f64]) -> Estimate {
    some(differences)?;
    moments::standard_error(differences)
}

/// The interval of [`bias`] by Student's t.
///
/// # Errors
/// As [`standard_error`]; [`Undefined::NoSpread`] when all differences are equal: an interval of no width would claim
/// certainty.
pub fn interval(differences: &[f64], confidence: f64) -> Result<Interval, Undefined> {
    some(differences)?;
    at_least(2, differences.len())?;
    let centre = moments::mean(differences)?;
    if moments::all_equal(differences) {
        return Err(Undefined::NoSpread);
    }
    let t = t_critical(confidence, real(differences.len() - 1))?;
    Ok(Interval::around(centre, t * moments::standard_error(differences)?))
}

/// The mean absolute difference.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn mean_absolute(differences: &[f64]) -> Estimate {
    some(differences)?;
    moments::mean(&differences.iter().map(|difference| difference.abs()).collect::<Vec<_>>())
}

fn some(differences: &[f64]) -> Result<(), Undefined> {
    if differences.is_empty() { Err(Undefined::NoPairs) } else { Ok(()) }
}
