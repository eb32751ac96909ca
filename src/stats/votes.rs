//! Many votes of one thing made one grade.

use super::number::real;
use super::undefined::{Estimate, Undefined, at_least};
use super::{moments, quantile};

/// The most frequent level of pooled votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// The level: of several equally frequent ones the lowest (OSB, section 4.3).
    pub level: usize,
    /// Whether several were equally frequent.
    pub tie: bool,
    /// How many votes the level got.
    pub votes: usize,
}

/// The mode of pooled votes, ties to the lower level. The order of votes does not matter.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing.
pub fn mode(votes: &[usize]) -> Result<Mode, Undefined> {
    at_least(1, votes.len())?;
    let mut sorted = votes.to_vec();
    sorted.sort_unstable();
    let mut best = Mode { level: 0, tie: false, votes: 0 };
    for group in sorted.chunk_by(|a, b| a == b) {
        if group.len() > best.votes {
            best = Mode { level: group[0], tie: false, votes: group.len() };
        } else if group.len() == best.votes {
            best.tie = true;
        }
    }
    Ok(best)
}

/// The level that more than half of the votes name.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing; [`Undefined::NoneDefined`] when no level has more than half.
pub fn strict_majority(votes: &[usize]) -> Result<usize, Undefined> {
    let mode = mode(votes)?;
    if 2 * mode.votes > votes.len() { Ok(mode.level) } else { Err(Undefined::NoneDefined) }
}

/// The lowest vote: a single doubt decides.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing.
pub fn lowest(votes: &[usize]) -> Result<usize, Undefined> {
    votes.iter().min().copied().ok_or(Undefined::TooFew { needed: 1, found: 0 })
}

/// The highest vote.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing.
pub fn highest(votes: &[usize]) -> Result<usize, Undefined> {
    votes.iter().max().copied().ok_or(Undefined::TooFew { needed: 1, found: 0 })
}

/// The mean of what votes are worth.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing.
pub fn mean(values: &[f64]) -> Estimate {
    moments::mean(values)
}

/// The median of what votes are worth: the middle of the two in the middle.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing.
pub fn median(values: &[f64]) -> Estimate {
    quantile::quantile(values, 0.5)
}

/// The share of votes for the mode: 1 when all agree.
///
/// # Errors
/// [`Undefined::TooFew`] of nothing.
pub fn unity(votes: &[usize]) -> Estimate {
    Ok(real(mode(votes)?.votes) / real(votes.len()))
}

#[cfg(test)]
mod tests {
    use super::{Undefined, highest, lowest, mode, strict_majority, unity};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_mode_is_the_lowest_of_the_most_frequent(votes in prop::collection::vec(0_usize..4, 1..20)) {
            let count = |level: usize| votes.iter().filter(|vote| **vote == level).count();
            let most = (0..4).map(count).max().unwrap();
            let tops: Vec<usize> = (0..4).filter(|level| count(*level) == most).collect();
            let found = mode(&votes).unwrap();
            prop_assert_eq!((found.level, found.tie, found.votes), (tops[0], tops.len() > 1, most));
            let mut turned = votes.clone();
            turned.reverse();
            prop_assert_eq!(mode(&turned), Ok(found));
            prop_assert_eq!(strict_majority(&votes).is_ok(), 2 * most > votes.len());
            prop_assert!(lowest(&votes).unwrap() <= found.level && found.level <= highest(&votes).unwrap());
        }
    }

    #[test]
    fn no_votes_have_no_mode() {
        assert_eq!(mode(&[]), Err(Undefined::TooFew { needed: 1, found: 0 }));
        assert_eq!(strict_majority(&[1, 0]), Err(Undefined::NoneDefined));
        assert_eq!(unity(&[2, 2, 1, 2]), Ok(0.75));
    }
}
