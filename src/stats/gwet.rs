//! Gwet's AC1 and AC2: agreement beyond chance that stays sensible when nearly all items are on one level.
//!
//! Gwet 2008 and 2014, with missing ratings: agreement from items with at least two ratings, shares from all rated.

use super::number::real;
use super::tally::ratings;
use super::undefined::Estimate;
use super::{Tally, Weights};

/// AC1 with identity weights, AC2 with others. It is 1 when all ratings are on one level.
///
/// # Errors
/// `NoPairs`, or `TooFew` for one item.
pub fn gwet(tally: &Tally, weights: Weights) -> Estimate {
    Ok(Parts::of(tally, weights)?.coefficient)
}

/// Its standard error over items, for an endless supply of them.
///
/// # Errors
/// As [`gwet`].
pub fn standard_error(tally: &Tally, weights: Weights) -> Estimate {
    let parts = Parts::of(tally, weights)?;
    let rated: Vec<_> = tally.items().iter().filter(|item| ratings(item) > 0).collect();
    let n = real(rated.len());
    let mut sum = 0.0;
    for item in &rated {
        let own_chance = parts.scale
            * item
                .iter()
                .zip(&parts.shares)
                .map(|(count, share)| real(*count) / real(ratings(item)) * (1.0 - share))
                .sum::<f64>();
        let own = if ratings(item) >= 2 {
            n / parts.pairable * (item_agreement(item, weights) - parts.chance) / (1.0 - parts.chance)
        } else {
            0.0
        };
        let term = own
            - 2.0 * (1.0 - parts.coefficient) * (own_chance - parts.chance) / (1.0 - parts.chance)
            - parts.coefficient;
        sum += term * term;
    }
    Ok((sum / (n * (n - 1.0))).sqrt())
}

struct Parts {
    coefficient: f64,
    chance: f64,
    /// Sum of weights / (k(k−1)).
    scale: f64,
    shares: Vec<f64>,
    pairable: f64,
}

impl Parts {
    fn of(tally: &Tally, weights: Weights) -> Result<Parts, super::Undefined> {
        let pairable = real(tally.rated()?);
        let levels = tally.levels();
        let agreement = tally.pairable().map(|item| item_agreement(item, weights)).sum::<f64>() / pairable;
        let mut sum = 0.0;
        for i in 0..levels {
            sum += (0..levels).map(|j| weights.agreement(i, j, levels)).sum::<f64>();
        }
        let scale = sum / (real(levels) * real(levels - 1));
        let shares = tally.mean_shares();
        let chance = scale * shares.iter().map(|share| share * (1.0 - share)).sum::<f64>();
        Ok(Parts { coefficient: (agreement - chance) / (1.0 - chance), chance, scale, shares, pairable })
    }
}

/// The weighted share of agreeing ordered pairs of ratings of an item that has at least two.
pub(super) fn item_agreement(item: &[usize], weights: Weights) -> f64 {
    let levels = item.len();
    let mut sum = 0.0;
    for (i, count) in item.iter().enumerate().filter(|(_, count)| **count > 0) {
        let near: f64 =
            item.iter().enumerate().map(|(j, other)| weights.agreement(i, j, levels) * real(*other)).sum();
        sum += real(*count) * (near - 1.0);
    }
    let all = real(ratings(item));
    sum / (all * (all - 1.0))
}
