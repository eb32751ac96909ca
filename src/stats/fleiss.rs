//! Fleiss' kappa for many raters (Fleiss 1971).

use super::gwet::item_agreement;
use super::number::real;
use super::undefined::{Estimate, Undefined};
use super::{Tally, Weights};

/// Fleiss' kappa: no rating may be missing.
///
/// # Errors
/// [`Undefined::MissingRatings`], [`Undefined::NoPairs`], [`Undefined::TooFew`] for one item, [`Undefined::OneLevel`].
pub fn fleiss(tally: &Tally) -> Estimate {
    tally.rated()?;
    if !tally.complete() {
        return Err(Undefined::MissingRatings);
    }
    with_missing(tally)
}

/// The generalisation by Gwet (2014), which allows missing ratings; equal to [`fleiss`] without them, and to Scott's pi
/// for two raters.
///
/// # Errors
/// [`Undefined::NoPairs`], [`Undefined::TooFew`] for one item, [`Undefined::OneLevel`].
pub fn with_missing(tally: &Tally) -> Estimate {
    let agreement = mean_agreement(tally)?;
    tally.rated()?;
    if tally.one_level() {
        return Err(Undefined::OneLevel);
    }
    let chance: f64 = tally.mean_shares().iter().map(|share| share * share).sum();
    Ok((agreement - chance) / (1.0 - chance))
}

/// The share of agreeing pairs of ratings, as the mean over items with at least two.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn mean_agreement(tally: &Tally) -> Estimate {
    match tally.pairable().count() {
        0 => Err(Undefined::NoPairs),
        many => {
            Ok(tally.pairable().map(|item| item_agreement(item, Weights::Identity)).sum::<f64>() / real(many))
        }
    }
}
